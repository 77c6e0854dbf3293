"""The rules of Play or Pay, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError
from engine.packs import Dealt, is_card, read_cards
from engine.play_or_pay.game import PLAY_OR_PAY as GAME
from engine.play_or_pay.play import PACK, State, dealt_from, follows
from engine.play_or_pay.sampling import SAMPLING

OPTIONS = GAME.read_options({})


def dealt(players: int, dealer: int, **hands: str) -> str:
    """Seats (s1, s2 ...) hold these cards; the others come as they will."""
    held = {int(name[1:]) - 1: list(read_cards(cards)) for name, cards in hands.items()}
    rest = [card for card in PACK if not any(card in cards for cards in held.values())]
    cards = []
    for number in range(len(PACK)):
        own = held.get((dealer + number) % players, [])
        cards.append(own.pop(0) if own else rest.pop())
    return str(Dealt(((),) * players, tuple(cards)))


def after(deal: str, dealer: str, *tokens: str, players: int = 3) -> State:
    state = GAME.replay(deal, dealer, OPTIONS, tokens, players)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_py1_after_the_king_comes_the_ace_then_the_two() -> None:
    assert [follows(card) for card in ("Qs", "Ks", "As", "2s", "9s")] == ["Ks", "As", "2s", "3s", "Ts"]


def test_py3_the_first_players_may_have_one_card_more() -> None:
    hands = dealt_from(PACK, 5, 4)
    assert [len(hand) for hand in hands] == [11, 11, 10, 10, 10]
    assert PACK[0] in hands[0]


def test_py4_the_first_worked_example() -> None:
    deal = dealt(3, 3, s1="QsAs", s2="2h3h4h", s3="Ks")
    state = after(deal, "3", "Qs")
    assert (state.turn, state.legal()) == ("2", ("pay",))
    assert code(state, "2h") == "must-pay"
    state = after(deal, "3", "Qs", "pay")
    assert state.legal() == ("Ks",)
    assert code(state, "pay") == "must-play"
    assert after(deal, "3", "Qs", "pay", "Ks", "As").turn == "2"
    assert code(after(deal, "3"), "pay") == "phase"
    assert code(after(deal, "3"), "Ks") == "not-held"
    assert code(after(deal, "3"), "x") == "token"


def test_py5_who_plays_the_thirteenth_card_begins_again() -> None:
    rng = random.Random(4)
    state = GAME.start(GAME.deal(rng, "1", OPTIONS, 3), "1", OPTIONS, 3)
    while sum(map(is_card, state.history)) < 13:
        turn = state.turn
        state = state.apply(rng.choice(state.legal()))
    assert state.turn == turn
    assert state.now.last == ""
    assert {card[1] for card in state.history if is_card(card)} == {state.history[0][1]}


def test_py7_the_second_worked_example() -> None:
    paid = {"paid": {"1": 4, "2": 5, "3": 6, "4": 2}, "left": {"1": 3, "2": 0, "3": 1, "4": 5}}
    read = GAME.read_result({"winner": "2", **paid}, 4)
    assert dict(read.total) == {"1": -7, "2": 21, "3": -7, "4": -7}


@given(st.integers(0, 10_000))
def test_scores_add_up_to_nothing_and_cards_are_conserved(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.choice(GAME.players)
    state = GAME.start(GAME.deal(rng, "1", OPTIONS, players), "1", OPTIONS, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    held = [card for hand in state.now.hands for card in hand]
    assert sorted([*held, *filter(is_card, state.history)]) == sorted(PACK)
    assert sum(state.score().total.values()) == 0
    assert GAME.fault_of_total(state.score().total) == ""


@pytest.mark.parametrize("wrong", ["", "- - -", "- - - | As", dealt(4, 1)])
def test_py11_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        GAME.start(wrong, "1", OPTIONS, 3)


WHOLE = {
    "winner": "2",
    "paid": {"1": 4, "2": 5, "3": 6},
    "left": {"1": 3, "2": 0, "3": 1},
    "total": {"1": -7, "2": 14, "3": -7},
}


def codes(data: Any, players: int = 3) -> list[tuple[str, str]]:
    read = GAME.read_result(data, players)
    return [(each.severity.value, each.code) for each in read.problems if not each.is_missing]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"total": {"1": 7, "2": 7, "3": -14}}, "totals-impossible"),
        ({"total": {"1": 0, "2": 7, "3": -7}}, "totals-impossible"),
        ({"total": {"1": -7, "2": 8, "3": -7}}, "totals-impossible"),
        ({**WHOLE, "left": {"1": 0, "2": 0, "3": 1}}, "left-empty"),
        ({**WHOLE, "left": {"1": 3, "2": 1, "3": 1}}, "winner-left"),
        ({**WHOLE, "left": {"1": 19}}, "bad-number"),
        ({**WHOLE, "winner": "1"}, "winner-loses"),
    ],
)
def test_py13_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


def test_py14_scores_against_chips_and_cards() -> None:
    assert codes(WHOLE) == []
    assert ("inconsistent", "total-other") in codes({**WHOLE, "total": {"1": -8, "2": 15, "3": -7}})
    assert ("inconsistent", "winner-total") in codes({**WHOLE, "winner": "3"})


def test_py15_what_is_rare_is_marked_and_accepted() -> None:
    large = {"total": {"1": -40, "2": 120, "3": -40, "4": -40}}
    assert codes(large, 4) == [("suspicious", "large-pot")]
    never = {"winner": "2", "paid": {"1": 4, "3": 6, "4": 1}, "left": {"1": 13, "3": 1, "4": 2}}
    assert codes(never, 4) == [("suspicious", "never-played")]


def test_the_help_says_why_one_must_play_or_pay() -> None:
    deal = dealt(3, 3, s1="QsAs", s2="2h3h4h", s3="Ks")

    def said(*tokens: str) -> tuple[str, bool]:
        state = after(deal, "3", *tokens)
        view = GAME.view(state, state.turn)
        return str(view.help[0].template), [each.token for each in view.barred] == ["pay"]

    assert said() == (
        "Begin a suit with any card. If you hold the card before it as well, that one comes last, and you begin again.",
        False,
    )
    assert said("Qs")[0].startswith("The next card is the %(card)s. You don’t hold it")
    assert said("Qs", "pay") == (
        "The next card is the %(card)s. You hold it, so you must play it: nobody may pay instead.",
        True,
    )
    other = GAME.view(after(deal, "3", "Qs"), "1")
    assert (len(other.help), other.barred) == (2, ())


@pytest.mark.parametrize("players", [3, 4, 8])
def test_deals_are_sampled_as_they_look_from_the_seat_however_many_play(players: int) -> None:
    rng = random.Random(players)
    state = GAME.start(GAME.deal(rng, "1", OPTIONS, players), "1", OPTIONS, players)
    while not state.is_over:
        view = GAME.view(state, state.turn)
        assert GAME.view(SAMPLING.sample(view, rng), state.turn) == view
        state = state.apply(rng.choice(state.legal()))
