"""The rules of Fünfzehnern, each test by the number that it covers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError
from engine.fuenfzehnern.game import FUENFZEHNERN as FIFTEENS
from engine.fuenfzehnern.play import CARDS, POINTS, State, pack_of
from engine.game.values import Points
from engine.packs import Dealt, in_order, read_cards

OPTIONS = FIFTEENS.read_options({})


def dealt(*hands: str) -> str:
    """A deal in which the seats hold these cards; the others come as they will, from the lowest clubs up."""
    held = [list(read_cards(hand)) for hand in hands]
    rest = [card for card in reversed(pack_of(len(hands))) if not any(card in hand for hand in held)]
    for hand in held:
        while len(hand) < 8:
            hand.append(rest.pop(0))
    return str(Dealt(tuple(in_order(hand) for hand in held)))


def after(deal: str, *tokens: str, players: int = 4) -> State:
    """Seat 4, or 3, has dealt: seat 1 leads."""
    state = FIFTEENS.replay(deal, str(players), OPTIONS, tokens, players)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def first_help(state: State) -> str:
    return FIFTEENS.view(state, state.turn).help[0].template


def test_fz1_fz8_fifteen_points_in_each_suit() -> None:
    assert (len(pack_of(4)), len(pack_of(3))) == (32, 24)
    assert not any(card[1] == "c" for card in pack_of(3))
    assert sum(POINTS) == 60
    assert CARDS.cards[:8] == ("7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As")


@pytest.mark.parametrize("wrong", ["", "As Ks Qs", dealt("", "", "", "")[:-2], dealt("", "", "")])
def test_fz3_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        FIFTEENS.start(wrong, "1", OPTIONS, 4)
    with pytest.raises(DealError):
        FIFTEENS.start(dealt("", "", ""), "4", OPTIONS, 3)


FIRST = dealt("9hTs9s8s7sQsJcTc", "KhJh7hAsKd8cJsKs", "8hTd9d8d7dJdQdAc", "QhThAhAd9c7cQcKc")


def test_fz4_suit_must_be_followed_but_nobody_need_beat() -> None:
    state = after(FIRST, "9h")
    assert (state.turn, set(state.legal())) == ("2", {"Kh", "Jh", "7h"})
    assert code(state, "As") == "must-follow"
    assert code(state, "Ah") == "not-held"
    assert code(state, "2h") == "token"
    free = after(dealt("9h", "KhJh7hAsKd8cJsKs", "AdTd9d8d7dJdQdAc", ""), "9h", "7h")
    assert len(free.legal()) == 8


def test_fz5_fz6_the_first_worked_example() -> None:
    """The winner of another's trick is bound to its suit; an unbeatable card of another suit is free."""
    deal = dealt("9hTs9s8s7sQsJcTc", "KhJh7hAsKd8cTd9d", "8hJsKsJd8d7dQdAc", "QhThAd9c7cQcKcAh")
    state = after(deal, "9h", "Kh", "8h", "Th")
    assert (state.turn, set(state.legal())) == ("2", {"Jh", "7h", "As"})
    assert code(state, "Kd") == code(state, "8c") == "bound"


def test_fz6_a_card_is_unbeatable_once_the_higher_ones_are_out_or_ones_own() -> None:
    deal = dealt("9hTs9s8s7sQsJcTc", "KhJh7hAsKsKd8c9d", "8hJsTdJd8d7dQdAc", "QhThAd9c7cQcKcAh")
    state = after(deal, "9h", "Kh", "8h", "Th")
    assert {"As", "Ks"} <= set(state.legal())
    assert code(state, "Kd") == "bound"


def test_fz5_the_bond_goes_on_after_a_free_lead_and_ends_with_the_suit() -> None:
    deal = dealt("9hTs9s8s7sQsJcTc", "KhJhAsKd8cTd9d7d", "8h7hKsJs8dJdQdAc", "QhThAdAh9c7cQcKc")
    state = after(deal, "9h", "Kh", "8h", "Th", "As", "Js", "Ad", "7s")
    # The ace of diamonds is gone: nobody can beat the king.
    assert (state.turn, state.legal()) == ("2", ("Jh", "Kd"))
    bound = after(deal, "9h", "Kh", "8h", "Th", "Jh", "7h", "Qh", "Ts")
    assert (bound.turn, bound.legal()) == ("4", ("Ah", "Ad"))
    assert len(bound.apply("Ah").apply("Qs").apply("8c").apply("Ac").legal()) == 5


