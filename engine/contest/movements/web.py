"""Web Mitchells: all tables play the same few sets, of which there are two or three copies.

The first pairs stay and the second pairs move up a table, as in a Mitchell. At the lower tables the sets lie in rising
order and move down a table each round; at the upper tables in falling order, and they move up. So who crosses from
the one part to the other goes on with just those sets that are left. The number of sets is odd, and the parts
have equally many tables (two copies) or the lower one as many more as there are sets (three).

So that all are compared in one ranking, directions are exchanged at some tables in each round, as found by search.
"""

from __future__ import annotations

from typing import Final

from engine.contest.movements.found import turned_in
from engine.contest.movements.movement import Movement, Sitting, rounds_of
from engine.errors import ContestError
from engine.text import gettext_noop

FEWEST_TABLES: Final = 10
MOST_TABLES: Final = 27
FEWEST_SETS: Final = 5
MOST_SETS: Final = 15

_NONE = gettext_noop("There is no Web Mitchell with %(tables)s tables and %(sets)s sets of boards.")


def lengths(tables: int) -> tuple[int, ...]:
    """The numbers of rounds, and of sets, that a Web Mitchell for so many tables may have; the fewest first."""
    if not FEWEST_TABLES <= tables <= MOST_TABLES:
        return ()
    copies = 3 if tables % 2 else 2
    odd = range(FEWEST_SETS, min(MOST_SETS, tables - 1) + 1, 2)
    return tuple(sets for sets in odd if tables <= copies * sets)


def web(tables: int, sets: int, *, turned: bool = True) -> Movement:
    """The movement with as many rounds as sets; not `turned` it has two fields. Raises ContestError."""
    if sets not in lengths(tables):
        raise ContestError("tables", _NONE, tables=tables, sets=sets)
    upper = (tables - sets) // 2 if tables % 2 else tables // 2
    lower = tables - upper

    def sitting(table: int, number: int) -> Sitting:
        boards = table + number if table < lower else lower - 2 - (table - lower) - number
        return Sitting(table + 1, table + 1, tables + (table - number) % tables + 1, boards % sets + 1)

    plain = Movement("web", 2 * tables, sets, rounds_of(tables, sets, sitting))
    return plain.turned(turned_in("web", tables, sets)) if turned else plain
