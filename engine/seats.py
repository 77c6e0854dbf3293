"""The four seats, the two sides, and whose turn it is to deal (R2)."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar, final

from engine.errors import RuleError
from engine.text import Word, gettext_noop

T = TypeVar("T")
U = TypeVar("U")


class Side(StrEnum):
    """Two partners who sit opposite (R2)."""

    NS = "NS"
    EW = "EW"

    # A key is a text, and has no use for what text has under these two names.
    @property
    def index(self) -> int:  # type: ignore[override]
        """0 or 1, for tables by side."""
        return 0 if self is Side.NS else 1

    @property
    def other(self) -> Side:
        """The opponents' side."""
        return Side.EW if self is Side.NS else Side.NS

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The two partners, in the order N, E, S, W."""
        return (Seat.N, Seat.S) if self is Side.NS else (Seat.E, Seat.W)

    @property
    def title(self) -> Word:  # type: ignore[override]
        """The side's name for people."""
        return _SIDE_TITLES[self]


_SIDE_TITLES = {Side.NS: Word(gettext_noop("North-South")), Side.EW: Word(gettext_noop("East-West"))}


class Seat(StrEnum):
    """A place at the table; clockwise N, E, S, W (R2)."""

    N = ("N", gettext_noop("North"))
    E = ("E", gettext_noop("East"))
    S = ("S", gettext_noop("South"))
    W = ("W", gettext_noop("West"))

    letter: str
    title: Word  # type: ignore[assignment]
    index: int  # type: ignore[assignment]
    side: Side
    """The side that this seat plays for."""

    def __new__(cls, letter: str, title: str) -> Seat:  # noqa: ARG004 (__init__ takes the title)
        """A seat whose value is its letter: that is how it is written in the database and in JSON."""
        seat = str.__new__(cls, letter)
        seat._value_ = letter
        return seat

    def __init__(self, letter: str, title: str) -> None:
        self.letter = letter
        self.title = Word(title)
        self.index = "NESW".index(letter)
        self.side = Side.NS if self.index % 2 == 0 else Side.EW

    @classmethod
    def parse(cls, text: str) -> Seat:
        """The seat with that letter. Raises RuleError."""
        try:
            return SEAT_OF_LETTER[text]
        except (KeyError, TypeError):
            raise RuleError(
                "seat-unknown",
                gettext_noop("“%(given)s” isn’t a seat. Write N, E, S or W."),
                given=text,
            ) from None

    def after(self, steps: int) -> Seat:
        """The seat that many places to the left, clockwise."""
        return SEATS[(self.index + steps) % 4]

    @property
    def left(self) -> Seat:
        """R2: the next seat clockwise."""
        return self.after(1)

    @property
    def partner(self) -> Seat:
        """R2: the seat opposite."""
        return self.after(2)


SEATS: tuple[Seat, ...] = tuple(Seat)
SIDES: tuple[Side, ...] = tuple(Side)
SEAT_OF_LETTER: dict[str, Seat] = {seat.letter: seat for seat in Seat}


@final
@dataclass(frozen=True, slots=True)
class BySide(Mapping[str, T], Generic[T]):
    """One value for each side: ``made[Side.NS]``, which is ``made["NS"]``."""

    ns: T
    ew: T

    @classmethod
    def of(cls, value: Callable[[Side], U]) -> BySide[U]:
        """Ask for the value of each side in turn."""
        return BySide(value(Side.NS), value(Side.EW))

    def __getitem__(self, side: str) -> T:
        if side == Side.NS:
            return self.ns
        if side == Side.EW:
            return self.ew
        raise KeyError(side)

    def __iter__(self) -> Iterator[Side]:
        return iter(SIDES)

    def __len__(self) -> int:
        return 2

    def items(self) -> ItemsView[Side, T]:
        """Each side with its value."""
        return {Side.NS: self.ns, Side.EW: self.ew}.items()

    def as_json(self) -> dict[str, Any]:
        """The two values under the sides' keys."""
        return {"NS": self.ns, "EW": self.ew}


def dealer_of_board(number: int) -> Seat:
    """R19: who deals that board: 1 North, 2 East, 3 South, 4 West, 5 North and so on. Raises RuleError."""
    if number < 1:
        raise RuleError("board-number", gettext_noop("Boards are numbered from 1."), given=number)
    return SEATS[(number - 1) % 4]
