"""A deal as people wrote it down: what was given, complete or not, right or not.

The form, as JSON, is described in docs/engine.md. A record only holds what was read; what follows from it is in
``facts`` and ``reckoning``, and what is wrong with it in ``checking``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, final

from engine.cards import Card, CardSet
from engine.concerto.options import HANDS, Split
from engine.concerto.play import Action
from engine.concerto.poker import Combination
from engine.deals import Deal
from engine.problems import Problem
from engine.seats import SEATS, BySide, Seat, Side

#: Cards of each seat as bits, N E S W.
SeatBits = tuple[int, int, int, int]


@final
class HandEntry(NamedTuple):
    """What was given of one hand. A named tuple, as sheets are checked by the thousand."""

    line: tuple[Action, ...] | None = None
    """The line of play."""
    cards: tuple[Card, ...] = ()
    """The cards that could be read, in the order given; of a line too."""
    bits: int = 0
    """The same as a bit set."""
    by_seat: SeatBits | None = None
    """Who played which, where that was given outright."""
    combination: Combination | None = None
    split: Split | None = None
    points: int | None = None
    is_sound: bool = True
    """Whether all of it could be read; if not, nothing is concluded from it."""

    def as_json(self) -> dict[str, Any] | str | None:
        """The entry in the form that is read; None where nothing of it could be."""
        found: dict[str, Any] = {}
        if self.line is not None:
            text = " ".join(action.token for action in self.line)
            if self.combination is None and self.split is None and self.points is None:
                return text or None
            found["line"] = text
        elif self.by_seat is not None and self.bits:
            found["cards"] = {
                seat.letter: [card.text for card in self.cards if card.bit & self.by_seat[seat.index]]
                for seat in SEATS
                if self.by_seat[seat.index]
            }
        elif self.cards:
            found["cards"] = [card.text for card in self.cards]
        if self.combination is not None:
            found["combination"] = self.combination.key
        if self.split is not None:
            found["split"] = str(self.split)
        if self.points is not None:
            found["points"] = self.points
        return found or None


#: An entry with nothing in it: the hand is then as good as not given.
EMPTY_ENTRY: Final = HandEntry()


@final
@dataclass(frozen=True, slots=True)
class LeftOverClaim:
    """The losers' left-over combination, as written."""

    combination: Combination
    split: Split | None = None

    def as_json(self) -> dict[str, Any]:
        """The claim in the form that is read."""
        found: dict[str, Any] = {"combination": self.combination.key}
        if self.split is not None:
            found["split"] = str(self.split)
        return found


NO_HANDS: Final = (None,) * HANDS
_UNKNOWN_LEFT: Final = (None, None, None, None)
NO_CLAIM: Final[BySide[int | None]] = BySide(None, None)


@final
@dataclass(frozen=True, slots=True)
class Record:
    """Everything that was written down of one deal; None where it was not."""

    dealer: Seat | None = None
    deal: Deal | None = None
    hands: tuple[HandEntry | None, ...] = NO_HANDS
    left: tuple[CardSet | None, CardSet | None, CardSet | None, CardSet | None] = _UNKNOWN_LEFT
    left_over: LeftOverClaim | None = None
    left_over_to: Side | None = None
    left_over_bonus: int | None = None
    points: tuple[int | None, ...] = NO_HANDS
    made: BySide[int | None] = NO_CLAIM
    total: BySide[int | None] = NO_CLAIM
    faults: tuple[Problem, ...] = ()
    """What was wrong already in the reading."""

    def as_json(self) -> dict[str, Any]:
        """The record in the form that is read: without faults, reading it again gives an equal record."""
        fields: dict[str, Any] = {
            "dealer": self.dealer.letter if self.dealer else None,
            "deal": str(self.deal) if self.deal else None,
            "hands": _listed([entry.as_json() if entry else None for entry in self.hands]),
            "left": {seat.letter: str(cards).split() for seat, cards in self.known_left()} or None,
            "left_over": self.left_over.as_json() if self.left_over else None,
            "left_over_to": self.left_over_to.value if self.left_over_to else None,
            "left_over_bonus": self.left_over_bonus,
            "points": _listed(list(self.points)),
            "made": _named(self.made),
            "total": _named(self.total),
        }
        return {name: value for name, value in fields.items() if value is not None}

    @property
    def tokens(self) -> tuple[str, ...] | None:
        """Everything that was done, in order; None where not all eight lines of play were written."""
        lines = [entry.line for entry in self.hands if entry is not None and entry.line is not None]
        if len(lines) < HANDS:
            return None
        return tuple(action.token for line in lines for action in line)

    def known_left(self) -> list[tuple[Seat, CardSet]]:
        """The left-over cards of the seats for which they were given."""
        return [(seat, cards) for seat, cards in zip(SEATS, self.left, strict=True) if cards is not None]


def _listed(values: list[Any]) -> list[Any] | None:
    return values if any(value is not None for value in values) else None


def _named(claims: BySide[int | None]) -> dict[str, int] | None:
    return {side.value: points for side, points in claims.items() if points is not None} or None
