"""LIN files: deals with their dealers, however the file numbers them."""

import pytest

from engine.boards.files.boards import Board, NotationError
from engine.boards.files.lin import read_lin, write_lin
from engine.seats import Seat
from tests.engine.boards.files.material import ORACLE_BOARDS

DEAL = "SA875HQ43DJ742CQJ,SK2HJT9862DT5CK95,SQJ96HAK5DA63CAT3,ST43H7DKQ98C87642"
THREE = DEAL.rpartition(",")[0]


def test_a_board_is_a_line():
    assert write_lin(ORACLE_BOARDS[:1]) == (
        f"pn|South,West,North,East|st||md|3{DEAL}|rh||ah|Board 1|sv|o|pg||\n".encode()
    )


@pytest.mark.parametrize("deal", [DEAL, THREE, THREE + ",", DEAL.lower(), DEAL.replace("T", "10")])
def test_the_fourth_hand_may_be_left_out(deal):
    assert list(read_lin(f"md|3{deal}|ah|Board 1|".encode()).settled()) == ORACLE_BOARDS[:1]


def test_the_dealer_is_a_digit():
    dealers = [read_lin(f"md|{digit}{DEAL}|".encode()).settled()[0].dealer for digit in "1234"]

    assert dealers == [Seat.S, Seat.W, Seat.N, Seat.E]
    reading = read_lin(f"md|0{DEAL}|".encode())
    assert str(reading.faults[0].message) == "“0” isn’t a dealer: 1 is South, 2 West, 3 North, 4 East."
    assert reading.boards[0].dealer is Seat.N


def test_another_dealer_than_usual_is_noted_and_kept():
    board = Board(1, ORACLE_BOARDS[0].deal, Seat.W)
    reading = read_lin(write_lin([board]))

    assert reading.settled() == (board,)
    assert str(reading.faults[0].message) == "West deals board 1 here; usually North does."


def test_both_rooms_of_a_match_have_the_same_deals():
    text = "".join(
        f"qx|{room}{number}|st||md|{digit}{deal}|sv|o|mb|p|pg||\n"
        for number, digit, deal in (
            (5, 3, DEAL),
            (6, 4, write_lin(ORACLE_BOARDS[1:2]).decode().split("|")[5][1:]),
        )
        for room in "oc"
    )
    reading = read_lin(("vg|a match|\nrs|4HN=|\n" + text).encode())

    assert [board.number for board in reading.settled()] == [5, 6]
    assert reading.faults == ()


def test_the_closed_room_may_leave_the_deal_out():
    reading = read_lin(f"qx|o1|md|3{DEAL}|pg||qx|c1|md||pg||".encode())

    assert list(reading.settled()) == ORACLE_BOARDS[:1]


def test_boards_without_numbers_follow_one_another():
    text = "".join(f"md|{'3412'[number]}{DEAL}|pg||" for number in range(4))

    assert [board.number for board in read_lin(text.encode()).settled()] == [1, 2, 3, 4]


def test_two_deals_with_one_number_are_a_fault():
    other = write_lin(ORACLE_BOARDS[1:2]).decode().replace("Board 2", "Board 1").replace("|4", "|3")
    reading = read_lin(write_lin(ORACLE_BOARDS[:1]) + other.encode())

    with pytest.raises(NotationError, match="Board 1: There are two different deals with this number"):
        reading.settled()


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        (DEAL.replace("SQJ96", "SQJ9A"), "The A♠ appears twice."),
        (DEAL.replace("SQJ96", "SQJ99"), "The 9♠ appears twice."),
        (DEAL.replace("SQJ96", "SQJ9"), "North has 12 cards, not 13."),
        (DEAL.replace("SQJ96", "SQJ9X"), "“X” among North’s cards isn’t a rank."),
        (DEAL.replace("SK2HJT9862", "HJT9862SK2"), "must be the suits S, H, D, C in this order"),
        (DEAL.partition(",")[0] + ",,,", "Only one hand may be left out."),
        ("SA,S2", "A deal needs the cards of four seats."),
    ],
)
def test_every_fault_has_its_line(deal, message):
    reading = read_lin(f"vg|x|\n\npn|a,b,c,d|md|3{deal}|\n".encode())

    assert reading.boards == ()
    assert {fault.place for fault in reading.faults} == {("line", 3)}
    assert any(message in str(fault.message) for fault in reading.faults)


def test_an_unreadable_number_is_noted():
    reading = read_lin(f"md|3{DEAL}|ah|Finale|".encode())

    assert reading.boards[0].number == 1
    assert str(reading.faults[0].message) == "“Finale” doesn’t say which board this is."


def test_nothing_to_write_or_to_read():
    with pytest.raises(NotationError, match="no boards"):
        write_lin([])
    assert str(read_lin(b"st||rh||").faults[0].message) == "This file has no deals."
