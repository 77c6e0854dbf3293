"""Collecting every fault of an input before refusing it."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import ContestError, Place, RuleError
from engine.text import Param, gettext_noop

_SEVERAL = gettext_noop("There are %(count)s things to fix.")


class Faults:
    """The faults found so far; `refuse` raises them all at once."""

    def __init__(self) -> None:
        self._found: list[ContestError] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(
        self, code: str, template: str, *, given: object = None, place: Place = (), **params: Param
    ) -> None:
        """Note one more fault."""
        self._found.append(ContestError(code, template, given=given, place=place, causes=(), **params))

    def extend(self, error: RuleError, *, place: Place) -> None:
        """Note what a part was refused for, at the part's place."""
        for cause in error.causes or (error,):
            self._found.append(_again(cause, place=(*place, *cause.place)))

    def refuse(self) -> None:
        """Raise the faults as one error whose `causes` are all of them; does nothing when there are none."""
        if len(self._found) == 1:
            only = self._found[0]
            raise _again(only, place=only.place, causes=self._found)
        if self._found:
            raise ContestError("several", _SEVERAL, causes=self._found, count=len(self._found))


def _again(fault: RuleError, *, place: Place, causes: Iterable[RuleError] = ()) -> ContestError:
    # What was given is a parameter already, made from `given`.
    params = {name: value for name, value in fault.message.params.items() if name != "given"}
    return ContestError(
        fault.code, fault.message.template, given=fault.given, place=place, causes=causes, **params
    )
