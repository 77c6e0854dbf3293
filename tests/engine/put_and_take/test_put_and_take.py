"""The rules of Put and Take, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError
from engine.packs import Dealt, read_cards
from engine.put_and_take.game import PUT_AND_TAKE as GAME
from engine.put_and_take.play import PACK, State, due, settled

OPTIONS = GAME.read_options({})


def dealt(players: int, *cards: str) -> str:
    """These cards from the top, then the others."""
    top = [card for row in cards for card in read_cards(row)]
    return str(Dealt(((),) * players, (*top, *(card for card in PACK if card not in top))))


def whole(deal: str, players: int, **options: Any) -> State:
    state = GAME.replay(deal, str(players), {**OPTIONS, **options}, ["turn"] * 10, players)
    assert isinstance(state, State)
    return state


def test_pt2_the_hands_lie_face_up_and_the_dealer_has_none() -> None:
    state = GAME.start(dealt(3), "3", OPTIONS, 3)
    assert [len(zone.cards) for zone in GAME.view(state, None).seats] == [5, 5, 0]
    assert set(state.setting.hands[0]) == set(PACK[0:10:2])


def test_pt3_the_first_worked_example() -> None:
    hand = read_cards("9s9d4cKdKh")
    assert settled({0: hand}, read_cards("9c4dKs9h2s"), doubling=False).points == {0: -18}


def test_pt4_the_second_worked_example() -> None:
    hands = {0: read_cards("9s9d4cKdKh"), 1: read_cards("5s7s8sJsQs")}
    found = settled(hands, read_cards("JcAc2c3c5cAdThTd6c9h"), doubling=False)
    assert (found.pot, found.dealer_paid, found.points) == (0, 4, {0: 10, 1: -6})


def test_pt3_doubling() -> None:
    assert [due(number, doubling=True) for number in range(5)] == [1, 2, 4, 8, 16]
    assert [due(number, doubling=False) for number in range(5)] == [1, 2, 3, 4, 5]


def test_pt7_each_deals_twice_unless_said_otherwise() -> None:
    assert GAME.deals_of(9, OPTIONS) == 18


def test_pt8_only_the_dealer_turns() -> None:
    state = GAME.start(dealt(2), "2", OPTIONS, 2)
    assert (state.turn, state.legal()) == ("2", ("turn",))
    with pytest.raises(ActionError):
        state.verify("As")
    with pytest.raises(DealError):
        GAME.start(dealt(3), "1", OPTIONS, 2)


@given(st.integers(0, 10_000))
def test_pt6_the_scores_add_up_to_nothing(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.choice(GAME.players)
    options = {**OPTIONS, "doubling": rng.random() < 0.5}
    deal = GAME.deal(rng, "1", options, players)
    state = GAME.replay(deal, "1", options, ["turn"] * 10, players)
    assert sum(state.score().total.values()) == 0
    assert GAME.fault_of_total(state.score().total) == ""
    record = GAME.record_of(state)
    cards = {name: record[name] for name in ("dealer", "hands", "put", "take")}
    checked = GAME.check_sheet({"deals": [cards]}, "1", options, players)
    assert [dict(score.total) for score in checked.scores if score] == [dict(state.score().total)]


def codes(*deals: Any, players: int = 3, **options: Any) -> list[tuple[str, str]]:
    dealer = deals[0].get("dealer", "1")
    checked = GAME.check_sheet({"deals": [*deals]}, dealer, {**OPTIONS, **options}, players)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"total": {"1": 1, "2": 1, "3": 1}}, "totals-impossible"),
        ({"total": {"1": 30, "2": -30, "3": 0}}, "too-much"),
        ({"dealer": "1", "total": {"1": 30, "2": -30, "3": 0}}, "too-much"),
        ({"dealer": "1", "hands": {"1": "AsKsQsJsTs"}}, "dealer-hand"),
        ({"put": "AsKsQsJsTs", "take": "As9s8s7s6s"}, "card-twice"),
        ({"put": "AsAsQsJsTs"}, "card-twice"),
        ({"put": "AsKs"}, "bad-cards"),
    ],
)
def test_pt11_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


def test_pt11_more_can_be_won_with_doubling_and_the_dealer_may_lose_more() -> None:
    assert codes({"total": {"1": 40, "2": -40, "3": 0}}, doubling=True) == []
    assert codes({"dealer": "3", "total": {"1": 20, "2": 20, "3": -40}}) == []


def test_pt1_the_deal_passes_to_the_left() -> None:
    deal = {"dealer": "1", "total": {"1": 0, "2": 0, "3": 0}}
    checked = GAME.check_sheet({"deals": [deal, deal]}, "1", OPTIONS, 3)
    assert ("dealer", ("deals", 1, "dealer")) in {(each.code, each.place) for each in checked.problems}


def test_pt12_a_score_against_the_cards() -> None:
    state = whole(dealt(3), 3)
    record = GAME.record_of(state)
    total = dict(state.score().total)
    wrong = {**record, "total": {**total, "1": total["1"] + 1, "2": total["2"] - 1}}
    assert ("inconsistent", "total-other") in codes(wrong)
    assert codes(record) == []


def test_pt13_what_is_rare_is_marked() -> None:
    nothing = {"total": dict.fromkeys("12345", 0)}
    assert codes(nothing, players=5) == [("suspicious", "nothing")]
