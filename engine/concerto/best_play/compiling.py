"""How the search behind ``par`` is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def compiled(function: FunctionT) -> FunctionT:
    """The function, compiled when it is first called; the result is kept on disk where there is a place for that.

    numba keeps it beside the code, or else in the user's cache folder; NUMBA_CACHE_DIR names another place.
    """
    try:
        return cast("FunctionT", numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:
        # There is no such place: every process then compiles again, for some seconds. A folder that others can write
        # to would do, but whoever writes there could run code of theirs here.
        return cast("FunctionT", numba.njit(nogil=True)(function))
