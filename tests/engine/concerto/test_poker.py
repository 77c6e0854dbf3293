"""What five cards form (the combinations of R9; R10)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import PACK, Card, CardSet, Rank, Suit
from engine.concerto.poker import (
    FIVE_CARD_COMBINATIONS,
    STRAIGHTS,
    Combination,
    classify,
    classify_bits,
    significant_bits,
)
from engine.errors import CardError

FIVES = st.sets(st.sampled_from(list(PACK)), min_size=5, max_size=5)


def test_r9_the_frequency_of_each_combination_in_all_hands() -> None:
    bits = [card.bit for card in PACK]
    counts = Counter(map(classify_bits, map(sum, combinations(bits, 5))))
    assert counts == {
        Combination.STRAIGHT_FLUSH: 40,
        Combination.FOURS: 624,
        Combination.FULL_HOUSE: 3_744,
        Combination.FLUSH: 5_108,
        Combination.STRAIGHT: 10_200,
        Combination.THREES: 54_912,
        Combination.TWO_PAIR: 123_552,
        Combination.PAIR: 1_098_240,
        Combination.NOTHING: 1_302_540,
    }


@pytest.mark.parametrize(
    ("cards", "key"),
    [
        ("As Kd 7h 5c 2s", "nothing"),
        ("As Ad 7h 5c 2s", "pair"),
        ("As Ad 7h 7c 2s", "two-pair"),
        ("As Ad Ah 7c 2s", "threes"),
        ("5s 6d 7h 8c 9s", "straight"),
        ("As Ts 7s 5s 2s", "flush"),
        ("As Ad Ah 7c 7s", "full-house"),
        ("As Ad Ah Ac 2s", "fours"),
        ("5s 6s 7s 8s 9s", "straight-flush"),
    ],
)
def test_r9_each_combination(cards: str, key: str) -> None:
    assert classify(CardSet.parse(cards)).key == key
    assert classify(list(CardSet.parse(cards))).key == key


@pytest.mark.parametrize("cards", ["As 2d 3h 4c 5s", "Ts Jd Qh Kc As"])
def test_r10_the_ace_is_high_or_low(cards: str) -> None:
    assert classify(CardSet.parse(cards)) is Combination.STRAIGHT


@pytest.mark.parametrize("cards", ["Ks Ad 2h 3c 4s", "Qs Kd Ah 2c 3s", "Js Qd Kh Ac 2s"])
def test_r10_the_ace_is_never_in_the_middle(cards: str) -> None:
    assert classify(CardSet.parse(cards)) is Combination.NOTHING


def test_r10_there_are_ten_straights() -> None:
    assert len(STRAIGHTS) == len(set(STRAIGHTS)) == 10
    assert all(run.bit_count() == 5 for run in STRAIGHTS)


def by_the_book(cards: set[Card]) -> Combination:
    """R9 read off the cards as a person would, as a second opinion."""
    counts = sorted(Counter(card.rank for card in cards).values(), reverse=True)
    ranks = {card.rank.index for card in cards}
    low = {-1 if rank == 12 else rank for rank in ranks}
    straight = len(ranks) == 5 and (max(ranks) - min(ranks) == 4 or max(low) - min(low) == 4)
    flush = len({card.suit for card in cards}) == 1
    if straight and flush:
        return Combination.STRAIGHT_FLUSH
    if flush or straight:
        return Combination.FLUSH if flush else Combination.STRAIGHT
    return {
        (4, 1): Combination.FOURS,
        (3, 2): Combination.FULL_HOUSE,
        (3, 1, 1): Combination.THREES,
        (2, 2, 1): Combination.TWO_PAIR,
        (2, 1, 1, 1): Combination.PAIR,
    }.get(tuple(counts), Combination.NOTHING)


@given(FIVES)
def test_r9_classify_agrees_with_a_plain_reading(cards: set[Card]) -> None:
    assert classify(cards) is by_the_book(cards)


@given(FIVES, st.permutations(list(Suit)))
def test_r1_suits_are_equal(cards: set[Card], suits: list[Suit]) -> None:
    moved = {Card(card.rank, suits[card.suit.index]) for card in cards}
    assert classify(moved) is classify(cards)


@given(FIVES)
def test_r9_significant_cards_are_as_many_as_the_table_says(cards: set[Card]) -> None:
    bits = CardSet.of(cards).bits
    combination = classify_bits(bits)
    significant = CardSet(significant_bits(bits, combination))
    assert len(significant) == combination.significant
    assert set(significant) <= cards
    if combination.significant in (2, 3, 4):
        counts = Counter(card.rank for card in cards)
        assert set(significant) == {card for card in cards if counts[card.rank] > 1}


def test_r9_combinations_are_in_the_order_of_the_table() -> None:
    keys = [combination.key for combination in FIVE_CARD_COMBINATIONS]
    assert keys[:5] == ["nothing", "pair", "two-pair", "threes", "straight"]
    assert keys[5:] == ["flush", "full-house", "fours", "straight-flush"]
    assert [combination.order for combination in FIVE_CARD_COMBINATIONS] == list(range(9))


@pytest.mark.parametrize("cards", ["", "As", "As Ks Qs Js", "As Ks Qs Js Ts 9s"])
def test_only_five_cards_are_a_hand(cards: str) -> None:
    with pytest.raises(CardError, match="A hand must have five cards"):
        classify(CardSet.parse(cards))


def test_five_cards_must_be_different() -> None:
    ace = Card(Rank.ACE, Suit.SPADES)
    with pytest.raises(CardError):
        classify([ace] * 5)
