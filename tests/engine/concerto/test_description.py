"""The sheet for people, and what can still be entered on it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import CardSet
from engine.concerto.poker import Combination
from engine.concerto.records.choices import Choices, choices
from engine.concerto.records.description import combination_so_far, describe
from engine.concerto.records.facts import Depth
from engine.concerto.records.parsing import read_record
from engine.deals import Deal
from engine.seats import BySide, Seat, Side
from tests.engine.oracle import DEALS, by_combination, by_seat, replayed

ORACLE = DEALS[0]
STATE = replayed(ORACLE)


def test_a_full_sheet_is_described_hand_by_hand() -> None:
    shown = describe(read_record(ORACLE))
    assert [hand.leader.letter for hand in shown.hands if hand.leader] == ORACLE["leaders"]
    assert [hand.points for hand in shown.hands] == ORACLE["points"]
    assert {hand.depth for hand in shown.hands} == {Depth.LINE}
    assert all(hand.is_complete for hand in shown.hands)
    fifth = shown.hands[4].as_json()
    assert fifth["combination"] == "straight-flush"
    assert fifth["split"] == "3+2"
    assert fifth["side"] == "NS"
    assert fifth["cards"][0] == {"card": "4c", "seat": "N", "significant": True}
    assert fifth["moves"][3:5] == [["S", "-"], ["N", ">"]]
    assert shown.made == BySide(40, 22)
    assert shown.total == BySide(40, 22)
    assert shown.left_over is not None
    assert shown.left_over.as_json() == {"side": "EW", "combination": "nothing", "split": None, "bonus": 0}
    assert dict(shown.left)[Seat.N] == CardSet.parse(" ".join(ORACLE["left"]["N"]))


def test_significant_cards_are_told() -> None:
    shown = describe(read_record(ORACLE))
    two_pair = shown.hands[7]
    assert {str(card.card) for card in two_pair.cards if card.is_significant} == {"2d", "2c", "6d", "6s"}


def test_each_hand_tells_its_depth() -> None:
    hands: list[Any] = [
        ORACLE["hands"][0], by_seat(STATE)["hands"][1], {"combination": "pair"}, {"points": 6}, None, None, None, None,
    ]  # fmt: skip
    shown = describe(read_record({"dealer": "W", "hands": hands}))
    assert [hand.depth.value for hand in shown.hands[:5]] == [
        "line",
        "cards",
        "combination",
        "points",
        "nothing",
    ]
    assert [hand.is_complete for hand in shown.hands[:5]] == [True, True, True, True, False]
    assert shown.points_so_far == BySide(7, 14)
    assert shown.made is None
    assert shown.left_over is None


def test_a_hand_that_is_being_entered_tells_what_it_is_so_far() -> None:
    shown = describe(
        read_record({"dealer": "W", "hands": [{"cards": {"N": ["As", "Ad"], "S": ["Ah"]}}] + [None] * 7})
    )
    hand = shown.hands[0]
    assert hand.combination is Combination.THREES
    assert hand.points is None
    assert not hand.is_complete
    assert all(card.is_significant for card in hand.cards)


@pytest.mark.parametrize(
    ("cards", "combination"),
    [
        ("", "nothing"),
        ("As", "nothing"),
        ("As Kd 7h", "nothing"),
        ("As Ad", "pair"),
        ("As Ad 7h 7c", "two-pair"),
        ("As Ad Ah", "threes"),
        ("As Ad Ah Ac", "fours"),
    ],
)
def test_combinations_so_far(cards: str, combination: str) -> None:
    assert combination_so_far(CardSet.parse(cards).bits).key == combination


def test_left_overs_are_told_as_far_as_they_are_known() -> None:
    claimed = describe(
        read_record({**by_combination(STATE), "left_over": {"combination": "fours", "split": "2+2"}})
    )
    assert claimed.left_over is not None
    assert claimed.left_over.bonus == 160
    assert claimed.total == BySide(200, 22)
    open_split = describe(read_record({**by_combination(STATE), "left_over": "fours"}))
    assert open_split.left_over is not None
    assert open_split.left_over.combination is Combination.FOURS
    assert open_split.left_over.bonus is None
    assert open_split.total is None


def choose(data: Any, hand: int | None, deal: Deal | None = None) -> Choices:
    return choices(read_record(data), hand, deal)


def possible(found: Choices) -> set[str]:
    return {
        f"{choice.value.combination.key} {choice.value.split or ''}".strip()
        for choice in found.values
        if choice.is_possible
    }


def test_on_an_empty_sheet_everything_can_be_entered() -> None:
    found = choose({"dealer": "W"}, 0)
    assert all(choice.is_possible for choice in found.values)
    assert all(card.is_possible and card.place is None for card in found.cards)
    assert (found.leader, found.side) == (Seat.N, Side.NS)
    assert [(choice.seat, choice.room, choice.cards) for choice in found.seats] == [
        (Seat.N, 13, None),
        (Seat.S, 13, None),
    ]
    assert [choice.points for choice in found.values] == [0, 1, 2, 3, 5, 6, 8, 8, 12, 16, 10, 15, 20]


def test_cards_used_elsewhere_tell_where() -> None:
    data = by_seat(STATE)
    found = choose({**data, "hands": [*data["hands"][:3], None, *data["hands"][4:]]}, 3)
    places = {str(choice.card): choice.place for choice in found.cards}
    assert places["7h"] == ("hands", 0)
    assert places["As"] == ("left", "N")
    free = {str(choice.card) for choice in found.cards if choice.is_possible}
    assert free == {"3h", "4h", "9h", "Kh", "2h"}
    assert possible(found) == {"flush"}
    assert {choice.seat.letter: choice.room for choice in found.seats} == {"E": 1, "W": 4}


def test_with_the_deal_known_only_the_sides_own_cards_can_be_entered() -> None:
    found = choose({"dealer": "W", "deal": ORACLE["deal"]}, 0)
    free = {choice.card for choice in found.cards if choice.is_possible}
    deal = Deal.parse(ORACLE["deal"])
    assert free == set(deal[Seat.N]) | set(deal[Seat.S])
    assert [choice.cards for choice in found.seats] == [deal[Seat.N], deal[Seat.S]]
    assert choose({"dealer": "W"}, 0, deal) == found
    # North-South have no four of a rank between them but queens and tens.
    assert "fours 3+1" not in possible(choose({"dealer": "W", "deal": ORACLE["deal"]}, 1))


def test_while_a_hand_is_entered_its_combinations_narrow() -> None:
    found = choose({"dealer": "W", "hands": [{"cards": ["As", "Ad", "Ah"]}] + [None] * 7}, 0)
    assert found.so_far is Combination.THREES
    assert possible(found) == {"threes", "full-house", "fours 4+0", "fours 3+1", "fours 2+2"}
    played = {"cards": {"N": ["5s", "6s", "7s"], "S": ["8s"]}}
    found = choose({"dealer": "W", "hands": [played] + [None] * 7}, 0)
    assert possible(found) == {
        "nothing", "pair", "straight", "flush", "straight-flush 4+1", "straight-flush 3+2",
    }  # fmt: skip


def test_left_over_choices_are_bonuses() -> None:
    found = choose(by_combination(STATE), None)
    assert found.side is Side.EW
    assert [choice.points for choice in found.values][-1] == 60
    assert all(choice.is_possible for choice in found.values)
    settled = choose(ORACLE, None)
    assert possible(settled) == {"nothing"}
    assert sum(choice.is_possible for choice in settled.cards) == 12


@pytest.mark.parametrize("hand", [None, 0, 7, 8, -1, 99])
def test_choices_exist_for_whatever_is_asked(hand: int | None) -> None:
    strange: list[Any] = [None, [], {}, {"dealer": "X", "hands": "no"}, ORACLE]
    for data in strange:
        assert len(choose(data, hand).cards) == 52
