"""The expert: a robot that searches over what its partner may hold, given all that the partner did.

The thinking is compiled and stands in ``table`` and what that imports. This module only makes the robot known.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final

from engine.concerto.play import Action
from engine.concerto.robots.registry import Robot
from engine.concerto.signals.systems import System
from engine.concerto.view import View
from engine.text import Word, gettext_noop


@cache
def _table() -> Any:
    # Imported when first asked: numba is large, and most processes that know the robots never ask.
    return import_module("engine.concerto.robots.expert.table")


def _decide(view: View, system: System) -> Action:
    return Action(_table().decide(view, system))


EXPERT: Final = Robot(
    "expert",
    Word(gettext_noop("Expert")),
    Word(gettext_noop("Considers which cards its partner may have, and how they would play on together.")),
    _decide,
    percent=85,
)
