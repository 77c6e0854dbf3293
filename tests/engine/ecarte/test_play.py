"""The rules of Écarté, each test by the number that it covers."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ecarte.game import ECARTE
from engine.ecarte.match import marks_of
from engine.ecarte.play import CARDS, DISCARD, SEATS, State
from engine.errors import ActionError, DealError, OptionError
from engine.game.values import Points
from engine.packs import Dealt, in_order, read_cards

OPTIONS = ECARTE.read_options({})


def dealt(up: str, one: str = "", two: str = "", stock: str = "") -> str:
    """A deal with this turned card, and these cards among those of seats 1 and 2 and on top of the stock."""
    hands = [list(read_cards(one)), list(read_cards(two))]
    top = read_cards(stock)
    rest = [card for card in CARDS.pack if card not in {up, *hands[0], *hands[1], *top}]
    for hand in hands:
        missing = 5 - len(hand)
        hand += rest[:missing]
        del rest[:missing]
    return str(Dealt((in_order(hands[0]), in_order(hands[1])), (up, *top, *rest)))


def after(deal: str, *tokens: str, dealer: str = "1", **options: object) -> State:
    state = ECARTE.replay(deal, dealer, {**OPTIONS, **options}, tokens)  # type: ignore[dict-item]
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_ec1_the_ace_stands_between_jack_and_ten() -> None:
    assert CARDS.cards[:8] == ("7s", "8s", "9s", "Ts", "As", "Js", "Qs", "Ks")
    state = after(dealt("7d", "AsTh9h8h7h", "TsJsKhQhJh"), "play", "Ts")
    assert state.legal() == ("As",)


def test_ec3_thirty_two_cards_make_a_deal() -> None:
    deal = dealt("Kd")
    assert ECARTE.read_deal(deal) == deal
    for wrong in (deal[:-2], deal.replace("Kd", "Kd2d"), deal + "2d", "As Ks | Qs"):
        with pytest.raises(DealError):
            ECARTE.start(wrong, "1", OPTIONS)


def test_ec4_ec9_ec13_a_turned_king_and_a_vulnerable_loser() -> None:
    """The first worked example: the dealer turns a king, the other plays and takes two tricks."""
    deal = dealt("Kd", one="AsKsQsAhKh", two="7s8s9sQhTh")
    state = after(deal, "play", "7s", "As", "Ks", "8s", "Qs", "9s", "Kh", "Th", "Ah", "Qh")
    assert state.score().detail["tricks"] == "11112"
    assert state.score().detail["marks"] == [["1", "turned", 1], ["1", "point", 1], ["1", "vulnerable", 1]]
    assert dict(state.score().total) == {"1": 3, "2": 0}


def test_ec5_to_ec8_ec9_an_exchange_of_nothing() -> None:
    """The second worked example."""
    state = after(dealt("7d"), "propose")
    assert (state.turn, state.legal()) == ("1", ("accept", "refuse"))
    state = after(dealt("7d"), "propose", "accept", "x", "x")
    assert (state.turn, state.now.vulnerable, state.now.exchanges) == ("2", None, 1)
    assert set(state.legal()) <= set(CARDS.cards) | {"king"}
    assert after(dealt("7d"), "propose", "refuse").now.vulnerable == SEATS.index("1")
    assert after(dealt("7d"), "play").now.vulnerable == SEATS.index("2")
    again = after(dealt("7d"), "propose", "accept", "x", "x" + dealt("7d")[:2])
    assert again.legal() == ("play", "propose")


def test_ec6_ec7_the_non_dealer_is_served_first_and_only_from_the_stock() -> None:
    deal = dealt("7d", one="AsKsQsJsTs", two="9s8s7sAhKh", stock="KdQdJdKcQc")
    state = after(deal, "propose", "accept", "x9s8s7s", "xTsAs")
    assert set(CARDS.cards_in(state.now.hands[1])) == {"Kd", "Qd", "Jd", "Ah", "Kh"}
    assert set(CARDS.cards_in(state.now.hands[0])) == {"Ks", "Qs", "Js", "Kc", "Qc"}
    assert (state.left, state.history[-1]) == (16, "xAsTs")
    assert code(after(deal, "propose", "accept"), "xAs") == "not-held"
    assert code(after(deal, "propose", "accept"), "x9s9s") == "not-held"
    assert code(after(deal, "propose", "accept"), "x9") == "token"
    assert code(after(deal, "propose", "accept"), "9s") == "phase"
    assert code(after(deal, "propose"), "x9s") == "phase"


def test_ec7_play_begins_when_the_stock_is_used_up() -> None:
    state = after(dealt("7d"))
    for _number in range(2):
        state = state.apply("propose").apply("accept")
        for _seat in SEATS:
            state = state.apply(max(state.legal(), key=len))
    assert (state.left, state.turn) == (1, "2")
    state = state.apply("propose").apply("accept")
    assert len(state.legal()) == 6
    held = CARDS.cards_in(state.now.hands[1])
    assert code(state, DISCARD + held[0] + held[1]) == "stock"
    ended = state.apply(DISCARD + held[0])
    assert (ended.left, ended.turn, ended.now.exchanges) == (0, "2", 3)
    assert set(ended.legal()) <= set(CARDS.cards) | {"king"}
    other = state.apply("x").apply(DISCARD + CARDS.cards_in(state.now.hands[0])[0])
    assert (other.left, set(other.legal()) <= set(CARDS.cards) | {"king"}) == (0, True)


KINGLY = dealt("7d", one="KdAsKsQsJs", two="Ts9s8s7sAh")


def test_ec10_the_king_is_shown_before_ones_first_card() -> None:
    state = after(KINGLY, "play")
    assert code(state, "king") == "not-held"
    answering = state.apply("Ts")
    assert "king" in answering.legal()
    shown = answering.apply("king")
    assert shown.turn == "1"
    assert code(shown, "king") == "shown"
    assert code(answering.apply("As"), "king") == "too-late"
    assert after(KINGLY, "play", "Ah").legal() == ("Kd", "king")
    assert code(after(KINGLY), "king") == "phase"


@pytest.mark.parametrize(
    ("led", "legal", "code_of"),
    [("Th", ("Ah",), {"9h": "must-head", "Ks": "must-follow"}), ("Qh", ("9h", "Ah"), {"Ks": "must-follow"})],
)
def test_ec11_the_third_worked_example(led: str, legal: tuple[str, ...], code_of: dict[str, str]) -> None:
    state = after(dealt("7s", one="Ah9hKsTdTc", two="ThQhQdQcJc"), "play", led)
    assert state.legal() == (*legal, "king")
    assert {token: code(state, token) for token in code_of} == code_of
    state = after(dealt("7s", one="AdKsTd9dTc", two="ThQhQdQcJc"), "play", led)
    assert state.legal() == ("Ks", "king")
    assert code(state, "Ad") == "must-trump"


def test_ec13_a_vole_against_a_vulnerable_player_makes_three() -> None:
    """EC11: whoever can neither follow nor trump plays anything."""
    deal = dealt("7d", one="AhKhQhJhTh", two="AsKsQsJsTs")
    cards = ["As", "Th", "Ks", "Ah", "Qs", "Jh", "Js", "Qh", "Ts", "Kh"]
    state = after(deal, "play", *cards)
    assert dict(state.score().total) == {"1": 0, "2": 2}
    state = after(
        deal, "propose", "refuse", *(["As", "Th", "Ks", "Ah", "Qs", "Jh", "Js", "Qh", "Ts", "Kh"]), dealer="1"
    )
    assert [why for _seat, why, _points in state.marks] == ["point", "vole", "vulnerable"]
    assert code(state, "Ts") == "over"


def test_ec14_ec15_marks_count_in_order_until_the_target() -> None:
    """The fourth worked example: at 4 : 4 a turned king wins before a card is played."""
    four = [Points({"1": 4, "2": 0}), Points({"1": 0, "2": 4})]
    last = Points({"1": 3, "2": 1}, {"marks": [["2", "turned", 1], ["1", "point", 1]]})
    result = ECARTE.match([*four, last], OPTIONS)
    assert (dict(result.total), result.winners) == ({"1": 4, "2": 5}, ("2",))
    assert ECARTE.match(four, OPTIONS).next_options == {"before": {"1": 4, "2": 4}}
    state = after(dealt("Kd"), dealer="2", before={"1": 4, "2": 4})
    assert (state.is_over, state.turn, dict(state.score().total)) == (True, None, {"1": 0, "2": 1})


def test_ec15_online_a_deal_ends_when_it_no_longer_matters() -> None:
    deal = dealt("7d", one="AhKhQhJhTh", two="AsKsQsJsTs")
    tokens = ["play", "As", "Th", "Ks", "Ah", "Qs", "Jh"]
    assert not after(deal, *tokens).is_over
    assert not after(deal, *tokens, before={"1": 4, "2": 3}).is_over
    ended = after(deal, *tokens, before={"1": 1, "2": 4})
    assert (ended.is_over, dict(ended.score().total)) == (True, {"1": 0, "2": 1})


def test_ec16_a_number_of_deals_or_a_target() -> None:
    assert ECARTE.read_options({"deals": 6}) == {"target": 0, "deals": 6, "games": 1}
    assert ECARTE.read_options({"target": 7}) == {"target": 7, "deals": 0, "games": 1}
    for wrong in (
        {"target": 5, "deals": 6}, {"target": 0}, {"target": 0, "deals": 0}, {"deals": 6, "games": 3}, {"games": 0},
    ):  # fmt: skip
        with pytest.raises(OptionError):
            ECARTE.read_options(wrong)
    for before in ({"1": 1}, {"1": 5, "2": 0}, {"1": -1, "2": 0}, [1, 2], {"1": True, "2": 0}):
        with pytest.raises(OptionError):
            ECARTE.read_options({"before": before})
    level = [Points({"1": 2, "2": 1}), Points({"1": 0, "2": 1})]
    result = ECARTE.match(level, {"deals": 2})
    assert (result.is_over, result.winners, dict(result.total)) == (True, (), {"1": 2, "2": 2})


def test_ec15_a_match_of_several_games_counts_games_and_each_begins_with_nothing() -> None:
    options = ECARTE.read_options({"games": 2})
    vole: list[Any] = [["1", "king", 1], ["1", "point", 1], ["1", "vole", 1], ["1", "vulnerable", 1]]
    small: list[Any] = [["2", "king", 1], ["1", "point", 1]]
    scores = [ECARTE.score_of({"marks": marks}) for marks in (vole, small)]
    first = ECARTE.match(scores, options)
    assert (dict(first.total), first.is_over) == ({"1": 1, "2": 0}, False)
    assert first.detail == {"game": {"1": 5, "2": 1}}
    assert first.next_options == {"before": {"1": 0, "2": 0}}
    going_on = ECARTE.match([*scores, scores[0]], options)
    assert going_on.next_options == {"before": {"1": 4, "2": 0}}
    won = ECARTE.match([*scores, *scores, scores[0]], options)
    assert (won.counted, dict(won.total), won.winners) == (4, {"1": 2, "2": 0}, ("1",))


def test_ec15_the_view_shows_the_points_of_the_game_and_none_beyond_the_target() -> None:
    state = after(dealt("Kd"), dealer="2", before={"1": 4, "2": 4})
    assert [zone.points for zone in ECARTE.view(state, None).seats] == [4, 5]


def test_ec16_on_common_boards_there_is_a_number_of_deals() -> None:
    for options, deals in ((ECARTE.preset, 12), ({"deals": 8}, 8)):
        chosen = ECARTE.boards.options_for(ECARTE.read_options(options), together=True, is_new=True)
        assert ECARTE.read_options(chosen) == {"target": 0, "deals": deals, "games": 1}


def test_help_says_what_may_be_done_and_a_king_kept_too_long_why_not() -> None:
    deal = dealt("7d", one="AhKhQhJhTh", two="KdKsQsJsTs")

    def first_help(*tokens: str) -> str:
        state = after(deal, *tokens)
        return str(ECARTE.view(state, state.turn).help[0])

    assert "you play at once and lose" in first_help()
    assert "If you refuse and lose" in first_help("propose")
    assert "You hold the king of trumps" in first_help("play")
    late = after(deal, "play", "Ks", "Th")
    assert [call.token for call in ECARTE.view(late, late.turn).barred] == ["king"]
    assert ECARTE.view(late, None).barred == ()


@given(st.integers(0, 10_000))
def test_cards_are_conserved_and_one_player_has_the_point(seed: int) -> None:
    rng = random.Random(seed)
    dealer = rng.choice(SEATS)
    state = ECARTE.start(ECARTE.deal(rng, dealer, OPTIONS), dealer, OPTIONS)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    gone = [card for token in state.history if token[0] == DISCARD for card in read_cards(token[1:])]
    played = [token for token in state.history if token in CARDS.number]
    left = state.setting.stock[state.now.drawn :]
    assert sorted((*gone, *played, *left, state.setting.up)) == sorted(CARDS.cards)
    assert [why for _seat, why, _points in state.marks].count("point") == 1
    assert ECARTE.fault_of_total(state.score().total) == ""
    assert marks_of(state.score()) == [(SEATS[seat], points) for seat, _why, points in state.marks]
