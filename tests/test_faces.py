"""The bundled faces have every letter that the site itself writes, and are no heavier than they must be."""

from pathlib import Path

import polib
import pytest
from django.conf import settings
from fontTools.ttLib import TTFont

from tests.faces import FACES, FONTS

# What the device's own faces show: arrows, suits, marks.
BORROWED = set("←→↑↓⟲♠♥♦♣✓✗×−↔↗▲▼●○★☆✕✔⚠")


def words() -> set[str]:
    """Every letter of the site's texts, in each of its languages."""
    files = Path(settings.BASE_DIR, "locale").glob("*/LC_MESSAGES/*.po")
    return {
        letter
        for file in files
        for entry in polib.pofile(str(file))
        for text in (entry.msgid, entry.msgstr, *entry.msgstr_plural.values())
        for letter in text
        if letter.isprintable()
    }


@pytest.mark.parametrize("name", FACES)
def test_a_face_has_every_letter_that_the_site_writes(name: str) -> None:
    assert sorted(words() - BORROWED - {chr(code) for code in TTFont(FONTS / name).getBestCmap()}) == []


@pytest.mark.parametrize("name", FACES)
def test_names_of_europe_are_not_pieced_together(name: str) -> None:
    letters = {chr(code) for code in TTFont(FONTS / name).getBestCmap()}
    latin = {chr(code) for code in range(0xC0, 0x100)}
    others = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ßŒœ½−–—‘’“”„…·×€")
    assert latin | others <= letters


def test_both_faces_together_weigh_no_more_than_a_small_photograph() -> None:
    assert sum((FONTS / name).stat().st_size for name in FACES) < 36_000
