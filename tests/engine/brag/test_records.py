"""Written deals of Brag: what follows from them, and what is wrong with them (BN16, BX6)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.brag.game import NINE_CARDS as NINE
from engine.brag.game import SIX_CARDS as SIX

LAID = {"1": "AsAhAd/6s5s4s/8d2h7c", "2": "KsKhKd/9s9h3d/4c5d2c", "3": "QsQhQd/8h7d6c/5c3s2s"}
WON = {"outcome": "won", "winner": "1", "total": {"1": 2, "2": -1, "3": -1}}
STAYS = {"outcome": "stays", "total": {"1": -1, "2": -1, "3": -1}}


def codes(data: Any, game: Any = NINE) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.code) for problem in game.read_result(data, 3).problems]


def sheet(*deals: Any, game: Any = NINE) -> Any:
    return game.check_sheet({"deals": [*deals]}, "1", {"deals": max(4, len(deals))}, 3)


def test_bn16_the_winner_tells_the_scores_where_the_pot_is_known() -> None:
    checked = sheet({"outcome": "stays"}, {"winner": "2", "outcome": "won"}, WON, STAYS)
    assert checked.is_accepted
    assert [dict(score.total) for score in checked.scores][:2] == [
        {"1": -1, "2": -1, "3": -1},
        {"1": -1, "2": 5, "3": -1},
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WON, "points": {"1": 2, "2": 1, "3": 1}}, "points-sum"),
        ({**WON, "points": {"1": 1}}, "won-with-one"),
        ({"total": {"1": 2, "2": 2, "3": -1}}, "totals-impossible"),
        ({"total": {"1": 2, "2": -2, "3": -1}}, "totals-impossible"),
        ({"total": {"1": 1, "2": -1, "3": -1}}, "totals-impossible"),
        ({**WON, "fours": {"1": "A", "2": "A"}}, "same-fours"),
        ({**WON, "hands": {**LAID, "2": LAID["1"]}}, "card-twice"),
        ({**WON, "hands": {"1": "AsAhAd/6s5s4s"}}, "bad-hands"),
        ({**WON, "hands": {"1": 7}}, "bad-hands"),
        ({**STAYS, "winner": "1"}, "winner-stays"),
        ({**WON, "outcome": "lost"}, "bad-value"),
        ({"total": {"1": 1}}, "total-missing"),
        ({**WON, "bids": 1}, "unknown-field"),
        ([], "bad-shape"),
    ],
)
def test_bn16_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)
    assert NINE.read_result(data, 3).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WON, "winner": "2", "hands": LAID}, "winner-hands"),
        ({**STAYS, "hands": LAID}, "winner-hands"),
        ({**WON, "points": {"2": 1}, "hands": LAID}, "points-hands"),
        ({**WON, "hands": {"1": "6s5s4s/AsAhAd/8d2h7c"}}, "hands-order"),
        ({**WON, "outcome": "four-of-a-kind", "winner": "1", "fours": {"1": "K", "2": "9"}}, "winner-fours"),
    ],
)
def test_bn16_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)


def test_bn16_the_pot_and_the_scores_follow_the_deals_before() -> None:
    checked = sheet(STAYS, {**WON, "pot": 3}, STAYS, STAYS)
    assert ("pot", ("deals", 1, "pot")) in [(each.code, each.place) for each in checked.problems]
    checked = sheet(STAYS, WON, STAYS, STAYS)
    assert not checked.is_accepted


def test_bn16_hands_out_of_order_come_with_a_proposal() -> None:
    (problem,) = NINE.read_result({**WON, "hands": {"1": "6s5s4s/AsAhAd/8d2h7c"}}, 3).problems
    assert str(problem.proposal) == "Write AsAhAd/6s5s4s/2h8d7c."


def test_bn16_what_is_rare_is_marked_and_accepted() -> None:
    four = {"outcome": "four-of-a-kind", "winner": "1", "fours": {"1": "A"}, "total": WON["total"]}
    assert {each.code for each in sheet(four, four, STAYS, STAYS).problems} == {"fours-twice", "same-deal"}
    checked = sheet(*[{"total": STAYS["total"]}] * 7)
    assert [(each.code, each.place) for each in checked.problems] == [("often-carried", ("deals", 5))]
    assert checked.is_accepted
    better = {**WON, "hands": {"1": "AsKd7h/AhKs6d/AdKh5c"}}
    assert ("suspicious", "better-grouping") in codes(better)


def test_bx6_the_winner_has_won_or_tied_both() -> None:
    hands = {"1": "2s2h2d/KsKhQd", "2": "Ac3c2c/KdKcQc", "3": "AsJh5d/9s4h8d"}
    assert codes({**WON, "hands": hands}, SIX) == []
    assert ("inconsistent", "winner-hands") in codes({**WON, "winner": "2", "hands": hands}, SIX)
