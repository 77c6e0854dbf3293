"""A language in which every text that was translated stands between marks: what stands outside was forgotten.

What is filled into a text is not marked with it: in "⟦Round ⟧8⟦ of ⟧3" the figures are data, and a word that was
filled in without being translated shows.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations

from django.template.autoreload import reset_loaders
from django.utils.translation import override, trans_real

OPEN, CLOSE = "⟦", "⟧"
# Any real language of the site: its formats of dates and numbers are the catalogue's company.
LANGUAGE = "de"
FILLED_IN = re.compile(r"(%\(\w+\)\d*[a-z]|%[sd%]|\{\w*\}|<[^>]*>)")


def marked(text: str) -> str:
    """The text with each of its own pieces between marks."""
    pieces = FILLED_IN.split(text)
    return "".join(
        piece if place % 2 or not piece else OPEN + piece + CLOSE for place, piece in enumerate(pieces)
    )


class PseudoTranslation(NullTranslations):
    """Marks every text, and remembers what was asked for: (context, text)."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return marked(message.rpartition(trans_real.CONTEXT_SEPARATOR)[2])

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.add(msgid1)
        return marked((msgid1 if n == 1 else msgid2).rpartition(trans_real.CONTEXT_SEPARATOR)[2])

    def to_language(self) -> str:
        return self.language

    def __getattr__(self, name: str) -> object:
        # Django's own calls with a context go through `gettext` with the context before the text.
        raise AttributeError(name)


@contextmanager
def pseudo_locale(language: str = LANGUAGE) -> Iterator[PseudoTranslation]:
    """Speak the marked language wherever `language` is asked for."""
    catalogue = PseudoTranslation(language)
    kept: dict[str, object] = vars(trans_real)["_translations"]
    real = kept.get(language)
    kept[language] = catalogue
    # Templates that are loaded again have drawn nothing in it yet ({% same_for_all %}).
    reset_loaders()
    try:
        with override(language):
            yield catalogue
    finally:
        if real is None:
            del kept[language]
        else:
            kept[language] = real
        reset_loaders()
