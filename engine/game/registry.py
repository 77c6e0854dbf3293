"""The games there are."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import RuleError
from engine.game.core import Game
from engine.text import gettext_noop

_GAMES: dict[str, Game] = {}
#: Games with rules but without all that people need to play them: only the engine's commands and tests know them.
_UNFINISHED: dict[str, Game] = {}


def register(game: Game, *, is_offered: bool = True) -> None:
    """Make a game known, and unless it is unfinished offer it to people. Raises RuleError when its key is taken."""
    if game.key in {**_GAMES, **_UNFINISHED}:
        raise RuleError("game-twice", gettext_noop("There’s already a game “%(key)s”."), key=game.key)
    (_GAMES if is_offered else _UNFINISHED)[game.key] = game


def forget(key: str) -> None:
    """Take a game out again: for tests that bring games of their own."""
    del (_GAMES if key in _GAMES else _UNFINISHED)[key]


def get(key: str) -> Game:
    """The game with that key that is offered. Raises RuleError."""
    return _found(_GAMES, key)


def known(key: object) -> Game:
    """The game with that key, offered or not. Raises RuleError."""
    return _found({**_GAMES, **_UNFINISHED}, key)


def _found(games: Mapping[str, Game], key: object) -> Game:
    if not isinstance(key, str) or key not in games:
        raise RuleError("game-unknown", gettext_noop("There’s no game “%(given)s”."), given=key)
    return games[key]


def all_games() -> tuple[Game, ...]:
    """Every game that is offered. The one that was registered first is the usual one."""
    return tuple(_GAMES.values())


def known_games() -> tuple[Game, ...]:
    """Every game whose rules are there, offered or not."""
    return (*_GAMES.values(), *_UNFINISHED.values())
