"""Three-quarter Howells and Hesitation Mitchells: some pairs stay, the others go round a circle, the boards with them.

The circle has as many numbers as there are pairs that move, rounds and sets of boards, and as in a Howell the first
round tells all the rest: who moves, and which boards, grow by one each round. All pairs play all sets, and meet nobody
twice. With one table at which nobody stays it is a Hesitation Mitchell: pairs move up a table each round, and
who comes to the last table plays there twice, once each way.

Starts and directions were found by search (tests/benchmarks/movement_search.py), for the best balance that it met.
"""

from __future__ import annotations

from typing import Final

from engine.contest.movements.found import Found, found
from engine.contest.movements.movement import Movement, Sitting, rounds_of
from engine.errors import ContestError
from engine.text import gettext_noop

_NONE = gettext_noop("There is no such movement with %(tables)s tables and %(rounds)s rounds.")

FEWEST_TABLES: Final = 4
MOST_TABLES: Final = 15
#: An evening has hardly more rounds; with many tables the shortest movement has more all the same.
_MOST_ROUNDS: Final = 13

#: Tables and rounds of what there is: the Hesitation Mitchells with one round more than tables, then the others.
HESITATIONS: Final = tuple((tables, tables + 1) for tables in range(5, 14))
THREE_QUARTERS: Final = tuple(
    (tables, rounds)
    for tables in range(FEWEST_TABLES, MOST_TABLES + 1)
    for rounds in range(tables + 2, min(2 * tables - 2, max(_MOST_ROUNDS, tables + 2)) + 1)
)


def three_quarter(tables: int, rounds: int) -> Movement:
    """The three-quarter Howell for so many tables and rounds. Raises ContestError where there is none."""
    return _known("three-quarter", tables, rounds, THREE_QUARTERS)


def hesitation(tables: int) -> Movement:
    """The Hesitation Mitchell, with one round more than tables. Raises ContestError where there is none."""
    return _known("hesitation", tables, tables + 1, HESITATIONS)


def moving(name: str, known: Found) -> Movement:
    """The movement that a start and its turned tables tell."""
    tables = len(known.start)
    circle = sum(len(pairs) for pairs, _boards in known.start)

    def moved(number: int, by: int) -> int:
        return (number - 1 + by) % circle + 1

    def sitting(table: int, number: int) -> Sitting:
        pairs, boards = known.start[table]
        first = moved(pairs[1], number) if len(pairs) > 1 else circle + table + 1
        return Sitting(table + 1, first, moved(pairs[0], number), moved(boards, number))

    return Movement(name, 2 * tables, circle, rounds_of(tables, circle, sitting)).turned(known.turned)


def _known(name: str, tables: int, rounds: int, known: tuple[tuple[int, int], ...]) -> Movement:
    if (tables, rounds) not in known:
        raise ContestError("tables", _NONE, tables=tables, rounds=rounds)
    return moving(name, found()[name, tables, rounds])
