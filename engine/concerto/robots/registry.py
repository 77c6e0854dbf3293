"""Robots that play Concerto, and the register of them.

A robot is a function from what a seat may see to an action. It has no memory, no clock and no chance of its own: what
it draws at random it draws from a seed that it makes of the view, so that the same view gives the same action in every
process.
They are registered in ``engine/__init__.py``, the weakest first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from engine.concerto.play import Action
from engine.concerto.signals.systems import PARLETT, System
from engine.concerto.view import View
from engine.errors import ActionError, RuleError
from engine.game.values import Shown
from engine.text import Word, gettext_noop


@final
@dataclass(frozen=True, slots=True)
class Robot:
    """A player that is a program."""

    key: str
    """Names the robot in the database, in URLs and on the command line."""
    name: Word
    summary: Word
    """What it knows and does, in a sentence for people who choose one."""
    decide: Callable[[View, System], Action]
    """What it does on its turn; called through ``action``."""
    gives_signals: bool = True
    percent: int | None = None
    """All points made, of all that could have been made, as docs/robots.md has measured it."""

    def action(self, view: View, system: System = PARLETT) -> Action:
        """What it does in the seat of this view, playing that system of signals with its partner.

        One of ``view.legal``. Raises ActionError when it is not that seat's turn.
        """
        if not view.legal:
            template = gettext_noop("It isn’t this robot’s turn.")
            raise ActionError("not-on-turn", template)
        return self.decide(view, system)

    def token(self, view: Shown) -> str:
        """What it does with the usual signals: the action's token."""
        if not isinstance(view, View):
            raise TypeError(view)
        return self.action(view).token


_ROBOTS: dict[str, Robot] = {}


def register(robot: Robot) -> None:
    """Make a robot known. Raises RuleError when its key is taken."""
    if robot.key in _ROBOTS:
        raise RuleError("robot-twice", gettext_noop("There’s already a robot “%(key)s”."), key=robot.key)
    _ROBOTS[robot.key] = robot


def get(key: str) -> Robot:
    """The robot with that key. Raises RuleError."""
    try:
        return _ROBOTS[key]
    except (KeyError, TypeError):
        template = gettext_noop("There’s no robot “%(given)s”. Choose one of %(known)s.")
        raise RuleError("robot-unknown", template, given=key, known=", ".join(_ROBOTS)) from None


def all_robots() -> tuple[Robot, ...]:
    """Every registered robot, in the order in which they were made known: the weakest first."""
    return tuple(_ROBOTS.values())
