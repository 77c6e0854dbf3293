"""Written deals of Conquian: what follows from them, and what is wrong with them (CQ20 to CQ23)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.conquian.game import CONQUIAN

WHOLE = {
    "winner": "1",
    "melds": {"1": ["2s2d2c", "7s7h7c", "Ah5h4h3h2h"], "2": ["AsAdAc", "Jd7d6d5d4d"]},
    "left": {"1": 0, "2": 2},
    "turned": 17,
    "total": {"1": 1, "2": 0},
}
TWO = WHOLE["melds"]["2"]  # type: ignore[index]


def codes(data: Any) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.code) for problem in CONQUIAN.read_result(data).problems]


def test_cq20_the_winner_is_enough_and_a_whole_deal_has_no_fault() -> None:
    assert CONQUIAN.read_result(WHOLE).problems == ()
    read = CONQUIAN.read_result({"winner": "2"})
    assert (read.problems, dict(read.total)) == ((), {"1": 0, "2": 1})
    assert dict(CONQUIAN.read_result({"winner": "-"}).total) == {"1": 0, "2": 0}
    whole = CONQUIAN.read_result(WHOLE)
    assert CONQUIAN.read_result(whole.as_json()) == whole


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "melds": {"1": ["2s2d2c", "7s7h7c"]}}, "not-eleven"),
        ({**WHOLE, "melds": {"1": WHOLE["melds"]["1"], "2": [*TWO, "KsKhKdKc"]}}, "too-many"),  # type: ignore[index]
        ({"melds": {"1": ["2s2d2d"]}, "winner": "2"}, "no-meld"),
        ({"melds": {"1": ["QsKsAs"]}, "winner": "2"}, "no-meld"),
        ({"melds": {"1": ["8s8d8c"]}, "winner": "2"}, "no-meld"),
        ({"melds": {"1": [7]}, "winner": "2"}, "no-meld"),
        ({"melds": {"1": ["2s2d2c", "As2s3s"]}, "winner": "2"}, "card-twice"),
        ({"melds": {"1": ["2s2d2c"], "2": ["As2s3s"]}, "winner": "-"}, "card-twice"),
        ({"total": {"1": 1, "2": 1}}, "totals-impossible"),
        ({"total": {"1": 2, "2": 0}}, "bad-number"),
        ({"total": {"1": 1}}, "total-missing"),
        ({"winner": "-", "turned": 19}, "draw-early"),
        ({"winner": "1", "turned": 0}, "first-card"),
        ({"winner": "1", "turned": 1, "left": {"2": 10}}, "first-card"),
        ({"winner": "3"}, "bad-value"),
        ({"loser": "1"}, "unknown-field"),
        ([], "bad-shape"),
    ],
)
def test_cq21_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)
    assert CONQUIAN.read_result(data).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "total": {"1": 0, "2": 1}}, "total-winner"),
        ({**WHOLE, "left": {"1": 0, "2": 3}}, "not-ten"),
        ({**WHOLE, "left": {"1": 1}}, "winner-left"),
    ],
)
def test_cq22_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert {*codes(data)} == {("inconsistent", code)}
    assert CONQUIAN.read_result(data).score is None


def test_cq23_what_is_rare_is_marked_and_accepted() -> None:
    assert codes({**WHOLE, "turned": 3}) == [("suspicious", "early-win")]
    drawn = {"winner": "-"}
    checked = CONQUIAN.check_sheet({"deals": [drawn, drawn]}, "1", {"deals": 2})
    assert checked.is_accepted
    assert {problem.code for problem in checked.problems} == {"all-drawn", "same-deal"}
    checked = CONQUIAN.check_sheet({"deals": [WHOLE, {"winner": "2"}, WHOLE]}, "1", {"deals": 3})
    assert [(problem.code, problem.place) for problem in checked.problems] == [("same-deal", ("deals", 2))]


def test_cq22_the_melds_are_held_against_the_board() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        deal = CONQUIAN.deal(rng, "1", {})
        state = CONQUIAN.start(deal, "1", {})
        while not state.is_over:
            state = state.apply(rng.choice(state.legal()))
        record = CONQUIAN.record_of(state)
        assert CONQUIAN.fits_deal(record, deal, "1")
        assert CONQUIAN.fits_deal({"winner": "1"}, deal, "1")
    # Of the stock only what was turned, and of the other's hand only what is left of it.
    deal = "KsJs7sQh5h6dAcJc6c2c 4s2sKhJh7h6hAdQdJd5d | 3s2dQc6s2h5cKd7d3c4hKc4cQs3d7cAsAh3h5s4d"
    assert CONQUIAN.fits_deal({"melds": {"1": ["As2s3s"]}, "turned": 16}, deal, "1")
    assert not CONQUIAN.fits_deal({"melds": {"1": ["As2s3s"]}, "turned": 15}, deal, "1")
    theirs = {"1": ["Jh7h6h", "QdJd5d"]}
    assert CONQUIAN.fits_deal({"melds": theirs, "left": {"2": 4}}, deal, "1")
    assert not CONQUIAN.fits_deal({"melds": theirs, "left": {"2": 5}}, deal, "1")
