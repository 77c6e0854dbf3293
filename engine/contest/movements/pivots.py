"""Appendix and Rover Mitchells: each round, at one table of a Mitchell, both pairs or one of them make room.

The base is a Mitchell whose number of tables has no factor 2 or 3. Its *pivot* moves up three tables each round,
so that in all its rounds it comes to every table, to every second pair and to every set once.

- *Rover*: with one pair too many for the tables, that pair takes the place of the first pair at the pivot, which
  sits out.
- *Appendix*: with more tables than rounds, each appendix table has a pivot of its own. Of its two pairs one stays, and
  the first pair at the pivot comes to it; the other one goes to the pivot, in the first pair's place. Both tables play
  the pivot's set.

So that all are compared in one ranking, directions are exchanged at some tables in each round, as found by search.
"""

from __future__ import annotations

from typing import Final

from engine.contest.movements.found import turned_in
from engine.contest.movements.movement import Movement, Sitting, rounds_of
from engine.errors import ContestError
from engine.text import gettext_noop

#: Tables of the base, which are its rounds too.
BASES: Final = (5, 7, 11, 13)
#: The tables that a pivot moves up each round; two would do as well, but compare pairs less evenly.
PACE: Final = 3

_ROVER = gettext_noop("A Rover Mitchell has %(known)s tables, not %(tables)s.")
_APPENDIX = gettext_noop("There is no Appendix Mitchell with %(tables)s tables and %(rounds)s rounds.")


def rover(tables: int, *, turned: bool = True) -> Movement:
    """The movement for two pairs a table and one more, which has the last number. Raises ContestError."""
    if tables not in BASES:
        raise ContestError("tables", _ROVER, known=", ".join(map(str, BASES)), tables=tables)

    def sitting(table: int, number: int) -> Sitting:
        first = 2 * tables if table == PACE * number % tables else table
        return Sitting(
            table + 1, first + 1, tables + (table - number) % tables + 1, (table + number) % tables + 1
        )

    plain = Movement("rover", 2 * tables + 1, tables, rounds_of(tables, tables, sitting))
    return plain.turned(turned_in("rover", tables, tables)) if turned else plain


def appendix_bases(tables: int) -> tuple[int, ...]:
    """The numbers of rounds that an Appendix Mitchell for so many tables may have; the fewest first."""
    return tuple(base for base in BASES if base < tables <= base + (base - 1) // 2)


def appendix(tables: int, rounds: int, *, turned: bool = True) -> Movement:
    """The movement with so many rounds, on as many sets; not `turned` it has two fields. Raises ContestError."""
    if rounds not in appendix_bases(tables):
        raise ContestError("tables", _APPENDIX, tables=tables, rounds=rounds)

    def sitting(table: int, number: int) -> Sitting:
        if table >= rounds:  # an appendix table: who stays there, and the first pair from its pivot
            pivot = (PACE * number + table - rounds) % rounds
            return Sitting(table + 1, pivot + 1, tables + table + 1, (pivot + number) % rounds + 1)
        of_pivot = (table - PACE * number) % rounds
        first = rounds + of_pivot if of_pivot < tables - rounds else table
        second = tables + (table - number) % rounds
        return Sitting(table + 1, first + 1, second + 1, (table + number) % rounds + 1)

    plain = Movement("appendix", 2 * tables, rounds, rounds_of(tables, rounds, sitting))
    return plain.turned(turned_in("appendix", tables, rounds)) if turned else plain
