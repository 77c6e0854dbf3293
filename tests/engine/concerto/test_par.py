"""Exact best play: the frontier of one side's cards (R9, R11)."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.boards.files.hands import hand_of_suits
from engine.cards import PACK, Card, CardSet
from engine.concerto.best_play.par import (
    Frontier,
    deal_frontiers,
    frontier,
    frontiers,
)
from engine.concerto.scoring import best_of_six, value_of_bits
from engine.deals import Deal
from engine.errors import CardError
from engine.seats import Seat, Side
from tests.thorough import examples

_FOLDER = Path(__file__).parents[2] / "oracles"
ORACLES: list[dict[str, Any]] = json.loads((_FOLDER / "concerto_par.json").read_text())

SEEDS = st.integers(0, 2**32)


def partners(hands: list[str]) -> tuple[CardSet, CardSet]:
    one, other = (hand_of_suits(hand.split("."), Seat.N) for hand in hands)
    return one, other


def random_side(rng: random.Random, count: int = 26, among: str = "23456789TJQKA") -> tuple[CardSet, CardSet]:
    """Two partners' cards of these ranks; how many each of them has is left to chance unless it is 26."""
    cards = rng.sample([card for card in PACK if card.rank.letter in among], count)
    share = 13 if count == 26 else rng.randint(0, count)
    return CardSet.of(cards[:share]), CardSet.of(cards[share:])


def pairs(points: Frontier) -> list[list[int]]:
    return [[point.points, point.left_over] for point in points]


@pytest.mark.parametrize("oracle", ORACLES, ids=[oracle["hands"][0] for oracle in ORACLES])
def test_best_play_is_what_all_card_sets_give(oracle: dict[str, Any]) -> None:
    assert pairs(frontier(*partners(oracle["hands"]))) == oracle["frontier"]


def check_point(point: Any, one: CardSet, other: CardSet, hands: int) -> None:
    """The hands and the left-overs of a point are disjoint, all of the side's cards, and worth what is said."""
    everything = [*point.hands, point.left]
    assert [len(hand.one) + len(hand.other) for hand in everything] == [5] * hands + [6]
    assert CardSet.of(card for hand in everything for card in hand.one) == one
    assert CardSet.of(card for hand in everything for card in hand.other) == other
    assert sum(value_of_bits(hand.one.bits, hand.other.bits).points for hand in point.hands) == point.points
    assert best_of_six(point.left.one.bits, point.left.other.bits).points == point.left_over


def check_order(points: Frontier) -> None:
    """Fewer points are told only where they leave less over."""
    assert points
    for better, cheaper in pairwise(points):
        assert better.points > cheaper.points
        assert better.left_over > cheaper.left_over


@settings(deadline=None)
@given(SEEDS)
def test_every_point_comes_with_hands_that_make_it(seed: int) -> None:
    one, other = random_side(random.Random(seed))
    points = frontier(one, other)
    check_order(points)
    for point in points:
        check_point(point, one, other, 4)


def by_brute_force(one: int, other: int, hands: int) -> set[tuple[int, int]]:
    """Every [points, left over] that some hands give, by trying all sets of five cards with the engine's scoring."""

    @cache
    def value(hand: int) -> int:
        return value_of_bits(hand & one, hand & other).points

    @cache
    def left_over(rest: int) -> int:
        return best_of_six(rest & one, rest & other).points

    def extend(rest: list[int], last: int, points: int, hands: int) -> Iterator[tuple[int, int]]:
        if hands == 0:
            yield points, left_over(sum(rest))
            return
        for chosen in combinations(rest, 5):
            hand = sum(chosen)
            if hand < last:
                others = [card for card in rest if not card & hand]
                yield from extend(others, hand, points + value(hand), hands - 1)

    return set(extend([card.bit for card in CardSet(one | other)], 1 << 52, 0, hands))


def undominated(found: set[tuple[int, int]]) -> list[list[int]]:
    """Those of which no other has as many points and leaves as little over, the greatest total first."""
    kept = [
        [points, left]
        for points, left in found
        if not any(
            (more >= points and less <= left) and (more, less) != (points, left) for more, less in found
        )
    ]
    return sorted(kept, reverse=True)


