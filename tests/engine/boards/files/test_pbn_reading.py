"""PBN from other programs: tolerant of form, every fault with its line, never a deal with a card twice."""

import pytest

from engine.boards.files.boards import NotationError
from engine.boards.files.pbn import boards_of, read_pbn, write_pbn
from engine.seats import Seat
from tests.engine.boards.files.material import ORACLE_BOARDS, is_sound

DEAL = str(ORACLE_BOARDS[0].deal)
NORTH, EAST, SOUTH, WEST = DEAL[2:].split()
SHAPE = "Write N:spades.hearts.diamonds.clubs and so on for all four seats."
FOUR_SUITS = "’s cards must be four suits with full stops in between, not “QJ96AK5.A63.AT3”."
#: As the published program Big Deal writes it, which calls it export format.
BIG_DEAL = f"""% PBN 2.1
% EXPORT
%
[Generator "Big Deal version 1.2"]
[Event "?"]
[Site "?"]
[Date "?"]
[Board "1"]
[West "?"]
[North "?"]
[East "?"]
[South "?"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[Scoring "?"]
[Declarer "?"]
[Contract "?"]
[Result "?"]

"""
BRIDGE_GAME = f"""{{ A comment over
two lines; with [Board "9"] in it }}
[Event "Cup"] [Site "Łódź"] ; the rest is no tag [Board "8"]
[Board "1"]
[Dealer "N"]
[Vulnerable "All"]
[Deal "{DEAL}"]
[Declarer "S"]
[Contract "4S"]
[Result "10"]
[Auction "N"]
1S =1= Pass 2S Pass {{ a good bid }}
4S AP
[Note "1:five cards"]
[Note "2:none"]
[Play "W"]
SK H2 C3 D4
- - H7 +
*
[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]
N NT 9
"""


def game(**tags):
    given = {"Board": "1", "Deal": DEAL} | tags
    return "".join(f'[{name} "{value}"]\n' for name, value in given.items() if value is not None)


def only(text):
    (found,) = read_pbn(text).boards
    return found


def faults(text):
    return [(fault.place, str(fault.message)) for fault in read_pbn(text).faults]


def test_a_file_by_big_deal():
    reading = read_pbn(BIG_DEAL.encode())

    assert reading.faults == ()
    assert [each.board for each in reading.boards] == ORACLE_BOARDS[:1]
    assert reading.boards[0].tags == {"Generator": "Big Deal version 1.2"}


def test_a_bridge_game_with_auction_play_tables_and_comments():
    reading = read_pbn(BRIDGE_GAME.encode("utf-8"))

    assert reading.faults == ()
    assert reading.boards[0].board == ORACLE_BOARDS[0]
    assert reading.boards[0].tags == {
        "Event": "Cup",
        "Site": "Łódź",
        "Vulnerable": "All",
        "Declarer": "S",
        "Contract": "4S",
        "Result": "10",
    }


@pytest.mark.parametrize("first", list(Seat))
def test_a_deal_may_begin_with_any_seat(first):
    found = only(game(Deal=ORACLE_BOARDS[0].deal.to_text(first)))

    assert found.deal == ORACLE_BOARDS[0].deal


@pytest.mark.parametrize(
    "deal", [DEAL.lower(), DEAL.replace("N:", "N: "), DEAL.replace(" ", "   "), DEAL.replace("T", "10")]
)
def test_a_deal_may_be_written_loosely(deal):
    assert only(game(Deal=deal)).deal == ORACLE_BOARDS[0].deal


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do(end):
    text = (BIG_DEAL + BRIDGE_GAME.replace('Board "1"', 'Board "2"')).replace("\n", end)

    assert [each.number for each in read_pbn(text.encode()).boards] == [1, 2]


# Hidden hands


def test_one_hidden_hand_follows_from_the_others():
    found = only(game(Deal=f"N:{NORTH} - {SOUTH} {WEST}"))

    assert found.hands[Seat.E.index] is None
    assert found.deal == ORACLE_BOARDS[0].deal


@pytest.mark.parametrize("hidden", ["-", "..."])
def test_more_hidden_hands_leave_the_deal_unknown(hidden):
    reading = read_pbn(game(Deal=f"E:{EAST} {hidden} {hidden} {NORTH}"))

    assert reading.faults == ()
    assert reading.boards[0].deal is None
    assert [cards is None for cards in reading.boards[0].hands] == [False, False, True, True]
    with pytest.raises(NotationError, match="Line 1: Board 1 has hidden hands"):
        boards_of(reading).settled()


def test_boards_without_cards_are_left_out_and_it_is_said():
    reading = boards_of(read_pbn(game(Deal="N:- - - -") + "\n" + game(Board="2")))

    assert [board.number for board in reading.settled()] == [2]
    assert [str(fault.message) for fault in reading.faults] == ["Board 1 has no cards and is left out."]


