"""Deal numbers, against the oracle and both ways."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.boards.numbering import (
    DEALING_ORDER,
    DEALS,
    deal_number,
    numbered_deal,
)
from engine.deals import Deal
from engine.errors import DealError
from engine.seats import Seat

ORACLE = json.loads((Path(__file__).parents[2] / "oracles/deal_formats/set.json").read_text())
BOARDS = [*ORACLE["boards"], *ORACLE["published"]["boards"]]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["number"])
def test_the_oracles_deals_have_their_numbers(board):
    assert deal_number(Deal.parse(board["deal"])) == int(board["number"])
    assert str(numbered_deal(int(board["number"]))) == board["deal"]


def test_there_are_as_many_deals_as_ways_to_deal():
    assert DEALS - 1 == 53_644_737_765_488_792_839_237_439_999


def test_the_first_and_the_last_deal():
    first, last = numbered_deal(0), numbered_deal(DEALS - 1)

    assert str(first) == "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    assert str(last) == "N:...AKQJT98765432 ..AKQJT98765432. .AKQJT98765432.. AKQJT98765432..."
    assert deal_number(last) == DEALS - 1


def test_cards_are_counted_from_the_ace_of_spades():
    assert [str(card) for card in (DEALING_ORDER[0], DEALING_ORDER[13], DEALING_ORDER[51])] == [
        "As",
        "Ah",
        "2c",
    ]
    assert len(set(DEALING_ORDER)) == 52


@given(st.integers(0, DEALS - 1))
def test_a_number_gives_a_deal_that_has_this_number(number):
    assert deal_number(numbered_deal(number)) == number


@given(st.randoms(use_true_random=False))
def test_a_deal_has_a_number_that_gives_this_deal(rng):
    deal = Deal.random(rng)

    assert numbered_deal(deal_number(deal)) == deal


@given(st.integers(0, DEALS - 2))
def test_the_next_number_gives_a_later_deal(number):
    """In the order of the cards from the ace of spades on, seat by seat."""

    def places(deal):
        return [[DEALING_ORDER.index(card) for card in DEALING_ORDER if card in deal[seat]] for seat in Seat]

    assert places(numbered_deal(number)) < places(numbered_deal(number + 1))


@pytest.mark.parametrize(
    "number", [-1, DEALS, 10**5000, True, "7", None, 1.0], ids=lambda number: type(number).__name__
)
def test_other_values_are_no_deals_numbers(number):
    with pytest.raises(DealError) as refused:
        numbered_deal(number)

    assert "0 to 53644737765488792839237439999" in str(refused.value.message)


def test_numbers_are_not_in_the_order_of_chance():
    """A shuffled deal's number is as likely to be low as high."""
    rng = random.Random(4)
    low = sum(deal_number(Deal.random(rng)) < DEALS // 2 for _ in range(400))

    assert 150 < low < 250
