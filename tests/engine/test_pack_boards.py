"""Numbers of deals of packs with equal cards and a stock, and their seal."""

from collections import Counter
from itertools import islice
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.boards.numbering import DEALS
from engine.boards.sealing import sealed_numbers
from engine.errors import DealError
from engine.game.boards import PackBoards
from engine.packs import deal_out, pack

KEY = "a" * 60
SMALL = PackBoards(("As", "Ah", "Kd", "Kd"), ("1", "2"), (1, 1))
LARGE = PackBoards(pack(copies=2, jokers=4), ("N", "E", "S", "W"), (11, 11, 11, 11))


def test_every_order_of_the_cards_has_its_number() -> None:
    found = Counter(SMALL.deal_of_number(number) for number in range(SMALL.deals))
    assert SMALL.deals == factorial(4)
    # Equal cards count as different ones: a deal with both in the stock comes twice, as at the table.
    assert found["As Ah | KdKd"] == 2
    assert found["Kd Kd | AsAh"] == 2
    assert found["As Kd | AhKd"] == 2
    assert sum(found.values()) == SMALL.deals


@given(st.randoms(use_true_random=False))
def test_a_large_pack_there_and_back(rng) -> None:
    deal = str(deal_out(rng.sample(LARGE.pack, len(LARGE.pack)), LARGE.sizes))
    assert LARGE.deal_of_number(LARGE.number_of_deal(deal)) == deal
    assert len(LARGE.stock(deal)) == 108 - 44
    assert [len(hand) for hand in LARGE.hands(deal).values()] == [11] * 4


def test_no_deal_has_another_number() -> None:
    for wrong in (-1, SMALL.deals, True, "1"):
        with pytest.raises(DealError):
            SMALL.deal_of_number(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("deals", [1, 5, 256, 10**18, LARGE.deals])
def test_sealed_numbers_reach_as_far_as_there_are_deals(deals: int) -> None:
    drawn = list(islice(sealed_numbers(KEY, "value", deals=deals), 60))
    assert all(0 <= number < deals for number in drawn)
    assert drawn == list(islice(sealed_numbers(KEY, "value", deals=deals), 60))
    if deals > 1:
        assert max(drawn) >= deals // 2
        assert min(drawn) <= deals // 2


def test_the_published_scheme_is_the_case_of_52_cards() -> None:
    drawn = list(islice(sealed_numbers(KEY, "value"), 5))
    assert drawn == list(islice(sealed_numbers(KEY, "value", deals=DEALS), 5))
