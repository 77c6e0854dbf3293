"""A notice in words, in the reader's language: the inbox, the API and the mails say the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string

from league.notices.events import Event


@dataclass(frozen=True, slots=True)
class Words:
    """What a person reads: a title in one line, paragraphs, and what the button says."""

    title: str
    paragraphs: tuple[str, ...]
    action: str

    @property
    def text(self) -> str:
        """The paragraphs with an empty line between them."""
        return "\n\n".join(self.paragraphs)


def words(event: Event, context: Mapping[str, Any]) -> Words:
    """The event in words. A value whose name ends with "_at" is a moment, told by the clock of the active time zone."""
    filled = with_moments(context)
    # A title is one line, whatever names are in it.
    title = " ".join(render_to_string(f"notices/{event.key}_title.txt", filled).split())
    text = render_to_string(f"notices/{event.key}.txt", filled)
    return of_text(title, text, str(event.action))


def of_text(title: str, text: str, action: str) -> Words:
    """Words whose paragraphs stand in the text with empty lines between them."""
    paragraphs = tuple(each.strip() for each in text.split("\n\n") if each.strip())
    return Words(title, paragraphs, action)


def with_moments(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values; those whose name ends with "_at" as moments."""
    return {name: _moment(name, value) for name, value in values.items()}


def _moment(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [with_moments(each) for each in value]
    return datetime.fromisoformat(value) if name.endswith("_at") and value else value
