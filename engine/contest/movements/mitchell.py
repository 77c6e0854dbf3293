"""Mitchell movements: the first pairs stay, the second pairs move up a table and the boards down one, each round.

Those who move are numbered after those who stay, so that each pair of the room has a number of its own.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.contest.movements.movement import Movement, Sitting, rounds_of
from engine.errors import ContestError
from engine.text import gettext_noop

FEWEST_TABLES: Final = 2
MOST_TABLES: Final = 60

_TABLES = gettext_noop("A Mitchell has %(fewest)s to %(most)s tables, not %(tables)s.")


class EvenTables(StrEnum):
    """What keeps an even number of tables from meeting the same boards again half-way."""

    SKIP = "skip"
    """The second pairs move up two tables once; there is one round less."""
    SHARE_AND_RELAY = "share-and-relay"
    """Two tables share their boards, and one set rests opposite them; all rounds are played."""


def mitchell(tables: int, even: EvenTables = EvenTables.SKIP) -> Movement:
    """The movement for so many full tables, with as many rounds as it has. Raises ContestError."""
    if not FEWEST_TABLES <= tables <= MOST_TABLES:
        raise ContestError("tables", _TABLES, tables=tables, fewest=FEWEST_TABLES, most=MOST_TABLES)
    if tables % 2:
        return _with_skip(tables, rounds=tables, skip_after=tables)
    if even is EvenTables.SKIP:
        return _with_skip(tables, rounds=tables - 1, skip_after=tables // 2)
    return _with_relay(tables)


def _with_skip(tables: int, *, rounds: int, skip_after: int) -> Movement:
    def sitting(table: int, number: int) -> Sitting:
        skipped = 1 if number >= skip_after else 0
        return _sitting(tables, table, number + skipped, table + number)

    return Movement("mitchell", 2 * tables, tables, rounds_of(tables, rounds, sitting))


def _with_relay(tables: int) -> Movement:
    """The boards rest between the two halves of the room, and the first and the last table share a set."""

    def sitting(table: int, number: int) -> Sitting:
        place = table + (table >= tables // 2)
        return _sitting(tables, table, number, place + number)

    return Movement("mitchell", 2 * tables, tables, rounds_of(tables, tables, sitting))


def _sitting(tables: int, table: int, moved: int, boards: int) -> Sitting:
    """All counted from 0: the second pairs have moved up so many tables, the boards down to this set."""
    return Sitting(table + 1, table + 1, tables + (table - moved) % tables + 1, boards % tables + 1)
