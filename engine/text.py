"""What people are told: a sentence to translate, and what it is filled in with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.errors import Param


@dataclass(frozen=True, slots=True)
class Message:
    """An English %-format over ``params``; a parameter that is a Word is itself a name to translate.

    A page translates the template first and fills it in afterwards.
    """

    template: str
    params: Mapping[str, Param] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.template % self.params if self.template else ""

    def as_json(self) -> dict[str, str | dict[str, Param]]:
        """The two parts, for who translates."""
        return {"template": self.template, "params": dict(self.params)}
