"""What is wrong with something that people wrote down: one kind of value, with its place and words for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.errors import Param, Place


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


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a record: where (a path into its JSON), what, and where one is obvious what to do.

    ``template`` and ``proposal_template`` are English %-formats over ``params``, for translators; a
    parameter that is a Word is itself a name to translate. ``is_missing`` tells what is merely not given yet
    from what is wrong: a page that is still being filled in shows only the latter.
    """

    code: str
    severity: Severity
    place: Place
    template: str
    params: Mapping[str, Param] = field(default_factory=dict, hash=False)
    proposal_template: str = ""
    is_missing: bool = False

    @property
    def message(self) -> str:
        """What is wrong, in a sentence for people."""
        return self.template % self.params

    @property
    def proposal(self) -> str:
        """What would put it right, or an empty text."""
        return self.proposal_template % self.params if self.proposal_template else ""

    @property
    def refuses(self) -> bool:
        """Whether the record is refused because of this."""
        return self.severity.refuses

    def under(self, *place: str | int) -> Problem:
        """The same problem seen from further out: its place with these steps before it."""
        return Problem(
            self.code,
            self.severity,
            (*place, *self.place),
            self.template,
            self.params,
            self.proposal_template,
            self.is_missing,
        )

    def as_json(self) -> dict[str, Any]:
        """The problem for a program: message and proposal are filled in."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "place": list(self.place),
            "message": self.message,
            "proposal": self.proposal,
            "missing": self.is_missing,
        }
