"""The files of dealing machines: right to the byte, and every fault with its board."""

import pytest
from hypothesis import given, settings

from engine.boards.files.boards import Board, NotationError
from engine.boards.files.dealing import (
    read_ber,
    read_bri,
    read_dge,
    read_dup,
    write_ber,
    write_bri,
    write_dge,
    write_dup,
)
from engine.boards.files.formats import FORMATS, format_named, format_of_file
from engine.deals import Deal
from engine.seats import Seat
from tests.engine.boards.files.material import ORACLE_BOARDS, board_sets, oracle_file

MACHINES = ["bri", "dge", "dup", "ber"]


@pytest.mark.parametrize("key", MACHINES)
def test_the_oracles_files_are_written_to_the_byte(key):
    assert FORMATS[key].write(ORACLE_BOARDS) == oracle_file(key)


@pytest.mark.parametrize("key", MACHINES)
def test_the_oracles_files_are_read(key):
    reading = FORMATS[key].read(oracle_file(key), 1)

    assert reading.faults == ()
    assert list(reading.boards) == ORACLE_BOARDS


@pytest.mark.parametrize("key", [*MACHINES, "dupblind", "dlm", "dlmblind", "lin", "pbn", "json"])
@settings(deadline=None)
@given(boards=board_sets())
def test_what_is_written_is_read_again(key, boards):
    one = FORMATS[key]
    reading = one.read(one.write(boards), boards[0].number)

    assert reading.faults == ()
    assert list(reading.boards) == boards


# DUP


def test_dup_says_which_boards_it_holds():
    boards = [Board.of(number, ORACLE_BOARDS[0].deal) for number in range(101, 105)]
    data = write_dup(boards, copies=3)

    assert len(data) == 4 * 156
    assert data[146:156] == b"YN1013 104"
    assert data[-10:] == b"YN1013 104"
    assert [board.number for board in read_dup(data).settled()] == [101, 102, 103, 104]


def test_a_given_first_number_wins_over_what_a_dup_says():
    """Big Deal writes "from 1" in every file, also in that of boards 17 to 32."""
    reading = read_dup(oracle_file("dup"), first=17)

    assert reading.faults == ()
    assert [board.number for board in reading.boards] == list(range(17, 33))
    assert [board.number for board in read_dup(oracle_file("dup")).boards] == list(range(1, 17))


@pytest.mark.parametrize(
    ("first", "count", "numbers"),
    [(1, 9, b"YN1  0 09 "), (1, 16, b"YN1  0 16 "), (9, 1, b"YN9  0 09 "), (98, 3, b"YN98 0 100")],
)
def test_a_dup_counts_its_boards_in_two_digits(first, count, numbers):
    boards = [Board.of(number, ORACLE_BOARDS[0].deal) for number in range(first, first + count)]
    data = write_dup(boards)

    assert {data[start + 146 : start + 156] for start in range(0, len(data), 156)} == {numbers}
    assert list(read_dup(data).settled()) == boards


def test_blind_dup_shows_no_cards_of_the_first_board():
    blind, normal = write_dup(ORACLE_BOARDS, blind=True), oracle_file("dup")

    assert blind[78:146] == b" " * 68
    assert blind[:78] + blind[146:] == normal[:78] + normal[146:]


def test_a_dup_whose_two_parts_differ_is_refused():
    data = oracle_file("dup")
    other = data[:78] + data[156 + 78 : 156 + 146] + data[146:]
    reading = read_dup(other)

    assert [fault.place for fault in reading.faults] == [("board", 1)]
    assert str(reading.faults[0].message) == "The cards to deal and the cards to show differ."
    assert len(reading.boards) == 15


def test_a_dup_with_fewer_boards_than_it_says_is_noted():
    reading = read_dup(oracle_file("dup")[: 156 * 15])

    assert len(reading.settled()) == 15
    assert str(reading.faults[0].message) == "The file says its boards are 1 to 16, but it has 15."


def test_a_dup_without_numbers_is_read_from_the_first():
    record = oracle_file("dup")[:146] + b"??????????"
    reading = read_dup(record, first=9)

    assert reading.boards[0].number == 9
    assert [fault.code for fault in reading.faults] == ["dup-numbers"]


def test_a_dup_has_room_for_999_boards():
    with pytest.raises(NotationError, match="1 to 999"):
        write_dup([Board.of(1000, ORACLE_BOARDS[0].deal)])
    with pytest.raises(NotationError, match="0 to 99 copies"):
        write_dup(ORACLE_BOARDS, copies=100)