@settings(deadline=None, max_examples=examples(60))
@given(SEEDS, st.sampled_from(["23456789TJQKA", "56789TJ", "A2345", "QKA"]))
def test_one_hand_is_the_best_of_all_sets_of_five(seed: int, among: str) -> None:
    one, other = random_side(random.Random(seed), 11, among)
    assert pairs(frontier(one, other, 1)) == undominated(by_brute_force(one.bits, other.bits, 1))


@pytest.mark.parametrize("among", ["23456789TJQKA", "6789TJ", "JQKA"])
def test_two_hands_are_the_best_of_all_pairs_of_sets(among: str) -> None:
    one, other = random_side(random.Random(among), 16, among)
    points = frontier(one, other, 2)
    assert pairs(points) == undominated(by_brute_force(one.bits, other.bits, 2))
    for point in points:
        check_point(point, one, other, 2)


@settings(deadline=None)
@given(SEEDS)
def test_nothing_that_is_played_passes_the_frontier(seed: int) -> None:
    """Hands made by exchanging cards for the better, from a random start: a second way up, never above."""
    rng = random.Random(seed)
    one, other = random_side(rng)
    points = frontier(one, other)
    cards = list(one | other)
    rng.shuffle(cards)
    total = 0
    for _ in range(300):
        a, b = rng.sample(range(26), 2)
        cards[a], cards[b] = cards[b], cards[a]
        made, left = worth(cards, one.bits)
        assert any(point.points >= made and point.left_over <= left for point in points)
        if made < total:
            cards[a], cards[b] = cards[b], cards[a]
        total = max(total, made)


def worth(cards: list[Card], one: int) -> tuple[int, int]:
    """The points of the first twenty cards as four hands, and the value of the rest."""
    groups = [sum(card.bit for card in cards[start : start + 5]) for start in range(0, 20, 5)]
    left = sum(card.bit for card in cards[20:])
    made = sum(value_of_bits(hand & one, hand & ~one).points for hand in groups)
    return made, best_of_six(left & one, left & ~one).points


@settings(deadline=None)
@given(SEEDS)
def test_partners_and_suits_may_change_places(seed: int) -> None:
    rng = random.Random(seed)
    one, other = random_side(rng)
    expected = pairs(frontier(one, other))
    assert pairs(frontier(other, one)) == expected
    suits = rng.sample(range(4), 4)
    moved = [CardSet(sum((cards.bits >> 13 * suit & 0x1FFF) << 13 * suits[suit] for suit in range(4)))
             for cards in (one, other)]  # fmt: skip
    assert pairs(frontier(moved[0], moved[1])) == expected


@pytest.mark.parametrize("among", ["89TJQKA", "23456AK", "2468TQA"])
def test_the_densest_cards_are_searched_too(among: str) -> None:
    one, other = random_side(random.Random(1), 26, among)
    points = frontier(one, other)
    check_order(points)
    for point in points:
        check_point(point, one, other, 4)


def test_two_whole_suits_make_four_straight_flushes() -> None:
    one, other = partners(["AKQJT98765432...", ".AKQJT98765432.."])
    assert frontier(one, other)[0].points == 40
    mixed = partners(["AQT8642.AQT864..", "KJ9753.KJ97532.."])
    assert frontier(*mixed)[0].points == 80


def test_many_sides_at_once_give_what_each_gives_alone() -> None:
    rng = random.Random(7)
    deals = [Deal.random(rng) for _ in range(8)]
    for deal, found in zip(deals, deal_frontiers(deals), strict=True):
        for side in Side:
            one, other = side.seats
            assert found[side] == frontier(deal[one], deal[other])
    assert frontiers([]) == []


def test_with_no_hand_to_play_only_the_left_overs_count() -> None:
    left = CardSet.parse("As Ad Ah 2c 2d 7h")
    assert pairs(frontier(left, CardSet(), 0)) == [[0, 8]]


@pytest.mark.parametrize("count", [25, 27, 0])
def test_another_number_of_cards_is_refused(count: int) -> None:
    cards = list(PACK)[:count]
    with pytest.raises(CardError, match="For 4 hands a side needs 26 different cards"):
        frontier(CardSet.of(cards[:13]), CardSet.of(cards[13:]))


def test_a_card_of_both_partners_is_refused() -> None:
    cards = CardSet.of(list(PACK)[:13])
    with pytest.raises(CardError):
        frontier(cards, cards)


def test_the_search_is_loaded_only_when_asked() -> None:
    """The web process imports the whole engine; numba must not come with it."""
    code = "import sys, engine.__main__, engine.concerto.best_play.analysis; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
