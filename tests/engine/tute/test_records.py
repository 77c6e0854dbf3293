"""Written deals of Tute: what follows from them, and what is wrong with them (TU24 to TU27)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.tute.game import TUTE_FOR_FOUR as TUTE

PARTS = {"cards": {"NS": 74}, "declared": {"NS": ["40"], "EW": ["20c"]}, "last": "NS"}


def codes(data: Any) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.code) for problem in TUTE.read_result(data).problems]


def test_tu15_the_totals_follow_from_the_parts() -> None:
    """The third worked example of the rules."""
    read = TUTE.read_result(PARTS)
    assert (read.problems, dict(read.total)) == ((), {"NS": 124, "EW": 66})
    assert read.score is not None
    assert read.score.as_json()["winner"] == "NS"
    assert TUTE.read_result({**PARTS, "total": {"NS": 124, "EW": 66}}).problems == ()
    assert TUTE.read_result(read.as_json()) == read


def test_tu17_of_equal_totals_the_last_trick_must_be_known() -> None:
    level = {"total": {"NS": 65, "EW": 65}}
    assert codes(level) == [("impossible", "last-missing")]
    read = TUTE.read_result({**level, "last": "EW"})
    assert read.score is not None
    assert read.score.as_json()["winner"] == "EW"


def test_tu16_a_tute_is_all_that_need_be_written() -> None:
    read = TUTE.read_result({"tute": "EW"})
    assert dict(read.total) == {"NS": 0, "EW": 230}
    assert [problem.code for problem in read.problems if problem.refuses] == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"cards": {"NS": 60, "EW": 61}, "last": "NS"}, "cards-sum"),
        ({"cards": {"NS": 1}, "last": "NS"}, "cards-points"),
        ({"cards": {"NS": 119}, "last": "NS"}, "cards-points"),
        ({"cards": {"NS": 130}, "last": "NS"}, "cards-points"),
        ({**PARTS, "declared": {"NS": ["40"], "EW": ["40"]}}, "declared-twice"),
        ({**PARTS, "declared": {"NS": ["20s", "20s"]}}, "declared-twice"),
        ({**PARTS, "trump": "c"}, "veinte-in-trumps"),
        ({**PARTS, "up": "7c"}, "veinte-in-trumps"),
        ({**PARTS, "declared": {"NS": ["20s", "20h"], "EW": ["20d", "20c"]}}, "veintes"),
        ({**PARTS, "declared": {"NS": ["60"]}}, "bad-declaration"),
        ({"tute": "NS", "declared": {"EW": ["20c"]}}, "declared-and-tute"),
        ({"total": {"NS": 231, "EW": 0}}, "bad-points"),
        ({"total": {"NS": -1, "EW": 131}}, "bad-points"),
        ({"total": {"NS": 64, "EW": 65}}, "totals-impossible"),
        ({"total": {"NS": 64}}, "total-missing"),
        ({"total": {"NS": 65, "EW": 65, "XY": 1}}, "unknown-side"),
        ({"total": 7}, "bad-shape"),
        ({"last": "N", "total": {"NS": 70, "EW": 60}}, "bad-value"),
        ({"tricks": 3, "total": {"NS": 70, "EW": 60}}, "unknown-field"),
        ([], "bad-shape"),
    ],
)
def test_tu25_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)
    assert TUTE.read_result(data).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**PARTS, "total": {"NS": 123, "EW": 67}}, "total-parts"),
        ({"tute": "NS", "total": {"NS": 130, "EW": 0}}, "total-parts"),
        ({"declared": {"NS": ["20c"]}, "total": {"NS": 65, "EW": 65}, "last": "NS"}, "total-declared"),
        ({"total": {"NS": 124, "EW": 6}, "last": "EW"}, "total-last"),
        ({"trump": "s", "up": "7c", "total": {"NS": 70, "EW": 60}}, "trump-up"),
    ],
)
def test_tu26_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)
    assert TUTE.read_result(data).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"total": {"NS": 130, "EW": 0}}, "no-points"),
        ({**PARTS, "declared": {"EW": ["20s", "20d", "20c"]}}, "many-declared"),
        ({"tute": "NS"}, "tute"),
    ],
)
def test_tu27_what_is_rare_is_marked_and_accepted(data: Any, code: str) -> None:
    assert codes(data) == [("suspicious", code)]
    assert TUTE.read_result(data).score is not None


def test_tu27_the_same_deal_twice_is_marked() -> None:
    options = {"deals": 3}
    totals = {"total": {"NS": 70, "EW": 60}}
    checked = TUTE.check_sheet({"deals": [PARTS, totals, PARTS]}, "N", options)
    assert checked.is_accepted
    assert [(problem.code, problem.place) for problem in checked.problems] == [("same-deal", ("deals", 2))]
    assert TUTE.check_sheet({"deals": [totals, totals, PARTS]}, "N", options).problems == ()


def test_tu18_a_level_deal_counts_for_the_side_of_the_last_trick() -> None:
    deals = [{"total": {"NS": 65, "EW": 65}, "last": "EW"}, {"total": {"NS": 65, "EW": 65}, "last": "EW"}]
    assert TUTE.check_sheet({"deals": deals}, "N", {"deals": 2}).result.winners == ("EW",)


@pytest.mark.parametrize("seed", range(40))
def test_tu24_a_deal_that_was_played_out_is_a_sheet_without_faults(seed: int) -> None:
    rng = random.Random(seed)
    options = TUTE.read_options({})
    state = TUTE.start(TUTE.deal(rng, "N", options), "N", options)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    written = TUTE.read_result(json.loads(json.dumps(TUTE.record_of(state))))
    assert not [problem for problem in written.problems if problem.refuses]
    assert written.score is not None
    assert dict(written.score.total) == dict(state.score().total)
    assert written.score.as_json()["winner"] == state.score().as_json()["winner"]
