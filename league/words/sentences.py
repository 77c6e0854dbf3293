"""Sentences that are kept: written when something happens, and read later in each reader's own language.

`gettext`, `pgettext` and `ngettext` are called like Django's, so that the texts are collected from here too, but give a
Sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.formats import number_format
from django.utils.functional import Promise

from engine.text import Message

# What a kept sentence is made of; a program that never wrote one reads as an older row does.
Kept = dict[str, Any]
_PLAIN = (str, int)


@dataclass(frozen=True, slots=True)
class Sentence(Message):
    """A message that rows can keep. As a str it is in the language that is spoken at the moment.

    Names fill it in as they are. A lazy translation is a word of the site: it is translated for each reader, as are
    sentences within the sentence. `plural` is the form for a `count` that is not one, `context` what tells a word from
    another one that is written alike.
    """

    plural: str = ""
    count: int = 1
    context: str = ""

    def __str__(self) -> str:
        return told(self.kept())

    def kept(self) -> Kept:
        """What a row keeps of it, for JSON."""
        made: Kept = {
            "template": self.template,
            "params": {name: _kept(value) for name, value in self.params.items()},
        }
        if self.context:
            made["context"] = self.context
        return {**made, "plural": self.plural, "count": self.count} if self.plural else made


@dataclass(frozen=True, slots=True)
class Joined:
    """Several sentences, words or names one after the other."""

    parts: tuple[Any, ...]
    by: str = ", "

    def __str__(self) -> str:
        return told(self.kept())

    def kept(self) -> Kept:
        """What a row keeps of it, for JSON."""
        return {"parts": [_kept(part) for part in self.parts], "by": self.by}


@dataclass(frozen=True, slots=True)
class Again:
    """What a row keeps already, said once more within another sentence."""

    said: Any
    text: str

    def __str__(self) -> str:
        return told(self.said, self.text)

    def kept(self) -> Any:
        """What a row keeps of it, for JSON."""
        return self.said or self.text


@dataclass(frozen=True, slots=True)
class Figure:
    """Points as the engine writes them, "-4.5" or "13/3": each reader has them in their own language."""

    shown: str

    def __str__(self) -> str:
        return told(self.kept())

    def kept(self) -> Kept:
        """What a row keeps of it, for JSON."""
        return {"figure": self.shown}


Said = Sentence | Joined


def gettext(text: str) -> Sentence:
    """The text as a sentence; `%` fills it in."""
    return Sentence(text)


def pgettext(context: str, text: str) -> Sentence:
    """The text as a sentence, with what tells it from another one that is written alike."""
    return Sentence(text, context=context)


def ngettext(one: str, many: str, count: int) -> Sentence:
    """The text as a sentence in the form for `count`; `%` fills it in."""
    return Sentence(one, plural=many, count=count)


def told(kept: Any, otherwise: str = "") -> str:
    """What was kept in the reader's language; `otherwise` for a row from before sentences were kept."""
    if not isinstance(kept, Mapping):
        return otherwise
    try:
        return str(_told(kept))
    except (AttributeError, KeyError, TypeError, ValueError):
        # A row of another version of the program: its text is there.
        return otherwise


def in_the_sites_language(said: Said | str) -> str:
    """The text for people who read the rows without the program."""
    with translation.override(settings.LANGUAGE_CODE):
        return str(said)


def kept_of(said: Said | str) -> Kept | None:
    """What a row keeps of something said; nothing of a plain text."""
    return None if isinstance(said, str) else said.kept()


def _kept(value: Any) -> Any:
    if isinstance(value, Sentence | Joined | Again | Figure):
        return value.kept()
    if isinstance(value, Promise):
        # Without a language, a lazy translation is its text as it stands in the program.
        with translation.override(None):
            return {"template": str(value), "params": {}}
    return value if type(value) in _PLAIN else str(value)


def _told(kept: Any) -> Any:
    if not isinstance(kept, Mapping):
        return kept
    if "figure" in kept:
        shown = str(kept["figure"])
        return (str(number_format(shown)) if "." in shown else shown).replace("-", "\N{MINUS SIGN}")
    if "parts" in kept:
        return str(kept["by"]).join(str(_told(part)) for part in kept["parts"])
    params = {name: _told(value) for name, value in kept["params"].items()}
    template = str(kept["template"])
    if "plural" in kept:
        text = translation.ngettext(template, str(kept["plural"]), int(kept["count"]))
    elif "context" in kept:
        text = translation.pgettext(str(kept["context"]), template)
    else:
        text = translation.gettext(template) if template else ""
    # A text that nothing fills in may have a percent sign of its own.
    return text % params if params else text
