"""How much of the same kind `make test` tries, and `make thorough` all of.

Tests marked `thorough` run in the latter only. Others walk over many things of one kind, and take a share of them: each
thing's turn comes with another version of the files, so that what is committed is walked over in full by and by.
"""

import os
import zlib
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

IS_THOROUGH = os.environ.get("THOROUGH") == "1"
#: Whose turn it is; `tests.run` says so. Without it the share is the same each time.
TURN = int(os.environ.get("TURN", "0"))


def is_in_turn(name: str, *, one_in: int) -> bool:
    """Whether the thing of this name belongs to the share of this run."""
    return IS_THOROUGH or (zlib.crc32(name.encode()) + TURN) % one_in == 0


def share(name: str, values: Iterable[T], *, one_in: int) -> list[T]:
    """The values that the thing of this name gets: others than the next thing, so that all are sent to some."""
    found = list(values)
    if IS_THOROUGH:
        return found
    return found[zlib.crc32(name.encode()) % one_in :: one_in] or found[:1]


def examples(number: int) -> int:
    """How many examples hypothesis tries. Without chance they are the same each time: a part of them holds the gate."""
    return number if IS_THOROUGH else max(number // 4, 10)
