"""What every format reads and writes: numbered boards, and the faults found on the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Self, TypeVar, final

from engine.deals import Deal
from engine.errors import Place, RuleError
from engine.problems import Problem, impossible, inconsistent
from engine.seats import Seat, dealer_of_board
from engine.text import gettext_noop

T = TypeVar("T")

#: An error names no more faults than this; the rest are counted.
_MOST_NAMED: Final = 10


class NotationError(RuleError):
    """A file that cannot be read as it stands, or boards that a format cannot hold; faults in ``causes``."""


@final
@dataclass(frozen=True, slots=True)
class Board:
    """A numbered deal with its dealer."""

    number: int
    deal: Deal
    dealer: Seat

    @classmethod
    def of(cls, number: int, deal: Deal) -> Self:
        """R19: the board of that number; who deals follows from it."""
        return cls(number, deal, dealer_of_board(number))

    def as_json(self) -> dict[str, Any]:
        """The board for a program."""
        return {"board": self.number, "dealer": self.dealer.letter, "deal": str(self.deal)}


@final
@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What could be read of a file, and everything that is wrong with it.

    A fault's place is ``("line", n)`` in a text, ``("board", n)`` in a file without lines, both counted as people
    do. What is read is sound in itself, whatever the faults.
    """

    boards: tuple[T, ...]
    faults: tuple[Problem, ...] = ()

    @property
    def is_accepted(self) -> bool:
        """Whether nothing was refused; there may be oddities still."""
        return not any(fault.refuses for fault in self.faults)

    def settled(self) -> tuple[T, ...]:
        """What was read. Raises NotationError with every fault when something was refused."""
        if not self.is_accepted:
            raise faults_error([fault for fault in self.faults if fault.refuses])
        return self.boards


def faults_error(faults: Sequence[Problem]) -> NotationError:
    """The error for these faults, one cause each."""
    causes = [
        NotationError(fault.code, fault.message.template, place=fault.place, **fault.message.params)
        for fault in faults
    ]
    named = " ".join(_with_place(cause) for cause in causes[:_MOST_NAMED])
    if len(causes) > _MOST_NAMED:
        template = gettext_noop("%(faults)s And %(more)d more errors.")
        return NotationError(
            "notation", template, causes=causes, faults=named, more=len(causes) - _MOST_NAMED
        )
    return NotationError("notation", gettext_noop("%(faults)s"), causes=causes, faults=named)


def _with_place(error: RuleError) -> str:
    where = f"{str(error.place[0]).capitalize()} {error.place[1]}: " if len(error.place) == 2 else ""
    return where + str(error)


def no_boards(place: Place = ()) -> Problem:
    """The fault of a file without any deal."""
    return impossible("no-boards", gettext_noop("This file has no deals."), place)


def checked_dealer(given: object, number: int) -> Seat:
    """The seat given as dealer of that board, or the one that R19 names. Raises RuleError."""
    return dealer_of_board(number) if given is None else Seat.parse(given)  # type: ignore[arg-type]


def checked_set(boards: Sequence[Board], most: int) -> Sequence[Board]:
    """The boards, when a format that knows only a first number and R19 can hold them. Raises NotationError."""
    faults = []
    if not boards:
        faults.append(impossible("no-boards", gettext_noop("There are no boards to write.")))
    for expected, board in enumerate(boards, boards[0].number if boards else 1):
        place = ("board", board.number)
        if board.number != expected:
            template = gettext_noop(
                "Board numbers must follow each other: %(expected)d is missing before this one."
            )
            faults.append(impossible("boards-gap", template, place, expected=expected))
            break
        if not 1 <= board.number <= most:
            template = gettext_noop("This format numbers boards from 1 to %(most)d.")
            faults.append(impossible("boards-range", template, place, most=most))
        elif board.dealer is not dealer_of_board(board.number):
            template = gettext_noop("In this format %(seat)s deals this board, not %(dealer)s.")
            seat = dealer_of_board(board.number).title
            faults.append(inconsistent("board-dealer", template, place, seat=seat, dealer=board.dealer.title))
    if faults:
        raise faults_error(faults)
    return boards


def distinct(boards: Iterable[Board]) -> Reading[Board]:
    """Each board once, by number, as when several tables played it; a number with two deals is a fault."""
    found: dict[int, Board] = {}
    faults = []
    for board in boards:
        first = found.setdefault(board.number, board)
        if first.deal != board.deal:
            template = gettext_noop("There are two different deals with this number.")
            faults.append(inconsistent("board-twice", template, ("board", board.number)))
    return Reading(tuple(found[number] for number in sorted(found)), tuple(faults))
