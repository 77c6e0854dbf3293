"""DLM files: letters and checksums as published, tolerant reading, every fault with its line."""

import re

import pytest

from engine.boards.files.boards import Board, NotationError
from engine.boards.files.dlm import (
    FILLER,
    board_checksum,
    board_letters,
    deal_of_letters,
    read_dlm,
    write_dlm,
)
from tests.engine.boards.files.material import ORACLE, ORACLE_BOARDS


def lines_of(data):
    return data.decode("ascii").split("\r\n")


@pytest.mark.parametrize("number", range(16))
def test_the_oracles_letters(number):
    letters = ORACLE["boards"][number]["dlm"]

    assert board_letters(ORACLE_BOARDS[number].deal) == letters
    assert deal_of_letters(letters) == ORACLE_BOARDS[number].deal


def test_a_file_has_a_head_and_99_boards():
    lines = lines_of(write_dlm(ORACLE_BOARDS))

    assert lines[:10] == [
        "[Document]",
        "Headline=Concertmaster",
        "Status=Show",
        "Duplicates=0",
        "From board=1",
        "To board=16",
        "Next board to duplimate=0",
        "PrintOuts=0",
        "Crypto key=0",
        f"Checksum={0 ^ 1 ^ 16 ^ 1}",
    ]
    assert lines[10:12] == ["Duplicates 01=0", "Board 01=laekcfmcpphclbgngdiioinfnb004"]
    assert lines[-3:] == ["Duplicates 99=0", f"Board 99={FILLER}{99 ^ 14:03d}", ""]
    assert [line[6:8] for line in lines if line.startswith("Board ")] == [f"{n:02d}" for n in range(1, 100)]


def test_checksums_published_by_others():
    """Lines of files by the machine's own program, as quoted in public forums."""
    for number, letters, checksum in (
        (1, "jlifaelnecgmoldfjmcflinlap", 23),
        (1, "cgcajjjnakpkchipnjhmbmbpbh", 22),
    ):
        assert board_checksum(number, letters) == checksum


def test_sealed_files_have_another_checksum():
    lines = lines_of(write_dlm(ORACLE_BOARDS, blind=True, copies=5))

    assert "Status=Sealed" in lines
    assert f"Checksum={5 ^ 1 ^ 16}" in lines
    assert read_dlm(write_dlm(ORACLE_BOARDS, blind=True, copies=5)).faults == ()


def test_reading_is_tolerant_of_form():
    text = (
        write_dlm(ORACLE_BOARDS)
        .decode("ascii")
        .replace("\r\n", "\n")
        .replace("Board ", "BOARD ")
        .replace("=", " = ")
    )

    assert list(read_dlm(text.encode()).settled()) == ORACLE_BOARDS


def test_without_a_head_all_that_is_no_filler_counts():
    lines = [line for line in lines_of(write_dlm(ORACLE_BOARDS)) if line.startswith("Board")]

    assert list(read_dlm("\n".join(lines).encode()).settled()) == ORACLE_BOARDS


def changed(pattern, replacement):
    text = write_dlm(ORACLE_BOARDS).decode("ascii")
    assert re.search(pattern, text)
    return read_dlm(re.sub(pattern, replacement, text, count=1).encode())


def test_a_changed_board_is_found_by_its_checksum():
    reading = changed("Board 02=je", "Board 02=ej")
    assert reading.faults == ()  # Two letters that change places leave the sum as it is, and the deal sound.

    reading = changed("Board 02=j", "Board 02=k")
    assert [(fault.place, str(fault.message)) for fault in reading.faults] == [
        (("line", 14), "The checksum of board 2 is wrong. Its cards were changed.")
    ]
    assert [board.number for board in reading.boards] == [1, *range(3, 17)]


def test_a_sound_checksum_does_not_make_a_deal():
    letters = "a" * 26
    reading = changed("Board 02=[a-p]{26}[0-9]{3}", f"Board 02={letters}{board_checksum(2, letters):03d}")

    assert str(reading.faults[0].message) == "North has 52 cards, not 13."
    assert 2 not in [board.number for board in reading.boards]


@pytest.mark.parametrize(
    ("pattern", "replacement", "message"),
    [
        ("Checksum=16", "Checksum=17", "The checksum of the header is wrong"),
        ("To board=16", "To board=17", "The checksum of the header is wrong"),
        ("To board=16", "To board=x", "“to board” must be a number, not “x”"),
        ("To board=16", "To board=116", "must be between 1 and 99"),
        ("Board 03=", "Board 103=", "doesn’t exist or appears twice"),
        ("Board 03=", "Bored 03=", "Board 3 of the set is missing"),
        ("Board 03=nem", "Board 03=xem", "26 letters from a to p and three digits"),
        ("PrintOuts=0", "PrintOuts", "isn’t of the form key=value"),
    ],
)
def test_every_fault_says_what_is_wrong(pattern, replacement, message):
    reading = changed(pattern, replacement)

    assert not reading.is_accepted
    assert any(message in str(fault.message) for fault in reading.faults)
    assert all(fault.place[0] == "line" for fault in reading.faults)


def test_a_board_of_the_set_that_was_never_dealt_is_noted():
    reading = changed("Board 16=.*", f"Board 16={FILLER}{16 ^ 14:03d}")

    assert reading.is_accepted
    assert str(reading.faults[0].message) == "Board 16 belongs to the set but was never dealt."


def test_only_boards_1_to_99_fit():
    with pytest.raises(NotationError, match="Board 100: This format numbers boards from 1 to 99"):
        write_dlm([Board.of(number, ORACLE_BOARDS[0].deal) for number in (99, 100)])
    with pytest.raises(NotationError, match="0 to 99 copies"):
        write_dlm(ORACLE_BOARDS, copies=-1)
