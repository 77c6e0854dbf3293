"""The rules of Pontoon, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError, OptionError
from engine.game.values import Points
from engine.packs import Dealt, read_cards
from engine.pontoon.game import PONTOON as GAME
from engine.pontoon.play import PACK, Hand, State

OPTIONS = GAME.read_options({})


def dealt(players: int, top: str) -> str:
    cards = read_cards(top)
    return str(Dealt(((),) * players, (*cards, *(card for card in PACK if card not in cards))))


def after(top: str, *tokens: str, players: int = 2, dealer: str = "2", **options: Any) -> State:
    """Two players: the punter's card, the banker's, and so on."""
    state = GAME.replay(dealt(players, top), dealer, {**OPTIONS, **options}, tokens, players)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_pn1_pn5_totals_and_kinds() -> None:
    assert Hand(read_cards("AsKs")).kind == "pontoon"
    assert (Hand(read_cards("As5h")).total, Hand(read_cards("As5h9c")).total) == (16, 15)
    assert Hand(read_cards("As2s3s4s5s")).kind == "five"
    assert Hand(read_cards("KsQs2d")).kind == "bust"


@pytest.mark.parametrize(("bank", "won"), [("KdTh", -8), ("8hTh", 8), ("6sTh", 8)])
def test_pn13_the_first_worked_example(bank: str, won: int) -> None:
    one, other = read_cards(bank)
    rest = "Jh" if bank == "6sTh" else ""
    ending = ("twist",) if rest else ("stick",)
    state = after(f"9c{one}4d{other}6h{rest}", "bet3", "buy5", "stick", *ending)
    assert state.score().total["1"] == won


def test_pn11_the_second_worked_example() -> None:
    state = after("8sKd8dJdAh3cKh", "bet2", "split", "stick", "twist", "stick", "stick")
    assert dict(state.score().total) == {"1": 0, "2": 0}
    split = after("8sKd8dJdAh3cKh", "bet2", "split")
    assert code(split, "buy2") == "split-hand"


def test_pn10_the_third_worked_example() -> None:
    state = after("5cKd3dJd3s2hAd", "bet4", "buy4", "buy4", "twist", "stick")
    assert state.score().total["1"] == 24
    five = after("5c2d3d3c3s2hAd4c5d6s", "bet4", "buy4", "buy4", "twist", "twist", "twist", "twist")
    assert five.score().total["1"] == -12


def test_pn6_a_bankers_pontoon_ends_the_deal_and_costs_double() -> None:
    state = after("AsAdKsKd", "bet3")
    assert dict(state.score().total) == {"1": -6, "2": 6}


def test_pn7_pn12_a_pontoon_plays_no_more_and_the_banker_need_not() -> None:
    state = after("As9dKs9c", "bet3")
    assert state.is_over
    assert state.score().total["1"] == 6


def test_pn9_pn17_what_may_be_done_when() -> None:
    state = after("5cKd3dJd", "bet2")
    assert state.legal() == ("stick", "twist", "buy2", "buy3", "buy4")
    assert code(state, "buy5") == "limits"
    assert code(state, "split") == "no-pair"
    assert code(state, "bet2") == "phase"
    assert code(state, "double") == "token"
    with pytest.raises(ActionError, match="No cards are played"):
        state.apply("7h")
    assert code(after("5cKd3dJd"), "bet6") == "limits"
    assert code(after("5cKd3dJd"), "stick") == "phase"
    twisted = after("5cKd3dJd2h", "bet2", "twist")
    assert code(twisted, "buy2") == "twisted"
    assert code(after("5cKd5dJd2h", "bet2", "twist"), "split") == "not-first"
    full = after("5cKd6dJdTh", "bet2", "twist")
    assert code(full, "twist") == "twenty-one"
    assert code(after("5cKd6dJd", "bet2", "stick"), "buy2") == "phase"


def test_pn10_a_busted_hand_goes_under_the_pack() -> None:
    state = after("9cKd8dJd7h", "bet2", "twist")
    assert state.now.pack[-3:] == ("9c", "8d", "7h")
    assert state.is_over
    assert state.score().total["1"] == -2


def test_pn15_the_bank_may_pass_to_who_had_a_pontoon() -> None:
    options = {**OPTIONS, "bank": "pontoon"}
    score = Points({"1": 6, "2": -6}, {"next_bank": "1"})
    assert GAME.match([score], options, 2).next_dealer == "1"
    assert GAME.match([score], OPTIONS, 2).next_dealer is None
    with pytest.raises(OptionError):
        GAME.read_options({"min": 6})


@pytest.mark.parametrize(
    ("kinds", "following"),
    [
        ({"1": ["plain"], "2": ["plain"], "3": ["pontoon"]}, "3"),
        ({"1": ["pontoon"], "2": ["plain"], "3": ["pontoon"]}, "3"),
        ({"1": ["pontoon"], "2": ["plain"], "3": ["bust"]}, "1"),
        ({"1": ["pontoon"], "2": ["pontoon"], "3": ["pontoon"]}, "2"),
        ({"1": ["plain"], "2": ["plain"], "3": ["pontoon", "plain"]}, "2"),
        ({"1": ["pontoon"], "2": ["plain"]}, None),
        ({"2": ["plain"], "3": ["pontoon"]}, "3"),
    ],
)
def test_pn15_a_written_deal_tells_the_next_banker_by_its_hands(kinds, following) -> None:
    options = {**OPTIONS, "bank": "pontoon"}
    hands = {seat: [{"kind": kind} for kind in own] for seat, own in kinds.items()}
    deal = {"banker": "2", "hands": hands, "total": {"1": 3, "2": -6, "3": 3}}
    scores = [score for score in GAME.check_sheet({"deals": [deal]}, "2", options, 3).scores if score]
    assert len(scores) == 1
    assert GAME.match(scores, options, 3).next_dealer == following
    assert GAME.match(scores, OPTIONS, 3).next_dealer is None


def test_pn16_the_bankers_first_card_is_unknown_to_all() -> None:
    state = after("5cKd3dJd", "bet2")
    assert GAME.view(state, "2").seats[1].cards == ("Jd",)
    assert GAME.view(state, "2").seats[0].cards == ("3d",)
    assert GAME.view(state, "1").seats[0].cards == ("5c", "3d")
    assert GAME.view(state.apply("stick"), "1").seats[1].cards == ("Kd", "Jd")


@pytest.mark.parametrize("wrong", ["", "- - | As", dealt(3, "As")])
def test_pn18_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        GAME.start(wrong, "1", OPTIONS, 2)


@given(st.integers(0, 10_000))
def test_pn14_scores_add_up_to_nothing_and_cards_are_conserved(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.choice(GAME.players)
    state = GAME.start(GAME.deal(rng, "1", OPTIONS, players), "1", OPTIONS, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    held = [card for own in state.now.hands for hand in own for card in hand.cards]
    assert sorted([*held, *state.now.pack]) == sorted(PACK)
    assert sum(state.score().total.values()) == 0
    record = GAME.record_of(state)
    told = GAME.read_result({name: record[name] for name in ("banker", "hands")}, players)
    assert dict(told.total) == dict(state.score().total)


WHOLE: dict[str, Any] = {
    "banker": "2",
    "first": {"1": 3},
    "hands": {"1": [{"kind": "plain", "total": 19, "stake": 8}], "2": [{"kind": "plain", "total": 20}]},
    "total": {"1": -8, "2": 8},
}


def codes(data: Any, players: int = 2) -> list[tuple[str, str]]:
    banker = data.get("banker", "1") if isinstance(data, dict) else "1"
    checked = GAME.check_sheet({"deals": [data]}, banker, OPTIONS, players)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


def hand(**fields: Any) -> dict[str, Any]:
    return {**WHOLE, "hands": {**WHOLE["hands"], "1": [fields]}}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"total": {"1": 3, "2": 3}}, "totals-impossible"),
        ({**WHOLE, "first": {"1": 6}}, "bad-number"),
        ({**WHOLE, "first": {"1": 3, "2": 1}}, "banker-stake"),
        (hand(kind="plain", total=19, stake=5), "stake"),
        (hand(kind="plain", total=19, stake=22), "stake"),
        ({**WHOLE, "hands": {"1": [{"stake": 3}, {"stake": 6}]}}, "split-stake"),
        (hand(kind="plain", total=22, stake=3), "bust"),
        (hand(kind="pontoon", total=20, stake=3), "pontoon-total"),
        (hand(cards="KsQs", total=19), "total-low"),
        ({**WHOLE, "hands": {"1": [{"cards": "KsQs"}], "2": [{"cards": "Ks9h"}]}}, "card-twice"),
        (hand(cards="Ks"), "bad-hand"),
        ({**WHOLE, "hands": {"1": "KsQs"}}, "bad-hands"),
    ],
)
def test_pn20_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "total": {"1": 8, "2": -8}}, "total-other"),
        (hand(cards="AsKs", kind="plain"), "hand-kind"),
        (hand(cards="As5s", total=15), "hand-total"),
    ],
)
def test_pn21_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)


def test_pn22_what_is_rare_is_marked_and_accepted() -> None:
    assert codes(WHOLE) == []
    high = {**hand(kind="five", stake=21), "total": {"1": 42, "2": -42}}
    assert codes(high) == [("suspicious", "high-stake")]
    low = {"banker": "2", "hands": {"2": [{"kind": "plain", "total": 11}]}, "total": {"1": 3, "2": -3}}
    assert codes(low) == [("suspicious", "low-banker")]
    pontoon = {"kind": "pontoon", "stake": 1}
    three = {
        "banker": "4",
        "hands": {seat: [pontoon] for seat in "123"},
        "total": {**dict.fromkeys("123", 2), "4": -6},
    }
    assert codes(three, 4) == [("suspicious", "pontoons")]


def test_pn18_a_deal_that_is_given_has_all_cards() -> None:
    whole = dealt(3, "As")
    assert GAME.read_deal(whole, 3) == whole
    with pytest.raises(DealError):
        GAME.read_deal(whole.removesuffix(PACK[-1]), 3)


def test_pn9_pn11_pn17_what_a_hand_can_no_longer_do_is_shown_with_its_reason() -> None:
    def barred(state: State) -> list[str]:
        return [call.token for call in GAME.view(state, state.turn).barred]

    assert barred(after("5cKd3dJd")) == []
    assert barred(after("5cKd3dJd", "bet2")) == ["split"]
    twisted = after("5cKd5dJd2h", "bet2", "twist")
    assert barred(twisted) == ["buy2", "split"]
    with pytest.raises(ActionError, match="After a twist"):
        twisted.verify("buy2")
    assert barred(after("8sKd8dJdAh3cKh", "bet2", "split")) == ["buy2", "split"]


def test_pn16_help_tells_nobody_else_of_cards_that_lie_face_down() -> None:
    """A pair that may be split is known to its owner alone."""
    state = after("5cKd5dJd2h", "bet2")
    own, other = ({str(each) for each in GAME.view(state, seat).help} for seat in "12")
    assert any(text.startswith("Split") for text in own)
    assert not any(text.startswith("Split") for text in other)


def test_pn21_the_banker_is_who_must_be() -> None:
    checked = GAME.check_sheet({"deals": [{**WHOLE, "banker": "1"}]}, "2", OPTIONS, 2)
    assert "banker" in {each.code for each in checked.problems}
    told = GAME.check_sheet({"deals": [{"hands": WHOLE["hands"]}]}, "2", OPTIONS, 2)
    assert dict(told.scores[0].total) == {"1": -8, "2": 8}  # type: ignore[union-attr]
    passing = {**OPTIONS, "bank": "pontoon"}
    free = GAME.check_sheet({"deals": [WHOLE]}, "1", passing, 2)
    assert "banker" not in {each.code for each in free.problems}