def test_hidden_hands_do_not_hide_a_card_twice():
    reading = read_pbn(game(Deal=f"N:{NORTH} - - {NORTH}"))

    assert len(reading.faults) == 13
    assert reading.boards[0].hands == (None, None, None, None)


# Missing tags


def test_only_the_deal_has_to_be_there():
    found = only(f'[Deal "{DEAL}"]')

    assert (found.number, found.dealer, found.deal) == (None, None, ORACLE_BOARDS[0].deal)
    assert [board.number for board in boards_of(read_pbn(f'[Deal "{DEAL}"]\n' * 3)).settled()] == [1, 2, 3]


def test_the_dealer_follows_from_the_board():
    assert only(game(Board="7")).dealer is Seat.S
    assert only(game(Board="7", Dealer="?")).dealer is Seat.S
    assert only(game(Board="?", Dealer="E")).dealer is Seat.E


def test_a_board_without_cards_is_noted_and_kept():
    reading = read_pbn(game(Deal=None) + "\n" + game(Board="2", Deal="?"))

    assert [each.number for each in reading.boards] == [1, 2]
    assert faults(game(Deal=None)) == [(("line", 1), "This board’s cards are missing.")]
    assert reading.is_accepted


def test_a_head_of_its_own_is_no_game():
    assert len(read_pbn('[Generator "x"]\n\n' + game()).boards) == 1
    assert only('[Event "Cup"]\n\n' + game()).tags == {"Event": "Cup"}


# Where games end


def test_games_need_no_empty_line_between_them():
    text = game(Event="a") + game(Event="a", Board="2")

    assert [each.number for each in read_pbn(text).boards] == [1, 2]


def test_an_empty_line_within_a_game_does_not_end_it():
    assert len(read_pbn('[Board "1"]\n\n[Dealer "N"]\n\n' + f'[Deal "{DEAL}"]').boards) == 1


def test_a_tag_twice_is_noted_and_the_first_counts():
    text = game(Site="a") + '[Site "b"]\n'

    assert only(text).tags == {"Site": "a"}
    assert faults(text) == [(("line", 4), "“Site” appears twice. The first one counts.")]


# Inheritance


def test_a_value_can_be_the_last_games():
    text = game(Event="Cup", Dealer="W") + "\n" + game(Board="2", Event="#", Deal="#")
    second = read_pbn(text).boards[1]

    assert second.tags == {"Event": "Cup"}
    assert second.deal == ORACLE_BOARDS[0].deal


def test_a_value_can_hold_for_all_that_follow():
    text = (
        game(Event="##Cup")
        + "\n"
        + game(Board="2")
        + "\n"
        + game(Board="3", Event="Final")
        + "\n"
        + game(Board="4")
    )

    assert [each.tags["Event"] for each in read_pbn(text).boards] == ["Cup", "Cup", "Final", "Cup"]


# Characters


def test_latin_1_and_utf_8_are_told_apart():
    for encoding in ("latin-1", "utf-8", "utf-8-sig"):
        assert only(game(North="Zoë Müller").encode(encoding)).tags == {"North": "Zoë Müller"}


def test_export_format_is_latin_1_whatever_it_looks_like():
    assert only(b"% EXPORT\n" + game(North="Ã©").encode("latin-1")).tags == {"North": "Ã©"}


def test_quotes_within_a_value():
    assert only(game(Event=r"The \"Big\" One")).tags == {"Event": 'The "Big" One'}
    assert only(game(Event='The "Big" One')).tags == {"Event": 'The "Big" One'}
    assert only(game(Event="C:\\")).tags == {"Event": "C:\\"}


# Faults


@pytest.mark.parametrize(
    ("deal", "messages"),
    [
        (DEAL.replace("QJ96.AK5", "QJ96.AA5"), ["The A♥ appears twice."]),
        (DEAL.replace("QJ96", "QT96"), ["The 10♠ appears twice."]),
        (DEAL.replace("QJ96", "QJ9"), ["North has 12 cards, not 13."]),
        (DEAL.replace("QJ96", "QJ9x"), ["“X” among North’s cards isn’t a rank."]),
        (DEAL.replace("QJ96.AK5", "QJ96AK5"), ["North" + FOUR_SUITS]),
        (DEAL.replace("N:", ""), [f"“{DEAL[2:26]}…” isn’t a deal. {SHAPE}"]),
        (DEAL.replace("N:", "X:"), [f"“X{DEAL[1:24]}…” isn’t a deal. {SHAPE}"]),
        (
            DEAL.replace("QJ96", "Q9").replace("K2.", "Y2."),
            ["“Y” among West’s cards isn’t a rank.", "North has 11 cards, not 13."],
        ),
        (
            DEAL.replace("QJ96", "QQ96").replace("K2.", "Y2."),
            ["The Q♠ appears twice.", "“Y” among West’s cards isn’t a rank."],
        ),
    ],
)  # fmt: skip
def test_everything_wrong_with_a_deal_is_said(deal, messages):
    reading = read_pbn(game(Deal=deal))

    assert [str(fault.message) for fault in reading.faults] == messages
    assert {fault.place for fault in reading.faults} == {("line", 2)}
    assert reading.boards[0].deal is None
    assert not reading.is_accepted


