"""The rules of Stealing Bundles, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError
from engine.game.values import Points
from engine.packs import Dealt, in_order, read_cards
from engine.stealing_bundles.game import STEALING_BUNDLES as GAME
from engine.stealing_bundles.play import PACK, State, begun

OPTIONS = GAME.read_options({})


def dealt(one: str, two: str, board: str, stock: str = "") -> str:
    first = [*read_cards(one), *read_cards(two), *read_cards(board), *read_cards(stock)]
    rest = [card for card in PACK if card not in first]
    return str(Dealt((in_order(first[:4]), in_order(first[4:8])), (*first[8:], *rest)))


def after(deal: str, *tokens: str) -> State:
    """Seat 2 has dealt: seat 1 begins."""
    state = GAME.replay(deal, "2", OPTIONS, tokens)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


FIRST = dealt("7hAs2c3c", "7cTs9s8s", "7s7dKc2h")


def test_sb4_sb5_the_first_and_second_worked_examples() -> None:
    state = after(FIRST, "7h")
    assert state.now.bundles == (("7s", "7d", "7h"), ())
    state = after(FIRST, "7h", "7c")
    assert state.now.bundles == ((), ("7s", "7d", "7h", "7c"))
    assert state.now.steals == 1


def test_sb4_the_third_worked_example_takes_both() -> None:
    deal = dealt("KsAs2c3c", "KdTs9s8s", "KcKh5d4h")
    state = after(deal, "Ks")
    assert state.now.bundles[0] == ("Kc", "Kh", "Ks")
    deal = dealt("KsAs2c3c", "KdTs9s8s", "Kc6h5d4h", "Kh")
    state = after(deal, "Ks", "Kd")
    assert state.now.bundles[1] == ("Kc", "Ks", "Kd")


def test_sb6_who_can_capture_must_and_only_who_cannot_trails() -> None:
    state = after(FIRST)
    assert set(state.legal()) == {"7h", "2c"}
    assert code(state, "As") == "must-capture"
    assert code(state, "Ts") == "not-held"
    assert code(state, "pass") == "token"
    trailed = after(FIRST, "7h", "7c", "2c", "Ts")
    assert trailed.now.board[-1] == "Ts"


def test_sb2_four_more_are_dealt_one_at_a_time_the_non_dealer_first() -> None:
    deal = dealt("AsKsQsJs", "2h3h4h5h", "6d7d8d9d", "ThTd9s8s7s6s5s4s")
    state = after(deal, "As", "2h", "Ks", "3h", "Qs", "4h", "Js", "5h")
    assert state.now.hands == (in_order(read_cards("Th9s7s5s")), in_order(read_cards("Td8s6s4s")))
    assert (state.turn, len(state.now.stock)) == ("1", 32)


def test_sb9_more_deals_then_more_cards() -> None:
    deals = [Points({"1": 27, "2": 25}), Points({"1": 2, "2": 50})]
    result = GAME.match(deals, {"deals": 2})
    assert (result.detail["won"], result.winners) == ({"1": 1, "2": 1}, ("2",))
    level = GAME.match([Points({"1": 26, "2": 26})], {"deals": 1})
    assert (level.is_over, level.winners, level.ranks) == (True, (), {"1": 1, "2": 1})


def test_sb10_only_the_top_of_a_bundle_and_its_size_are_seen() -> None:
    zones = GAME.view(after(FIRST, "7h", "7c"), "1").seats
    assert (zones[1].melds, zones[1].points, zones[1].cards) == ((("7c",),), 4, ())


@pytest.mark.parametrize("wrong", ["", FIRST[:-2], "AsKs QsJs | 2c"])
def test_sb12_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        GAME.start(wrong, "1", OPTIONS)


@given(st.integers(0, 10_000))
def test_sb7_sb8_all_cards_are_somebodys_at_the_end(seed: int) -> None:
    rng = random.Random(seed)
    state = GAME.start(GAME.deal(rng, "1", OPTIONS), "1", OPTIONS)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    assert sorted((*state.now.bundles[0], *state.now.bundles[1])) == sorted(PACK)
    assert GAME.fault_of_total(state.score().total) == ""


def codes(*deals: Any) -> list[tuple[str, str]]:
    checked = GAME.check_sheet({"deals": [*deals]}, "1", OPTIONS)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"total": {"1": 30, "2": 21}}, "totals-impossible"),
        ({"total": {"1": 51}}, "totals-impossible"),
        ({"total": {"1": 53}}, "bad-number"),
        ({"total": {"1": 52, "2": 0}, "last": "2"}, "last-empty"),
        ({"total": {"1": 30, "2": 22}, "left_over": 14}, "bad-number"),
        ({"total": {"1": 30}, "trailed": 2}, "unknown-field"),
    ],
)
def test_sb14_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


def test_sb15_sb16_the_winner_against_the_cards_and_what_is_rare() -> None:
    assert codes({"total": {"1": 30}}) == []
    assert ("inconsistent", "winner-total") in codes({"winner": "2", "total": {"1": 30, "2": 22}})
    assert codes({"winner": "level", "total": {"1": 26, "2": 26}}) == []
    assert codes({"total": {"1": 52, "2": 0}}) == [("suspicious", "takes-all")]


def a_play(seed: int, dealer: str) -> State:
    """A deal that chance has played."""
    rng = random.Random(seed)
    state = GAME.start(GAME.deal(rng, dealer, OPTIONS), dealer, OPTIONS)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    return state


@given(st.integers(0, 10_000), st.sampled_from("12"))
def test_sb13_the_play_tells_all_the_rest(seed: int, dealer: str) -> None:
    state = a_play(seed, dealer)
    told = dict(GAME.record_of(state))
    deal = {**told, "play": "".join(state.history), "board": "".join(in_order(state.setting.board))}
    for written in (deal, {"play": deal["play"]}):
        checked = GAME.check_sheet({"deals": [written]}, dealer, OPTIONS)
        assert not [each for each in checked.problems if each.refuses and not each.is_missing]
        assert checked.scores[0] is not None
        assert dict(checked.scores[0].total) == told["total"]


def test_sb15_the_play_is_held_against_the_board() -> None:
    deal, other = (GAME.deal(random.Random(seed), "1", OPTIONS) for seed in (1, 2))
    state = a_play(1, "1")
    for record in ({}, {"play": "".join(state.history)}, {"board": "".join(in_order(state.setting.board))}):
        assert GAME.fits_deal(record, deal, "1")
        assert GAME.fits_deal(record, other, "1") is not bool(record)


@given(st.integers(0, 10_000))
def test_sb14_sb15_what_the_play_gainsays(seed: int) -> None:
    state = a_play(seed, "1")
    told = dict(GAME.record_of(state))
    play = "".join(state.history)
    one, two = (state.score().total[seat] for seat in "12")
    assert ("inconsistent", "total-other") in codes({"play": play, "total": {"1": one - 2, "2": two + 2}})
    for name, wrong in (
        ("steals", int(str(told["steals"])) + 1),
        ("last", "2" if told["last"] == "1" else "1"),
    ):
        assert ("inconsistent", "play-other") in codes({"play": play, name: wrong})
    board = "".join((*state.setting.board[:3], state.history[0]))
    assert ("inconsistent", "play-board") in codes({"play": play, "board": board})


def test_sb6_sb14_a_card_that_was_trailed_though_another_captured() -> None:
    state, before, swaps = a_play(1, "1"), None, 0
    for number, token in enumerate(state.history):
        before = begun(state.setting) if before is None else before.after(state.history[number - 1])
        wrong = [card for card in before.now.hands[before.now.turn] if card not in before.legal()]
        if wrong:
            swapped = [*state.history]
            other = swapped.index(wrong[0])
            swapped[number], swapped[other] = wrong[0], token
            assert ("impossible", "must-capture") in codes({"play": "".join(swapped)})
            swaps += 1
    assert swaps
