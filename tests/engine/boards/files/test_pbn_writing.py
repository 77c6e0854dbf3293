"""PBN as we write it: strict export format, with played Concerto deals in sections of their own."""

import random
from dataclasses import replace

import pytest

from engine.boards.files.boards import NotationError
from engine.boards.files.pbn import deal_text, read_pbn, write_pbn
from engine.boards.files.pbn_game import PbnGame
from engine.cards import CardSet
from engine.concerto.records.parsing import read_record
from engine.errors import DealError
from engine.seats import BySide, Seat
from tests.engine.boards.files.material import ORACLE_BOARDS, played_out

DEAL = ORACLE_BOARDS[0].deal
PLAYED = played_out(random.Random(1), Seat.W, DEAL)
GAME = PbnGame.of_record(1, PLAYED.record, DEAL, {"Event": "Club night", "Room": "Open", "North": "Zoë"})


def lines_of(*games):
    return write_pbn(games).decode("latin-1").split("\r\n")


def test_a_board_in_export_format():
    assert lines_of(ORACLE_BOARDS[1]) == [
        "% PBN 2.1",
        "% EXPORT",
        "% Content-type: text/x-pbn; charset=ISO-8859-1",
        "% Creator: Concertmaster",
        '[Event "?"]',
        '[Site "?"]',
        '[Date "?"]',
        '[Board "2"]',
        '[West "?"]',
        '[North "?"]',
        '[East "?"]',
        '[South "?"]',
        '[Dealer "E"]',
        '[Vulnerable "None"]',
        f'[Deal "{ORACLE_BOARDS[1].deal.to_text(Seat.E)}"]',
        '[Scoring "?"]',
        '[Declarer "?"]',
        '[Contract "?"]',
        '[Result "?"]',
        "",
        "",
    ]


def test_the_oracles_set_as_pbn_and_back():
    assert [each.board for each in read_pbn(write_pbn(ORACLE_BOARDS)).settled()] == ORACLE_BOARDS


def test_a_deal_begins_with_the_dealer_and_hides_what_is_hidden():
    north, _, _, west = (DEAL[seat] for seat in Seat)

    assert deal_text((north, None, None, west), Seat.W) == "W:K2.JT9862.T5.K95 QJ96.AK5.A63.AT3 - -"


def test_a_played_deal_has_its_sections():
    lines = lines_of(GAME)
    start = lines.index('[Result "?"]') + 1
    score = PLAYED.state.score()

    assert lines[start : start + 5] == [
        '[Concerto "concerto-2013"]',
        f'[ConcertoBonus "{score.left_over_to.value} {score.left_over_bonus}"]',
        f'[ConcertoMade "NS {score.made.ns} EW {score.made.ew}"]',
        f'[ConcertoTotal "NS {score.total.ns} EW {score.total.ew}"]',
        '[Room "Open"]',
    ]
    assert lines[start + 5] == r'[ConcertoPlayTable "Hand\1R;Leader\1L;Points\2R;Play"]'
    rows = lines[start + 6 : start + 14]
    assert [row[:3] for row in rows] == ["1 N", "2 E", "3 S", "4 W", "5 N", "6 E", "7 S", "8 W"]
    first = PLAYED.state.hands[0]
    tokens = [
        token[1].upper() + token[0] if len(token) == 2 else token
        for token in PLAYED.state.hand_lines[0].split()
    ]
    assert rows[0] == f'1 N {first.value.points:>2} "{" ".join(tokens)}"'
    assert lines[start + 14 :] == ["", ""]


def test_a_played_deal_is_read_again():
    reading = read_pbn(write_pbn([GAME]))

    assert reading.settled() == (GAME,)
    (found,) = reading.boards
    assert found.record.total == PLAYED.state.score().total
    assert found.as_json()["record"]["hands"] == list(PLAYED.state.hand_lines)


def test_a_record_that_contradicts_itself_is_not_written():
    wrong = replace(PLAYED.record, total=BySide(1, 1))

    with pytest.raises(NotationError):
        PbnGame.of_record(1, wrong, DEAL)


def test_totals_alone_are_written_too():
    record = read_record({"total": {"NS": 40, "EW": 22}})
    game = PbnGame.of_record(3, record)
    (found,) = read_pbn(write_pbn([game])).settled()

    assert found == game
    assert found.record.total == BySide(40, 22)
    assert found.deal is None


def test_games_without_number_get_the_next():
    again = read_pbn(write_pbn([PbnGame(number=7), PbnGame(), PbnGame()]))

    assert [each.number for each in again.boards] == [7, 8, 9]


@pytest.mark.parametrize(
    "name", ["Board", "deal", "Concerto", "Two words", "Umlä", "1st", "ScoreTable", "Auction", ""]
)
def test_some_names_cannot_be_tags(name):
    with pytest.raises(NotationError, match="can’t be a tag"):
        write_pbn([PbnGame(number=1, tags={name: "x"})])


def test_nothing_to_write():
    with pytest.raises(NotationError, match="no boards"):
        write_pbn([])


def test_a_game_never_has_a_card_twice():
    north = DEAL[Seat.N]

    with pytest.raises(DealError, match="twice"):
        PbnGame(hands=(north, north, None, None))
    with pytest.raises(DealError, match="12 cards"):
        PbnGame(hands=(CardSet(north.bits & (north.bits - 1)), None, None, None))


# Faults in our sections


def changed(old, new):
    text = "\n".join(lines_of(GAME))
    assert old in text
    place = text[: text.index(old)].count("\n") + 1
    return place, read_pbn(text.replace(old, new, 1))


def test_points_that_the_cards_do_not_make_are_found():
    made = f'[ConcertoMade "NS {GAME.record.made.ns} EW'
    line, reading = changed(made, f'[ConcertoMade "NS {GAME.record.made.ns + 1} EW')

    assert not reading.is_accepted
    assert line in [fault.place[1] for fault in reading.faults]


def test_a_card_that_was_not_held_is_found_in_its_row():
    row = next(line for line in lines_of(GAME) if line.startswith("3 S"))
    card = row.split('"')[1].split()[0]
    other = next(line for line in lines_of(GAME) if line.startswith("4 W")).split('"')[1].split()[0]
    line, reading = changed(row, row.replace(card, other, 1))

    assert not reading.is_accepted
    assert {fault.place[1] for fault in reading.faults if fault.refuses} & {line, line + 1}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\n2 E", "\n9 E", "This row doesn’t belong to any of the eight hands"),
        ("\n2 E", "\n1 E", "This row doesn’t belong to any of the eight hands"),
        ('[ConcertoMade "NS', '[ConcertoMade "XX', "doesn’t give points by side"),
        ("\n2 E", "\n2 W", "East leads hand 2"),
    ],
)
def test_faults_of_our_sections_are_told(old, new, message):
    _, reading = changed(old, new)

    assert any(message in str(fault.message) for fault in reading.faults)
    assert all(fault.place[0] == "line" and fault.place[1] > 0 for fault in reading.faults)
