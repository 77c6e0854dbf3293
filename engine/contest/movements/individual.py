"""Movements for players who change partners every round (shared rules F120 to F122).

Everybody has everybody as a partner once and as an opponent twice. One player stays, the others' numbers go up by one
each round, round the circle of those who move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.errors import ContestError
from engine.text import gettext_noop

Two: TypeAlias = tuple[int, int]

_NUMBERS = gettext_noop("There is a movement for %(known)s players, not for %(players)s.")

#: F121: who sits North-South and East-West at each table in round 1, by the number of players.
_FIRST_ROUND: Final[dict[int, tuple[tuple[Two, Two], ...]]] = {
    8: (((8, 1), (2, 4)), ((3, 7), (5, 6))),
    12: (((12, 1), (2, 4)), ((3, 10), (7, 8)), ((5, 11), (6, 9))),
    16: (((16, 1), (2, 3)), ((4, 8), (11, 13)), ((5, 12), (9, 14)), ((6, 15), (7, 10))),
}
#: F122: the set of boards at each table in round 1; each grows by one every round.
_SETS: Final = {8: (1, 1), 12: (1, 1, 1), 16: (1, 15, 2, 1)}


@dataclass(frozen=True, slots=True)
class IndividualTable:
    """Who sits where in a round, and the set of boards they play; tables, players and sets are numbered from 1."""

    table: int
    ns: Two
    ew: Two
    boards: int


def individual(players: int) -> tuple[tuple[IndividualTable, ...], ...]:
    """The rounds for 8, 12 or 16 players, one less than there are players. Raises ContestError for another number."""
    if players not in _FIRST_ROUND:
        known = ", ".join(map(str, _FIRST_ROUND))
        raise ContestError("players", _NUMBERS, known=known, players=players, given=players)
    return tuple(_round(players, number) for number in range(players - 1))


def _round(players: int, number: int) -> tuple[IndividualTable, ...]:
    circle = players - 1

    def moved(each: int) -> int:
        return each if each > circle else (each - 1 + number) % circle + 1

    tables = []
    for table, (ns, ew) in enumerate(_FIRST_ROUND[players], start=1):
        seated = ((moved(ns[0]), moved(ns[1])), (moved(ew[0]), moved(ew[1])))
        # The one who stays would always sit the same way.
        first, second = seated[::-1] if table == 1 and number % 2 else seated
        tables.append(IndividualTable(table, first, second, moved(_SETS[players][table - 1])))
    return tuple(tables)
