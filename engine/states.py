"""Deals being played: the frozen values that a game makes at each action, as quickly as Python makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

SettingT_co = TypeVar("SettingT_co", covariant=True)
NowT_co = TypeVar("NowT_co", covariant=True)
ValueT = TypeVar("ValueT")

#: ``made(Now, (...))`` is ``Now(...)`` with every field, in less than half of the time.
made: Final = tuple.__new__


class kept(Generic[ValueT]):  # noqa: N801 (a decorator)
    """A property that is worked out once: ``functools.cached_property`` without its lock.

    The lock takes longer than most of what a state works out. Two threads may both work a value out.
    """

    def __init__(self, found: Callable[[Any], ValueT]) -> None:
        self.found, self.__doc__ = found, found.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, state: Any, owner: type | None = None) -> ValueT:
        value = state.__dict__[self.name] = self.found(state)
        return value


class Played(NamedTuple, Generic[SettingT_co, NowT_co]):
    """A deal being played. ``now`` follows from the setting and the history; it is kept to be quick.

    A tuple, not a dataclass: a frozen dataclass takes three times as long to make.
    """

    setting: SettingT_co
    history: tuple[str, ...]
    now: NowT_co
