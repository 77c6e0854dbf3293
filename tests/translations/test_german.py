"""The German catalogue is complete, fits what it translates, and is compiled as it stands."""

import re
from datetime import UTC, datetime
from fractions import Fraction

import polib
import pytest
from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import ngettext, override

from engine.contest.standings.changes import Change, ChangeKind, sentence
from engine.errors import quoted
from engine.text import Message
from games.concerto.values import LETTERS
from games.templatetags.cards import SEATS
from league.web.local_time import Moment, age_text
from league.web.number_format import decimal_text, exact_text, in_column, signed_text, written
from league.web.wording import in_words
from tests.translations import catalogues, sources

PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[a-z%]|\{\w*\}|</?\w+[^>]*>")


@pytest.fixture(scope="module")
def german() -> polib.POFile:
    return catalogues.read("de")


def test_every_text_of_the_program_is_in_the_catalogue_and_nothing_else(german: polib.POFile) -> None:
    """When this fails: `make messages`, translate what it names, commit locale/."""
    wanted = sources.wanted()
    known = {(entry.msgctxt, entry.msgid) for entry in german}

    assert len(wanted) > 1500
    assert {f"{file}: {key}" for key, file in wanted.items() if key not in known} == set()
    assert known - set(wanted) == set()


def test_every_text_is_translated(german: polib.POFile) -> None:
    assert [entry.msgid for entry in german if not entry.translated() or entry.obsolete] == []


def forms(entry: polib.POEntry) -> list[tuple[str, str]]:
    """The text and its translation; of a plural one each form with its own."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    assert set(entry.msgstr_plural) == {0, 1}, entry.msgid
    return list(zip((entry.msgid, entry.msgid_plural), entry.msgstr_plural.values(), strict=True))


def test_what_is_filled_in_is_filled_in_there_too(german: polib.POFile) -> None:
    """A placeholder or tag that is lost or misspelt would break the page in one language only."""
    wrong = [
        translation
        for entry in german
        for text, translation in forms(entry)
        if set(PLACEHOLDER.findall(text)) != set(PLACEHOLDER.findall(translation))
    ]

    assert wrong == []


def test_texts_begin_and_end_alike(german: polib.POFile) -> None:
    wrong = [
        translation
        for entry in german
        for text, translation in forms(entry)
        if [text[:1].isspace(), text[-1:].isspace()]
        != [translation[:1].isspace(), translation[-1:].isspace()]
        or (text[-1:] in ".?!…" and translation[-1:] not in ".?!…")
    ]

    assert wrong == []


def test_no_page_and_no_mail_writes_a_day_as_english_does() -> None:
    """The filter `day` has the shapes of each language; `date` keeps the English one that it is given."""
    shaped = re.compile(r'\|date:"(?:[lD] )?j [MF]')
    templates = [
        path
        for folder in ("templates", "games", "league")
        for path in (settings.BASE_DIR / folder).rglob("*.[ht][tx][mt]*")
    ]

    assert len(templates) > 200
    assert [path.name for path in templates if shaped.search(path.read_text())] == []


@pytest.mark.parametrize("language", catalogues.languages())
def test_the_compiled_catalogue_is_what_the_texts_compile_to(language: str) -> None:
    """Whoever runs the site has no gettext: the compiled file is committed with the texts."""
    catalogue = catalogues.read(language)

    assert catalogues.path(language).with_suffix(".mo").read_bytes() == catalogues.compiled(catalogue)
    assert "POT-Creation-Date" not in catalogue.metadata
    assert not re.search(r":\d+$", catalogues.path(language).read_text(), re.M), "no line numbers"


def test_one_and_many_are_told_apart() -> None:
    with override("de"):
        told = [ngettext("%(count)d pair", "%(count)d pairs", n) % {"count": n} for n in (0, 1, 2, 21)]

        assert told == ["0 Paare", "1 Paar", "2 Paare", "21 Paare"]
        assert age_text(
            datetime(2026, 11, 20, 12, tzinfo=UTC), now=datetime(2026, 11, 21, 12, tzinfo=UTC)
        ) == ("vor 1 Tag")


def test_numbers_and_dates_are_written_as_in_german() -> None:
    moment = Moment(datetime(2026, 11, 26, 19, 30, tzinfo=UTC), "Europe/Dublin")
    with override("de"):
        assert [decimal_text(1142), decimal_text(2.5), signed_text(-1330)] == ["1.142", "2,5", "−1.330"]
        assert [exact_text(Fraction(-1731, 100)), exact_text(Fraction(9, 2), signed=True)] == [
            "−17,31",
            "+4,5",
        ]
        third, fifth = Fraction(13, 3), Fraction(56, 5)
        assert in_column([Fraction(1229, 100), fifth, Fraction(4), third]) == [
            "12,29",
            "11,20",
            "4,00",
            "13/3",
        ]
        assert in_column([fifth, Fraction(4)]) == ["11,2", "4"]
        assert [written(each) for each in ("-0.5", "13/3", "1200", "1. Anna")] == [
            "−0,5", "13/3", "1200", "1. Anna",
        ]  # fmt: skip
        assert date_format(moment.local, "DATE_FORMAT") == "26. November 2026"
        assert [moment.text, moment.day] == ["Do, 26. Nov., 19:30", "26. Nov. 2026"]
        assert moment.full == "Donnerstag, 26. November 2026, 19:30 (Ortszeit Dublin)"
    with override("en"):
        assert [decimal_text(1142), moment.text] == ["1,142", "Thu 26 Nov, 19:30"]


def test_places_are_counted_as_in_german() -> None:
    drop = sentence(Change(ChangeKind.DROPS, 1, before=2, after=11), lambda _key: "Riverside")  # type: ignore[arg-type]
    with override("de"):
        assert in_words(drop) == "Riverside fällt vom 2. auf den 11. Platz"
    with override("en"):
        assert in_words(drop) == "Riverside drop from 2nd to 11th"


def test_letters_that_stand_for_something_are_all_different() -> None:
    with override("de"):
        keys, seats = (
            [str(key) for key in LETTERS.values()],
            [str(letter) for _css, _name, letter in SEATS.values()],
        )

        assert seats == ["N", "O", "S", "W"]
        assert len(set(keys)) == len(keys)


def test_the_engines_words_for_what_was_given_are_translated() -> None:
    with override("de"):
        assert in_words(Message("%(given)s", {"given": quoted([])})) == "eine Liste"
