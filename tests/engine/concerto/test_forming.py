"""Whether a combination can still be formed: held against trying all hands (R9)."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import PACK, Card, CardSet
from engine.concerto.options import HAND_VALUES, Split
from engine.concerto.poker import Combination
from engine.concerto.records.forming import (
    ANY_SHARE,
    Holding,
    can_form,
    numbers_allow,
)
from engine.concerto.scoring import hand_value
from tests.thorough import examples

CARDS = st.sampled_from(list(PACK))
# A few suits and ranks only, so that fours, flushes and straights come up.
NARROW = st.sampled_from([card for card in PACK if card.rank.index in (0, 1, 2, 3, 4, 12)])


def possible_by_trying(one: set[Card], other: set[Card], fixed: set[Card]) -> set[tuple[str, str]]:
    """Every value of a hand from these players' cards that has the fixed cards in it."""
    found = set()
    for hand in combinations(sorted(one | other), 5):
        if fixed <= set(hand):
            value = hand_value(CardSet.of(one & set(hand)), CardSet.of(other & set(hand)))
            found.add((value.combination.key, str(value.split)))
    return found


@settings(max_examples=examples(400), deadline=None)
@given(st.sets(NARROW | CARDS, max_size=11), st.data())
def test_r9_can_form_agrees_with_trying_every_hand(cards: set[Card], data: st.DataObject) -> None:
    one = data.draw(st.sets(st.sampled_from(sorted(cards)))) if cards else set()
    fixed = data.draw(st.sets(st.sampled_from(sorted(cards)), max_size=4)) if cards else set()
    holding = Holding(CardSet.of(one).bits, CardSet.of(cards - one).bits, fixed=CardSet.of(fixed).bits)
    tried = possible_by_trying(one, cards - one, fixed)
    for value in HAND_VALUES:
        expected = (value.combination.key, str(value.split)) in tried
        assert can_form(holding, value.combination, value.split) == expected, value


@settings(max_examples=examples(200), deadline=None)
@given(st.sets(NARROW, max_size=9))
def test_r9_with_cards_of_nobody_any_split_may_be(cards: set[Card]) -> None:
    """Cards that either can hold: a value is possible if some way of sharing them gives it."""
    holding = Holding(0, 0, CardSet.of(cards).bits)
    tried = {
        found
        for count in range(4)
        for one in combinations(sorted(cards), count)
        for found in possible_by_trying(set(one), cards - set(one), set())
    }
    for value in HAND_VALUES:
        assert can_form(holding, value.combination, value.split) == (
            (value.combination.key, str(value.split)) in tried
        )


def test_everything_can_be_formed_of_a_whole_pack() -> None:
    whole = Holding(0, 0, PACK.bits)
    assert all(can_form(whole, value.combination, value.split) for value in HAND_VALUES)
    assert not can_form(whole, Combination.THREE_PAIRS)
    assert not can_form(Holding(0, 0, PACK.bits, shares=()), Combination.PAIR)


def test_three_aces_are_threes_and_a_pair_makes_a_full_house() -> None:
    """The example on the page where a sheet is entered."""
    holding = Holding(0, 0, PACK.bits, fixed=CardSet.parse("As Ad Ah").bits)
    possible = {
        value.combination.key for value in HAND_VALUES if can_form(holding, value.combination, value.split)
    }
    assert possible == {"threes", "full-house", "fours"}


def test_r9_the_numbers_of_cards_limit_the_split() -> None:
    only_four_and_one = Holding(0, 0, PACK.bits, shares=((4, 1),))
    assert can_form(only_four_and_one, Combination.STRAIGHT_FLUSH, Split(4, 1))
    assert not can_form(only_four_and_one, Combination.STRAIGHT_FLUSH, Split(3, 2))
    assert not can_form(only_four_and_one, Combination.FOURS, Split(2, 2))
    # Of fours, the one card can be the fifth or one of the four.
    assert can_form(only_four_and_one, Combination.FOURS, Split(3, 1))
    assert can_form(only_four_and_one, Combination.FOURS, Split(4, 0))
    assert numbers_allow(only_four_and_one, Combination.FOURS, Split(3, 1))
    assert not numbers_allow(only_four_and_one, Combination.STRAIGHT_FLUSH, Split(5, 0))
    assert all(
        numbers_allow(Holding(0, 0, PACK.bits, shares=ANY_SHARE), value.combination, value.split)
        for value in HAND_VALUES
        if value.split
    )
