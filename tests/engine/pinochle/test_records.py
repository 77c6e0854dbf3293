"""Written deals of Partnership Pinochle: what follows from them, and what is wrong with them (PP25)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.pinochle.game import PINOCHLE

PARTS = {
    "trump": "s",
    "up": "Qs",
    "melds": {"N": ["sequence", "pinochle"], "E": ["marriage-h", "dix"], "S": ["dix"], "W": 40},
    "cards": {"NS": 140},
    "last": "NS",
}
TOTAL = {"NS": 140 + 190 + 10, "EW": 110 + 30 + 40}


def codes(data: Any) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.code) for problem in PINOCHLE.read_result(data).problems]


def test_pp19_the_totals_follow_from_cards_and_melds() -> None:
    read = PINOCHLE.read_result(PARTS)
    assert (read.problems, dict(read.total)) == ((), TOTAL)
    assert PINOCHLE.read_result(read.as_json()) == read
    assert codes({**PARTS, "total": TOTAL}) == []
    assert codes({"total": TOTAL}) == []


def test_pp12_a_side_without_a_trick_scores_nothing() -> None:
    read = PINOCHLE.read_result({"melds": PARTS["melds"], "no_trick": "EW"})
    assert dict(read.total) == {"NS": 250 + 200, "EW": 0}
    assert [problem.code for problem in read.problems] == ["no-trick"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**PARTS, "cards": {"NS": 141}}, "bad-cards"),
        ({**PARTS, "cards": {"NS": 255}}, "bad-cards"),
        ({**PARTS, "melds": {"N": 25}}, "bad-melds"),
        ({**PARTS, "melds": {"N": ["royal flush"]}}, "bad-meld"),
        ({**PARTS, "melds": {"N": [7]}}, "bad-meld"),
        ({**PARTS, "melds": {"N": ["marriage-s"]}}, "marriage-in-trumps"),
        ({**PARTS, "melds": {"N": ["double-sequence"], "S": ["sequence"]}}, "too-many-melds"),
        ({**PARTS, "melds": {"N": ["double-sequence"], "S": ["royal-marriage"]}}, "too-many-melds"),
        ({**PARTS, "melds": {"N": ["double-pinochle"], "E": ["pinochle"]}}, "too-many-melds"),
        ({**PARTS, "melds": {"N": ["eight-aces"], "W": ["four-aces"]}}, "too-many-melds"),
        ({**PARTS, "melds": {"N": ["marriage-h"] * 2, "W": ["marriage-h"]}}, "too-many-melds"),
        ({**PARTS, "trump": "h"}, "trump-up"),
        ({"total": {"NS": 141, "EW": 110}}, "bad-points"),
        ({"total": {"NS": -5, "EW": 255}}, "bad-points"),
        ({"total": {"NS": 140}}, "total-missing"),
        ({"total": TOTAL, "points": 3}, "unknown-field"),
        ([], "bad-shape"),
    ],
)
def test_pp25_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)
    assert PINOCHLE.read_result(data).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**PARTS, "cards": {"NS": 140, "EW": 115}}, "cards-sum"),
        ({**PARTS, "total": {**TOTAL, "NS": 330}}, "total-parts"),
        ({**PARTS, "total": {"NS": 450, "EW": 30}, "cards": {"NS": 250}, "no_trick": "EW"}, "melds-without-trick"),
        ({"total": {"NS": 250, "EW": 0}, "cards": {"EW": 10}, "no_trick": "EW"}, "no-trick"),
        ({"total": {"NS": 250, "EW": 0}, "last": "EW", "no_trick": "EW"}, "no-trick"),
        ({**PARTS, "cards": {"NS": 5}}, "cards-last"),
        ({**PARTS, "melds": {"N": ["dix"] * 2, "S": ["dix"]}, "total": TOTAL}, "dixes"),
        ({**PARTS, "melds": {"N": ["dix"], "E": 0, "S": [], "W": 0}}, "dixes"),
    ],
)  # fmt: skip
def test_pp25_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)
    assert PINOCHLE.read_result(data).score is None


def test_pp25_what_is_rare_is_marked_and_accepted() -> None:
    deal = {**PARTS, "melds": {**PARTS["melds"], "N": ["eight-kings"]}}  # type: ignore[dict-item]
    assert codes(deal) == [("suspicious", "many-melds")]
    assert PINOCHLE.read_result(deal).score is not None
    checked = PINOCHLE.check_sheet(
        {"deals": [PARTS, PARTS, {"total": TOTAL}]}, "N", {"deals": 3, "duplicate": True}
    )
    assert [(problem.code, problem.place) for problem in checked.problems] == [("same-deal", ("deals", 1))]


@pytest.mark.parametrize("claims", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_pp25_a_deal_that_was_played_out_is_a_sheet_without_faults(seed: int, claims: bool) -> None:
    rng = random.Random(seed)
    options = PINOCHLE.read_options({"claims": claims})
    state: Any = PINOCHLE.start(PINOCHLE.deal(rng, "N", options), "N", options)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    record = json.loads(json.dumps(PINOCHLE.record_of(state)))
    read = PINOCHLE.read_result(record)
    assert not [problem for problem in read.problems if problem.refuses]
    assert dict(read.total) == dict(state.score().total)
    if "cards" in record:
        bare = {name: record[name] for name in record if name != "total"}
        assert dict(PINOCHLE.read_result(bare).total) == dict(state.score().total)


CLAIMED = {"claim": {"by": "N", "tricks": 7}, "melds": PARTS["melds"], "cards": {"NS": 90, "EW": 60}}


def check(deals: list[Any], **options: Any) -> Any:
    return PINOCHLE.check_sheet({"deals": deals}, "N", {"deals": len(deals), **options})


def found(checked: Any) -> list[tuple[str, tuple[Any, ...]]]:
    return [(problem.code, problem.place) for problem in checked.problems]


def test_pp21_pp25_a_claim_on_a_sheet_decides_the_match() -> None:
    """It is right by the totals with this deal, and the other side wins if it is not."""
    first = {"total": {"NS": 700, "EW": 150}}
    wrong = check([first, CLAIMED], claims=True)
    assert dict(wrong.scores[1].total) == {"NS": 290, "EW": 130}
    assert (wrong.result.is_over, wrong.result.winners) == (True, ("EW",)), "990 of 1,000"
    assert [problem.code for problem in wrong.problems] == ["claim"]
    right = check([{"total": {"NS": 710, "EW": 150}}, CLAIMED, PARTS], claims=True)
    assert right.result.winners == ("NS",)
    assert ("deal-after-end", ("deals", 2)) in found(right)


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        ({**CLAIMED, "claim": {"tricks": 3}}, "claim-by"),
        ({**CLAIMED, "claim": {"by": "N", "tricks": 12}}, "bad-number"),
        ({**CLAIMED, "claim": {"by": "NS"}}, "bad-value"),
        ({**CLAIMED, "claim": "N"}, "bad-shape"),
        ({**CLAIMED, "last": "NS"}, "claim-last"),
        ({**CLAIMED, "cards": {"NS": 200, "EW": 60}}, "cards-sum"),
        ({"claim": {"by": "N"}, "melds": PARTS["melds"], "cards": {"NS": 90}}, "total-missing"),
    ],
)
def test_pp25_claims_that_cannot_be(deal: dict[str, Any], code: str) -> None:
    assert code in [problem.code for problem in check([deal], claims=True).problems]


def test_pp21_pp25_claims_are_refused_where_they_are_off() -> None:
    assert ("claims-off", ("deals", 0, "claim")) in found(check([CLAIMED]))
    assert ("claims-off", ("deals", 0, "claim")) in found(check([CLAIMED], claims=True, duplicate=True))


def test_pp12_pp21_before_the_first_trick_a_claim_leaves_both_sides_with_nothing() -> None:
    read = PINOCHLE.read_result({"claim": {"by": "W", "tricks": 0}, "melds": PARTS["melds"]})
    assert dict(read.total) == {"NS": 0, "EW": 0}


def test_pp25_running_totals_must_add_up() -> None:
    first = {"total": TOTAL, "running": TOTAL}
    running = {side: 2 * points for side, points in TOTAL.items()}
    assert found(check([first, {"total": TOTAL, "running": running}])) == []
    wrong = check([first, {"total": TOTAL, "running": {**running, "EW": 5}}])
    assert found(wrong) == [("running-total", ("deals", 1, "running", "EW"))]
    assert not wrong.is_accepted
    assert [problem.code for problem in check([{"total": TOTAL, "running": {"NS": -5}}]).problems] == [
        "bad-points"
    ]


def test_pp25_the_same_melds_in_two_deals_are_marked() -> None:
    other = {**PARTS, "cards": {"NS": 150}}
    assert found(check([PARTS, other])) == [("same-melds", ("deals", 1, "melds"))]


# East dealt the ace of diamonds; West exchanged the nine for it.
BOARD = (
    "AsKsJsTsAhKhJh9hKdTdKcTc AsQsQs9s9hAdJd9dQcQcJc9c KsTsQhThAdKdQdJdTdAcJcTc Js9sAhKhQhJhThQd9dAcKc9c | Ad"
)


@pytest.mark.parametrize(
    ("deal", "fits"),
    [
        ({}, True),
        ({"up": "Ad", "trump": "d", "melds": {"N": ["four-kings"], "W": 30, "E": ["pinochle", "dix"]}}, True),
        ({"trump": "s"}, False),
        ({"up": "9d"}, False),
        ({"melds": {"N": ["four-kings", "four-aces"]}}, False),
        ({"melds": {"W": 40}}, False),
        ({"melds": {"S": ["sequence"]}}, True),
    ],
)
def test_pp25_melds_are_held_against_the_board(deal: dict[str, Any], fits: bool) -> None:
    assert PINOCHLE.fits_deal(deal, BOARD, "E") is fits
