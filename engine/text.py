"""What people are told: a sentence to translate, and what it is filled in with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

Param = str | int


def gettext_noop(text: str) -> str:
    """Mark a sentence for the translators' tools; nothing happens to it here."""
    return text


class Word(str):
    """A parameter that is itself an English name to be translated, such as "North" or "full house"."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Message:
    """An English %-format over ``params``; a parameter that is a Word is itself a name to translate.

    As a str it is in English. A page translates the template first and fills it in afterwards. An empty template
    says nothing.
    """

    template: str
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.template % self.params if self.template else ""

    def __mod__(self, params: Mapping[str, Any]) -> Self:
        return replace(self, params={**self.params, **params})

    def as_json(self) -> dict[str, str | dict[str, Any]]:
        """The two parts, for who translates."""
        return {"template": self.template, "params": dict(self.params)}
