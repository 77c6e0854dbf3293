"""What each hand cost its side, and whether claimed hands can be made (R4, R9)."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.boards.files.hands import hand_of_suits
from engine.cards import PACK, CardSet
from engine.concerto.best_play.claims import claim
from engine.concerto.best_play.costs import cost
from engine.concerto.best_play.deal_par import deal_par
from engine.concerto.best_play.feasible import can_be_made, feasible
from engine.concerto.best_play.par import deal_frontiers
from engine.concerto.options import HAND_VALUES, HandValue
from engine.concerto.records.parsing import read_record
from engine.concerto.scoring import value_of_bits
from engine.deals import Deal
from engine.seats import SEATS, Seat, Side
from tests.engine.concerto.best_play_lines import lines
from tests.engine.oracle import DEALS, by_combination, by_seat, played, replayed

SEEDS = st.integers(0, 2**32)


def as_written(oracle: dict[str, Any]) -> dict[str, Any]:
    return {"deal": oracle["deal"], "dealer": oracle["dealer"], "hands": oracle["hands"]}


@pytest.mark.parametrize("oracle", DEALS[:40], ids=range(40))
def test_costs_add_up_to_what_was_not_made(oracle: dict[str, Any]) -> None:
    found = cost(read_record(as_written(oracle)))
    both = deal_frontiers([Deal.parse(oracle["deal"])])[0]
    for side in Side:
        costs = [one for one in found if one is not None and one.side is side]
        assert len(costs) == 4
        assert [one.points for one in costs] == [oracle["points"][one.hand] for one in costs]
        assert all(one.cost >= 0 for one in costs)
        assert costs[0].best_before == both[side][0].points
        assert costs[-1].best_after == oracle["made"][side.value]
        assert sum(one.cost for one in costs) == costs[0].best_before - costs[-1].best_after
        assert [one.best_before for one in costs[1:]] == [one.best_after for one in costs[:-1]]


@settings(deadline=None, max_examples=20)
@given(SEEDS, st.sampled_from(SEATS))
def test_best_play_costs_nothing(seed: int, dealer: Seat) -> None:
    deal = Deal.random(random.Random(seed))
    both = deal_par(deal, dealer).frontiers
    of_side = {
        side: iter(lines(both[side][0], one_leads_first=side.seats[0] in (dealer.left, dealer.partner)))
        for side in Side
    }
    hands = [next(of_side[dealer.after(hand + 1).side]) for hand in range(8)]
    found = cost(read_record({"deal": str(deal), "dealer": dealer.letter, "hands": hands}))
    assert [one.cost if one else None for one in found] == [0] * 8


def test_cards_and_left_overs_tell_the_cost_without_the_deal() -> None:
    state = played(4)
    by_cards = cost(read_record(by_seat(state)))
    assert None not in by_cards
    assert by_cards == cost(read_record(by_seat(state)), state.setting.deal)


def test_after_a_hand_without_cards_its_side_has_no_costs() -> None:
    state = played(5)
    record = by_seat(state) | {"deal": str(state.setting.deal)}
    record["hands"][2] = {"combination": "pair"}
    found = cost(read_record(record))
    assert [one is None for one in found] == [False, False, True, False, True, False, True, False]


def test_without_cards_there_are_no_costs() -> None:
    assert cost(read_record({"total": {"NS": 40, "EW": 22}})) == (None,) * 8


# Feasible claims


@pytest.mark.parametrize("oracle", DEALS, ids=range(len(DEALS)))
def test_r9_what_was_made_can_be_made(oracle: dict[str, Any]) -> None:
    state = replayed(oracle)
    for record in (by_combination(state), by_seat(state)):
        assert feasible(read_record(record), state.setting.deal) == ()


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_r9_best_play_can_be_made_and_nothing_better(seed: int) -> None:
    deal = Deal.random(random.Random(seed))
    for side, points in deal_frontiers([deal])[0].items():
        one, other = (deal[seat].bits for seat in side.seats)
        values = [value_of_bits(hand.one.bits, hand.other.bits) for hand in points[0].hands]
        assert can_be_made([asked(value, one, other) for value in values], one | other)
        better = [value for value in HAND_VALUES if value.points > values[-1].points]
        for value in better:
            claims = [asked(value, one, other) for value in (*values[:-1], value)]
            assert not can_be_made(claims, one | other)


def asked(value: HandValue, one: int, other: int) -> Any:
    return claim(value.combination, value.split, one, other)


def by_brute_force(one: int, other: int, count: int) -> set[tuple[HandValue, ...]]:
    """Every combination of values that so many disjoint sets of five cards have."""
    cards = [card.bit for card in CardSet(one | other)]
    values = {hand: value_of_bits(hand & one, hand & other) for hand in map(sum, combinations(cards, 5))}
    if count == 1:
        return {(value,) for value in values.values()}
    return {
        (value, another)
        for hand, value in values.items()
        for second, another in values.items()
        if not hand & second
    }


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("count", "size"), [(1, 11), (2, 11), (2, 12)])
def test_r9_what_can_be_made_is_what_some_hands_are(seed: int, count: int, size: int) -> None:
    rng = random.Random(seed)
    among = rng.choice(["23456789TJQKA", "89TJQ", "A2345", "JQKA"])
    cards = rng.sample([card.bit for card in PACK if card.rank.letter in among], size)
    one, other = sum(cards[: size // 2]), sum(cards[size // 2 :])
    real = by_brute_force(one, other, count)
    for values in combinations([*HAND_VALUES, *HAND_VALUES][: len(HAND_VALUES) * count], count):
        claims = [asked(value, one, other) for value in values]
        assert can_be_made(claims, one | other) == (values in real or values[::-1] in real), values


DEAL = Deal.of(
    {
        Seat.N: hand_of_suits(["AKQJT", "432", "43", "432"], Seat.N),
        Seat.E: hand_of_suits(["987", "AKQJ", "AKQ", "AKQ"], Seat.E),
        Seat.S: hand_of_suits(["65432", "T98", "T98", "T9"], Seat.S),
        Seat.W: hand_of_suits(["", "765", "J7652", "J8765"], Seat.W),
    }
)


def reasons(*hands: Any) -> list[tuple[tuple[str | int, ...], str]]:
    """Why North and South cannot have made these; West deals, so North leads first."""
    played_hands: list[Any] = [None] * 8
    played_hands[0::2] = [*hands, *[None] * (4 - len(hands))]
    found = feasible(read_record({"dealer": "W", "hands": played_hands}), DEAL)
    return [(problem.place, str(problem.message)) for problem in found]


def test_r9_a_hand_that_the_deal_does_not_have_is_named() -> None:
    assert reasons({"combination": "fours", "split": "2+2"}) == [
        (("hands", 0), "Hand 1: the cards dealt to North-South can’t make fours, 2+2, there.")
    ]
    assert reasons({"combination": "straight-flush", "split": "5+0"}) == []


def test_r4_a_hand_needs_a_card_of_its_leader() -> None:
    """North and South hold one straight flush each; North leads hands 1 and 5, South 3 and 7."""
    whole = {"combination": "straight-flush", "split": "5+0"}
    assert reasons(whole, whole) == []
    assert reasons(whole, None, whole) == [
        (("hands", 4), "Hands 1, 5: the cards dealt to North-South can’t make all of these.")
    ]


def test_r9_hands_that_take_the_same_cards_are_named_together() -> None:
    whole = {"combination": "straight-flush"}
    assert reasons(whole, whole, {"combination": "pair"}, whole) == [
        (("hands", 6), "Hands 1, 3, 7: the cards dealt to North-South can’t make all of these.")
    ]


def test_without_deal_or_dealer_nothing_is_said() -> None:
    assert feasible(read_record({"hands": [{"combination": "fours", "split": "2+2"}]}), DEAL) == ()
    assert feasible(read_record({"dealer": "N", "hands": [{"combination": "straight-flush"}] * 8})) == ()
