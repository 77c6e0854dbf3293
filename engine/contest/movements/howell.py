"""Howell movements: each pair meets each other pair once, on boards that all play.

The last pair stays; all others move on by one number, and the boards with them, so that the first round tells
all the rest. In it the differences of the pairs' numbers are all different, and so are the differences from the
boards (a starter with an adder, in the language of Room squares): hence nobody meets anybody twice, and no boards.

Sources: four tables as published (tests/oracles/contest.json); the other starts were found by search, for the
best balance of comparisons that it met (nine and ten tables: tests/benchmarks/movement_search.py). For three tables no
such start exists, since there is no Room square of side 5: their table is made of two one-factorizations of six pairs,
which have just one round in common; in that round all three tables share the boards. Two tables share throughout.
"""

from __future__ import annotations

from typing import Final

from engine.contest.movements.found import turned_in
from engine.contest.movements.movement import Movement, Sitting, rounds_of
from engine.errors import ContestError
from engine.text import gettext_noop

_TABLES = gettext_noop("A Howell has %(fewest)s to %(most)s tables, not %(tables)s.")

#: By number of tables, each table's start: first pair, second pair, boards.
_STARTS: Final[dict[int, tuple[tuple[int, int, int], ...]]] = {
    2: ((2, 3, 1), (4, 1, 1)),
    4: ((3, 6, 1), (7, 2, 3), (5, 4, 4), (8, 1, 5)),
    5: ((2, 5, 3), (3, 7, 6), (4, 6, 8), (8, 9, 5), (10, 1, 1)),
    6: ((2, 9, 3), (11, 3, 2), (4, 6, 10), (10, 5, 8), (7, 8, 4), (1, 12, 1)),
    7: ((2, 4, 5), (3, 6, 11), (12, 5, 3), (7, 11, 13), (13, 8, 7), (10, 9, 6), (1, 14, 1)),
    8: ((2, 4, 3), (3, 11, 8), (9, 5, 11), (12, 6, 15), (7, 10, 14), (13, 8, 6), (14, 15, 10), (1, 16, 1)),
    9: (
        (11, 16, 9), (13, 14, 4), (6, 10, 10), (15, 9, 14), (12, 2, 8), (17, 8, 2), (7, 4, 16), (5, 3, 6),
        (18, 1, 15),
    ),
    10: (
        (6, 13, 13), (15, 16, 5), (19, 8, 1), (5, 18, 2), (7, 4, 18), (3, 17, 8), (10, 14, 16), (9, 11, 7),
        (2, 12, 6), (20, 1, 19),
    ),
}  # fmt: skip

#: Three tables, round by round.
_OF_THREE: Final = (
    ((6, 1, 5), (2, 5, 2), (4, 3, 1)),
    ((3, 1, 2), (2, 6, 3), (5, 4, 5)),
    ((2, 1, 1), (5, 3, 3), (6, 4, 2)),
    ((4, 1, 3), (3, 2, 5), (6, 5, 1)),
    ((5, 1, 4), (4, 2, 4), (6, 3, 4)),
)

FEWEST_TABLES: Final = 2
MOST_TABLES: Final = 10


def howell(tables: int) -> Movement:
    """The full movement for so many tables: 2 tables less one rounds. Raises ContestError."""
    if not FEWEST_TABLES <= tables <= MOST_TABLES:
        raise ContestError("tables", _TABLES, tables=tables, fewest=FEWEST_TABLES, most=MOST_TABLES)
    return Movement("howell", 2 * tables, 2 * tables - 1, _rounds(tables))


def barometer_howell(tables: int) -> Movement:
    """A Howell's meetings with one set for all tables in each round. Raises ContestError.

    The sets that a pair plays on one side are others then, and so are the directions that compare all alike.
    """
    return howell(tables).barometer().turned(turned_in("barometer", tables, 2 * tables - 1))


def _rounds(tables: int) -> tuple[tuple[Sitting, ...], ...]:
    if tables == 3:
        return tuple(
            tuple(Sitting(table, *start) for table, start in enumerate(starts, start=1))
            for starts in _OF_THREE
        )
    last, circle = 2 * tables, 2 * tables - 1

    def moved(number: int, by: int) -> int:
        return number if number == last else (number - 1 + by) % circle + 1

    def sitting(table: int, number: int) -> Sitting:
        first, second, boards = _STARTS[tables][table]
        return Sitting(table + 1, moved(first, number), moved(second, number), moved(boards, number))

    return rounds_of(tables, circle, sitting)
