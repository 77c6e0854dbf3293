"""The rules of Kowah, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError
from engine.kowah.game import KOWAH as GAME
from engine.kowah.novice import missing
from engine.kowah.play import KINDS, PACK, State, is_checki
from engine.packs import Dealt, in_order, read_cards

OPTIONS = GAME.read_options({})


def dealt(*hands: str, stock: str = "") -> str:
    held = [read_cards(hand) for hand in hands]
    top = read_cards(stock)
    rest = list(PACK)
    for card in (*top, *(card for hand in held for card in hand)):
        rest.remove(card)
    return str(Dealt(tuple(map(in_order, held)), (*top, *rest)))


def after(deal: str, *tokens: str) -> State:
    """The last seat has dealt: seat 1 begins."""
    players = len(deal.split(" | ", maxsplit=1)[0].split(" "))
    state = GAME.replay(deal, str(players), OPTIONS, tokens, players)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_ko1_thirty_kinds_four_of_each() -> None:
    assert (len(KINDS), len(PACK)) == (30, 120)
    assert {"Kc", "9d", "As"} <= {*KINDS}
    assert not {"9c", "Ts", "Ac"} & {*KINDS}


@pytest.mark.parametrize(
    ("hand", "pairs"),
    [
        ("5s5h5d7h7s7dAdAd", {"Ad"}),
        ("5s5h5d7s7s7d7d7h", {"7s", "7d"}),
        ("5s5h5d7s7s7s7d7h", {"7s"}),
        ("5s5h5d5s5h5dAdAd", {"Ad"}),
        ("5s5h5d7h7s8dAdAd", set()),
    ],
)
def test_ko6_the_first_and_second_worked_examples(hand: str, pairs: set[str]) -> None:
    cards = read_cards(hand)
    assert {kind for kind in KINDS if is_checki(cards, kind)} == pairs
    assert missing(cards) == (0 if pairs else 1)


ONE = "5s5h5d7h7s7dAd2s"
DEAL = dealt(ONE, "3s3h3d4s4h4d6s8s", "KcQcJc9s9h8h6h3h", stock="Ad9dAd")


def test_ko4_ko5_a_turn() -> None:
    state = after(DEAL)
    assert state.legal() == ("stock",)
    assert code(state, "pile") == "no-pile"
    assert code(state, "2s") == "phase"
    assert code(state, "4c") == "not-held"
    second = after(DEAL, "stock", "2s", "pile")
    assert code(second, "2s") == "just-taken"
    assert code(second, "Kc") == "not-held"
    same = after(dealt("2s5h5d7h7s7dAd9s", "2s3h3d4s4h4d6s8s"), "stock", "2s", "pile")
    assert "2s" in same.legal()


def test_ko7_ko8_declaring_closes_the_hand() -> None:
    state = after(DEAL, "stock")
    assert "2s!Ad" in state.legal()
    assert code(state, "5s!Ad") == "not-checki"
    shown = after(DEAL, "stock", "2s!Ad", "pile", "6s", "pile", "Kc")
    assert (shown.turn, shown.legal()) == ("1", ("stock",))
    assert code(shown, "pile") == "closed"
    turned = shown.apply("stock")
    assert (turned.now.pile[-1], turned.turn) == ("9d", "2")
    assert GAME.view(shown, "2").seats[0].melds == (("Ad", "Ad"),)


def test_ko9_the_third_worked_example() -> None:
    claimed = after(DEAL, "stock", "2s!Ad", "stock", "6s", "stock")
    assert dict(claimed.score().total) == {"1": 1, "2": 0, "3": 0}
    assert claimed.score().detail["by"] == "claim"
    deal = dealt(ONE, "Ad3h3d4s4h4d6s8s", stock="Ad9d")
    thrown = after(deal, "stock", "2s!Ad", "stock", "Ad")
    assert thrown.score().detail["winner"] == "1"


def test_ko8_ones_own_third_card_wins() -> None:
    deal = dealt(ONE, "3s3h3d4s4h4d6s8s", stock="AdAd")
    state = after(deal, "stock", "2s!Ad", "pile", "6s", "stock")
    assert (state.score().detail["by"], state.now.winner) == ("draw", 0)


def test_ko10_it_ends_without_a_winner() -> None:
    deal = dealt("5s5h5d7h7s7dAd2s", "3s3h3d4s4h4d6s8s")
    tokens = ["stock", "2s"]
    state = after(deal, *tokens)
    for number in range(4):
        state = state.apply("pile")
        card = next(each for each in state.legal() if len(each) == 2)
        assert not state.is_over, number
        state = state.apply(card)
    assert state.score().detail["ended"] == "stalemate"


def test_ko11_everybody_deals_equally_often() -> None:
    assert GAME.deals_of(4, OPTIONS) == 12


def test_ko12_a_card_drawn_before_anybody_declared_is_secret() -> None:
    state = after(DEAL, "stock")
    assert "Ad" not in str(GAME.view(state, "2").as_json())
    shown = after(DEAL, "stock", "2s!Ad", "stock")
    assert GAME.view(shown, "3").seats[1].melds == (("9d",),)


@pytest.mark.parametrize("wrong", ["", "As As | 2s", dealt(ONE, "3s3h3d4s4h4d6s8s")])
def test_ko14_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        GAME.start(wrong, "1", OPTIONS, 3)


@given(st.integers(0, 10_000))
def test_cards_are_conserved_and_one_wins_at_most(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.choice(GAME.players)
    state = GAME.start(GAME.deal(rng, "1", OPTIONS, players), "1", OPTIONS, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    held = [card for hand in state.now.hands for card in hand]
    cards = [*held, *state.now.pile, *state.setting.stock[state.now.drawn :]]
    # The card that won lies with nobody.
    assert len(PACK) - len(cards) in {0, 1}
    assert GAME.fault_of_total(state.score().total) == ""


WHOLE: dict[str, Any] = {
    "ended": "won",
    "winner": "2",
    "pair": "Ad",
    "by": "claim",
    "from": "1",
    "shown": {"2": "Ad", "3": "7s"},
    "turns": 9,
}


def codes(*deals: Any) -> list[tuple[str, str]]:
    checked = GAME.check_sheet({"deals": [*deals]}, "1", OPTIONS, 3)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


def test_ko16_the_winner_tells_the_scores() -> None:
    checked = GAME.check_sheet({"deals": [WHOLE]}, "1", OPTIONS, 3)
    assert [dict(score.total) for score in checked.scores if score] == [{"1": 0, "2": 1, "3": 0}]
    assert codes(WHOLE) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "pair": "9c"}, "bad-value"),
        ({**WHOLE, "shown": {"3": "7s"}}, "winner-declared"),
        ({**WHOLE, "shown": {"2": "Ad", "3": "Ad"}}, "same-pair"),
        ({**WHOLE, "from": "2"}, "own-claim"),
        ({**WHOLE, "by": "draw"}, "own-draw"),
        ({**WHOLE, "ended": "stock"}, "winner-ended"),
        ({"ended": "stock", "stock": 4}, "stock-left"),
        ({"stock": 4, "total": {"1": 0, "2": 0, "3": 0}}, "stock-left"),
        ({"total": {"1": 1, "2": 1, "3": 0}}, "totals-impossible"),
        ({"total": {"1": 2}}, "bad-number"),
    ],
)
def test_ko17_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


def test_ko18_what_does_not_agree_is_refused_until_it_is_settled() -> None:
    assert ("inconsistent", "winner-pair") in codes({**WHOLE, "pair": "9d"})
    assert ("inconsistent", "total-other") in codes({**WHOLE, "total": {"1": 1, "2": 0, "3": 0}})


def test_ko19_what_is_rare_is_marked_and_accepted() -> None:
    assert codes({**WHOLE, "turns": 1}) == [("suspicious", "early-win")]
    nobody = {"ended": "stalemate", "stock": 10}
    found = codes(nobody, nobody, nobody)
    assert {code for _kind, code in found} == {"undecided", "same-deal"}
