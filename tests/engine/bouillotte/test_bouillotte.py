"""The rules of Bouillotte, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bouillotte.game import BOUILLOTTE
from engine.bouillotte.hands import best_suit, suit_sum
from engine.bouillotte.play import State
from engine.errors import ActionError, DealError
from engine.packs import in_order, read_cards

OPTIONS = BOUILLOTTE.read_options({})
FIRST = "AsKs8h 9h9d9c QsKhAd 8s8dQc | 9s"
#: The fourth worked example.
SUITS = "AsKsQs 9h9dKc AhKh8h Ac8c8d | Qd"


def after(deal: str, dealer: str, *tokens: str, pot: int = 0) -> State:
    state = BOUILLOTTE.replay(deal, dealer, {**OPTIONS, "pot": pot}, tokens)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_bo14_bo15_the_first_worked_example() -> None:
    score = after(FIRST, "4", "f", "o3", "f", "=").score()
    assert dict(score.total) == {"1": -2, "2": 10, "3": -2, "4": -6}
    assert score.detail["with"] == "brelan-carre"


def test_bo8_the_second_worked_example() -> None:
    state = after(FIRST, "1", "f", "s", "f", "f")
    assert dict(state.score().total) == {"1": -1, "2": 0, "3": 1, "4": 0}
    assert after(FIRST, "1", "f", "f", "f", "s").score().detail["winner"] == "1"
    assert after(FIRST, "1", "f", "f", "f", "o2").score().detail["outcome"] == "unseen"


def test_bo12_the_third_worked_example() -> None:
    state = after(FIRST, "1", "s", "s", "s", "s", "f", "o1", "=", "=")
    assert (state.now.phase, state.turn, state.due) == ("circle", "3", 6)
    assert code(state, "f") == "nothing-due"
    assert after(FIRST, "1", *state.history, "=", "=", "=").is_over
    again = after(FIRST, "1", *state.history, "=", "+2", "=", "=")
    assert (again.now.phase, again.due) == ("circle", 8)


def test_bo16_bo17_the_fourth_worked_example() -> None:
    hands = [in_order(read_cards(hand)) for hand in SUITS.split(" | ", maxsplit=1)[0].split(" ")]
    cards = [card for hand in hands for card in hand] + ["Qd"]
    assert [suit_sum(cards, suit) for suit in "shdc"] == [31, 38, 27, 29]
    assert best_suit(hands, "Qd") == "h"
    assert after(SUITS, "1", "f", "o1", "f", "=").best == (2, "best-suit")
    assert after(SUITS, "1", "o1", "f", "=", "f").best == (3, "point")


def test_bo9_who_straddled_is_asked_once_more() -> None:
    state = after(FIRST, "1", "s", "s", "f", "f")
    assert (state.now.phase, state.turn) == ("second", "4")
    assert code(state, "s") == "no-straddle"
    assert code(state, "=") == "phase"
    assert state.apply("f").score().detail["winner"] == "3"


def test_bo4_nobody_puts_in_more_than_thirty() -> None:
    state = after(FIRST, "1", "o29")
    assert state.legal() == ("f", "=")
    assert code(state, "+1") == "cave"
    assert code(after(FIRST, "1"), "o30") == "cave"
    assert code(after(FIRST, "1"), "+1") == "phase"
    assert code(after(FIRST, "1"), "raise") == "token"
    assert after(FIRST, "1", "o29", "=", "=", "f").now.outcome == "showdown"


def test_bo7_if_all_fold_the_pot_stays_and_the_same_player_deals_again() -> None:
    score = after(FIRST, "3", "f", "f", "f", "f", pot=2).score()
    assert (dict(score.total), score.detail["pot"]) == ({"1": 0, "2": 0, "3": -1, "4": 0}, 3)
    result = BOUILLOTTE.match([score], OPTIONS)
    assert (result.next_dealer, result.next_options) == ("3", {"pot": 1})
    assert BOUILLOTTE.dealer_after("1") == "4"
    assert BOUILLOTTE.dealer_of_board(4) == "2"


def test_what_is_refused_is_shown_with_its_reason() -> None:
    for tokens, barred in (
        ((), "="),
        (("s", "s", "f", "f"), "s"),
        (("o29",), "+1"),
        (("s", "s", "s", "s", "f", "o1", "=", "="), "f"),
    ):
        state = after(FIRST, "1", *tokens)
        view = BOUILLOTTE.view(state, state.turn)
        assert barred in [call.token for call in view.barred]
        assert all(code(state, call.token) for call in view.barred)
        assert len(view.help) > len(BOUILLOTTE.view(state, None).help)


def test_bo20_without_a_brelan_all_hands_are_shown_and_with_one_not_those_who_folded() -> None:
    with_brelan = BOUILLOTTE.view(after(FIRST, "4", "f", "o3", "f", "="), None)
    assert [bool(zone.cards) for zone in with_brelan.seats] == [False, True, False, True]
    without = BOUILLOTTE.view(after(SUITS, "1", "f", "o1", "f", "="), None)
    assert all(zone.cards for zone in without.seats)
    unseen = BOUILLOTTE.view(after(SUITS, "1", "f", "o1", "f", "f"), None)
    assert not any(zone.cards for zone in unseen.seats)


@pytest.mark.parametrize("wrong", ["", FIRST.replace("9s", "9h"), FIRST.replace(" | 9s", ""), FIRST + "8c"])
def test_bo3_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        BOUILLOTTE.start(wrong, "1", OPTIONS)


@given(st.integers(0, 10_000))
def test_bo18_scores_and_what_stays_are_what_was_there(seed: int) -> None:
    rng = random.Random(seed)
    options = {**OPTIONS, "pot": rng.randint(0, 9), "ante": rng.randint(1, 5)}
    state = BOUILLOTTE.start(BOUILLOTTE.deal(rng, "1", options), "1", options)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    score = state.score()
    left = score.detail["pot"]
    assert isinstance(left, int)
    assert sum(score.total.values()) + left == options["pot"]
    assert BOUILLOTTE.fault_of_total(score.total) == ""


WON: dict[str, Any] = {
    "dealer": "4",
    "outcome": "showdown",
    "winner": "2",
    "with": "brelan-carre",
    "put": {"1": 0, "2": 4, "3": 0, "4": 4},
    "folded": {"1": "yes", "2": "no", "3": "yes", "4": "no"},
    "side": {"2": 2},
}
PASSED = {"dealer": "3", "outcome": "passed-out", "total": {"1": 0, "2": 0, "3": -1, "4": 0}}


def codes(*deals: Any) -> list[tuple[str, str]]:
    checked = BOUILLOTTE.check_sheet({"deals": [*deals]}, "1", OPTIONS)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


def test_bo22_what_was_put_in_tells_the_scores() -> None:
    checked = BOUILLOTTE.check_sheet({"deals": [WON]}, "1", OPTIONS)
    assert [dict(score.total) for score in checked.scores if score] == [{"1": -2, "2": 10, "3": -2, "4": -6}]
    assert codes(WON) == []


def test_bo7_when_all_fold_the_dealer_is_enough() -> None:
    checked = BOUILLOTTE.check_sheet({"deals": [{"dealer": "3", "outcome": "passed-out"}]}, "3", OPTIONS)
    assert [dict(score.total) for score in checked.scores if score] == [{"1": 0, "2": 0, "3": -1, "4": 0}]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WON, "put": {**WON["put"], "2": 31}}, "bad-number"),
        ({**WON, "winner": "1"}, "winner-folded"),
        ({**WON, "put": {"1": 0, "2": 4, "3": 0, "4": 3}}, "stakes"),
        ({**WON, "side": {"2": 2, "4": 2}}, "two-carres"),
        ({**WON, "hands": {"2": "9hJd9c"}}, "bad-cards"),
        ({**WON, "hands": {"2": "9h9d9c", "4": "9h8d8c"}}, "card-twice"),
        ({**PASSED, "winner": "1"}, "winner-stays"),
        ({"total": {"1": 0, "2": 0, "3": -1, "4": -1}}, "totals-impossible"),
        ({"dealer": "1", "total": {"1": 2, "2": 0, "3": 0, "4": 0}}, "pot-from-nobody"),
        ({**WON, "put": {**WON["put"], "4": 0}}, "dealer-put"),
    ],
)
def test_bo22_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


@pytest.mark.parametrize(
    ("deals", "code"),
    [
        ([{**WON, "pot": 9}], "pot"),
        ([{**WON, "total": {"1": -2, "2": 11, "3": -2, "4": -6}}], "total-other"),
        ([{**WON, "up": "9s", "hands": {"2": "9h9dKc"}}], "winner-hand"),
        ([{**WON, "again": "yes"}], "again"),
        ([PASSED, {**PASSED, "dealer": "2"}], "next-dealer"),
    ],
)
def test_bo22_what_does_not_agree_is_refused_until_it_is_settled(deals: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(*deals)


def test_bo22_what_is_rare_is_marked_and_accepted() -> None:
    found = codes(PASSED, PASSED, PASSED, PASSED, {**WON, "pot": None}, WON)
    assert {each for each in found if each[0] == "suspicious"} >= {
        ("suspicious", "many-passed"),
        ("suspicious", "carres"),
    }
    full = {**WON, "put": {"1": 30, "2": 30, "3": 0, "4": 30}}
    assert ("suspicious", "many-caves") in codes(full)
