"""Written deals of Tien Len: what follows from them, and what is wrong with them (TL21)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.tien_len.game import TIEN_LEN

TOTAL = {"1": 1, "2": -3, "3": 1, "4": 1}
WHOLE = {"order": ["3", "1", "4", "2"], "left": "4h7sTsTh", "total": TOTAL}


def codes(data: Any) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.code) for problem in TIEN_LEN.read_result(data, 4).problems]


def sheet(*deals: Any, scoring: str = "loser") -> Any:
    return TIEN_LEN.check_sheet({"deals": [*deals]}, "1", {"deals": len(deals), "scoring": scoring}, 4)


def test_tl21_the_points_follow_from_the_order_or_the_loser() -> None:
    assert TIEN_LEN.read_result(WHOLE, 4).problems == ()
    checked = sheet({"loser": "2"}, {"order": ["3", "1", "4", "2"]}, {"total": TOTAL}, WHOLE)
    assert [dict(score.total) for score in checked.scores] == [TOTAL] * 4
    assert checked.is_accepted
    assert checked.result.ranks == {"3": 1, "1": 2, "4": 3, "2": 4}
    places = sheet(*[{"order": ["3", "1", "4", "2"]}] * 4, scoring="places")
    assert dict(places.result.total) == {"1": 8, "2": 0, "3": 12, "4": 4}
    read = TIEN_LEN.read_result(WHOLE, 4)
    assert TIEN_LEN.read_result(read.as_json(), 4) == read
    assert TIEN_LEN.read_result({"total": {"1": 1, "2": -1}}, 2).problems == ()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "order": ["3", "1", "4"]}, "bad-order"),
        ({**WHOLE, "order": ["3", "1", "4", "4"]}, "bad-order"),
        ({**WHOLE, "order": "3142"}, "bad-order"),
        ({**WHOLE, "left": ""}, "left-count"),
        ({**WHOLE, "left": "3s4s5s6s7s8s9sTsJsQsKsAs2s3h"}, "left-count"),
        ({**WHOLE, "left": "3s3s"}, "card-twice"),
        ({**WHOLE, "left": "3x"}, "bad-cards"),
        ({**WHOLE, "left": "Jk"}, "bad-cards"),
        ({**WHOLE, "left": 7}, "bad-cards"),
        ({"total": {**TOTAL, "1": -3}}, "totals-impossible"),
        ({"total": {"1": 3, "2": 2, "3": 1, "4": 1}}, "totals-impossible"),
        ({"total": {**TOTAL, "2": -4}}, "bad-number"),
        ({"total": {"1": 1}}, "total-missing"),
        ({"total": {**TOTAL, "5": 1}}, "unknown-side"),
        ({"loser": "5"}, "bad-value"),
        ({"winner": "1", "total": TOTAL}, "unknown-field"),
        ([], "bad-shape"),
    ],
)
def test_tl21_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)
    assert TIEN_LEN.read_result(data, 4).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "loser": "1"}, "loser-order"),
        ({**WHOLE, "total": {**TOTAL, "2": 1, "1": -3}}, "total-order"),
        ({"loser": "1", "total": TOTAL}, "total-order"),
    ],
)
def test_tl21_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)
    assert TIEN_LEN.read_result(data, 4).score is None


def test_tl17_tl21_points_must_go_with_the_scoring() -> None:
    places = {"total": {"1": 2, "2": 0, "3": 3, "4": 1}}
    assert TIEN_LEN.read_result(places, 4).problems == ()
    assert sheet(places, places, places, places, scoring="places").is_accepted
    assert not sheet(places, places, places, places).is_accepted


def test_tl9_tl21_who_was_first_out_leads_next() -> None:
    good, wrong = {**WHOLE, "leader": "3"}, {**WHOLE, "leader": "1"}
    checked = sheet(WHOLE, good, WHOLE, wrong)
    assert [(each.code, each.place) for each in checked.problems if each.refuses] == [
        ("leader", ("deals", 3, "leader"))
    ]


def test_tl21_what_is_rare_is_marked_and_accepted() -> None:
    thirteen = {**WHOLE, "left": "3s4s5s6s7s8s9sTsJsQsKsAs2s"}
    assert codes(thirteen) == [("suspicious", "never-played")]
    checked = sheet(*[{"total": {"1": 2, "2": 0, "3": 3, "4": 1}}] * 6, scoring="places")
    assert checked.is_accepted
    assert {each.code for each in checked.problems} == {"many-first", "never-last"}
