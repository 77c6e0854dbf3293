"""Reading single values of a record: numbers and names, whatever JSON holds in their place."""

from __future__ import annotations

from typing import Final

from engine.concerto import messages
from engine.errors import Place, quoted
from engine.problems import Problem

#: Beyond any deal, match or sum of them: what is higher is a slip of the pen, or no good will.
HIGHEST: Final = 10_000


def read_points(value: object, place: Place, faults: list[Problem]) -> int | None:
    """A whole number of points, 0 or more; None, with a fault where there is something else."""
    if value is None or (type(value) is int and 0 <= value <= HIGHEST):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) <= HIGHEST:
        value = int(value)  # JSON knows no difference between 12 and 12.0.
    if not isinstance(value, int) or isinstance(value, bool):
        faults.append(messages.NOT_A_NUMBER.at(place, given=quoted(value)))
    elif value < 0:
        faults.append(messages.NEGATIVE.at(place, given=quoted(value)))
    elif value > HIGHEST:
        faults.append(messages.TOO_HIGH.at(place, given=quoted(value)))
    else:
        return value
    return None


def text_key(name: object) -> str:
    """A key of somebody's JSON as a step of a place: short."""
    return str(quoted(name))
