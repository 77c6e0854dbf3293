"""Playing a deal, rule by rule (R3 to R8)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.cards import PACK, CardSet
from engine.concerto.options import Options, leader_of, side_of_hand
from engine.concerto.play import PASS, PLAY, Action, State, start
from engine.deals import Deal
from engine.errors import ActionError
from engine.seats import SEATS, BySide, Seat

#: Each seat has one suit: North spades, East hearts, South diamonds, West clubs.
SUITS = Deal.parse("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")


def begin(dealer: Seat = Seat.W, deal: Deal = SUITS) -> State:
    return start(deal, dealer, Options())


def after(tokens: str, state: State | None = None) -> State:
    state = state or begin()
    for token in tokens.split():
        state = state.apply(Action(token))
    return state


def refusal(state: State, token: str) -> ActionError:
    with pytest.raises(ActionError) as refused:
        state.apply(Action(token))
    assert Action(token) not in state.legal_actions()
    return refused.value


@pytest.mark.parametrize("dealer", SEATS)
def test_r3_the_player_to_dealers_left_leads_first(dealer: Seat) -> None:
    assert begin(dealer).turn is dealer.left


@pytest.mark.parametrize("dealer", SEATS)
def test_r3_leads_go_round_and_sides_alternate(dealer: Seat) -> None:
    leaders = [leader_of(dealer, hand) for hand in range(8)]
    assert leaders == [dealer.after(k) for k in range(1, 9)]
    assert all(leaders.count(seat) == 2 for seat in SEATS)
    assert [side_of_hand(dealer, hand) for hand in range(8)] == [dealer.side.other, dealer.side] * 4


def test_r3_each_hand_begins_with_its_leader() -> None:
    state = begin(Seat.W)
    led = []
    rng = random.Random(3)
    while not state.is_over:
        if not state.line and state.cards_held(leader_of(Seat.W, len(state.hands))):
            led.append((len(state.hands), state.turn))
        state = state.apply(rng.choice(state.legal_actions()))
    assert all(turn is leader_of(Seat.W, hand) for hand, turn in led)
    assert len(state.hands) == 8
    assert state.turn is None


def test_r4_the_leader_may_neither_pass_nor_say_play() -> None:
    state = begin()
    assert "North leads the hand and must play a card" in str(refusal(state, "-").message)
    assert refusal(state, ">").code == "leader-must-play"


def test_r4_after_a_card_the_turn_goes_to_the_partner() -> None:
    assert after("As").turn is Seat.S
    assert after("As Ad").turn is Seat.N
    assert after("As Ad Ks").turn is Seat.S


def test_r5_a_pass_gives_the_turn_to_the_partner() -> None:
    assert after("As -").turn is Seat.N
    assert after("As - -").turn is Seat.S


def test_r5_after_two_passes_the_player_on_turn_must_play() -> None:
    state = after("As - -")
    error = refusal(state, "-")
    assert error.code == "two-passes"
    assert "South must play" in str(error.message)
    assert refusal(state, ">").code == "two-passes"
    assert state.legal_actions() == tuple(Action(str(card)) for card in SUITS[Seat.S])


def test_r5_passes_are_counted_for_each_card_anew() -> None:
    state = after("As - - Ad - - Ks - -")
    assert state.turn is Seat.S
    assert refusal(state, "-").code == "two-passes"


def test_r5_the_example_of_the_notation() -> None:
    north = ["Js", "8h", "8c", "2s", "3s", "4s", "5s", "6s", "7s", "9s", "Ts", "Qs", "Ks"]
    south = ["8s", "8d", "As", "2d", "3d", "4d", "5d", "6d", "7d", "9d", "Td", "Jd", "Qd"]
    rest = [card.text for card in PACK if card.text not in north + south]
    state = begin(
        Seat.W,
        Deal.of(
            {
                Seat.N: CardSet.parse(" ".join(north)),
                Seat.E: CardSet.parse(" ".join(rest[:13])),
                Seat.S: CardSet.parse(" ".join(south)),
                Seat.W: CardSet.parse(" ".join(rest[13:])),
            }
        ),
    )
    hand = after("Js - - 8s 8h 8d 8c", state).hands[0]
    assert [move.seat.letter for move in hand.line] == ["N", "S", "N", "S", "N", "S", "N"]
    assert hand.cards == CardSet.parse("Js 8s 8h 8d 8c")
    assert (hand.value.combination.key, str(hand.value.split), hand.value.points) == ("fours", "2+2", 16)


def test_r6_play_forces_partner_to_complete_the_hand_alone() -> None:
    state = after("As >")
    assert state.turn is Seat.N
    for card in ("Ks", "Qs", "Js"):
        error = refusal(state, "-")
        assert error.code == "must-complete"
        assert "said “Play”" in str(error.message)
        assert refusal(state, ">").code == "must-complete"
        state = after(card, state)
        assert state.turn is Seat.N
    state = after("Ts", state)
    assert len(state.hands) == 1
    assert state.turn is Seat.E


def test_r6_play_may_be_said_after_one_pass_and_later_in_the_hand() -> None:
    assert after("As - >").turn is Seat.S
    assert refusal(after("As - >"), "-").code == "must-complete"
    assert after("As Ad Ks >").turn is Seat.N


def test_r6_play_ends_with_its_hand() -> None:
    state = after("As > Ks Qs Js Ts Ah")
    assert state.turn is Seat.W
    assert PASS in state.legal_actions()
    assert PLAY in state.legal_actions()


def north_nearly_out() -> State:
    """Hand 7, led by South; North holds two cards only."""
    state = after("As > Ks Qs Js Ts" + " Ah > Kh Qh Jh Th" + " Ad > Kd Qd Jd Td" + " Ac > Kc Qc Jc Tc")
    state = after("9s > 8s 7s 6s 5s" + " 9h > 8h 7h 6h 5h", state)
    assert state.turn is Seat.S
    assert len(state.cards_held(Seat.N)) == 3
    return state


def test_r6_play_passes_back_when_partner_has_no_cards_left() -> None:
    # South says "Play" to North, who has three cards: these go, and South completes the hand.
    state = after("9d - >", north_nearly_out())
    assert state.turn is Seat.N
    state = after("4s 3s 2s", state)
    assert not state.cards_held(Seat.N)
    assert state.turn is Seat.S
    assert refusal(state, "-").code in {"partner-out", "must-complete"}
    state = after("8d", state)
    assert len(state.hands) == 7


def test_r7_nobody_passes_to_a_partner_without_cards() -> None:
    state = after("9d 4s - 3s - 2s", north_nearly_out())
    assert state.turn is Seat.S
    assert state.cards_played == 4
    error = refusal(state, "-")
    assert error.code == "partner-out"
    assert "South’s partner has no cards" in str(error.message)
    assert refusal(state, ">").code == "partner-out"


def test_r7_a_player_without_cards_never_has_the_turn() -> None:
    rng = random.Random(11)
    seen = 0
    for seed in range(60):
        state = start(Deal.random(random.Random(seed)), rng.choice(SEATS), Options())
        while not state.is_over:
            assert state.turn is not None
            assert state.cards_held(state.turn)
            seen += any(not state.cards_held(seat) for seat in SEATS)
            state = state.apply(rng.choice(state.legal_actions()))
    assert seen > 50


def test_r7_a_leader_without_cards_is_led_for_by_the_partner() -> None:
    lines = [
        "Ah > Kh Qh Jh Th",
        "Ad - > As Ks Qs Js",
        "Ac > Kc Qc Jc Tc",
        "Ts > 9s 8s 7s 6s",
        "9h > 8h 7h 6h 5h",
        "Kd - > 5s 4s 3s 2s",
        "9c > 8c 7c 6c 5c",
    ]
    state = after(" ".join(lines), begin(Seat.N))
    assert leader_of(Seat.N, 7) is Seat.N
    assert not state.cards_held(Seat.N)
    assert state.turn is Seat.S
    assert refusal(state, "-").code == "leader-must-play"
    state = after("Qd Jd Td 9d 8d", state)
    assert state.is_over
    assert state.score().points == (10, 1, 10, 10, 10, 0, 10, 10)
    # The hand belongs to North's place in the order, and so to North's side.
    assert state.score().made == BySide(21, 40)


def test_a_card_that_is_not_held_is_refused() -> None:
    error = refusal(begin(), "Ah")
    assert error.code == "card-not-held"
    assert str(error.message) == "North doesn’t have the A♥."
    assert error.given == "Ah"
    assert refusal(after("As Ad Ks Kd Qs"), "As").code == "card-not-held"


def test_after_eight_hands_nothing_is_allowed() -> None:
    rng = random.Random(1)
    state = begin()
    while not state.is_over:
        state = state.apply(rng.choice(state.legal_actions()))
    assert state.legal_actions() == ()
    for token in ("-", ">", "As"):
        assert refusal(state, token).code == "deal-over"


def test_no_score_before_the_end() -> None:
    with pytest.raises(ActionError, match="isn’t over yet"):
        begin().score()


@pytest.mark.parametrize("token", ["", "as", "pass", "--", None, 1, ["-"]])
def test_what_is_no_action_is_refused(token: Any) -> None:
    with pytest.raises(ActionError):
        Action(token)
    with pytest.raises(ActionError):
        begin().verify(token)


def test_an_action_does_not_change_and_is_one_object() -> None:
    assert Action("As") is Action("As")
    with pytest.raises(AttributeError):
        PASS.token = ">"


def test_a_state_is_frozen_and_equal_to_its_replay() -> None:
    state = after("As - - Ad")
    with pytest.raises(AttributeError):
        state.passes = 2  # type: ignore[misc]
    assert state == after(" ".join(state.history))
    assert state != after("As - - Kd")
    assert state.history == ("As", "-", "-", "Ad")