def test_fz5_a_leader_is_not_bound_by_ones_own_leads() -> None:
    deal = dealt("AhTh9s8s7sQsJcTc", "Kh", "8h", "Qh")
    state = after(deal, "Ah", "Kh", "8h", "Qh")
    assert (state.turn, len(state.legal())) == ("1", 7)


ZWANG = dealt("KdQd7dTs9s8s7sTc", "Ad9dAsKsJsQsAhKh", "Td8dQhJhTh9h8h7h", "JdAcKcQcJc9c8c7c")


def test_fz7_the_second_worked_example() -> None:
    state = after(ZWANG)
    assert {"Qd", "Qd!"} <= set(state.legal())
    assert code(state, "Qs!") == "no-zwang"
    forced = state.apply("Qd!")
    assert forced.legal() == ("Ad",)
    assert code(forced, "9d") == "must-play-ace"
    assert set(state.apply("Qd").legal()) == {"Ad", "9d"}
    assert code(forced, "Qh!") == "phase"
    taken = forced.apply("Ad").apply("8d").apply("Jd")
    assert (taken.turn, taken.now.taken) == ("2", (0, 10, 0, 0))
    view = FIFTEENS.view(taken, "3")
    assert view.seats[0].melds == (("Kd",),)
    told = [first_help(each) for each in (state, forced, taken)]
    assert told[:2] == ["You lead: play any card.", "The queen was led with Zwang: you must play the ace."]
    assert told[2].startswith("You won the lead in %(suit)s")
    assert "with Zwang" in str(FIFTEENS.view(state, "1").help[1])
    # Between two tricks nothing lies on the table; whoever looks on is told what always holds.
    assert (view.trick, len(view.help), len(FIFTEENS.view(forced, "2").trick)) == ((), 2, 1)


def test_fz7_no_zwang_with_ones_own_ace_or_after_it_was_played() -> None:
    own = dealt("AdKdQd7dTs9s8s7s", "As", "Ah", "Ac")
    assert code(after(own), "Qd!") == "no-zwang"
    played = dealt("7dKs", "AdKd", "Td8d", "Jd")
    state = after(played, "7d", "Ad", "8d", "Jd")
    assert not any(token.endswith("!") for token in state.legal())
    three = dealt(
        "KdQd7dTs9s8s7sJs",
        "AdTd",
        "9d8d",
    )
    assert "Qd!" in after(three, players=3).legal()


def test_fz8_the_third_worked_example() -> None:
    taken = {"taken": {"1": 25, "2": 20, "3": 15, "4": 0}}
    assert dict(FIFTEENS.read_result(taken, 4).total) == {"1": 10, "2": 5, "3": 0, "4": -15}


def test_fz9_two_rounds_of_dealers_unless_said_otherwise() -> None:
    even = Points({"1": 0, "2": 0, "3": 0, "4": 0})
    assert FIFTEENS.match([even] * 7, OPTIONS, 4).is_over is False
    result = FIFTEENS.match([even] * 8, OPTIONS, 4)
    assert (result.is_over, result.winners, set(result.ranks.values())) == (True, (), {1})
    three = Points({"1": 0, "2": 3, "3": -3})
    assert FIFTEENS.match([three] * 6, OPTIONS, 3).winners == ("2",)
    assert FIFTEENS.match([three], {"deals": 1}, 3).is_over
    assert [FIFTEENS.deals_of(players, OPTIONS) for players in (3, 4, None)] == [6, 8, 8]


@given(st.integers(0, 10_000))
def test_cards_are_conserved_and_scores_add_up_to_nothing(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.choice((3, 4))
    state = FIFTEENS.start(FIFTEENS.deal(rng, "1", OPTIONS, players), "1", OPTIONS, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    assert sorted(token[:2] for token in state.history) == sorted(pack_of(players))
    score = state.score()
    assert sum(state.now.taken) == 15 * players
    assert sum(score.total.values()) == 0
    assert FIFTEENS.fault_of_total(score.total) == ""
