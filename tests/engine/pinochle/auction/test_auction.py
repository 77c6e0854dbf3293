"""The rules of Auction Pinochle, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError
from engine.game.values import Points
from engine.packs import Dealt, cards_text, in_order, read_cards
from engine.pinochle.auction.game import AUCTION_PINOCHLE as GAME
from engine.pinochle.auction.melds import auction_melds, auction_points, melded_cards
from engine.pinochle.auction.play import State, active_seats, points_of, units_of
from engine.pinochle.auction.sampling import SAMPLING
from engine.pinochle.play import PACK

OPTIONS = GAME.read_options({})


def dealt(*hands: str, widow: str = "", players: int = 3, dealer: int = 2) -> str:
    """The active seats, from the dealer's left, hold these cards; the others come as they will."""
    held = [list(read_cards(hand)) for hand in hands] + [[] for _more in range(3 - len(hands))]
    lies = list(read_cards(widow))
    rest = list(PACK)
    for card in (*lies, *(card for hand in held for card in hand)):
        rest.remove(card)
    while len(lies) < 3:
        lies.append(rest.pop())
    for hand in held:
        while len(hand) < 15:
            hand.append(rest.pop())
    by_place = dict(zip(active_seats(players, dealer), held, strict=True))
    return str(Dealt(tuple(in_order(by_place.get(at, [])) for at in range(players)), tuple(lies)))


def after(deal: str, *tokens: str, players: int = 3, **options: Any) -> State:
    """The last seat has dealt."""
    state = GAME.replay(deal, str(players), {**OPTIONS, **options}, tokens, players)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_ap2_who_is_active() -> None:
    assert active_seats(3, 0) == (1, 2, 0)
    assert active_seats(4, 0) == (1, 2, 3)
    assert active_seats(5, 0) == (1, 3, 4)


PLAIN = dealt("AsTsKsQsJs")


def test_ap5_ap6_the_auction() -> None:
    state = after(PLAIN)
    assert (state.turn, len(state.legal())) == ("1", 41)
    assert code(state, "-") == "must-open"
    assert "-" in after(PLAIN, forced=False).legal()
    bid = after(PLAIN, "340")
    assert code(bid, "340") == "bid-too-low"
    assert code(bid, "345") == "bid-step"
    assert code(bid, "710") == "bid-ceiling"
    assert code(bid, "w") == code(bid, "As") == "phase"
    assert code(bid, "bid") == "token"
    assert after(PLAIN, "340", "-", "-").now.phase == "naming"
    assert after(PLAIN, "-", "-", "-", forced=False).score().detail["outcome"] == "passed-out"
    assert after(PLAIN, "-", "-", "350", forced=False).now.bidder == 2


def test_ap7_ap8_throwing_in_and_conceding() -> None:
    state = after(PLAIN, "300", "-", "-")
    assert state.legal() == ("w", "x")
    assert dict(state.apply("x").score().total) == {"1": -3, "2": 0, "3": 0, "kitty": 3}
    conceded = after(PLAIN, "300", "-", "-", "w", "x").score()
    assert dict(conceded.total) == {"1": -6, "2": 3, "3": 3, "kitty": 0}
    assert after(PLAIN, "300", "-", "-", kitty=False).now.phase == "naming"


def test_ap9_ap21_nobody_is_told_what_was_buried() -> None:
    state = after(PLAIN, "310", "-", "-", "s")
    card = state.legal()[0]
    assert GAME.token_seen_by(state, card, "2") == "bury"
    assert GAME.token_seen_by(state, card, "1") == card
    assert GAME.view(state.apply(card), "2").history[-1] == "bury"


def test_ap10_the_third_worked_example() -> None:
    hand = read_cards("AsTsKsKsQsQsJs9s9sJdJdAhAdAc")
    assert auction_points(hand, "s") == 390
    assert auction_melds(hand, "s")["pinochle"] == 2
    twice = read_cards("AsAsAhAhAdAdAcAc")
    assert auction_points(twice, "s") == 200
    assert set(melded_cards(auction_melds(hand, "s"), "s")) == set(hand)
    assert cards_text(melded_cards({"marriage-h": 1, "four-kings": 1}, "s")) == "KsKhQhKdKc"