def test_every_fault_has_its_line():
    text = f"""[Board "zero"]
[Dealer "Q"]
nonsense
[Deal "N:{NORTH}"]
[Site x]

stray
[Board "2"]
[Dealer "S"]
[Deal "{DEAL}"] {{ never
closed
"""
    assert faults(text) == [
        (("line", 1), "“zero” isn’t a board number."),
        (("line", 2), "“Q” isn’t a dealer. Write N, E, S or W."),
        (("line", 3), "“nonsense” doesn’t belong to any tag. We skipped it."),
        (
            ("line", 4),
            f"“N:{NORTH}” isn’t a deal. {SHAPE}",
        ),
        (("line", 5), 'Write a tag as [Name "value"], not “[Site x]”.'),
        (("line", 7), "“stray” doesn’t belong to any tag. We skipped it."),
        (("line", 9), "South deals board 2 here; usually East does."),
        (
            ("line", 10),
            "The comment that starts here with { isn’t closed. We couldn’t read anything after it.",
        ),
    ]
    assert [each.deal for each in read_pbn(text).boards] == [None, ORACLE_BOARDS[0].deal]


def two_boards(between: str) -> str:
    return f'[Board "1"]\n[Deal "{DEAL}"]\n{between}\n\n[Board "2"]\n[Deal "{DEAL}"]\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (two_boards("{ never closed"), 3),
        (two_boards("{ closed by the next } one") + "{ a good board }", None),
        (two_boards("{ closed by the next one") + "{ a good board }\n", 3),
        ("{ Saturday\n" + two_boards("") + "{ a good board }\n", 1),
    ],
)
def test_a_comment_that_swallows_a_board_is_an_error_on_its_line(text, line):
    reading = boards_of(read_pbn(text))

    assert reading.is_accepted == (line is None)
    if line is not None:
        fault = next(fault for fault in reading.faults if fault.refuses)
        assert (fault.code, fault.place) == ("pbn-comment", ("line", line))


def test_a_board_that_somebody_left_out_in_a_comment_is_noted():
    left_out = '{\n[Board "9"]\n[Deal "-"]\n}'
    reading = boards_of(read_pbn(two_boards(left_out)))

    assert [board.number for board in reading.boards] == [1, 2]
    assert reading.is_accepted
    assert [(fault.place, str(fault.message)) for fault in reading.faults] == [
        (("line", 3), "There’s a board inside the comment that starts here. We skipped it.")
    ]


@pytest.mark.parametrize(
    "place", ["[", "[Deal", "[Deal ", f'[Deal "N:{NORTH}', f'[Deal "{DEAL}', f'[Deal "{DEAL}"']
)
@pytest.mark.parametrize("end", ["\n", "\r\n", " \n\t"])
def test_a_tag_split_over_lines_is_read(place, end):
    whole = f'[Deal "{DEAL}"]'
    text = f'[Board "1"]{whole}'.replace(place, place + end, 1) if place == "[" else None
    text = text or f'[Board "1"]\n{place}{end}{whole[len(place) :].lstrip()}\n[Dealer "S"]\n'
    reading = read_pbn(text)

    assert [each.deal for each in reading.boards] == [ORACLE_BOARDS[0].deal]
    assert [each.number for each in reading.boards] == [1]
    later = [fault.place for fault in reading.faults]
    assert later == ([] if place == "[" else [("line", 4)])


def test_a_tag_that_never_ends_is_an_error_on_its_line():
    for broken in ('[Deal "N:', "[Deal", f'[Deal "{DEAL}"'):
        reading = read_pbn(f'[Board "1"]\n{broken}\n[Dealer "N"]\n')
        assert [(fault.code, fault.place) for fault in reading.faults if fault.refuses] == [
            ("pbn-tag", ("line", 2))
        ]


def test_an_empty_file_has_no_deal():
    for text in ("", "\n\n", "% PBN 2.1", '[Event "x"]', "{ }"):
        assert [fault.code for fault in read_pbn(text).faults] == ["no-boards"]


def test_what_is_read_with_faults_can_still_be_written():
    """The bad deal is then hidden; the sound one stays."""
    text = game(Deal=DEAL.replace("QJ96", "QT96")) + "\n" + game(Board="2")
    again = read_pbn(write_pbn(read_pbn(text).boards))

    assert again.faults == ()
    assert [each.deal for each in again.boards] == [None, ORACLE_BOARDS[0].deal]
    assert is_sound(again.boards[1].deal)