# BRI, DGE and BER


def test_a_bri_may_be_lines_of_digits():
    records = [oracle_file("bri")[start : start + 78] for start in range(0, 2048, 128)]

    for end in (b"\n", b"\r\n"):
        assert list(read_bri(end.join(records) + end).settled()) == ORACLE_BOARDS


def test_every_faulty_board_of_a_bri_is_named():
    data = bytearray(oracle_file("bri"))
    data[0:2] = b"53"
    data[128:130] = data[130:132]
    data[256:258] = b"x1"
    reading = read_bri(bytes(data), first=5)

    assert [(fault.place, str(fault.message)) for fault in reading.faults] == [
        (("board", 5), "There’s no card number 53."),
        (("board", 6), "The J♥ appears twice."),
        (("board", 7), "These aren’t the 78 digits of three players’ cards."),
    ]
    assert [board.number for board in reading.boards] == list(range(8, 21))


def test_a_file_that_ends_too_soon_names_the_board():
    for read, ending, size in ((read_bri, "bri", 128), (read_dge, "dge", 128), (read_ber, "ber", 52)):
        reading = read(oracle_file(ending)[: 2 * size + 20])

        assert len(reading.boards) == 2
        assert reading.faults[0].place == ("board", 3)
        with pytest.raises(NotationError, match="Board 3: The file ends in the middle of this board"):
            reading.settled()


def test_an_end_of_file_mark_is_no_deal():
    assert len(read_dge(oracle_file("dge") + b"\x1a").settled()) == 16
    assert len(read_dup(oracle_file("dup") + b"\r\n").settled()) == 16


def test_a_ber_may_have_a_line_for_each_board():
    data = oracle_file("ber")
    lines = b"\r\n".join(data[start : start + 52] for start in range(0, len(data), 52))

    assert list(read_ber(lines).settled()) == ORACLE_BOARDS


def test_a_ber_in_which_somebody_has_too_many_cards():
    data = bytearray(write_ber(ORACLE_BOARDS[:1]))
    data[data.index(b"1")] = ord("2")
    messages = [str(fault.message) for fault in read_ber(bytes(data)).faults]

    assert messages == ["North has 12 cards, not 13.", "East has 14 cards, not 13."]


def test_a_dge_with_a_card_twice_is_refused():
    data = bytearray(write_dge(ORACLE_BOARDS[:1]))
    data[1:2] = b"T"
    reading = read_dge(bytes(data))

    assert reading.boards == ()
    assert str(reading.faults[0].message) == "The 10♠ appears twice."


# What cannot be written


@pytest.mark.parametrize("write", [write_bri, write_dge, write_dup, write_ber])
def test_machines_need_boards_in_order(write):
    with pytest.raises(NotationError, match="no boards"):
        write([])
    with pytest.raises(NotationError, match="Board 3: Board numbers must follow each other: 2 is missing"):
        write([ORACLE_BOARDS[0], ORACLE_BOARDS[2]])


@pytest.mark.parametrize("write", [write_bri, write_dge, write_dup, write_ber])
def test_machines_know_only_the_boards_own_dealer(write):
    with pytest.raises(NotationError, match="North deals this board, not South"):
        write([Board(1, ORACLE_BOARDS[0].deal, Seat.S)])


def test_boards_have_sensible_numbers():
    assert read_bri(oracle_file("bri"), first=0).boards == ()
    assert "1 to 99999" in str(read_bri(oracle_file("bri"), first=0).faults[0].message)


# The register


def test_formats_are_found_by_name_and_by_ending():
    assert format_named("DLM") is FORMATS["dlm"]
    assert format_of_file("Boards 1-16.DUP") is FORMATS["dup"]
    for find in (format_named, format_of_file):
        with pytest.raises(NotationError, match="Choose one of pbn, lin, dup"):
            find("doc.docx")


def test_every_format_has_a_title():
    assert len({each.title for each in FORMATS.values()}) == len(FORMATS)


def test_boards_are_json_too():
    deal = Deal.parse("N:QJ96.AK5.A63.AT3 T43.7.KQ98.87642 A875.Q43.J742.QJ K2.JT9862.T5.K95")

    assert Board.of(2, deal).as_json() == {"board": 2, "dealer": "E", "deal": str(deal)}
