"""Five-card hands by the million, against the scalar classification and the frequencies of all hands (R9)."""

from __future__ import annotations

import random
from itertools import chain, combinations

import numpy as np
import pytest

from engine.cards import Card, CardSet
from engine.classify_batch import classify_many, combination_of
from engine.errors import CardError
from engine.poker import Combination, classify, classify_bits


def all_hands() -> np.ndarray:
    return np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8).reshape(-1, 5)


def test_r9_the_frequency_of_each_combination_in_all_hands() -> None:
    hands = all_hands()
    assert len(hands) == 2_598_960
    counts = dict(
        zip(*(part.tolist() for part in np.unique(classify_many(hands), return_counts=True)), strict=True)
    )
    assert {combination_of(order).key: count for order, count in counts.items()} == {
        "straight-flush": 40, "fours": 624, "full-house": 3_744, "flush": 5_108, "straight": 10_200,
        "threes": 54_912, "two-pair": 123_552, "pair": 1_098_240, "nothing": 1_302_540,
    }  # fmt: skip


def test_r9_every_hand_is_what_the_scalar_classification_says() -> None:
    batch = classify_many(all_hands()).tolist()
    scalar = [classify_bits(sum(bits)).order for bits in combinations([1 << card for card in range(52)], 5)]
    assert batch == scalar


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int16, np.int32, np.int64, np.uint64])
def test_hands_come_in_any_order_and_kind_of_number(kind: type) -> None:
    rng = random.Random(1)
    hands = [rng.sample(range(52), 5) for _ in range(70_000)]
    found = classify_many(np.array(hands, dtype=kind)).tolist()
    for hand, order in list(zip(hands, found, strict=True))[::97]:
        assert combination_of(order) is classify(CardSet.of(Card.at(card) for card in hand))
    backwards: np.ndarray = np.asfortranarray(np.array(hands, dtype=kind)[::-1, ::-1])
    assert classify_many(backwards).tolist() == found[::-1]


def test_no_hands_form_nothing_at_all() -> None:
    assert classify_many(np.empty((0, 5), np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    "cards",
    [np.zeros(5, np.uint8), np.zeros((3, 4), np.uint8), np.zeros((2, 5)), np.full((2, 5), 52), np.full((2, 5), -1)],
)  # fmt: skip
def test_other_arrays_are_refused(cards: np.ndarray) -> None:
    with pytest.raises(CardError):
        classify_many(cards)


def test_the_orders_are_those_of_the_combinations() -> None:
    assert [combination_of(order) for order in range(9)] == [
        combination for combination in Combination if combination is not Combination.THREE_PAIRS
    ]
