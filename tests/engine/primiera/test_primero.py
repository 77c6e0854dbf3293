"""The rules of Primero, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError
from engine.packs import Dealt, in_order, read_cards
from engine.primiera.game import PRIMERO
from engine.primiera.hands import CHORUS, FLUXUS, NUMERUS, PACK, PRIMIERA, SUPREMUS, old_kind_of, old_merit
from engine.primiera.vying import State

OPTIONS = PRIMERO.read_options({})


def dealt(*hands: str) -> str:
    held = [read_cards(hand) for hand in hands]
    stock = tuple(card for card in PACK if not any(card in hand for hand in held))
    return str(Dealt(tuple(map(in_order, held)), stock))


def after(deal: str, *tokens: str, **options: Any) -> State:
    players = len(deal.split(" | ", maxsplit=1)[0].split(" "))
    state = PRIMERO.replay(deal, str(players), {**OPTIONS, **options}, tokens, players)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_pr3_pr4_the_first_worked_example() -> None:
    twos, low, high, supremus = (
        old_merit(in_order(read_cards(text))) for text in ("2s2h2d2c", "7h2hQhJh", "6d5d4d3d", "7s6sAsAh")
    )
    assert twos > high > low > supremus
    assert (twos[1], low[1], high[1]) == (48, 53, 60)


def test_pr3_the_fourth_worked_example_counts_every_hand() -> None:
    kinds = [old_kind_of(cards) for cards in combinations(in_order(PACK), 4)]
    found = [kinds.count(kind) for kind in (CHORUS, FLUXUS, SUPREMUS, PRIMIERA, NUMERUS)]
    assert found == [10, 840, 120, 9990, 80430]


THREE = dealt("KsQh4d3c", "7h2hQdJd", "Kc3h2d2s")


def test_pr9_the_second_worked_example() -> None:
    state = after(THREE, "-", "-", "-", "+2", "=", "f")
    assert state.best == ("showdown", 0)
    assert dict(state.score().total) == {"1": 4, "2": -3, "3": -1}
    shown = PRIMERO.view(state, None)
    assert [bool(zone.cards) for zone in shown.seats] == [True, True, False]


def test_pr7_the_third_worked_example() -> None:
    state = after(dealt("KsQh4d3c", "7h2hQdJd"), "-", "-", "-", "+3", "f")
    assert state.best == ("unseen", 1)
    assert dict(state.score().total) == {"1": -1, "2": 1}
    assert not any(zone.cards for zone in PRIMERO.view(state, None).seats)


def test_pr5_pr6_what_may_be_said_when() -> None:
    drawing = after(THREE)
    assert len(drawing.legal()) == 16
    assert code(drawing, "=") == "phase"
    assert code(drawing, "xAs") == "not-held"
    free = after(THREE, "-", "-", "-")
    assert free.legal() == ("-", "+1", "+2", "+3")
    assert code(free, "f") == code(free, "=") == "nothing-due"
    assert code(free, "+4") == code(free, "+0") == "limit"
    assert code(free, "xKs") == "phase"
    assert code(free, "+ace") == "token"
    due = free.apply("+3")
    assert due.legal() == ("=", "f", "+1", "+2", "+3")
    assert code(due, "-") == "something-due"
    full = due.apply("+1").apply("+1")
    assert full.legal() == ("=", "f")
    assert code(full, "+1") == "no-more-raises"


def test_pr7_all_speak_since_the_last_raise() -> None:
    state = after(THREE, "-", "-", "-", "-", "+1", "=", "=")
    assert state.is_over
    assert after(THREE, "-", "-", "-", "-", "-", "-").is_over
    assert after(THREE, "-", "-", "-", "+1", "+1", "=").turn == "1"


@given(st.integers(0, 10_000))
def test_cards_are_conserved_and_scores_and_what_stays_are_what_was_there(seed: int) -> None:
    rng = random.Random(seed)
    players, pot = rng.choice(PRIMERO.players), rng.randint(0, 9)
    options = {**OPTIONS, "pot": pot, "limit": rng.randint(1, 10), "raises": rng.randint(1, 6)}
    state = PRIMERO.start(PRIMERO.deal(rng, "1", options, players), "1", options, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    out = [card for token in state.history if token[:1] == "x" for card in read_cards(token[1:])]
    held = [card for cards in state.now.drawn.hands for card in cards]
    assert sorted([*out, *held, *state.now.drawn.stock]) == sorted(PACK)
    score = state.score()
    left = score.detail["pot"]
    assert isinstance(left, int)
    assert sum(score.total.values()) + left == pot
    assert PRIMERO.fault_of_total(score.total) == ""


WON = {"outcome": "showdown", "winner": "1", "with": "primiera", "count": 47, "put": {"1": 3, "2": 3, "3": 1}}
TOTAL = {"1": 4, "2": -3, "3": -1}


def codes(data: Any) -> list[tuple[str, str]]:
    checked = PRIMERO.check_sheet({"deals": [data]}, "1", OPTIONS, 3)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


def test_pr13_what_was_put_in_tells_the_scores() -> None:
    checked = PRIMERO.check_sheet({"deals": [WON]}, "1", OPTIONS, 3)
    assert [dict(score.total) for score in checked.scores if score] == [TOTAL]
    assert codes(WON) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WON, "put": {"1": 11, "2": 11, "3": 1}}, "put"),
        ({**WON, "put": {"1": 3, "2": 2, "3": 1}, "folded": {"2": "no"}}, "put-less"),
        ({**WON, "folded": {"1": "yes"}}, "winner-folded"),
        ({**WON, "count": 82}, "count"),
        ({**WON, "hand": "KsQs4d3c"}, "hand-kind"),
        ({**WON, "hands": {"1": "2s2h2d2c", "2": "2s2h2d2c"}}, "card-twice"),
        ({"total": {"1": 2, "2": 2, "3": -1}}, "totals-impossible"),
        ({"total": {"1": 2, "2": -2, "3": -1}}, "totals-impossible"),
    ],
)
def test_pr13_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WON, "pot": 8}, "pot"),
        ({**WON, "total": {**TOTAL, "3": -2}}, "total-other"),
        ({**WON, "hands": {"1": "KsQh4d3c", "2": "7dKd6d5d"}}, "winner-hands"),
    ],
)
def test_pr13_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)


def test_pr13_what_is_rare_is_marked_and_accepted() -> None:
    chorus = {**WON, "with": "chorus", "count": 48, "put": {"1": 4, "2": 1, "3": 1}}
    annulled = {"outcome": "annulled", "put": {"1": 2, "2": 1, "3": 1}}
    checked = PRIMERO.check_sheet(
        {"deals": [chorus, chorus, annulled, annulled]}, "1", {**OPTIONS, "deals": 4}, 3
    )
    assert checked.is_accepted
    assert {each.code for each in checked.problems} == {
        "rare-hands",
        "annulled-twice",
        "always-most",
        "same-deal",
    }
