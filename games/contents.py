"""A scoresheet's content as it arrives from outside: JSON that can be stored, and is no deeper than any sheet."""

import json
import math
from typing import Any

DEEPEST = 16
LONGEST = 200_000


def read_content(text: str | bytes) -> Any:
    """The JSON value of the text. Raises ValueError for what is no JSON, too long, too deep or not storable."""
    if len(text) > LONGEST:
        raise ValueError("too long")
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("too deep") from None
    if is_deeper(value, DEEPEST):
        raise ValueError("too deep")
    return value


def is_deeper(value: Any, most: int) -> bool:
    """Whether lists and objects lie more than `most` deep in each other; walks level by level, without recursion."""
    level = [value]
    for _step in range(most + 1):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return False
    return True


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
