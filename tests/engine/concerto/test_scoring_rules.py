"""What hands, left-overs and deals are worth, rule by rule (R9 to R14)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import PACK, Card, CardSet, Suit
from engine.concerto.options import BONUSES, HAND_POINTS, HAND_VALUES, Split
from engine.concerto.scoring import (
    bonus_side,
    deal_score,
    hand_value,
    is_three_pairs,
    left_over_value,
    made_by_side,
)
from engine.seats import SEATS, BySide, Seat, Side
from tests.engine.oracle import DEALS, played, replayed

SIXES = st.lists(st.sampled_from(list(PACK)), min_size=6, max_size=6, unique=True)


def worth(text: str) -> tuple[str, int]:
    """Of ``one's cards / other's cards``."""
    one, _, other = text.partition("/")
    value = hand_value(CardSet.parse(one), CardSet.parse(other))
    return value.title, value.points


@pytest.mark.parametrize(
    ("cards", "title", "points"),
    [
        ("As Kd / 7h 5c 2s", "nothing", 0),
        ("As Ad / 7h 5c 2s", "one pair", 1),
        ("As 7d / Ah 7c 2s", "two pair", 2),
        ("As Ad / Ah 7c 2s", "threes", 3),
        ("5s 6d / 7h 8c 9s", "straight", 5),
        ("As Ts / 7s 5s 2s", "flush", 6),
        ("As Ad / Ah 7c 7s", "full house", 8),
        ("As Ad Ah Ac / 2s", "fours, 4+0", 8),
        ("2s / As Ad Ah Ac", "fours, 4+0", 8),
        ("As Ad Ah 2s / Ac", "fours, 3+1", 12),
        ("As Ad Ah / Ac 2s", "fours, 3+1", 12),
        ("As Ad / Ah Ac 2s", "fours, 2+2", 16),
        ("As Ad 2s / Ah Ac", "fours, 2+2", 16),
        ("5s 6s 7s 8s 9s /", "straight flush, 5+0", 10),
        ("5s 6s 7s 8s / 9s", "straight flush, 4+1", 15),
        ("5s / 6s 7s 8s 9s", "straight flush, 4+1", 15),
        ("5s 6s / 7s 8s 9s", "straight flush, 3+2", 20),
        ("As 2s 3s / 4s 5s", "straight flush, 3+2", 20),
    ],
)
def test_r9_the_table(cards: str, title: str, points: int) -> None:
    assert worth(cards) == (title, points)


def test_r9_the_fifth_card_of_fours_does_not_count_in_the_split() -> None:
    assert worth("As Ad Ah Ac 2s /") == ("fours, 4+0", 8)
    assert {
        split for value in HAND_VALUES if value.combination.key == "fours" and (split := value.split)
    } == {
        Split(4, 0),
        Split(3, 1),
        Split(2, 2),
    }


@given(st.lists(st.sampled_from(list(PACK)), min_size=5, max_size=5, unique=True), st.integers(0, 5))
def test_r9_it_does_not_matter_which_partner_is_which(cards: list[Card], share: int) -> None:
    one, other = CardSet.of(cards[:share]), CardSet.of(cards[share:])
    assert hand_value(one, other) == hand_value(other, one)
    assert hand_value(one, other).points in HAND_POINTS


def left_over(text: str) -> tuple[str, int]:
    one, _, other = text.partition("/")
    value = left_over_value(CardSet.parse(one), CardSet.parse(other))
    return value.title, value.points


@pytest.mark.parametrize(
    ("cards", "title", "points"),
    [
        ("As Kd / 7h 5c 2s 9d", "nothing", 0),
        ("As Ad / 7h 5c 2s 9d", "one pair", 1),
        ("As Ad / 7h 7c 2s 9d", "two pair", 2),
        ("As Ad / 7h 7c 2s 2d", "three pairs", 6),
        ("As Ad 7h / 7c 2s 2d", "three pairs", 6),
        ("As Ad Ah / 7h 7c 7s", "full house", 8),
        ("As Ad Ah / 7h 7c 2s", "full house", 8),
        ("2s 3s 4s 5d / 6d 7s", "straight", 5),
        ("2s 3s 4s 5s / Ks 6d", "flush", 6),
    ],
)
def test_r11_only_five_of_the_six_count_but_three_pairs_are_worth_six(
    cards: str, title: str, points: int
) -> None:
    assert left_over(cards) == (title, points)


def test_r13_left_over_fours_and_straight_flushes_are_split_between_the_losers() -> None:
    assert left_over("As Ad / Ah Ac 2s 3d") == ("fours, 2+2", 16)
    assert left_over("As Ad Ah 2s / Ac 3d") == ("fours, 3+1", 12)
    assert left_over("As Ad Ah Ac 2s 3d /") == ("fours, 4+0", 8)
    assert left_over("5s 6s 7s / 8s 9s 2d") == ("straight flush, 3+2", 20)


def test_r13_the_greatest_value_counts_not_the_highest_combination() -> None:
    # Six in a row: 5 to 9 is split 4+1, 6 to T is split 3+2 and so worth more.
    assert left_over("5s 6s 7s 8s / 9s Ts") == ("straight flush, 3+2", 20)
    # Fours held by one player are worth 8, and so is the full house beside them.
    assert left_over("As Ad Ah Ac / 2s 2d") == ("fours, 4+0", 8)


def test_r11_three_pairs_are_six_cards_of_three_ranks() -> None:
    assert is_three_pairs(CardSet.parse("As Ad 7h 7c 2s 2d").bits)
    assert not is_three_pairs(CardSet.parse("As Ad Ah Ac 2s 2d").bits)
    assert not is_three_pairs(CardSet.parse("As Ad Ah 7c 2s 2d").bits)


@given(SIXES, st.integers(0, 6), st.permutations(list(Suit)))
def test_r13_left_over_value_is_the_best_of_what_any_five_are_worth(
    cards: list[Card], share: int, suits: list[Suit]
) -> None:
    one, other = CardSet.of(cards[:share]), CardSet.of(cards[share:])
    value = left_over_value(one, other)
    fives = [hand_value(one - CardSet.of([out]), other - CardSet.of([out])).points for out in cards]
    three_pairs = [6] if is_three_pairs((one | other).bits) else []
    assert value.points == max(fives + three_pairs)
    assert 10 * value.points in BONUSES
    moved = [CardSet.of(Card(card.rank, suits[card.suit.index]) for card in hand) for hand in (one, other)]
    assert left_over_value(*moved).points == value.points


def test_r11_the_bonus_goes_to_the_side_that_made_more() -> None:
    for dealer in SEATS:
        assert bonus_side(BySide(40, 22), dealer) is Side.NS
        assert bonus_side(BySide(22, 40), dealer) is Side.EW


@pytest.mark.parametrize("dealer", SEATS)
def test_r12_at_equal_points_the_bonus_goes_to_the_side_that_did_not_deal(dealer: Seat) -> None:
    assert bonus_side(BySide(30, 30), dealer) is dealer.side.other


@pytest.mark.parametrize("dealer", SEATS)
def test_r3_made_adds_up_the_hands_of_each_side(dealer: Seat) -> None:
    made = made_by_side((1, 20, 2, 20, 3, 20, 5, 20), dealer)
    assert made[dealer.side] == 80
    assert made[dealer.side.other] == 11


def left(*texts: str) -> tuple[int, int, int, int]:
    north, east, south, west = (CardSet.parse(text).bits for text in texts)
    return north, east, south, west


def test_r11_the_bonus_is_ten_times_the_losers_left_overs() -> None:
    # East dealt, so North-South lead and make 20. East-West have a pair of twos left, North-South have aces.
    score = deal_score(
        (20, 0, 0, 0, 0, 0, 0, 0), Seat.E, left("As Ad Kc", "2s 2d 7h", "Ks 2c 9h", "3c 5d 9s")
    )
    assert score.made == BySide(20, 0)
    assert score.left_over_to is Side.NS
    assert score.left_over_bonus == 10
    assert score.total == BySide(30, 0)


def test_r12_in_a_tie_the_dealing_sides_six_cards_pay() -> None:
    score = deal_score((8, 8, 0, 0, 0, 0, 0, 0), Seat.E, left("As Ad Kc", "2s 2d 7h", "Ks 2c 9h", "3c 5d 9s"))
    assert score.made == BySide(8, 8)
    assert score.left_over_to is Side.NS
    assert score.total == BySide(18, 8)


def test_r14_the_bonus_is_always_scored() -> None:
    for seed in range(40):
        score = played(seed).score()
        assert score.made is not None
        assert score.left_over_to is not None
        assert score.left_over_bonus in BONUSES
        for side in Side:
            bonus = score.left_over_bonus if side is score.left_over_to else 0
            assert score.total[side] == score.made[side] + bonus


@pytest.mark.parametrize("number", range(len(DEALS)))
def test_the_oracle_deals(number: int) -> None:
    oracle = DEALS[number]
    state = replayed(oracle)
    assert state.is_over
    score = state.score().as_json()
    assert {name: oracle[name] for name in score} == score
    for seat in SEATS:
        assert {str(card) for card in state.cards_held(seat)} == set(oracle["left"][seat.letter])
