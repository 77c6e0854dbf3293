"""What is wrong with something that people wrote down: one kind of value, with its place and words for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

from engine.errors import Place, RuleError
from engine.text import Message, Param


class Severity(StrEnum):
    """How grave a problem of a written record is."""

    IMPOSSIBLE = "impossible"
    """The rules do not allow it, or what the score needs is not there: refused."""
    INCONSISTENT = "inconsistent"
    """Two things that were given do not agree: refused until settled."""
    SUSPICIOUS = "suspicious"
    """Allowed but odd: accepted, with a mark for the director."""

    @property
    def refuses(self) -> bool:
        """Whether a record with such a problem is refused."""
        return self is not Severity.SUSPICIOUS


_NOTHING: Final = Message("")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a record: where (a path into its JSON), what, and where one is obvious what to do.

    ``is_missing`` tells what is merely not given yet from what is wrong: a page that is still being filled in shows
    only the latter.
    """

    code: str
    severity: Severity
    message: Message
    proposal: Message = _NOTHING
    place: Place = ()
    is_missing: bool = False

    @property
    def refuses(self) -> bool:
        """Whether the record is refused because of this."""
        return self.severity.refuses

    def at(self, place: Place, **params: Param) -> Problem:
        """This problem at that place of a record, filled in."""
        return replace(self, place=place, message=self.message % params, proposal=self.proposal % params)

    def under(self, *place: str | int) -> Problem:
        """The same problem seen from further out: its place with these steps before it."""
        return replace(self, place=(*place, *self.place))

    def as_json(self, in_words: Callable[[Message], str] = str) -> dict[str, Any]:
        """The problem for a program: message and proposal are filled in, in English unless ``in_words`` translates."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "place": list(self.place),
            "message": in_words(self.message),
            "proposal": in_words(self.proposal),
            "missing": self.is_missing,
        }


def problem(
    severity: Severity,
    code: str,
    template: str,
    place: Place = (),
    *,
    proposal: str = "",
    is_missing: bool = False,
    **params: Param,
) -> Problem:
    """A problem by its templates, both filled in with the same parameters."""
    return Problem(code, severity, Message(template, params), Message(proposal, params), place, is_missing)


impossible = partial(problem, Severity.IMPOSSIBLE)
inconsistent = partial(problem, Severity.INCONSISTENT)
suspicious = partial(problem, Severity.SUSPICIOUS)


def problems_of(error: RuleError, place: Place | None = None) -> list[Problem]:
    """What an error refuses: one problem for each of its causes, at the place given or at the cause's own."""
    return [
        Problem(cause.code, Severity.IMPOSSIBLE, cause.message, place=cause.place if place is None else place)
        for cause in (error.causes or (error,))
    ]
