"""What a page shows or says to people: its texts, and the attributes that are read out, shown or put in by scripts."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "use", "wbr"}
# Code is code in every language.
NEVER_SHOWN = {"script", "style", "code", "kbd", "pre", "samp"}
SPOKEN = re.compile(
    r"title|alt|placeholder|label|aria-(label|description|roledescription|valuetext|placeholder)"
    r"|data-([\w-]+-)?(text|title|label|words|message|announce)"
)
BUTTONS = {"submit", "button", "reset"}
# In what a page hands its scripts, people read what has one of these names.
READ_IN_JSON = {"label", "text", "words", "title", "message", "proposal", "name", "short", "help", "where"}


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of text and where it stands."""

    text: str
    where: str


@dataclass
class _Reader(HTMLParser):
    said: list[Said] = field(default_factory=list)
    open_tags: list[tuple[str, bool]] = field(default_factory=list)
    script: list[str] | None = None

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    @property
    def is_left_alone(self) -> bool:
        """Whether this place is code, or says itself that it is in some language or in none."""
        return any(left_alone for _tag, left_alone in self.open_tags)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        own = (tag != "html" and "lang" in given) or given.get("translate") == "no" or tag in NEVER_SHOWN
        if tag not in VOID:
            self.open_tags.append((tag, own))
        if tag == "script" and given.get("type") == "application/json":
            self.script = []
        if not own and not self.is_left_alone:
            self.said += [Said(text, f"<{tag} {name}>") for name, text in _spoken(tag, given)]

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self.script is not None:
            self.said += [
                Said(text, f"JSON: {name}") for name, text in _in_json(json.loads("".join(self.script)))
            ]
            self.script = None
        while self.open_tags and self.open_tags.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.script is not None:
            self.script.append(data)
        elif data.strip() and not self.is_left_alone:
            where = self.open_tags[-1][0] if self.open_tags else ""
            self.said.append(Said(" ".join(data.split()), f"<{where}>"))


def _spoken(tag: str, given: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in given.items():
        is_button = tag == "input" and name == "value" and given.get("type") in BUTTONS
        is_meta = tag == "meta" and name == "content" and given.get("name") == "description"
        if SPOKEN.fullmatch(name) or is_button or is_meta:
            yield name, value


def _in_json(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _in_json(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from _in_json(each, name)
    elif isinstance(value, str) and name in READ_IN_JSON:
        yield name, value


def shown(html: str) -> list[Said]:
    """Everything that a page says."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.said
