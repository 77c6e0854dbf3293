"""The rules of Twenty Down, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError
from engine.game.values import Points
from engine.packs import is_card, read_cards
from engine.twenty_down.game import TWENTY_DOWN as GAME
from engine.twenty_down.play import CARDS, State, points_of

OPTIONS = GAME.read_options({})
DEAL = "AsKs+7h8h9c QsJs+Th9hTc Ts9s+JhQhJc 8s7s+KhAhQc | Kc8c7cAcAd7d8d9dTdJdQdKd"


def after(*tokens: str, deal: str = DEAL, late: bool = False) -> State:
    """Seat 4 has dealt: seat 1 is eldest."""
    state = GAME.replay(deal, "4", {**OPTIONS, "late": late}, tokens)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


DRAWN = ("s", "-", "-", "-", "-")


def test_td3_trump_is_named_on_two_cards() -> None:
    state = after()
    assert (state.turn, state.legal()) == ("1", ("s", "h", "d", "c"))
    assert GAME.view(state, "1").seats[0].cards == ("As", "Ks")
    assert len(GAME.view(after("s"), "1").seats[0].cards) == 5
    assert code(state, "-") == code(state, "As") == "phase"
    assert code(state, "n") == "token"


def test_td4_up_to_three_cards_are_exchanged() -> None:
    state = after("s")
    assert len(state.legal()) == 26
    assert code(state, "xAsKs7h8h") == "discard-three"
    assert code(state, "xQs") == "not-held"
    drawn = state.apply("x7h9c")
    assert drawn.history[-1] == "x7h9c"
    assert {"Kc", "8c"} <= set(drawn.now.hands[0])
    assert GAME.view(drawn, "2").history[-1] == "x2"


def test_td5_eldest_and_with_diamonds_everybody_is_in() -> None:
    state = after(*DRAWN)
    assert (state.turn, state.legal()) == ("2", ("i", "o"))
    assert after("d", "-", "-", "-", "-").now.phase == "play"
    assert code(after("d", "-", "-", "-", "-"), "o") == "phase"


def test_td6_td11_the_second_worked_example() -> None:
    state = after(*DRAWN, "o", "o", "o")
    assert dict(state.score().total) == {"1": -5, "2": 0, "3": 0, "4": 0}
    hearts = after("h", "-", "-", "-", "-", "o", "o", "o")
    assert hearts.score().total["1"] == -10


def test_td7_td8_suit_is_followed_and_else_trumped() -> None:
    state = after(*DRAWN, "i", "i", "o", "7h")
    assert state.legal() == ("Th", "9h")
    assert code(state, "Qs") == "follow-suit"
    deal = "AsKs+7h8h9c QsJs+TcJcKc Ts9s+JhQh9h 8s7s+KhAhQc | ThTd8c7cAcAd7d8d9dJdQdKd"
    void = after(*DRAWN, "i", "i", "o", "7h", deal=deal)
    assert void.legal() == ("Qs", "Js")
    assert code(void, "Tc") == "must-trump"


def test_td10_the_first_and_third_worked_examples() -> None:
    tricks = {"1": 1, "2": 4, "3": 0, "4": 0}
    assert points_of(tricks, ["1", "2"], "h", "1") == {"1": -2, "2": -8, "3": 0, "4": 0}
    assert points_of({"1": 2, "2": 2, "3": 1, "4": 0}, ["1", "2", "3"], "c", "1") == {
        "1": -2,
        "2": -2,
        "3": -1,
        "4": 0,
    }
    assert points_of({"1": 0, "2": 5, "3": 0, "4": 0}, ["1", "2"], "h", "1")["1"] == 10


def test_td12_the_fourth_worked_example() -> None:
    before = Points({"1": -18, "2": -19, "3": -14, "4": -8})
    last = Points({"1": -2, "2": -2, "3": -1, "4": 5})
    result = GAME.match([before, last], OPTIONS)
    assert (dict(result.total), result.winners) == ({"1": 0, "2": -1, "3": 5, "4": 17}, ("2",))
    assert result.is_over
    level = GAME.match([Points({"1": -20, "2": -20, "3": 0, "4": 0})], OPTIONS)
    assert level.winners == ("1", "2")


def test_td13_from_the_ninth_deal_on_hearts_are_trump_and_everybody_is_in() -> None:
    nothing = Points({"1": 5, "2": 5, "3": 5, "4": -5})
    result = GAME.match([nothing] * 3 + [Points({"1": 5, "2": 5, "3": 5, "4": 5})] * 5, OPTIONS)
    assert result.next_options == {"late": True}
    state = after(late=True)
    assert (state.now.trump, state.now.phase, len(state.now.hands[0])) == ("h", "draw", 5)
    assert after("-", "-", "-", "-", late=True).now.phase == "play"


@pytest.mark.parametrize("wrong", ["", DEAL.replace("+", ""), DEAL[:-2], DEAL.replace("As", "Ks")])
def test_td2_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        GAME.start(wrong, "1", OPTIONS)
    assert GAME.read_deal(DEAL) == DEAL.replace("7h8h9c", "8h7h9c").replace("JhQhJc", "QhJhJc").replace(
        "KhAhQc", "AhKhQc"
    )


@given(st.integers(0, 10_000))
def test_cards_are_conserved_and_no_score_is_impossible(seed: int) -> None:
    rng = random.Random(seed)
    options = {**OPTIONS, "late": rng.random() < 0.3}
    state = GAME.start(GAME.deal(rng, "1", options), "1", options)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    held = [card for hand in state.now.hands for card in hand]
    given_away = [card for token in state.history if token[:1] == "x" for card in read_cards(token[1:])]
    cards = [*held, *given_away, *filter(is_card, state.history), *state.now.stock]
    assert sorted(cards) == sorted(CARDS.cards)
    assert GAME.fault_of_total(state.score().total) == ""


WHOLE: dict[str, Any] = {
    "dealer": "4",
    "trump": "c",
    "in": {"1": "yes", "2": "yes", "3": "yes", "4": "no"},
    "tricks": {"1": 2, "2": 2, "3": 1, "4": 0},
    "total": {"1": -2, "2": -2, "3": -1, "4": 0},
}


def codes(*deals: Any) -> list[tuple[str, str]]:
    checked = GAME.check_sheet({"deals": [*deals]}, deals[0].get("dealer", "1"), OPTIONS)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "tricks": {"1": 2, "2": 2, "3": 2, "4": 0}}, "tricks-sum"),
        ({**WHOLE, "tricks": {"1": 2, "2": 2, "3": 0, "4": 1}}, "out-tricks"),
        ({**WHOLE, "dealer": "3"}, "eldest-out"),
        ({**WHOLE, "trump": "d"}, "out"),
        ({**WHOLE, "trump": "h"}, "odd-hearts"),
        ({"total": {"1": -2, "2": -2, "3": -2, "4": 0}}, "totals-impossible"),
        ({"total": {"1": -4, "2": -4, "3": -1, "4": 0}}, "totals-impossible"),
        ({"total": {"1": 11}}, "bad-number"),
    ],
)
def test_td18_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


def test_td18_late_deals_and_deals_after_the_end() -> None:
    up = {"total": {"1": -5, "2": 5, "3": 5, "4": 5}}
    other = {"total": {"1": 5, "2": 5, "3": 5, "4": -5}}
    deals = [up, other, up, other, up, other, up, other]
    late = {**WHOLE, "in": None, "tricks": None, "total": {"1": -4, "2": -4, "3": -2, "4": 10}, "trump": "c"}
    assert ("impossible", "late-trump") in codes(*deals, late)
    assert ("impossible", "out") in codes(*deals, {**WHOLE, "trump": "h", "total": None})
    assert ("impossible", "deal-after-end") in codes(*[up] * 5)


def test_td18_scores_and_running_totals_against_the_tricks() -> None:
    assert codes(WHOLE) == []
    assert ("inconsistent", "total-other") in codes({**WHOLE, "total": {"1": -2, "2": -2, "3": -1, "4": 5}})
    assert ("inconsistent", "running") in codes({**WHOLE, "running": {"1": 17}})
    assert codes({**WHOLE, "running": {"1": 18}}) == []
    # The deal passes on.
    assert ("inconsistent", "dealer") in codes(WHOLE, WHOLE)


def test_td18_what_is_rare_is_marked_and_accepted() -> None:
    alone = [{"trump": "s", "in": {**dict.fromkeys("1234", "no"), eldest: "yes"}} for eldest in "23"]
    assert codes(*alone) == [("suspicious", "alone-twice")]
    # Seat 2 is eldest in the first deal, seat 3 in the next.
    assert ("impossible", "eldest-out") in codes(*reversed(alone))
    five = {"trump": "s", "in": dict.fromkeys("1234", "yes"), "tricks": {"1": 5, "2": 0, "3": 0, "4": 0}}
    assert codes(five) == [("suspicious", "five-tricks")]
    lucky = {"total": {"1": -5, "2": 5, "3": 5, "4": 0}}
    assert ("suspicious", "never-trick") in codes(lucky, lucky, lucky)
