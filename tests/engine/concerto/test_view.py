"""What a seat may see (R8): the checks that no card leaks are in the conformance suite and the state machine."""

from __future__ import annotations

from dataclasses import fields

from engine.cards import CardSet
from engine.concerto.options import Options
from engine.concerto.play import Action, State, start
from engine.concerto.view import View, view
from engine.deals import Deal
from engine.seats import SEATS, BySide, Seat, Side
from tests.engine.oracle import DEALS, replayed

ORACLE = DEALS[0]


def state_after(hands: int, more: str = "") -> State:
    state = start(Deal.parse(ORACLE["deal"]), Seat.parse(ORACLE["dealer"]), Options())
    for token in (" ".join(ORACLE["hands"][:hands]) + " " + more).split():
        state = state.apply(Action(token))
    return state


def test_a_seat_sees_its_own_cards_and_the_table() -> None:
    state = state_after(2, "Td Qh")
    seen = view(state, Seat.N)
    assert seen.mine == state.cards_held(Seat.N)
    assert seen.turn is Seat.S
    assert seen.legal == ()
    assert [hand.value.points for hand in seen.hands if hand.value] == [6, 8]
    assert seen.made == BySide(6, 8)
    assert seen.current is not None
    assert [move.action.token for move in seen.current.line] == ["Td", "Qh"]
    assert seen.cards_left == (9, 10, 10, 11)
    assert not seen.is_over


def test_only_who_is_on_turn_is_told_what_is_legal() -> None:
    state = state_after(2, "Td")
    assert view(state, Seat.N).legal == tuple(action.token for action in state.legal_actions())
    assert all(view(state, seat).legal == () for seat in (None, Seat.E, Seat.S, Seat.W))


def test_a_spectator_sees_nobodys_cards() -> None:
    state = state_after(3)
    seen = view(state, None)
    assert seen.mine == CardSet()
    text = str(seen.as_json())
    for seat in SEATS:
        assert not any(f"'{card}'" in text for card in state.cards_held(seat))


def test_r8_completed_hands_are_seen_by_all_with_who_played_which() -> None:
    state = state_after(3)
    hands = view(state, None).hands
    assert all(view(state, seat).hands == hands for seat in SEATS)
    first = hands[0].as_json()
    assert first["leader"] == "N"
    assert first["side"] == "NS"
    assert first["line"] == ORACLE["hands"][0]
    assert first["moves"] == [["N", "7h"], ["S", "Ah"], ["N", "6h"], ["S", "5h"], ["N", "Th"]]
    assert first["combination"] == "flush"


def test_r8_at_the_end_only_the_losers_six_cards_are_shown() -> None:
    state = replayed(ORACLE)
    seen = view(state, None)
    assert seen.is_over
    assert seen.score == state.score()
    assert seen.current is None
    assert seen.left_overs is not None
    shown = dict(seen.left_overs.cards)
    losers = state.score().left_over_to.other  # type: ignore[union-attr]
    assert losers is Side.EW
    assert shown == {seat: state.cards_held(seat) for seat in losers.seats}
    assert seen.left_overs.as_json()["points"] * 10 == ORACLE["left_over_bonus"]
    text = str(seen.as_json())
    assert not any(f"'{card}'" in text for seat in losers.other.seats for card in state.cards_held(seat))


def test_the_fields_of_a_view_are_these_and_no_others() -> None:
    """Whoever adds one thinks of what it shows."""
    assert {field.name for field in fields(View)} == {
        "seat", "dealer", "options", "turn", "hands", "current", "mine", "cards_left", "made", "legal", "score",
        "left_overs",
    }  # fmt: skip
