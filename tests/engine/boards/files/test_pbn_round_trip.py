"""What is written as PBN is read again as the same values, whatever it is."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.boards.files.pbn import read_pbn, write_pbn
from engine.boards.files.pbn_game import MANDATORY, PbnGame, pbn_text
from tests.engine.boards.files.material import games
from tests.thorough import examples

quietly = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(60))


@quietly
@given(st.lists(games(), min_size=1, max_size=3))
def test_games_are_read_as_they_were_written(written):
    reading = read_pbn(write_pbn(written))

    assert [str(fault.message) for fault in reading.faults if fault.refuses] == []
    assert list(reading.boards) == written


@quietly
@given(st.lists(games(), min_size=1, max_size=3))
def test_every_file_is_in_export_format(written):
    data = write_pbn(written)
    lines = data.split(b"\r\n")

    assert b"\n" not in data.replace(b"\r\n", b"")
    assert lines[:2] == [b"% PBN 2.1", b"% EXPORT"]
    assert all(len(line) <= 253 for line in lines)
    names = re.findall(rb'^\[(\w+) "', data, re.MULTILINE)
    starts = [place for place, name in enumerate(names) if name == b"Event"]
    for start in starts:
        assert [name.decode() for name in names[start : start + 15]] == list(MANDATORY)
    assert len(starts) == len(written)


@given(st.text(max_size=400))
def test_a_tags_text_is_latin_1_on_one_line_and_stays_as_it_is(text):
    held = pbn_text(text)

    held.encode("latin-1")
    assert "\n" not in held
    assert '"' not in held
    assert pbn_text(held) == held


def test_letters_that_latin_1_lacks_keep_their_shape():
    assert pbn_text("Łódź, “Café”") == "Lódz, 'Café'"
    assert pbn_text("日本") == "??"
    assert pbn_text("##x") == "x"
    assert pbn_text("#1 club") == "#1 club"


def test_an_empty_game_is_a_value_too():
    assert PbnGame() == PbnGame(line=7)
    assert PbnGame().board is None
