"""Reading the fields of JSON objects: what cannot be read is noted, and stands for something harmless."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.contest import exact
from engine.contest.faults import Faults
from engine.contest.results import Key
from engine.errors import Place, quoted
from engine.text import Word, gettext_noop

LARGEST = 1_000_000
LONGEST_TEXT = 300

_UNKNOWN = gettext_noop("“%(value)s” isn’t part of this.")
_NOT_AN_OBJECT = gettext_noop("This must be an object with named fields.")
_NOT_A_KEY = gettext_noop("“%(value)s” isn’t a name. Write a text or a whole number.")
_NOT_A_NUMBER = gettext_noop("“%(value)s” isn’t a whole number from %(least)s to %(most)s.")
_NOT_A_FIGURE = gettext_noop("“%(value)s” isn’t a number of points. Write something like -1, 1/2 or 0.5.")
_NOT_A_TEXT = gettext_noop("This must be a text of at most %(most)s characters.")


class Fields:
    """The fields of one object at its place in the input."""

    def __init__(self, item: object, place: Place, faults: Faults, known: frozenset[str]) -> None:
        self._place = place
        self._faults = faults
        self._fields: Mapping[str, object] = item if isinstance(item, Mapping) else {}
        if not isinstance(item, Mapping):
            faults.add("object", _NOT_AN_OBJECT, given=item, place=place)
        for name in self._fields:
            if name not in known:
                faults.add("unknown-field", _UNKNOWN, place=(*place, str(name)), value=quoted(name))

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def key(self, name: str, default: object = None) -> Key:
        """The name of an entry or a fixture."""
        given = self._fields.get(name, default)
        key = key_of(given)
        if key is None:
            self.note("key", _NOT_A_KEY, name)
        return "" if key is None else key

    def whole(self, name: str, default: object = None, *, least: int = 0) -> int:
        """A whole number."""
        given = self._fields.get(name, default)
        if isinstance(given, int) and not isinstance(given, bool) and least <= given <= LARGEST:
            return given
        self.note("number", _NOT_A_NUMBER, name, least=least, most=LARGEST)
        return max(least, 0)

    def figure(self, name: str) -> Fraction:
        """An exact number of points."""
        figure = exact.parse(self._fields.get(name))
        if figure is None:
            self.note("points", _NOT_A_FIGURE, name)
        return figure or Fraction(0)

    def text(self, name: str) -> str:
        """A short text; empty when it is missing."""
        given = self._fields.get(name, "")
        if isinstance(given, str) and len(given) <= LONGEST_TEXT:
            return given
        self.note("text", _NOT_A_TEXT, name, most=LONGEST_TEXT)
        return ""

    def raw(self, name: str) -> object:
        """The field as it was given; None when it is missing."""
        return self._fields.get(name)

    def note(self, code: str, template: str, name: str, **params: str | int) -> None:
        """Note a fault of one field."""
        given = self._fields.get(name)
        value = quoted(given) if name in self._fields else Word("nothing")
        self._faults.add(code, template, given=given, place=(*self._place, name), value=value, **params)


def key_of(given: object) -> Key | None:
    """The key that was given: a whole number or a text that is not empty; None for anything else."""
    if isinstance(given, str):
        return given if 0 < len(given) <= LONGEST_TEXT else None
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) < 2**63:
        return given
    return None
