"""The games there are."""

from __future__ import annotations

from engine.errors import RuleError
from engine.game.core import Game
from engine.text import gettext_noop

_GAMES: dict[str, Game] = {}


def register(game: Game) -> None:
    """Make a game known. Raises RuleError when its key is taken."""
    if game.key in _GAMES:
        raise RuleError("game-twice", gettext_noop("There’s already a game “%(key)s”."), key=game.key)
    _GAMES[game.key] = game


def forget(key: str) -> None:
    """Take a game out again: for tests that bring games of their own."""
    del _GAMES[key]


def get(key: str) -> Game:
    """The game with that key. Raises RuleError."""
    try:
        return _GAMES[key]
    except (KeyError, TypeError):
        template = gettext_noop("There’s no game “%(given)s”.")
        raise RuleError("game-unknown", template, given=key) from None


def all_games() -> tuple[Game, ...]:
    """Every registered game. The one that was registered first is the usual one."""
    return tuple(_GAMES.values())
