"""Movements for players who change partners every round (shared rules F120 to F122).

Everybody has everybody as a partner once and as an opponent twice. One player stays, the others' numbers go up by one
each round, round the circle of those who move.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.contest.movements.movement import Movement, Sitting
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
PLAYERS: Final = tuple(_FIRST_ROUND)
#: F122: the set of boards at each table in round 1; each grows by one every round.
_SETS: Final = {8: (1, 1), 12: (1, 1, 1), 16: (1, 15, 2, 1)}


def individual(players: int) -> Movement:
    """The movement for 8, 12 or 16 players, in one round less. Raises ContestError for another number."""
    if players not in PLAYERS:
        known = ", ".join(map(str, PLAYERS))
        raise ContestError("players", _NUMBERS, known=known, players=players, given=players)
    rounds = tuple(_round(players, number) for number in range(players - 1))
    return Movement("individual", players, players - 1, rounds)


def _round(players: int, number: int) -> tuple[Sitting, ...]:
    circle = players - 1

    def moved(each: int) -> int:
        return each if each > circle else (each - 1 + number) % circle + 1

    tables = []
    for table, (ns, ew) in enumerate(_FIRST_ROUND[players], start=1):
        (north, south), (east, west) = (map(moved, ns), map(moved, ew))
        sitting = Sitting(table, north, east, moved(_SETS[players][table - 1]), (south, west))
        # The one who stays would always sit the same way.
        tables.append(sitting.turned() if table == 1 and number % 2 else sitting)
    return tuple(tables)
