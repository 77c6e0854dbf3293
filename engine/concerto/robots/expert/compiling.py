"""How the expert's parts are compiled: as one whole, kept on disk until any of its modules changes.

numba's cache looks for changes in the module of the function that is kept, and in no other. So only the entry is
kept, and what it calls in other modules is compiled into it; a digest of all those modules is part of the entry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def inner(function: FunctionT) -> FunctionT:
    """The function, compiled when a compiled one calls it, and not kept by itself."""
    return cast("FunctionT", numba.njit(error_model="numpy")(function))


def digest_of(modules: Iterable[str], folder: Path) -> int:
    """A number that changes with the text of any of these modules."""
    text = b"".join((folder / f"{name}.py").read_bytes() for name in modules)
    return int.from_bytes(hashlib.sha256(text).digest()[:7], "big")
