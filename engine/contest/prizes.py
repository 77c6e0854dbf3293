"""Prizes in order of worth, each with a condition: every entry gets one (rule F151)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction


class Condition(Enum):
    """What a prize is for: a place in the highest division, the best of a division, of provisional grades, or new."""

    PLACE = "place"
    DIVISION = "division"
    PROVISIONAL = "provisional"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Prize:
    """`number` is the place, or the division's number from the top; the other conditions have none."""

    condition: Condition
    number: int = 0


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry with its place in its division, both from 1; who shares a place has the same."""

    entry: int
    division: int
    place: int
    is_provisional: bool = False
    is_new: bool = False


def award(prizes: Sequence[Prize], ranked: Iterable[Ranked]) -> tuple[tuple[int, ...], ...]:
    """The entries that win each prize, in the order of the prizes; several share it, or draw lots; none: nobody can.

    The best whose condition a prize meets gets it, unless a worthier one is theirs: it then goes to the next. Who is
    level at the best place wins it together, and each of n takes an n-th of the one prize that an entry can have: so
    n who are level have the next n prizes for their places between them, and no more.
    """
    field = sorted(ranked, key=lambda each: (each.division, each.place, each.entry))
    level = Counter((each.division, each.place) for each in field)
    room = {each.entry: Fraction(1) for each in field}
    return tuple(_winners(prize, field, level, room) for prize in prizes)


def _winners(
    prize: Prize, field: list[Ranked], level: Counter[tuple[int, int]], room: dict[int, Fraction]
) -> tuple[int, ...]:
    """The first at one place with room for their part of the prize, which it takes."""
    able: dict[tuple[int, int], list[int]] = {}
    for each in field:
        at = (each.division, each.place)
        if room[each.entry] and _meets(each, prize, level[at]):
            able.setdefault(at, []).append(each.entry)
    for entries in able.values():
        part = Fraction(1, len(entries))
        if all(room[entry] >= part for entry in entries):
            for entry in entries:
                room[entry] -= part
            return tuple(entries)
    return ()


def _meets(each: Ranked, prize: Prize, sharing: int) -> bool:
    """Whether the prize can be theirs. A place that is left goes to those below, so a place is this or a lower one."""
    match prize.condition:
        case Condition.PLACE:
            return each.division == 1 and each.place + sharing - 1 >= prize.number
        case Condition.DIVISION:
            return each.division == prize.number
        case Condition.PROVISIONAL:
            return each.is_provisional
        case Condition.NEW:
            return each.is_new
