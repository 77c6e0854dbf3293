"""What every game can do from the command line; ``--game`` says which, else the usual one is meant.

A game may have its own answer to one of these commands (``answers_itself``): texts that only it writes.
"""

from __future__ import annotations

import argparse
import random
import secrets
from collections.abc import Callable, Mapping
from typing import Final

from engine.cli import FILE, SUBCOMMANDS, Answer, Argument, Run, argument, command, problems_answer, read_json
from engine.errors import ActionError, DealError, OptionError, RecordError, RuleError
from engine.game.core import LONGEST_TOKEN, Game
from engine.game.registry import all_games, known
from engine.game.values import Json, State
from engine.problems import problems_of
from engine.text import gettext_noop

MOST_DEALS: Final = 100_000

_GAME = argument("--game", default=None, metavar="KEY", help="which game; the usual one if not said")
_PLAYERS = argument(
    "--players", type=int, default=None, metavar="COUNT", help="how many play; else the fewest"
)
_OPTIONS = argument("--options", default=None, metavar="FILE", help="the options of the match, as JSON")
SEED = argument("--seed", default=None, help="any text or number; the same seed gives the same")
_COUNT = argument("--count", type=int, default=None, help="how many; then a list is printed")

_OWN: Final[dict[tuple[str, str], Run]] = {}


def answers_itself(game: str, name: str, *arguments: Argument) -> Callable[[Run], Run]:
    """Make a function that game's own answer to a command that all games have, with more arguments perhaps."""

    def put(run: Run) -> Run:
        _OWN[game, name] = run
        for names, settings in arguments:
            SUBCOMMANDS.choices[name].add_argument(*names, **settings)
        return run

    return put


def game_command(name: str, *arguments: Argument) -> Callable[[Run], Run]:
    """Make a function a subcommand of every game that has no answer of its own."""

    def put(run: Run) -> Run:
        def answer(chosen: argparse.Namespace) -> Answer:
            return _OWN.get((game_of(chosen.game).key, name), run)(chosen)

        answer.__doc__ = run.__doc__
        command(name, _GAME, *arguments)(answer)
        return run

    return put


def game_of(key: object) -> Game:
    """The game of that key, offered or not; the usual one where it is None. Raises RuleError."""
    return all_games()[0] if key is None else known(key)


# Dealing and playing


@game_command("deal", SEED, _COUNT, _PLAYERS)
def deal(arguments: argparse.Namespace) -> Answer:
    """Deal the cards: {"board", "dealer", "deal"}; with --count, a list of boards."""
    game, rng = game_of(arguments.game), rng_of(arguments)
    return counted(arguments, lambda number: _board(game, number, rng, arguments.players))


@game_command("play", SEED, _COUNT, _PLAYERS)
def play(arguments: argparse.Namespace) -> Answer:
    """Play deals out with random legal actions; prints what playout takes, and the score."""
    game, rng = game_of(arguments.game), rng_of(arguments)
    return counted(arguments, lambda number: _played_out(game, number, rng, arguments.players))


def _board(game: Game, number: int, rng: random.Random, players: int | None) -> dict[str, Json]:
    _players(game, players)
    dealer = game.dealer_of_board(number, players)
    dealt = game.deal(rng, dealer, game.read_options({}), players)
    return {"board": number, "dealer": dealer, "deal": dealt}


def _played_out(game: Game, number: int, rng: random.Random, players: int | None) -> dict[str, Json]:
    board = _board(game, number, rng, players)
    options: dict[str, Json] = {**game.read_options({})}
    state = started(game, {**board, "players": players, "options": options})
    while not state.is_over:
        state = state.apply(game.drawn(state, rng.random()))
    seats = len(game.seats(players))
    asked: dict[str, Json] = {
        "game": game.key,
        "players": seats,
        "options": options,
        "tokens": list(state.history),
    }
    return {**board, **asked, **_scored(state)}


@game_command("show", argument("deal", metavar="DEAL", help="a deal as text, in quotes"), _PLAYERS)
def show(arguments: argparse.Namespace) -> Answer:
    """A deal as people read it."""
    game = game_of(arguments.game)
    players = _players(game, arguments.players)
    hands, _bar, rest = game.read_deal(arguments.deal, players).partition(" | ")
    rows = [*zip((str(game.title(seat)) for seat in game.seats(players)), hands.split(" "), strict=True)]
    rows += [("-", rest)] if rest else []
    width = max(len(name) for name, _cards in rows)
    return Answer("\n".join(f"{name:<{width}}  {_spaced(cards)}" for name, cards in rows))


