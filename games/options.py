"""The engine's games as the league sees them: their options as form fields, read and checked by the game."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import engine.game
from engine.errors import OptionError
from engine.game import Game
from engine.game import OptionField as EngineField
from engine.game.capabilities import Robot
from engine.options import raise_option_faults
from engine.text import gettext_noop
from league.errors import Invalid
from league.extension import GamePort, OptionField
from league.web.wording import in_words


def port_of(game: Game) -> GamePort:
    """The game as league.extension knows it."""

    def read_options(data: Mapping[str, Any]) -> dict[str, Any]:
        try:
            raise_option_faults([_no_option(name) for name in game.carried if name in data])
            return game.read_options(dict(data))
        except OptionError as error:
            raise _refusal(error) from error

    own = game.boards.own_options if game.boards else frozenset()
    return GamePort(
        key=game.key,
        name=_lazily(game.name),
        options=tuple(_field(option, own) for option in game.options()),
        read_options=read_options,
        lineup_size=len(next(iter(game.sides().values()))),
        sides=tuple(sorted({len(game.sides(players)) for players in game.players})),
        table_sizes=tuple(game.at_table),
        lower_is_better=game.lower_is_better,
        goes_below_zero=game.goes_below_zero,
        has_boards=game.boards is not None,
        deals_in_match=lambda rules: game.deals_in_match(rules) or 1,
        preset={
            **{f"rules_{name}": value for name, value in game.preset.items()},
            **({"boards_together": True} if game.prefers_boards else {}),
        },
        points=_points(game),
    )


#: Options that say how long a match is: with one of them the preset's length counts no more.
_LENGTHS = frozenset({"deals", "target"})


def with_preset(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options as they were given, with the game's preset where nothing was said."""
    has_length = not _LENGTHS.isdisjoint(given)
    usual = {name: value for name, value in game.preset.items() if not (has_length and name in _LENGTHS)}
    return {**usual, **given}


def _points(game: Game) -> dict[str, Any]:
    """The game's victory points as a scheme of the league; a friendly game is worth nothing."""
    if game.is_friendly:
        return {"by": "rank", "places": [0, 0]}
    if not game.victory_points:
        return {}
    bands = [
        {"from": margin, "winner": str(winner), "loser": str(loser)}
        for margin, winner, loser in game.victory_points
    ]
    return {"draw": bands[0]["winner"], "bands": bands}


def players_in_words(game: Game) -> str:
    """How many can play, for people."""
    least, most = game.players.start, game.players.stop - 1
    if least == most:
        return ngettext("%(count)d player", "%(count)d players", most) % {"count": most}
    return _("%(least)d to %(most)d players") % {"least": least, "most": most}


def usual_robot(game: Game) -> str:
    """The robot that plays where nobody chooses one: neither the weakest nor the slowest."""
    return game.practice_robots[len(game.practice_robots) // 2].key


def robot_in_words(robot: Robot) -> str:
    """Its name, and what it makes where that was measured."""
    name = _(str(robot.name))
    if robot.percent is None:
        return name
    return _("%(robot)s – makes %(percent)d%% of the best") % {"robot": name, "percent": robot.percent}


def has_boards(game: GamePort) -> bool:
    """Whether its deals can be played again at other tables, and two sides meet there."""
    return engine.game.get(game.key).boards is not None and game.sides == (2,)


def has_board_files(game_key: str) -> bool:
    """Whether its boards are those of PBN files, dealing machines and SquareDeal."""
    boards = engine.game.get(game_key).boards
    return boards is not None and boards.has_files


def _no_option(name: str) -> OptionError:
    """What lies on the table is set by a match for its next deal, never by a competition."""
    return OptionError(
        "option-unknown", gettext_noop("There’s no option “%(given)s”."), given=name, place=(name,)
    )


def _lazily(text: str) -> str | Promise:
    return gettext_lazy(str(text)) if text else ""


def _field(option: EngineField, set_elsewhere: frozenset[str]) -> OptionField:
    return OptionField(
        name=option.name,
        kind=option.kind.value,
        default=option.default,
        label=_lazily(option.label),
        help=_lazily(option.help),
        choices=tuple((key, _lazily(title)) for key, title in option.choices),
        minimum=option.minimum,
        maximum=option.maximum,
        is_set_elsewhere=option.name in set_elsewhere,
    )


def _refusal(error: OptionError) -> Invalid:
    faults = error.causes or (error,)
    details = [{"place": list(f.place), "message": in_words(f.message)} for f in faults]
    return Invalid(" ".join(str(d["message"]) for d in details), code="options", details=details)
