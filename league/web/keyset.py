"""Lists that go on from a row, not from a number: their end is found as fast as their beginning, and what is added
or taken away meanwhile moves no other row to another page."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.expressions import OrderBy

from league.words import public_names

#: How many digits a key has at most: longer numbers Python may refuse to read.
LONGEST_KEY = 19
#: Fulfilled by nothing.
NOWHERE = Q(pk__in=[])


class Step(NamedTuple):
    """One field of an order. Only one that says `nulls_last` may be empty, and only in an ascending order."""

    field: str
    is_descending: bool
    nulls_last: bool


def steps(items: QuerySet[Any]) -> tuple[Step, ...]:
    """The order of a list, whose last field is its key: what the list itself says, or else its model."""
    order: Sequence[Any] = items.query.order_by or items.model._meta.ordering or ()
    found = tuple(_step(each) for each in order)
    if not found or found[-1].field != "pk":
        raise ValueError(f"The order {order} does not end with the key.")
    return found


def _step(named: Any) -> Step:
    if isinstance(named, OrderBy):
        field: Any = named.expression
        return Step(field.name, named.descending, bool(named.nulls_last))
    return Step(str(named).removeprefix("-"), str(named).startswith("-"), nulls_last=False)


def place_of(row: Any, items: QuerySet[Any]) -> list[Any]:
    """Where the row of the list stands in it: a value for each step, of names the full one."""
    with public_names.in_full():
        return [attrgetter(step.field.replace("__", "."))(row) for step in steps(items)]


def place_of_key(items: QuerySet[Any], key: str, among: QuerySet[Any]) -> list[Any] | None:
    """Where the row with this key stands in the list, or would stand; None where it is not among these."""
    if not key.isdecimal() or len(key) > LONGEST_KEY:
        return None
    fields = [step.field for step in steps(items)]
    found: tuple[Any, ...] | None = among.filter(pk=key).values_list(*fields).first()
    return None if found is None else list(found)


def behind(items: QuerySet[Any], place: Sequence[Any], *, backwards: bool = False) -> QuerySet[Any]:
    """The rows that follow a place of the list; `backwards` those before it, the nearest first."""
    order = steps(items)
    beyond = NOWHERE
    for step, value in reversed(list(zip(order, place, strict=True))):
        beyond = _past(step, value, backwards=backwards) | (_level(step, value) & beyond)
    # Said once more of the first field alone, so that an index can be gone along from there.
    first = _past(order[0], place[0], backwards=backwards) | _level(order[0], place[0])
    found = items.filter(first, beyond)
    return found.reverse() if backwards else found


def _level(step: Step, value: Any) -> Q:
    return Q(**{f"{step.field}__isnull": True}) if value is None else Q(**{step.field: value})


def _past(step: Step, value: Any, *, backwards: bool) -> Q:
    if value is None:
        return Q(**{f"{step.field}__isnull": False}) if backwards else NOWHERE
    further = Q(**{f"{step.field}__{'lt' if step.is_descending != backwards else 'gt'}": value})
    if step.nulls_last and not backwards:
        further |= Q(**{f"{step.field}__isnull": True})
    return further