def _spaced(cards: str) -> str:
    return " ".join(cards[at : at + 2] for at in range(0, len(cards), 2))


@game_command("replay", FILE)
def replay(arguments: argparse.Namespace) -> Answer:
    """The deal as far as it was played: {"deal", "dealer", "players", "options", "tokens"}."""
    game, state = _state(arguments)
    return Answer({**game.view(state, None).as_json(), "history": list(state.history)})


@game_command("view", FILE, argument("--seat", default=None, help="whose view; without it, a spectator's"))
def what_is_seen(arguments: argparse.Namespace) -> Answer:
    """What one seat, or a spectator, may know of a deal being played."""
    game, state = _state(arguments)
    seat = arguments.seat
    if seat is not None and seat not in game.seats(game.players.stop - 1):
        raise RuleError("seat-unknown", gettext_noop("“%(given)s” isn’t a seat in this game."), given=seat)
    return Answer(game.view(state, seat).as_json())


@game_command("legal", FILE)
def legal(arguments: argparse.Namespace) -> Answer:
    """Whose turn it is in a deal being played, and what is allowed."""
    _game, state = _state(arguments)
    return Answer({"turn": state.turn, "legal": list(state.legal())})


@command("playout", FILE)
def playout(arguments: argparse.Namespace) -> Answer:
    """Play deals of any game through: turns, counts of legal actions, positions asked for, score and detail."""
    return each(read_json(arguments.file), lambda item: Answer(played_through(item)))


def played_through(item: object) -> dict[str, Json]:
    """A deal played through, as docs/engine.md says. Raises RuleError with the place of what is wrong."""
    asked = _shape(item)
    state = started(known(asked.get("game")), asked)
    tokens = _list(asked, "tokens")
    places = _list(asked, "at")
    states = [state]
    for number, token in enumerate(tokens):
        states.append(_applied(states[-1], token, number))
    at = [_place(given, len(tokens)) for given in places]
    allowed = [each_state.legal() for each_state in states]
    return {
        "turns": [each_state.turn for each_state in states],
        "counts": [len(each_state) for each_state in allowed],
        "positions": [
            {"at": place, "turn": states[place].turn, "legal": sorted(allowed[place])} for place in at
        ],
        **_scored(states[-1]),
    }