def test_ap11_melds_alone_can_make_the_contract() -> None:
    deal = dealt("AsTsKsKsQsQsJs9s9sJdJdAhAdAcTh")
    bury = ["Th", *after(deal, "350", "-", "-", "s").setting.widow[:2]]
    state = after(deal, "350", "-", "-", "s", *bury)
    assert (state.is_over, state.score().detail["cards"]) == (True, None)
    assert dict(state.score().total) == {"1": 30, "2": -10, "3": -10, "kitty": -10}


def test_ap13_following_trumping_and_beating() -> None:
    deal = dealt("AsTsKsQsJs9s", "ThKhQhJhTdKdQdJdTcKcQcJc9s9h9d", widow="AhAdAc")
    state = after(deal, "310", "-", "-", "s", "Ah", "Ad", "Ac", "Js")
    assert state.legal() == ("9s",)
    assert code(state, "Th") == "follow-suit"
    lead = after(deal, "310", "-", "-", "h", "Ah", "Ad", "Ac", "As")
    assert set(lead.legal()) == {"9s"}


def test_ap16_ap17_the_first_and_second_worked_examples() -> None:
    seats = ["1", "2", "3", "4"]
    made = points_of(seats, "made", "1", 360, "h", has_kitty=True)
    assert made == {"1": 20, "2": -5, "3": -5, "4": -5, "kitty": -5}
    lost = points_of(seats, "double-bete", "1", 360, "h", has_kitty=True)
    assert lost == {"1": -40, "2": 10, "3": 10, "4": 10, "kitty": 10}
    spades = points_of(seats[:3], "made", "1", 300, "s", has_kitty=True)
    assert spades == {"1": 12, "2": -6, "3": -6, "kitty": 0}
    assert [units_of(bid) for bid in (340, 350, 440, 490, 500, 590, 600, 700)] == [
        3,
        5,
        10,
        15,
        20,
        25,
        30,
        30,
    ]


def test_ap19_the_kitty_is_divided_at_the_end() -> None:
    scores = [Points({"1": 20, "2": -5, "3": -5, "4": -5, "kitty": -5})] * 4
    result = GAME.match(scores, {**OPTIONS, "deals": 4}, 4)
    assert (result.detail, dict(result.total)) == (
        {"kitty": -20, "share": -5},
        {"1": 75, "2": -25, "3": -25, "4": -25},
    )
    assert GAME.match(scores[:3], {**OPTIONS, "deals": 4}, 4).detail["share"] == 0
    assert GAME.deals_of(5, OPTIONS) == 20


@pytest.mark.parametrize("wrong", ["", PLAIN[:-2], PLAIN.replace(" | ", " - | "), "- - - | AsAsKs"])
def test_ap4_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        GAME.start(wrong, "1", OPTIONS, 3)


def test_ap4_only_who_is_active_holds_cards() -> None:
    with pytest.raises(DealError):
        GAME.start(dealt(players=4, dealer=3), "1", OPTIONS, 4)


