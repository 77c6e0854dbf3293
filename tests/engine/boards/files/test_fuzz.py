"""Whatever is in a file: every reader answers with sound deals and with faults in words, and soon."""

import json
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.boards.files.boards import Reading
from engine.boards.files.formats import FORMATS, format_of_file
from engine.boards.files.pbn import read_pbn, write_pbn
from tests.engine.boards.files.material import ORACLE_BOARDS, games, is_sound
from tests.thorough import examples

READERS = [key for key in FORMATS if not key.endswith("blind")]
soon = settings(deadline=2000, suppress_health_check=[HealthCheck.too_slow], max_examples=examples(60))

WHOLE_FILES = {key: FORMATS[key].write(ORACLE_BOARDS[:3]) for key in READERS}

changes = st.lists(
    st.tuples(
        st.floats(0, 1), st.integers(0, 4), st.binary(max_size=4) | st.sampled_from([b"\n", b'"', b"|", b"{"])
    ),
    max_size=5,
)

pbn_pieces = st.sampled_from(
    [
        *(
            '[Event "#"]',
            '[Event "##Cup"]',
            '[Board "1"]',
            '[Board "0"]',
            '[Board "99999999999"]',
            '[Dealer "E"]',
        ),
        *(
            '[Deal "N:- - - -"]',
            '[Deal "',
            '[Deal "?"]',
            '[Deal "#"]',
            "[Deal]",
            "]",
            "[",
            "{",
            "}",
            ";",
            "%",
            '"',
        ),
        *("\n", "\n\n", "\r", "\r\n", "\\", " ", "A", "1 N 6 -", '1 N  6 "H7 HA H6 H5 HT"', "8 W  2 -"),
        *(
            '[Concerto "x"]',
            '[ConcertoMade "NS 4 EW 99999999999"]',
            '[ConcertoBonus "EW 10"]',
            "\x00",
            "\ufeff",
        ),
        *('[ConcertoPlayTable "Hand;Leader;Points;Play"]', '[ConcertoLeft "N:S2 S2 E: X"]', "ÿ", "１"),
        '[Deal "E:QJ96.AK5.A63.AT3 T43.7.KQ98.87642 A875.Q43.J742.QJ K2.JT9862.T5.K95"]',
        '[Deal "E:QJ96.AK5.A63.AT3 T43.7.KQ98.87642 A875.Q43.J742.QJ -"]',
        '[Deal "N:QJ96.AK5.A63.AT3 QJ96.AK5.A63.AT3 A875.Q43.J742.QJ K2.JT9862.T5.K95"]',
        '[ConcertoLeftOver "pair 2+0"]',
        '[ConcertoTotal "NS 40 EW 22"]',
    ]
)


def changed(data: bytes, how: list[tuple[float, int, bytes]]) -> bytes:
    for where, removed, put_in in how:
        place = int(where * len(data))
        data = data[:place] + put_in + data[place + removed :]
    return data


def check_reading(reading: Reading) -> None:
    for board in reading.boards:
        assert board.deal is None or is_sound(board.deal)
    for fault in reading.faults:
        assert str(fault.message)
        assert fault.place == () or (fault.place[0] in ("line", "board") and isinstance(fault.place[1], int))
    json.dumps([fault.as_json() for fault in reading.faults])
    if not reading.boards:
        assert reading.faults


@pytest.mark.parametrize("key", READERS)
@soon
@given(data=st.binary(max_size=600), first=st.integers(-3, 10**6))
def test_any_bytes(key, data, first):
    check_reading(FORMATS[key].read(data, first))


@pytest.mark.parametrize("key", READERS)
@soon
@given(how=changes)
def test_files_with_a_few_bytes_changed(key, how):
    data = changed(WHOLE_FILES[key], how)
    reading = FORMATS[key].read(data, 1)

    check_reading(reading)
    if data == WHOLE_FILES[key]:
        assert list(reading.settled()) == ORACLE_BOARDS[:3]


@soon
@given(st.lists(pbn_pieces, max_size=25).map("".join))
def test_pieces_of_pbn_in_any_order(text):
    check_reading(read_pbn(text))
    check_reading(read_pbn(text.encode("utf-8")))


@soon
@given(st.lists(games(), min_size=1, max_size=2), changes)
def test_played_games_with_a_few_bytes_changed(written, how):
    check_reading(read_pbn(changed(write_pbn(written), how)))


@soon
@given(st.text(max_size=300))
def test_any_text_is_read_as_pbn(text):
    check_reading(read_pbn(text))


@soon
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["boards", "board", "deal", "number", "dealer"]), inner)
        ),
        max_leaves=12,
    )
)
def test_any_json(value):
    check_reading(FORMATS["json"].read(json.dumps(value).encode(), 1))


@pytest.mark.parametrize("key", READERS)
@pytest.mark.parametrize(
    "unit", [b" ", b"[", b'"', b"{", b"|", b"1", b"\x06", b"a=", b'[a "', b"\\", b"md|1|", b"\n", b"1\n"]
)
def test_long_files_of_one_thing_do_not_take_long(key, unit, elapsed):
    """A quadratic reader would need minutes for these."""
    check_reading(FORMATS[key].read(unit * (100_000 // len(unit)), 1))

    assert elapsed() < 10


@pytest.fixture
def elapsed():
    started = time.perf_counter()
    return lambda: time.perf_counter() - started


def test_every_format_is_known_by_its_ending():
    assert [format_of_file(f"set.{key}").key for key in READERS] == READERS
