"""The signals that a side plays: Parlett's system or a pair's own, as the seam asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from engine.concerto import chances
from engine.concerto.robots.reasons import reasons
from engine.concerto.robots.registry import get
from engine.concerto.signals import sheet as signal_sheet
from engine.concerto.signals.convention_cards import read_system
from engine.concerto.signals.systems import PARLETT, System
from engine.concerto.view import View
from engine.game import capabilities
from engine.game import values as seam
from engine.seats import Seat
from engine.text import Message


@final
@dataclass(frozen=True, slots=True)
class ConcertoSignals(capabilities.Signals):
    """Parlett's system, or a pair's own: see docs/signals.md."""

    system: System = PARLETT
    has_cards = True

    def meanings(self, view: seam.View, hand: int) -> tuple[capabilities.Meaning, ...]:
        """Of a hand's first two cards."""
        return chances.meanings(_own_view(view), hand, self.system)

    def reasons(self, view: seam.View, seat: str, robot: str) -> tuple[Message, ...]:
        """By this system, where the robot signals."""
        system = self.system if get(robot).gives_signals else None
        return reasons(_own_view(view), Seat.parse(seat), system)

    def convention_card(self) -> dict[str, Any]:
        """Row by row."""
        return signal_sheet.sheet(self.system)

    def of_card(self, content: object) -> ConcertoSignals:
        """The pair's system."""
        return ConcertoSignals(read_system(content))

    def as_card(self) -> dict[str, Any]:
        """As ``read_system`` reads it."""
        return self.system.as_json()

    def token(self, view: seam.View, robot: str) -> str:
        """By this system, where the robot signals."""
        return get(robot).action(_own_view(view), self.system).token


def system_of(signals: capabilities.Signals | None) -> System:
    """The system of these signals; Parlett's where none are given. Raises TypeError for another game's."""
    if signals is None:
        return PARLETT
    if not isinstance(signals, ConcertoSignals):
        raise TypeError(signals)
    return signals.system


def _own_view(view: seam.View) -> View:
    if not isinstance(view, View):
        raise TypeError(view)
    return view
