"""One family of errors for everything the rules refuse.

Each error says what is wrong in a sentence for people, and carries what a program needs to choose by: a
class, a code, the input and its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.text import Message, Word, gettext_noop

Place = tuple[str | int, ...]
# An input of None is an input too.
_NOTHING: Final = object()


class RuleError(ValueError):
    """Something that the rules do not allow; the base of the family.

    ``given`` is the input as it came; the template may repeat it, shortened, as %(given)s. ``causes``
    holds the single faults when there were several: the reader of a form wants them all at once.
    """

    def __init__(
        self,
        code: str,
        template: str,
        *,
        given: object = _NOTHING,
        place: Place = (),
        causes: Iterable[RuleError] = (),
        **params: Any,
    ) -> None:
        super().__init__(code, template)
        self.code = code
        self.given = None if given is _NOTHING else given
        self.place = place
        self.message = Message(template, params if given is _NOTHING else {"given": quoted(given), **params})
        self.causes = tuple(causes)

    def __str__(self) -> str:
        return str(self.message)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.code, self.message.template), self.__dict__)


class CardError(RuleError):
    """A text that is no card, or a set of cards that cannot be."""


class DealError(RuleError):
    """Cards over seats that are not a deal."""


class ActionError(RuleError):
    """An action that the rules do not allow in this state."""


class RecordError(RuleError):
    """A written record that cannot be scored."""


class OptionError(RuleError):
    """Options that a game does not have, or values that they cannot take."""


class ContestError(RuleError):
    """A draw, a result or a table that the rules of the contest do not allow."""


def _rebuild(kind: type[RuleError], code: str, template: str) -> RuleError:
    return kind(code, template)


#: How much of somebody's input a message repeats: enough to recognise it by.
LONGEST_QUOTE = 24


def quoted(value: object) -> str:
    """The input as a message may repeat it: short, and safe for any value that JSON can hold."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST_QUOTE else value[:LONGEST_QUOTE] + "…"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        # Python refuses to write out integers of thousands of digits, and nobody would read them.
        return str(value) if abs(value) < 10**LONGEST_QUOTE else Word(gettext_noop("a huge number"))
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return Word(gettext_noop("an object"))
    return Word(gettext_noop("a list"))