@given(st.integers(0, 10_000))
def test_ap15_ap18_cards_are_conserved_and_all_adds_up_to_nothing(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.choice(GAME.players)
    options = {**OPTIONS, "forced": False, "kitty": rng.random() < 0.8}
    state = GAME.start(GAME.deal(rng, "1", options, players), "1", options, players)
    while not state.is_over:
        legal = state.legal()
        # Low bids, so that there is something to play.
        state = state.apply(legal[int(rng.random() * min(3, len(legal)))])
    score = state.score()
    assert sum(score.total.values()) == 0
    assert GAME.fault_of_total(score.total) == ""
    held = [card for hand in state.now.hands for card in hand]
    played = [card for _place, card in state.plays]
    is_turned = state.now.outcome not in {"passed-out", "thrown-in"}
    widow = () if is_turned else state.setting.widow
    assert sorted([*held, *played, *state.now.buried, *widow]) == sorted(PACK)


WHOLE: dict[str, Any] = {
    "dealer": "4",
    "bidder": "1",
    "contract": 360,
    "trump": "h",
    "outcome": "made",
    "meld": 180,
    "cards": 190,
    "kitty": -5,
}
TOTAL = {"1": 20, "2": -5, "3": -5, "4": -5}


def codes(*deals: Any, **options: Any) -> list[tuple[str, str]]:
    checked = GAME.check_sheet({"deals": [*deals]}, deals[0].get("dealer", "1"), {**OPTIONS, **options}, 4)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


def test_ap23_the_contract_tells_the_scores() -> None:
    checked = GAME.check_sheet({"deals": [WHOLE]}, "4", OPTIONS, 4)
    assert [dict(score.total) for score in checked.scores if score] == [TOTAL]
    assert codes(WHOLE) == []
    # The deal passes on.
    assert ("inconsistent", "dealer") in codes(WHOLE, WHOLE)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "contract": 365}, "contract-step"),
        ({**WHOLE, "contract": 290}, "bad-number"),
        ({**WHOLE, "bidder": "4"}, "inactive"),
        ({"outcome": "passed-out"}, "passed-out"),
        ({**WHOLE, "cards": 251}, "bad-number"),
        ({**WHOLE, "meld": 185}, "meld-step"),
        ({**WHOLE, "outcome": "thrown-in"}, "thrown-in"),
        ({"total": {"1": 21, "2": -7, "3": -7, "4": -7}}, "totals-impossible"),
        ({"total": {"1": 14, "2": -5, "3": -5, "4": -5}}, "totals-impossible"),
    ],
)
def test_ap23_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "cards": 170}, "outcome"),
        ({**WHOLE, "outcome": "double-bete", "kitty": 10}, "outcome"),
        ({"kitty": 5, "total": TOTAL}, "kitty-sum"),
        ({**WHOLE, "total": {"1": 40, "2": -10, "3": -10, "4": -10}}, "total-other"),
        ({"bidder": "1", "total": {"1": 15, "2": -5, "3": -5, "4": -10}}, "others"),
    ],
)
def test_ap23_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)


def test_ap23_what_is_rare_is_marked_and_accepted() -> None:
    high = {**WHOLE, "contract": 500, "meld": 320, "kitty": -20}
    assert {code for _kind, code in codes(high)} == {"high-contract", "high-meld"}
    thrown = {"bidder": "1", "outcome": "thrown-in"}
    assert ("suspicious", "many-thrown") in codes(thrown, thrown, thrown)
    bete = {**WHOLE, "outcome": "bete", "contract": 360, "meld": 360, "cards": None, "kitty": 5}
    assert ("suspicious", "bete-meld") in codes(bete)


def test_ap5_a_table_offers_every_bid_that_is_possible() -> None:
    first = GAME.view(after(PLAIN), "1")
    offered = [call.token for call in first.calls]
    assert offered == [str(bid) for bid in range(300, 701, 10)]
    assert [call.token for call in first.barred] == ["-"]
    later = GAME.view(after(PLAIN, "380"), "2")
    assert [call.token for call in later.calls][:5] == ["-", "390", "400", "410", "420"]
    assert not later.barred
    assert not GAME.view(after(PLAIN, "700"), "2").calls[1:]


def test_ap8_ap21_the_searcher_deals_the_widow_to_the_bidder() -> None:
    rng = random.Random(1)
    deal = dealt("AsTsKsQsJs", "AhAhThTh", widow="9c9c9d")
    state = after(deal, "350", "-", "-", "s", "9c", "9d", "9c")
    shown = GAME.view(state, "1").seats[0].melds[0]
    for seat in ("1", "2", "3", None):
        for _try in range(10):
            found = SAMPLING.sample(GAME.view(state, seat), rng)
            assert found.setting.widow == state.setting.widow
            assert found.melds == state.melds
            held = (*found.now.hands[0], *found.now.buried)
            assert all(held.count(card) >= 1 for card in (*shown, "9d", "9c"))


def test_a_bid_of_700_leaves_the_searcher_nothing_but_to_pass() -> None:
    state = after(PLAIN, "700")
    assert GAME.robots[1].token(GAME.view(state, "2")) == "-"
