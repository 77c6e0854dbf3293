"""The rules of Primiera, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError
from engine.packs import Dealt, in_order, read_cards
from engine.primiera.game import PRIMIERA
from engine.primiera.hands import FIFTY_FIVE, FLUSH, PACK, count, kind_of, merit, point
from engine.primiera.hands import PRIMIERA as OF_EACH_SUIT
from engine.primiera.play import State

OPTIONS = PRIMIERA.read_options({})


def dealt(*hands: str) -> str:
    """These hands, and the other cards as the stock."""
    held = [read_cards(hand) for hand in hands]
    stock = tuple(card for card in PACK if not any(card in hand for hand in held))
    return str(Dealt(tuple(map(in_order, held)), stock))


def after(deal: str, *tokens: str, **options: Any) -> State:
    players = len(deal.split(" | ", maxsplit=1)[0].split(" "))
    state = PRIMIERA.replay(deal, str(players), {**OPTIONS, **options}, tokens, players)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def hand(text: str) -> tuple[str, ...]:
    return in_order(read_cards(text))


def test_pm4_pm5_the_first_worked_example() -> None:
    found = {text: (kind_of(hand(text)), count(hand(text))) for text in EXAMPLE.split()}
    assert found == {
        "KsQh4d3c": (OF_EACH_SUIT, 47),
        "7s6sAsAh": (FIFTY_FIVE, 71),
        "7h2hQhJh": (FLUSH, 53),
        "6d5d4d3d": (FLUSH, 60),
    }
    assert max(EXAMPLE.split(), key=worth) == "6d5d4d3d"


def worth(text: str) -> tuple[int, ...]:
    return merit(hand(text), sets=False, best_suit=False)


EXAMPLE = "KsQh4d3c 7s6sAsAh 7h2hQhJh 6d5d4d3d"


def test_pm8_the_fourth_worked_example_counts_every_hand() -> None:
    kinds = [kind_of(cards) for cards in combinations(in_order(PACK), 4)]
    assert [kinds.count(kind) for kind in (FLUSH, FIFTY_FIVE, OF_EACH_SUIT)] == [840, 120, 10_000]
    assert sum(kind_of(cards, sets=True) == OF_EACH_SUIT for cards in combinations(PACK, 4)) == 11_080


def test_pm9_the_second_worked_example() -> None:
    assert (point(hand("7h4hAsKd")), point(hand("KdQd4d7s"))) == (35, 34)


POOR = dealt("KsQs4d3d", "7h2hQdJd", "Kc5c2d2s")


def test_pm10_only_a_winning_hand_can_be_claimed_and_nobody_must() -> None:
    assert after(POOR).legal() == ("-",)
    assert code(after(POOR), "!") == "nothing-to-claim"
    kept = after(dealt("KsQh4d3c", "7h2hQdJd", "Kc5c2d2s"), "-", "-", "-")
    assert (kept.now.phase, kept.turn) == ("draw", "1")


def test_pm12_at_least_one_card_is_exchanged_and_not_more_than_the_stock_has() -> None:
    state = after(POOR, "-", "-", "-")
    assert len(state.legal()) == 15
    assert code(state, "-") == "must-discard"
    assert code(state, "xAs") == "not-held"
    assert code(state, "!") == "phase"
    assert state.apply("x3d4d").history[-1] == "x4d3d"
    many = dealt(*("".join(PACK[4 * at : 4 * at + 4]) for at in range(8)))
    short = after(many, *"-" * 8, "x" + many.split(" ")[0], "x" + many.split(" ")[1])
    assert len(short.now.drawn.stock) == 0
    assert short.legal() == ("-",)


def test_pm13_pm16_the_third_worked_example() -> None:
    deal = dealt("KsQs4d3d", "7h6hQdJd", "Kc5c2d2s", "Kh3h2h4c", "JsJhQc3s")
    state = after(deal, *"-----", "x3d", "xJd", "x2s", "x4c", "xQc", *"-----", second_stake=1)
    assert state.is_over
    winner = str((state.best[1] or 0) + 1)
    total = dict(state.score().total)
    assert total.pop(winner) == 8
    assert {*total.values()} == {-2}


def test_pm6_equal_hands_annul_the_deal_and_the_pot_is_carried() -> None:
    deal = dealt("KsQh4d3c", "QsKh3d4c", "7h6hQdJd")
    score = after(deal, "!", "!", "-", pot=2).score()
    assert (dict(score.total), score.detail["pot"]) == ({"1": -1, "2": -1, "3": -1}, 5)
    assert PRIMIERA.match([score], OPTIONS, 3).next_options == {"pot": 3}


def test_pm20_claimed_hands_are_seen_and_discards_are_not() -> None:
    state = after(dealt("KsQh4d3c", "7h2hQdJd", "Kc5c2d2s"), "!")
    assert [bool(zone.cards) for zone in PRIMIERA.view(state, None).seats] == [True, False, False]
    drawn = after(POOR, "-", "-", "-", "x3d")
    assert PRIMIERA.view(drawn, "2").history == ("-", "-", "-", "x1")
    assert PRIMIERA.view(drawn, "1").history[-1] == "x3d"


@given(st.integers(0, 10_000))
def test_cards_are_conserved_and_scores_and_what_stays_are_what_was_there(seed: int) -> None:
    rng = random.Random(seed)
    players, pot = rng.choice(PRIMIERA.players), rng.randint(0, 9)
    options = {**OPTIONS, "pot": pot, "draws": rng.randint(1, 3), "second_stake": rng.randint(0, 3)}
    state = PRIMIERA.start(PRIMIERA.deal(rng, "1", options, players), "1", options, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    out = [card for token in state.history if token[:1] == "x" for card in read_cards(token[1:])]
    held = [card for cards in state.now.drawn.hands for card in cards]
    assert sorted([*out, *held, *state.now.drawn.stock]) == sorted(PACK)
    score = state.score()
    left = score.detail["pot"]
    assert isinstance(left, int)
    assert sum(score.total.values()) + left == pot
    assert PRIMIERA.fault_of_total(score.total) == ""


WON = {"outcome": "claim", "winner": "1", "with": "primiera", "count": 47, "draws": 0}
TOTAL = {"total": {"1": 2, "2": -1, "3": -1}}


def codes(data: Any) -> list[tuple[str, str]]:
    checked = PRIMIERA.check_sheet({"deals": [data]}, "1", OPTIONS, 3)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


def test_pm22_the_winner_tells_the_scores() -> None:
    assert codes(WON) == []
    checked = PRIMIERA.check_sheet({"deals": [WON]}, "1", OPTIONS, 3)
    assert [dict(score.total) for score in checked.scores if score] == [TOTAL["total"]]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WON, "count": 39}, "count"),
        ({**WON, "with": "flush", "count": 71}, "count"),
        ({**WON, "hand": "8s7s6s5s"}, "bad-cards"),
        ({**WON, "hand": "KsQs4d3c"}, "hand-kind"),
        ({**WON, "draws": 2}, "draws"),
        ({**WON, "with": "point", "count": 35}, "outcome-with"),
        ({**WON, "hands": {"1": "KsQh4d3c", "2": "KsQh4d3c"}}, "card-twice"),
        ({**TOTAL, "outcome": "annulled", "winner": "1"}, "winner-stays"),
        ({"total": {"1": 1, "2": -1, "3": -1}}, "totals-impossible"),
        ({"total": {"1": 2, "2": 2, "3": -1}}, "totals-impossible"),
        ({"total": {"1": 2, "2": -2, "3": -1}}, "totals-impossible"),
    ],
)
def test_pm22_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WON, "total": {"1": 3, "2": -1, "3": -1}}, "total-other"),
        ({**WON, "pot": 4}, "pot"),
        ({**WON, "hand": "KsQh4d2c"}, "hand-count"),
        ({**WON, "hands": {"1": "KsQh4d3c", "2": "7dKd6d5d"}}, "winner-hands"),
        ({**TOTAL, "winner": "2"}, "winner-total"),
    ],
)
def test_pm22_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)


def test_pm22_what_is_rare_is_marked_and_accepted() -> None:
    annulled = {"outcome": "annulled", "draws": 0, "hands": {"1": "KsQh4d3c", "2": "QsKh3d4c"}}
    flush = {**WON, "with": "flush", "count": 60}
    deals = [annulled, annulled, flush, flush, flush]
    checked = PRIMIERA.check_sheet({"deals": deals}, "1", {**OPTIONS, "deals": 5}, 3)
    assert checked.is_accepted
    assert {each.code for each in checked.problems} == {
        "annulled-twice",
        "two-dealt",
        "many-dealt",
        "same-deal",
    }


def test_pm8_with_sets_three_of_a_kind_are_a_primiera_on_a_sheet_too() -> None:
    deal = {"outcome": "claim", "winner": "1", "with": "primiera", "draws": 0, "hands": {"1": "7s7h7d2s"}}
    for sets, faults in ((True, []), (False, ["hand-kind"])):
        options = PRIMIERA.read_options({"sets": sets})
        checked = PRIMIERA.check_sheet({"deals": [deal]}, "1", options, 3)
        assert [each.code for each in checked.problems if not each.is_missing] == faults
