"""What a director may choose for a section: which movements are possible for so many pairs, and how they are cut.

A section has a table for each two pairs; with an odd number of pairs one place is empty (the phantom), and the
pair that would meet it sits out. Of players who change partners it has a table for each four, and no empty place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from engine.contest.movements import howell as howells
from engine.contest.movements import mitchell as mitchells
from engine.contest.movements import pivots, three_quarter
from engine.contest.movements import web as webs
from engine.contest.movements.individual import PLAYERS, individual
from engine.contest.movements.mitchell import EvenTables
from engine.contest.movements.movement import Movement, faults
from engine.errors import ContestError
from engine.text import gettext_noop

FEWEST_PAIRS: Final = 3
MOST_PAIRS: Final = 2 * mitchells.MOST_TABLES
SEATS: Final = 4
#: Up to so many tables everybody meets nearly everybody in an evening.
_HOWELL_IS_USUAL: Final = 4

_PAIRS = gettext_noop("A section has %(fewest)s to %(most)s pairs, not %(pairs)s.")
_PHANTOM = gettext_noop("With %(pairs)s pairs, %(tables)s tables are full. No pair is missing.")
_NO_PHANTOM = gettext_noop("With %(pairs)s pairs one place is empty. Please say which number is missing.")
_NUMBER_OF_PLAYERS = gettext_noop("A section has 8, 12 or 16 players, not %(players)s.")
_NOT_FOR = gettext_noop("This movement doesn’t work for %(pairs)s pairs.")
_SWITCH = gettext_noop("You can use an arrow switch only in a Mitchell.")
_BAROMETER = gettext_noop("Only a Mitchell or a Howell can be played as a barometer.")
_LAWLESS = gettext_noop("This movement doesn’t work: %(faults)s.")


class Kind(StrEnum):
    """The families of movements."""

    MITCHELL = "mitchell"
    HOWELL = "howell"
    THREE_QUARTER = "three-quarter"
    HESITATION = "hesitation"
    WEB = "web"
    APPENDIX = "appendix"
    ROVER = "rover"
    INDIVIDUAL = "individual"


#: Families of which one number of tables has movements of several lengths.
OF_SEVERAL_LENGTHS: Final = frozenset({Kind.THREE_QUARTER, Kind.WEB, Kind.APPENDIX})


#: Families that can be played as a barometer.
BAROMETERS: Final = frozenset({Kind.MITCHELL, Kind.HOWELL})


@dataclass(frozen=True, slots=True)
class Choice:
    """A movement as it is chosen: everything that makes it, and nothing that follows from it.

    `length` is the number of rounds of the whole movement, where its family has several for so many tables. As a
    `barometer` all tables play the same boards in each round.
    """

    kind: Kind
    tables: int
    rounds: int
    even: EvenTables = EvenTables.SKIP
    arrow_switched: int = 0
    phantom: int | None = None
    length: int | None = None
    barometer: bool = False

    def movement(self) -> Movement:
        """The whole session. Raises ContestError when there is no such movement."""
        return _movement(self)

    def full(self) -> Movement:
        """All its rounds with all its pairs."""
        if self.barometer and self.kind not in BAROMETERS:
            raise ContestError("barometer", _BAROMETER)
        length = self.length or self.rounds
        match self.kind:
            case Kind.HOWELL:
                make = howells.barometer_howell if self.barometer else howells.howell
                return make(self.tables)
            case Kind.THREE_QUARTER:
                return three_quarter.three_quarter(self.tables, length)
            case Kind.HESITATION:
                return three_quarter.hesitation(self.tables)
            case Kind.WEB:
                return webs.web(self.tables, length)
            case Kind.APPENDIX:
                return pivots.appendix(self.tables, length)
            case Kind.ROVER:
                return pivots.rover(self.tables)
            case Kind.INDIVIDUAL:
                return individual(SEATS * self.tables)
        whole = mitchells.mitchell(self.tables, self.even)
        return whole.barometer() if self.barometer else whole

    def numbers(self) -> tuple[int, ...]:
        """The numbers of the pairs, or of the players, that are there."""
        of_players = self.kind is Kind.INDIVIDUAL
        pairs = SEATS * self.tables if of_players else 2 * self.tables + (self.kind is Kind.ROVER)
        return tuple(number for number in range(1, pairs + 1) if number != self.phantom)

    def cut(self, rounds: int) -> Choice:
        """The same movement with so many rounds, not more than it has."""
        return replace(self, rounds=min(rounds, self.rounds))


@lru_cache(maxsize=64)
def _movement(choice: Choice) -> Movement:
    cut = choice.full().with_rounds(choice.rounds)
    if choice.arrow_switched:
        if choice.kind is not Kind.MITCHELL:
            raise ContestError("arrow_switched", _SWITCH)
        cut = cut.arrow_switched(choice.arrow_switched)
    return cut if choice.phantom is None else cut.without(choice.phantom)


def choices(pairs: int, *, of_players: bool = False) -> tuple[Choice, ...]:
    """All movements for so many pairs, the usual one first; whole, with the last number missing where one is.

    `of_players`: for so many players who change partners (F120).
    """
    if of_players:
        return (Choice(Kind.INDIVIDUAL, pairs // SEATS, pairs - 1),) if pairs in PLAYERS else ()
    if not FEWEST_PAIRS <= pairs <= MOST_PAIRS:
        return ()
    found = sorted(_possible((pairs + 1) // 2), key=_unusual)
    if pairs % 2:
        found = [replace(each, phantom=2 * each.tables) for each in found]
        if pairs // 2 in pivots.BASES:
            found.append(Choice(Kind.ROVER, pairs // 2, pairs // 2))
    return tuple(found)


def ways(pairs: int, rounds: int, *, of_players: bool = False) -> tuple[Choice, ...]:
    """Every way to play so many rounds in one field, the one that compares pairs most evenly first.

    Movements with more rounds are cut, and a Mitchell's arrow is switched in one round of eight.
    """
    fitting = [each.cut(rounds) for each in choices(pairs, of_players=of_players) if each.rounds >= rounds]
    found = [
        replace(each, arrow_switched=usual_switch(rounds)) if each.kind is Kind.MITCHELL else each
        for each in fitting
    ]
    return tuple(sorted(found, key=lambda each: each.movement().balance()))


def usual_switch(rounds: int) -> int:
    """In how many of so many rounds the arrow is switched, for the most even comparison: one in eight."""
    return max(1, round(rounds / 8))


def refusal(pairs: int, *, of_players: bool = False) -> ContestError | None:
    """Why there is no movement at all for so many pairs, or players."""
    if choices(pairs, of_players=of_players):
        return None
    if of_players:
        return ContestError("players", _NUMBER_OF_PLAYERS, players=pairs)
    return ContestError("pairs", _PAIRS, pairs=pairs, fewest=FEWEST_PAIRS, most=MOST_PAIRS)


def check(choice: Choice, pairs: int, *, of_players: bool = False) -> Movement:
    """The movement of a choice that is made for so many pairs. Raises ContestError that says what is wrong with it."""
    none = refusal(pairs, of_players=of_players)
    if none is not None:
        raise none
    is_rover = choice.kind is Kind.ROVER
    tables = pairs // SEATS if of_players else (pairs + (not is_rover)) // 2
    if choice.tables != tables or (is_rover and not pairs % 2):
        raise ContestError("tables", _NOT_FOR, pairs=pairs)
    if (choice.kind is Kind.INDIVIDUAL) != of_players:
        raise ContestError("movement", _NOT_FOR, pairs=pairs)
    if pairs % 2 and not is_rover and choice.phantom is None:
        raise ContestError("phantom", _NO_PHANTOM, pairs=pairs)
    if (is_rover or not pairs % 2) and choice.phantom is not None:
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
    else:
        if tables > mitchells.FEWEST_TABLES:  # with two tables a skip leaves one round
            yield Choice(Kind.MITCHELL, tables, tables - 1)
        yield Choice(Kind.MITCHELL, tables, tables, EvenTables.SHARE_AND_RELAY)
    lengths = {
        Kind.HESITATION: [rounds for of, rounds in three_quarter.HESITATIONS if of == tables],
        Kind.THREE_QUARTER: [rounds for of, rounds in three_quarter.THREE_QUARTERS if of == tables],
        Kind.APPENDIX: pivots.appendix_bases(tables),
        Kind.WEB: webs.lengths(tables),
    }
    for kind, rounds in lengths.items():
        yield from (
            Choice(kind, tables, each, length=each if kind in OF_SEVERAL_LENGTHS else None) for each in rounds
        )


def _unusual(choice: Choice) -> bool:
    usual = Kind.HOWELL if choice.tables <= _HOWELL_IS_USUAL else Kind.MITCHELL
    return choice.kind is not usual