def _place(given: object, most: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= most:
        template = gettext_noop("Places are numbered from 0 to the number of actions, not %(given)s.")
        raise RecordError("at", template, given=given, place=("at",))
    return given


def _scored(state: State) -> dict[str, Json]:
    if not state.is_over:
        return {"score": None, "detail": None}
    score = state.score()
    detail = {name: value for name, value in score.as_json().items() if name != "total"}
    return {"score": {str(side): points for side, points in score.total.items()}, "detail": detail}


def _state(arguments: argparse.Namespace) -> tuple[Game, State]:
    """The state that a list of actions leads to. Raises RuleError with the place of what is wrong."""
    data = _shape(read_json(arguments.file))
    game = game_of(arguments.game or data.get("game"))
    state = started(game, data)
    given = data.get("tokens", data.get("hands", []))
    lines = given if isinstance(given, list) else [given]
    words = [word for line in lines for word in (line.split() if isinstance(line, str) else [line])]
    for number, token in enumerate(words):
        state = _applied(state, token, number)
    return game, state


def started(game: Game, data: Mapping[str, Json]) -> State:
    """The deal of ``deal``, ``dealer``, ``players`` and ``options``, before its first action. Raises RuleError."""
    players, dealt, dealer = _players(game, data.get("players")), data.get("deal"), data.get("dealer")
    if not isinstance(dealt, str):
        raise DealError("deal", gettext_noop("A deal must be a text."), given=dealt, place=("deal",))
    if not isinstance(dealer, str) or dealer not in game.seats(players):
        template = gettext_noop("“%(given)s” isn’t a seat in this game.")
        raise DealError("seat-unknown", template, given=dealer, place=("dealer",))
    try:
        options = game.read_options(data.get("options", {}))
    except OptionError as error:
        for cause in error.causes or (error,):
            cause.place = ("options", *cause.place)
        raise
    return game.start(dealt, dealer, options, players)


def _applied(state: State, token: object, number: int) -> State:
    if not isinstance(token, str) or len(token) > LONGEST_TOKEN:
        template = gettext_noop("“%(given)s” isn’t an action.")
        raise ActionError("token", template, given=token, place=("tokens", number))
    try:
        return state.apply(token)
    except RuleError as error:
        error.place = ("tokens", number)
        raise


def _players(game: Game, given: object) -> int | None:
    if given is None:
        return None
    if isinstance(given, int) and not isinstance(given, bool) and given in game.players:
        return given
    template = gettext_noop("%(game)s isn’t for %(given)s players.")
    raise RuleError("players", template, given=given, place=("players",), game=game.name)


def _shape(item: object) -> Mapping[str, Json]:
    if not isinstance(item, dict):
        template = gettext_noop("A deal in play must be an object with deal and dealer.")
        raise RecordError("play-shape", template, given=item)
    return item


def _list(asked: Mapping[str, Json], name: str) -> list[Json]:
    found = asked.get(name, [])
    if not isinstance(found, list):
        raise RecordError("list", gettext_noop("“%(given)s” isn’t a list."), given=found, place=(name,))
    return found


# Matches


@command("match", FILE, _GAME, _OPTIONS)
def match(arguments: argparse.Namespace) -> Answer:
    """The result of matches, from what their deals were worth: {"game", "options", "deals": [{side: points}]}."""
    given: Json = {} if arguments.options is None else read_json(arguments.options)

    def one(item: Json) -> Answer:
        named = item.get("game") if isinstance(item, dict) else None
        game = game_of(named or arguments.game)
        own = _OWN.get((game.key, "match"))
        return own(argparse.Namespace(item=item, options=given)) if own else _match(game, item, given)

    return each(read_json(arguments.file), one)


def _match(game: Game, item: Json, given: Json) -> Answer:
    deals = item.get("deals") if isinstance(item, dict) else None
    if (
        not isinstance(item, dict)
        or not isinstance(deals, list)
        or not all(isinstance(scored, dict) for scored in deals)
    ):
        raise RecordError("match-shape", gettext_noop("A match must be an object with a list of deals."))
    options = game.read_options(item.get("options", given))
    players = _players(game, item.get("players", _players_named(game, deals)))
    scores = []
    for number, scored in enumerate(deals):
        try:
            scores.append(game.score_of(scored, players))
        except RuleError as error:
            error.place = ("deals", number, *error.place)
            raise
    found = game.match(scores, options, players)
    winners = [seat for seat in game.sides(players) if seat in found.winners]
    result = {"counted": found.counted, "total": dict(found.total), **found.detail}
    return Answer({**result, "winners": winners, "over": found.is_over})


def _players_named(game: Game, deals: list[dict[str, Json]]) -> int | None:
    """How many the first deal has points for, where each plays alone."""
    alone = game.sides(game.players.stop - 1)
    if not deals or any(len(seats) > 1 for seats in alone.values()):
        return None
    named = sum(seat in deals[0] for seat in alone)
    return named or None


# What the commands share


def each(data: Json, answer: Callable[[Json], Answer]) -> Answer:
    """The answer for an object, or a list of the answers for a list of them."""
    if not isinstance(data, list):
        return _safely(data, answer)
    answers = [_safely(item, answer) for item in data]
    return Answer([found.value for found in answers], all(found.is_good for found in answers))


def _safely(data: Json, answer: Callable[[Json], Answer]) -> Answer:
    try:
        return answer(data)
    except RuleError as error:
        return Answer(problems_answer(problems_of(error)), is_good=False)


def counted(arguments: argparse.Namespace, make: Callable[[int], Json]) -> Answer:
    """One, or with --count a list, numbered from 1. Raises RecordError."""
    if arguments.count is None:
        return Answer(make(1))
    if not 1 <= arguments.count <= MOST_DEALS:
        template = gettext_noop("The count must be a number from 1 to 100000, not %(given)s.")
        raise RecordError("count", template, given=arguments.count)
    return Answer([make(number) for number in range(1, arguments.count + 1)])


def rng_of(arguments: argparse.Namespace) -> random.Random:
    """The source of chance that --seed asks for."""
    if arguments.seed is None:
        return secrets.SystemRandom()
    return random.Random(arguments.seed)  # noqa: S311 - meant to be repeatable
