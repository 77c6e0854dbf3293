"""JSON from outside, as it may be kept: what a database cannot hold, or no page could walk through, is refused."""

import json
import math
import re
from typing import Any

UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
#: The largest numbers of keys; of what is counted; of rounds, boards and versions.
LARGEST_KEY, LARGEST_COUNT, LARGEST_NUMBER = 2**63 - 1, 2**31 - 1, 2**15 - 1


class TooLongError(ValueError):
    """The text is longer than anything that is asked for here."""


class UnstorableError(ValueError):
    """It is JSON, and nothing that could be kept: too deep, too large a number, letters that no database takes."""


def parse_json(text: str | bytes, *, longest: int, deepest: int) -> Any:
    """The JSON value of the text, read once. Raises ValueError for none, UnstorableError for one that cannot be kept.

    Raises TooLongError unread for more than `longest` bytes or letters.
    """
    if len(text) > longest:
        raise TooLongError
    written = text.decode() if isinstance(text, bytes) else text
    try:
        value = json.loads(written, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise UnstorableError("too deep") from None
    # Only an escape can bring what cannot be stored, and only so many brackets a depth of as many.
    if ("\\u" in written or written.count("[") + written.count("{") > deepest) and not _is_storable(
        value, deepest
    ):
        raise UnstorableError("too deep, or not storable")
    return value


def _is_storable(value: Any, deepest: int) -> bool:
    """Whether no text in the value is unstorable and nothing is deeper; walks level by level, without recursion."""
    level = [value]
    for _depth in range(deepest + 1):
        inner: list[Any] = []
        for each in level:
            if isinstance(each, str):
                if UNSTORABLE.search(each):
                    return False
            elif isinstance(each, dict):
                inner.extend(each)
                inner.extend(each.values())
            elif isinstance(each, list):
                inner.extend(each)
        if not inner:
            return True
        level = inner
    return False


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise UnstorableError(text)
    return number


def is_key(value: object) -> bool:
    """Whether a value of JSON can be the key of a row."""
    return type(value) is int and 0 < value <= LARGEST_KEY
