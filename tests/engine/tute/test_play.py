"""The rules of Tute, each test by the number that it covers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError
from engine.game.values import Points
from engine.game.zones import Zones
from engine.packs import RANKS, SUITS, Dealt, in_order
from engine.tute.cards import CARDS, PACK, POINTS, cards_in
from engine.tute.game import TUTE_FOR_FOUR as TUTE
from engine.tute.play import DECLARATIONS, MOST, SEATS, SIDES, WRITTEN, State

OPTIONS = TUTE.read_options({})


def dealt(trump_card: str, dealer: str = "N", **cards: str) -> str:
    """A deal in which these seats hold these cards; the others come as they will, to their ten each."""
    hands = {seat: [text[at : at + 2] for at in range(0, len(text), 2)] for seat, text in cards.items()}
    hands = {seat: hands.get(seat, []) for seat in WRITTEN}
    if trump_card not in hands[dealer]:
        hands[dealer].append(trump_card)
    rest = [card for card in PACK if not any(card in hand for hand in hands.values())]
    for hand in hands.values():
        missing = 10 - len(hand)
        hand += rest[:missing]
        del rest[:missing]
    return f"{Dealt(tuple(in_order(hand) for hand in hands.values()))} | {trump_card}"


def after(deal: str, *tokens: str, dealer: str = "N", **options: bool) -> State:
    state = TUTE.replay(deal, dealer, {**OPTIONS, **options}, tokens)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def played_out(seed: int) -> State:
    rng = random.Random(seed)
    dealer = rng.choice(SEATS)
    state = TUTE.start(TUTE.deal(rng, dealer, OPTIONS), dealer, OPTIONS)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    return state


def test_tu1_tu2_forty_cards_are_worth_120() -> None:
    assert set(PACK) == {rank + suit for rank in RANKS if rank not in "T98" for suit in SUITS}
    assert sum(POINTS) == 120
    assert cards_in((1 << 10) - 1) == ("As", "3s", "Ks", "Qs", "Js", "7s", "6s", "5s", "4s", "2s")


def test_tu3_play_and_deal_go_to_the_right() -> None:
    assert [TUTE.dealer_of_board(number) for number in range(1, 6)] == ["N", "W", "S", "E", "N"]
    assert [after(dealt("Kh", dealer), dealer=dealer).turn for dealer in SEATS] == ["W", "S", "E", "N"]


@pytest.mark.parametrize("wrong", ["", "As", "Kd", "Kh Kh"])
def test_tu4_tu5_the_shown_card_is_the_dealers(wrong: str) -> None:
    text = dealt("Kh", S="AsAhAdAc", W="Kd")
    with pytest.raises(DealError):
        TUTE.start(text.partition(" | ")[0] + (f" | {wrong}" if wrong else ""), "N", OPTIONS)


# West leads, then South, East, North.
FIRST = dealt("Qh", W="7c", S="Kc2cAh", E="4cAc3h", N="5h2hQh6s5s4s2s7d6d5d")


def test_tu7_who_can_beat_the_trick_must() -> None:
    assert after(FIRST, "7c").legal() == ("Kc",)
    assert code(after(FIRST, "7c"), "2c") == "must-head"
    assert code(after(FIRST, "7c"), "Ah") == "must-follow"


def test_tu7_also_when_the_partner_is_winning_it() -> None:
    deal = dealt("Qh", W="3c", S="2c", E="4cAc3h")
    assert after(deal, "3c", "2c").legal() == ("Ac",)


def test_tu8_who_cannot_follow_must_trump() -> None:
    state = after(FIRST, "7c", "Kc", "Ac")
    assert set(state.legal()) == {"2h", "5h", "Qh"}
    assert code(state, "6s") == "must-trump"


# West leads a club, South trumps with the jack, East follows or not.
TRUMPED = dealt("Kh", W="7c", S="JhAs3sKsQsJs7s6s5s4s", E="Ac2c3h", N="Kh4d")


def test_tu7_once_trumped_any_card_of_the_suit_will_do() -> None:
    state = after(TRUMPED, "7c", "Jh")
    assert {"Ac", "2c"} <= set(state.legal())
    assert all(token[1] == "c" for token in state.legal())
    assert code(state, "3h") == "must-follow"


UNDER = dealt("Kh", W="7c", S="JhAs3sKsQsJs7s6s5s4s", E="5h4hAd3dKdQdJd7d6d5d")


def test_tu8_who_has_only_lower_trumps_must_still_play_one() -> None:
    assert after(UNDER, "7c", "Jh").legal() == ("4h", "5h")
    assert code(after(UNDER, "7c", "Jh"), "Ad") == "must-trump"


def test_tu8_the_option_frees_who_cannot_overtrump() -> None:
    assert len(after(UNDER, "7c", "Jh", under_trump=False).legal()) == 10
    higher = dealt("Kh", W="7c", S="JhAs3sKsQsJs7s6s5s4s", E="5hAhAd3dKdQdJd7d6d5d")
    state = after(higher, "7c", "Jh", under_trump=False)
    assert state.legal() == ("Ah",)
    assert code(state, "5h") == "must-overtrump"
    assert code(state, "Ad") == "must-trump"


def test_tu9_tu10_who_has_neither_plays_anything_and_takes_nothing() -> None:
    deal = dealt("Kh", W="7c", S="As3sKsQsJs7s6s5s4s2s", E="2c", N="4cKh")
    state = after(deal, "7c")
    assert len(state.legal()) == 10
    assert after(deal, "7c", "As", "2c", "4c").turn is not None
    assert after(deal, "7c", "As", state.apply("As").legal()[0]).turn == "N"


# West takes the first two tricks, with all four kings and three queens.
RICH = dealt("7h", W="Ac3cAdKsKhKdKcQsQhQd", N="2c4c7h", S="5c6c", E="7cJc")


def with_next_trick(state: State, lead: str) -> State:
    state = state.apply(lead)
    while state.now.trick:
        state = state.apply(state.legal()[0])
    return state


def test_tu11_one_declaration_after_ones_own_trick() -> None:
    assert code(after(RICH), "40") == "not-now"
    state = with_next_trick(after(RICH), "Ac")
    assert state.turn == "W"
    assert set(state.legal()) & set(DECLARATIONS) == {"40", "20s", "20d", "tute"}
    assert code(state, "20h") == "token"
    assert code(state, "20c") == "not-both"
    declared = state.apply("40")
    assert declared.turn == "W"
    assert declared.now.hands == state.now.hands
    assert code(declared, "20s") == "not-now"
    assert code(state.apply(state.legal()[0]), "20s") == "not-now"


def test_tu13_a_veinte_bars_ones_own_forty_and_each_is_declared_once() -> None:
    state = with_next_trick(with_next_trick(after(RICH), "Ac").apply("20s"), "3c")
    assert set(state.legal()) & set(DECLARATIONS) == {"20d", "tute"}
    assert code(state, "40") == "barred"
    assert code(state, "20s") == "declared"


def test_tu14_tu16_a_tute_wins_at_once() -> None:
    state = with_next_trick(after(RICH), "Ac").apply("tute")
    assert state.is_over
    assert dict(state.score().total) == {"NS": 0, "EW": MOST} == {"NS": 0, "EW": 230}
    assert state.score().detail["winner"] == "EW"
    assert code(state, "Ks") == "over"


def test_tu17_at_equal_points_the_last_trick_decides() -> None:
    level = Points({"NS": 65, "EW": 65}, {"winner": "EW"})
    assert TUTE.match([level], {"deals": 1}).winners == ("EW",)


def test_tu18_tu19_deals_won_then_points() -> None:
    scores = [Points({"NS": 66, "EW": 64}), Points({"NS": 66, "EW": 64}), Points({"NS": 0, "EW": 230})]
    by_hands = TUTE.match(scores, {"deals": 3})
    assert (by_hands.winners, by_hands.detail) == (("NS",), {"hands": {"NS": 2, "EW": 1}})
    assert TUTE.match(scores, {"deals": 3, "by": "points"}).winners == ("EW",)
    assert not TUTE.match(scores, {"deals": 4}).is_over
    level = [Points({"NS": 66, "EW": 64}), Points({"NS": 64, "EW": 66})]
    assert TUTE.match(level, {"deals": 2}).winners == ()


@pytest.mark.parametrize(
    ("ns", "ew", "is_possible"),
    [
        (65, 65, True), (130, 0, True), (0, 230, True), (124, 66, True), (190, 40, True), (84, 66, True),
        (1, 129, False), (66, 65, False), (-10, 140, False), (231, 0, False), (100, 140, False),
    ],
)  # fmt: skip
def test_tu15_tu25_totals_that_a_deal_can_have(ns: int, ew: int, is_possible: bool) -> None:
    assert (TUTE.fault_of_total({"NS": ns, "EW": ew}) == "") == is_possible


@given(st.integers(0, 10_000))
def test_cards_are_conserved_and_points_add_up(seed: int) -> None:
    state = played_out(seed)
    score = state.score()
    cards = [token for token in state.history if token not in DECLARATIONS]
    left = [card for bits in state.now.hands for card in cards_in(bits)]
    assert sorted((*cards, *left)) == sorted(CARDS)
    total, detail = score.total, score.detail
    assert TUTE.fault_of_total(total) == ""
    if detail["tute"] is None:
        declared = sum(int(token[:2]) for token in state.history if token in DECLARATIONS)
        assert sum(total.values()) == 130 + declared
        assert sum(state.now.points) == 120
    assert detail["winner"] in SIDES


def view_of(state: State) -> Zones:
    view = TUTE.view(state, state.turn)
    assert isinstance(view, Zones)
    return view


def test_tu13_the_forty_that_was_given_up_is_shown_with_the_reason() -> None:
    deal = dealt("2h", W="AcAsKhQhKdQd", S="2c2s", E="4c4s", N="5c5s2h")
    state = after(deal, "Ac", "2c", "4c", "5c")
    assert [call.token for call in view_of(state).calls] == ["40", "20d"]
    assert view_of(state).barred == ()
    assert view_of(state.apply("40")).barred == ()
    state = state.apply("20d")
    assert [call.token for call in view_of(state).calls] == []
    assert view_of(state).barred == (), "one at a time: not before the next trick"
    for token in ("As", "2s", "4s", "5s"):
        state = state.apply(token)
    assert [call.token for call in view_of(state).barred] == ["40"]
    others = TUTE.view(state, "N")
    assert isinstance(others, Zones)
    assert others.barred == ()


def test_help_says_what_the_seat_on_turn_may_do() -> None:
    def said(state: State) -> list[str]:
        return [message.template for message in view_of(state).help]

    assert "You lead: play any card." in said(after(FIRST))
    assert any(line.startswith("Follow suit, and beat") for line in said(after(FIRST, "7c")))
    assert any("play a trump." in line for line in said(after(FIRST, "7c", "Kc", "Ac")))
    assert any("Someone has trumped" in line for line in said(after(TRUMPED, "7c", "Jh")))
    assert any("a higher one than in the trick" in line for line in said(after(UNDER, "7c", "Jh")))
    free = after(UNDER, "7c", "Jh", under_trump=False)
    assert any("If you can’t, play any card" in line for line in said(free))
    watching = TUTE.view(free, None)
    assert isinstance(watching, Zones)
    assert watching.help
    assert not any("play any card" in line.template for line in watching.help)
