"""The catalogues of translations in `locale/`, and how they are written: always the same for the same texts."""

from pathlib import Path

import polib
from django.conf import settings

LOCALE = Path(__file__).resolve().parents[2] / "locale"
LONGEST_LINE = 110
# What says who collected the texts and when would differ with every run, and git tells it better.
HEADER = {
    "Project-Id-Version": "Concertmaster",
    "Language": "",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "",
}


def languages() -> list[str]:
    """The languages that the texts are translated into: all of the site's but its own."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def path(language: str) -> Path:
    """Where the catalogue of a language lies; the compiled one lies beside it and ends in .mo."""
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> polib.POFile:
    """The catalogue of a language."""
    return polib.pofile(str(path(language)), wrapwidth=LONGEST_LINE)


def compiled(catalogue: polib.POFile) -> bytes:
    """What the .mo file holds. No program of gettext is needed for it, so that it is the same everywhere."""
    content: bytes = catalogue.to_binary()
    return content


def write(catalogue: polib.POFile, language: str) -> None:
    """Write the catalogue and what it compiles to."""
    forms = {"Language": language, "Plural-Forms": catalogue.metadata["Plural-Forms"]}
    catalogue.metadata = {**HEADER, **forms}
    catalogue.metadata_is_fuzzy = 0
    catalogue.header = f"The texts of Concertmaster, {language}. `make messages` collects and compiles them."
    for entry in catalogue:
        if not entry.fuzzy:
            # What a guess was guessed from: gettext reads no context of it without its text.
            entry.previous_msgctxt = entry.previous_msgid = entry.previous_msgid_plural = None
    catalogue.save(str(path(language)))
    path(language).with_suffix(".mo").write_bytes(compiled(catalogue))
