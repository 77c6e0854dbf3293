"""The rules of Conquian, each test by the number that it covers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.conquian.for_learners import help_on_turn
from engine.conquian.game import CONQUIAN
from engine.conquian.melds import CARDS, grouping, is_meld, layings
from engine.conquian.play import LAY, OFFERED, SEATS, TURNED, State, lay_token
from engine.errors import ActionError, DealError, OptionError
from engine.game.values import Points
from engine.game.zones import Zones
from engine.packs import Dealt, in_order, read_cards

OPTIONS = CONQUIAN.read_options({})


def bits(text: str) -> int:
    return CARDS.bits_of(read_cards(text))


def dealt(one: str, two: str, stock: str = "") -> str:
    """A deal with these cards among those of seats 1 and 2, and on top of the stock."""
    hands, top = [list(read_cards(one)), list(read_cards(two))], read_cards(stock)
    rest = [card for card in CARDS.pack if card not in {*hands[0], *hands[1], *top}]
    for hand in hands:
        missing = 10 - len(hand)
        hand += rest[:missing]
        del rest[:missing]
    return str(Dealt((in_order(hands[0]), in_order(hands[1])), (*top, *rest)))


def after(deal: str, *tokens: str, dealer: str = "2") -> State:
    state = CONQUIAN.replay(deal, dealer, OPTIONS, tokens)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


@pytest.mark.parametrize(
    ("cards", "is_one"),
    [
        ("As2s3s", True), ("7sJsQs", True), ("QsKsAs", False), ("6s7s8s", None), ("4s4h4d", True),
        ("4s4h4d4c", True), ("4s4h", False), ("4s5s", False), ("4s5s7s", False), ("4s5s6h", False),
        ("As2s3s4s5s6s7sJsQsKs", True), ("7dJdQdKd", True), ("4s4h4d5d", False),
    ],
)  # fmt: skip
def test_cq1_cq4_melds(cards: str, is_one: bool | None) -> None:
    """The ace is low only, 7 and J are neighbours; there are no eights."""
    if is_one is None:
        with pytest.raises(KeyError):
            bits(cards)
    else:
        assert is_meld(bits(cards)) == is_one


def test_cq6_the_first_worked_example() -> None:
    found = {lay_token(cards) for cards in layings(bits("4s"), bits("4h4d5s6s"))}
    assert found == {"+4h4d", "+6s5s"}


def test_cq6_laying_is_offered_where_cards_fit() -> None:
    """No button, and no help with it, where no card of the hand goes with the open one."""

    def offered(stock: str, *tokens: str) -> bool:
        played = after(dealt("4h4dKhQhJh6c7cAd2dKs", "", stock), *tokens)
        on_turn, other = (CONQUIAN.view(played, seat) for seat in sorted(SEATS, key=played.turn.__ne__))
        assert isinstance(on_turn, Zones)
        assert isinstance(other, Zones)
        assert other.compositions == ()
        is_offered = [each.prefix for each in on_turn.compositions] == [LAY]
        assert is_offered == any("press “Lay”" in str(message) for message in help_on_turn(played))
        return is_offered

    assert offered("4s")
    assert not offered("3s")
    # Who discards lays nothing.
    assert not offered("4s", "+4h4d")
    # The card goes alone on what lies there: no card of the hand goes with it.
    alone = ("4s4c", "+4h4d", "Ks", "pass", "pass")
    assert LAY in after(dealt("4h4dKhQhJh6c7cAd2dKs", "", alone[0]), *alone[1:]).legal()
    assert not offered(*alone)


def test_cq7_the_second_worked_example() -> None:
    """The fours give up 4s to the run."""
    found = {lay_token(cards) for cards in layings(bits("4c4d4h4s5s"), bits("3s2sKh"))}
    assert found == {"+3s", "+3s2s"}


def test_cq6_no_meld_comes_from_the_hand_alone() -> None:
    state = after(dealt("4h4dKhQhJh6c7cAd2dKs", "As", "4s"))
    assert set(state.legal()) == {"+4h4d", "pass"}
    assert code(state, "+KhQhJh4h4d") == "from-hand"
    assert code(state, "+4h") == code(state, "+") == "no-grouping"
    assert code(state, "+5s") == "not-held"
    assert code(state, "+4h4h") == "not-held"
    assert code(state, "+4") == "token"
    assert code(state, "4h") == "phase"
    assert state.apply("+4d4h").history == ("+4h4d",)


def test_cq6_hand_cards_go_to_any_meld_on_the_table() -> None:
    found = {lay_token(cards) for cards in layings(bits("As2s3sKd"), bits("KhKc4s"))}
    assert found == {"+KhKc", "+4sKhKc"}


def test_cq8_cq10_a_discard_follows_a_laying_and_is_offered() -> None:
    state = after(dealt("4h4d7h", "As", "4s"), "+4h4d")
    assert (state.turn, len(state.legal())) == ("1", 8)
    assert code(state, "As") == "not-held"
    assert code(state, "pass") == "phase"
    offered = state.apply("7h")
    assert (offered.turn, offered.now.phase, offered.now.is_discard) == ("2", OFFERED, True)
    assert code(offered, "force") == "no-force"
    passed = offered.apply("pass")
    assert (passed.turn, passed.now.phase, passed.now.turned) == ("2", TURNED, 2)
    assert passed.now.dead == (CARDS.number["7h"],)


def test_cq9_cq10_who_passes_an_offer_turns_the_next_card() -> None:
    state = after(dealt("As", "2s", "KsQh"))
    assert state.turn == "1"
    state = state.apply("pass")
    assert (state.turn, state.now.turned) == ("2", 1)
    state = state.apply("pass")
    assert (state.turn, state.now.turned, CARDS.cards[state.now.open]) == ("2", 2, "Qh")


def test_cq11_cq12_a_card_passed_by_its_turner_can_be_forced_back() -> None:
    """The third worked example: it fits without any card from the hand."""
    deal = dealt("2s3sKhQhJh7dJdQdKc7h", "5h6h5d6d5c6cJcQcKsAh", "As4h4d4s")
    state = after(deal, "+3s2s", "7h", "pass", "pass", "pass")
    # Seat 1 has passed the four of hearts and turns the next.
    assert state.turn == "1"
    state = state.apply("pass").apply("pass")
    assert (state.turn, CARDS.cards[state.now.open]) == ("2", "4s")
    assert code(state, "force") == "phase"
    state = state.apply("pass")
    assert code(state, "force") == "no-force"
    asked = state.apply("pass")
    assert (asked.turn, set(asked.legal())) == ("2", {"pass", "force"})
    forced = asked.apply("force")
    assert (forced.turn, forced.legal(), forced.now.forced) == ("1", ("+",), 1)
    assert code(forced, "pass") == "forced"
    assert [call.token for call in CONQUIAN.view(forced, "1").barred] == ["pass"]
    assert "forces you to take it" in str(CONQUIAN.view(forced, "1").help[0])
    assert "you may force them" in str(CONQUIAN.view(asked, "2").help[0])
    taken = forced.apply("+")
    assert (taken.turn, len(taken.legal())) == ("1", 7)
    declined = asked.apply("pass")
    assert (declined.turn, declined.now.phase) == ("1", TURNED)


def test_cq11_the_turner_who_passes_is_forced_at_once() -> None:
    deal = dealt("2s3sKhQhJh7dJdQdKc7h", "5h6h5d6d5c6cJcQcKsAh", "As4h4s")
    state = after(deal, "+3s2s", "7h", "pass", "pass", "pass", "pass")
    assert (state.turn, CARDS.cards[state.now.open]) == ("2", "4s")
    assert set(state.legal()) >= {"pass", "force"}
    assert state.apply("force").turn == "1"


def test_cq11_a_card_that_needs_the_hand_is_not_forced() -> None:
    deal = dealt("2s3s4sKhQhJh7dJdQdKc", "5h6h5d6d5c6cJcQcKsAh", "As4h6s")
    state = after(deal, "+3s2s", "Kc", "pass", "pass", "pass", "pass")
    assert CARDS.cards[state.now.open] == "6s"
    assert code(state, "force") == "no-force"


def test_cq8_cq14_eleven_cards_down_win() -> None:
    deal = dealt("2s3s4s5s6s7sKhKdKcAd", "5h6h5d6d5c6cJcQc2cAh", "As4hKs")
    state = after(deal, "+7s6s5s4s3s2s", "Ad", "pass", "pass", "pass")
    assert CARDS.cards[state.now.open] == "Ks"
    state = state.apply("+KhKdKc")
    assert (state.is_over, state.turn, state.legal()) == (True, None, ())
    assert dict(state.score().total) == {"1": 1, "2": 0}
    assert state.score().detail["down"] == {"1": ("As7s6s5s4s3s2s", "KsKhKdKc"), "2": ()}


def test_cq13_a_deal_nobody_wins_is_drawn() -> None:
    state = after(dealt("As", "2s"))
    while not state.is_over:
        state = state.apply("pass")
    assert (state.now.turned, len(state.history)) == (20, 40)
    assert dict(state.score().total) == {"1": 0, "2": 0}
    assert state.score().detail["winner"] is None
    assert code(state, "pass") == "over"


def test_cq15_deals_or_target() -> None:
    assert OPTIONS == {"deals": 7, "target": 0}
    assert CONQUIAN.read_options({"target": 3}) == {"deals": 0, "target": 3}
    with pytest.raises(OptionError):
        CONQUIAN.read_options({"target": 3, "deals": 7})
    won, drawn = Points({"1": 1, "2": 0}), Points({"1": 0, "2": 0})
    assert CONQUIAN.match([won, drawn, won], {"target": 2}).winners == ("1",)
    assert CONQUIAN.match([drawn] * 7, OPTIONS).winners == ()


@pytest.mark.parametrize("wrong", ["", "AsKs 2s3s", dealt("As", "2s")[:-2], dealt("As", "2s") + "8s"])
def test_cq3_cq18_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        CONQUIAN.start(wrong, "1", OPTIONS)


@given(st.integers(0, 10_000))
def test_cards_are_conserved_and_melds_hold(seed: int) -> None:
    rng = random.Random(seed)
    dealer = rng.choice(SEATS)
    state = CONQUIAN.start(CONQUIAN.deal(rng, dealer, OPTIONS), dealer, OPTIONS)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
        now = state.now
        table = [now.hands[0], now.hands[1], now.down[0], now.down[1], sum(1 << card for card in now.dead)]
        rest = state.setting.stock[now.turned :]
        count = sum(each.bit_count() for each in table) + len(rest) + (now.open >= 0)
        assert count == 40
        for down in now.down:
            assert not down or sum(len(meld) // 2 for meld in grouping(down)) == down.bit_count()
    score = state.score()
    assert CONQUIAN.fault_of_total(score.total) == ""
    assert sum(score.total.values()) == (state.now.winner >= 0)


def test_help_says_what_may_be_done() -> None:
    deal = dealt("2s3s4s5s6s7sKhKdKcAd", "5h6h5d6d5c6cJcQc2cAh", "As4hKs")
    state = after(deal)
    assert "To take the open card" in str(CONQUIAN.view(state, state.turn).help[0])
    assert "may take the card" in str(CONQUIAN.view(state, state.turn).help[1])
    assert CONQUIAN.view(state, None).help == CONQUIAN.view(state, "1" if state.turn == "2" else "2").help
    laid = state.apply("+7s6s5s4s3s2s")
    assert str(CONQUIAN.view(laid, laid.turn).help[0]) == "Discard a card. The other player may take it."


def test_cq15_common_boards_have_a_number_of_deals() -> None:
    chosen = CONQUIAN.boards.options_for(CONQUIAN.read_options({"target": 3}), together=True, is_new=True)
    assert CONQUIAN.read_options(chosen) == {"deals": 7, "target": 0}
