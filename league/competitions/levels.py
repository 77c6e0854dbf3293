"""Which divisions play at one level, beside each other (F80)."""

from collections.abc import Iterable
from typing import Protocol, TypeVar


class _Placed(Protocol):
    @property
    def is_parallel(self) -> bool: ...


D = TypeVar("D", bound=_Placed)


def by_level(divisions: Iterable[D]) -> list[list[D]]:
    """The divisions of each level, from those given from the top: a parallel one is beside the one before it."""
    levels: list[list[D]] = []
    for division in divisions:
        if division.is_parallel and levels:
            levels[-1].append(division)
        else:
            levels.append([division])
    return levels
