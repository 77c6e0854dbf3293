"""Cards as they are drawn: readable for eyes and for readers, and never a fault of the page for an odd text."""

import re

import pytest
from django.template import Context, Template


def draw(source: str, **context: object) -> str:
    return Template("{% load cards %}" + source).render(Context(context))


@pytest.mark.parametrize(
    ("card", "name", "face"),
    [("7h", "seven of hearts", "7"), ("Td", "ten of diamonds", "10"), ("As", "ace of spades", "A")],
)
def test_a_card_says_its_name_and_shows_its_rank(card: str, name: str, face: str) -> None:
    html = draw("{% card value %}", value=card)
    assert f'aria-label="{name}"' in html
    assert f'<span class="rank">{face}</span>' in html


def test_the_partners_cards_are_underlined_and_named() -> None:
    html = draw("{% hand '9h 7h' '7h' places=3 by='South' %}")
    assert html.count("by-partner") == 1
    assert 'aria-label="seven of hearts, from South"' in html
    assert html.count("vacant") == 1


def test_a_hand_takes_lists_as_well_as_text() -> None:
    assert draw("{% hand cards %}", cards=["9h", "7h"]) == draw("{% hand '9h 7h' %}")
    assert "card-face" not in draw("{% hand cards %}", cards=None)


@pytest.mark.parametrize("odd", ["", "?", "-", "<b>", "Zz", "10h", "7", None, 12])
def test_an_odd_text_is_drawn_without_a_fault(odd: object) -> None:
    html = draw("{% card value %}", value=odd)
    assert html.startswith("<span class=")
    assert "<b>" not in html


def test_suit_rows_sort_high_cards_first() -> None:
    html = draw("{% suit_rows 'Th Ah 2h Ks' %}")
    assert '<span class="ranks">A 10 2</span>' in html
    assert html.index("spades") < html.index("hearts")
    assert html.count("none") == 2


def test_played_cards_are_set_back_and_say_so() -> None:
    html = draw("{% suit_rows 'Th Ah' 'Ah' %}")
    assert re.search(r"<s class=.played.>A<span[^>]*> \(played\)</span></s> 10", html)


BOARD = {"N": "As Kh", "E": ["Qd"], "S": 3, "W": None}


def test_a_board_is_read_in_the_order_of_play_with_its_dealer_in_words() -> None:
    html = draw(
        "{% board_diagram hands title='Board 7' dealer='E' number=7 names=names %}", hands=BOARD, names={}
    )
    assert 'aria-label="Board 7"' in html
    seats = re.findall(r'class="seat-name">(\w+)<', html)
    assert seats == ["North", "East", "South", "West"]
    assert html.count(">dealer<") == 1
    assert html.index(">East<") < html.index(">dealer<") < html.index(">South<")


def test_a_hidden_hand_is_a_number_of_backs_and_nothing_else() -> None:
    html = draw("{% board_diagram hands title='Board 7' %}", hands=BOARD)
    south, west = html.split("board-hand")[3:5]
    assert south.count("tiny back") == 3
    assert "3 cards, not shown" in south
    assert west.count("tiny back") == 13
    assert "suit-row" not in south + west


def test_names_at_a_board_are_escaped() -> None:
    names = {"N": "<b>Zoë</b>"}
    html = draw("{% board_diagram hands title=title names=names %}", hands={}, names=names, title="<i>")
    assert "<b>" not in html
    assert "<i>" not in html
