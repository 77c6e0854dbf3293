"""What a director may choose for a section: which movements are possible for so many pairs, and how they are cut.

A section has a table for each two pairs; with an odd number of pairs one place is empty (the phantom), and the
pair that would meet it sits out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.contest.movements import howell as howells
from engine.contest.movements import mitchell as mitchells
from engine.contest.movements.howell import howell
from engine.contest.movements.mitchell import EvenTables, mitchell
from engine.contest.movements.movement import Movement, faults
from engine.errors import ContestError
from engine.text import gettext_noop

FEWEST_PAIRS: Final = 3
MOST_PAIRS: Final = 2 * mitchells.MOST_TABLES
#: Up to so many tables everybody meets nearly everybody in an evening.
_HOWELL_IS_USUAL: Final = 4

PAIRS = gettext_noop("A section has %(fewest)s to %(most)s pairs, not %(pairs)s.")
_PHANTOM = gettext_noop("With %(pairs)s pairs, %(tables)s tables are full. No pair is missing.")
_NO_PHANTOM = gettext_noop("With %(pairs)s pairs one place is empty. Please say which number is missing.")
_NOT_FOR = gettext_noop("This movement doesn’t work for %(pairs)s pairs.")
_SWITCH = gettext_noop("You can use an arrow switch only in a Mitchell.")
_LAWLESS = gettext_noop("This movement doesn’t work: %(faults)s.")


class Kind(StrEnum):
    """The families of movements."""

    MITCHELL = "mitchell"
    HOWELL = "howell"


@dataclass(frozen=True, slots=True)
class Choice:
    """A movement as it is chosen: everything that makes it, and nothing that follows from it."""

    kind: Kind
    tables: int
    rounds: int
    even: EvenTables = EvenTables.SKIP
    arrow_switched: int = 0
    phantom: int | None = None

    def movement(self) -> Movement:
        """The whole session. Raises ContestError when there is no such movement."""
        cut = self.full().with_rounds(self.rounds)
        if self.arrow_switched:
            if self.kind is not Kind.MITCHELL:
                raise ContestError("arrow_switched", _SWITCH)
            cut = cut.arrow_switched(self.arrow_switched)
        return cut if self.phantom is None else cut.without(self.phantom)

    def full(self) -> Movement:
        """All its rounds with all its pairs."""
        return howell(self.tables) if self.kind is Kind.HOWELL else mitchell(self.tables, self.even)

    def numbers(self) -> tuple[int, ...]:
        """The numbers of the pairs that are there."""
        return tuple(number for number in range(1, 2 * self.tables + 1) if number != self.phantom)


def choices(pairs: int) -> tuple[Choice, ...]:
    """All movements for so many pairs, the usual one first; whole, with the last number missing where one is."""
    if not FEWEST_PAIRS <= pairs <= MOST_PAIRS:
        return ()
    found = sorted(_possible((pairs + 1) // 2), key=_unusual)
    if pairs % 2:
        found = [replace(each, phantom=2 * each.tables) for each in found]
    return tuple(found)


def check(choice: Choice, pairs: int) -> Movement:
    """The movement of a choice that is made for so many pairs. Raises ContestError that says what is wrong with it."""
    if not FEWEST_PAIRS <= pairs <= MOST_PAIRS:
        raise ContestError("pairs", PAIRS, pairs=pairs, fewest=FEWEST_PAIRS, most=MOST_PAIRS)
    if choice.tables != (pairs + 1) // 2:
        raise ContestError("tables", _NOT_FOR, pairs=pairs)
    if pairs % 2 and choice.phantom is None:
        raise ContestError("phantom", _NO_PHANTOM, pairs=pairs)
    if not pairs % 2 and choice.phantom is not None:
        raise ContestError("phantom", _PHANTOM, pairs=pairs, tables=choice.tables)
    movement = choice.movement()
    broken = list(faults(movement))
    if broken:
        raise ContestError("movement", _LAWLESS, faults="; ".join(broken))
    return movement


def _possible(tables: int) -> Iterator[Choice]:
    if tables <= howells.MOST_TABLES:
        yield Choice(Kind.HOWELL, tables, 2 * tables - 1)
    if tables % 2:
        yield Choice(Kind.MITCHELL, tables, tables)
        return
    if tables > mitchells.FEWEST_TABLES:  # with two tables a skip leaves one round
        yield Choice(Kind.MITCHELL, tables, tables - 1)
    yield Choice(Kind.MITCHELL, tables, tables, EvenTables.SHARE_AND_RELAY)


def _unusual(choice: Choice) -> bool:
    return (choice.kind is Kind.HOWELL) != (choice.tables <= _HOWELL_IS_USUAL)
