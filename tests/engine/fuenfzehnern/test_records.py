"""Written deals of Fünfzehnern: what follows from them, and what is wrong with them (FZ13 to FZ16)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.fuenfzehnern.game import FUENFZEHNERN as FIFTEENS

# The three's deal of the rules page: Zwang in the first trick.
DEALER = "1"
TOKENS = "Qd! Ad Jd 8d 8h Kd Td 9d 9s 7d 7s Ts 7h Th Ah As Ks 8s Jh Kh Js 9h Qs Qh"

WHOLE = {
    "taken": {"1": 25, "2": 20, "3": 15, "4": 0},
    "tricks": {"1": 3, "2": 3, "3": 2, "4": 0},
    "total": {"1": 10, "2": 5, "3": 0, "4": -15},
}


def codes(data: Any) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.code) for problem in FIFTEENS.read_result(data, 4).problems]


def test_fz13_what_was_taken_tells_the_scores_and_the_last_follows() -> None:
    assert FIFTEENS.read_result(WHOLE, 4).problems == ()
    read = FIFTEENS.read_result({"taken": {"1": 25, "2": 20, "3": 15}}, 4)
    assert (read.problems, dict(read.total)) == ((), WHOLE["total"])
    assert dict(FIFTEENS.read_result({"total": {"1": 10, "2": 5, "4": -15}}, 4).total) == WHOLE["total"]
    assert FIFTEENS.read_result(read.as_json(), 4) == read


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"taken": {"1": 25, "2": 20, "3": 15, "4": 1}}, "taken-sum"),
        ({**WHOLE, "tricks": {"1": 3, "2": 3, "3": 3, "4": 0}}, "tricks-sum"),
        ({**WHOLE, "tricks": {"2": 0}}, "points-without-trick"),
        ({"tricks": {"2": 0}, "total": WHOLE["total"]}, "points-without-trick"),
        ({"taken": {"1": -1}}, "bad-number"),
        ({"taken": {"1": 61}}, "bad-number"),
        ({"total": {"1": 46}}, "bad-number"),
        ({"total": {"1": -16}}, "bad-number"),
        ({"total": {"1": 45, "2": 15, "3": -15}}, "totals-sum"),
        ({"total": {"1": 1}}, "total-missing"),
        ({"tricks": {"1": 9}}, "bad-number"),
        ({"total": {"5": 1}}, "unknown-side"),
        ({"winner": "1", "total": WHOLE["total"]}, "unknown-field"),
        ([], "bad-shape"),
    ],
)
def test_fz14_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)
    assert FIFTEENS.read_result(data, 4).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"taken": {"1": 25}, "total": WHOLE["total"] | {"1": 9}}, "total-taken"),
        ({"total": {"1": 10, "2": 5, "3": 0, "4": -14}}, "totals-sum"),
    ],
)
def test_fz15_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)
    assert FIFTEENS.read_result(data, 4).score is None


def test_fz16_what_is_rare_is_marked_and_accepted() -> None:
    everything = {"total": {"1": 45, "2": -15, "3": -15, "4": -15}}
    checked = FIFTEENS.check_sheet({"deals": [everything]}, "1", {"deals": 1}, 4)
    assert [(each.code, each.place) for each in checked.problems] == [("takes-all", ("deals", 0, "total"))]
    assert checked.is_accepted
    checked = FIFTEENS.check_sheet({"deals": [WHOLE, WHOLE, {"total": WHOLE["total"]}]}, "1", {"deals": 3}, 4)
    assert checked.is_accepted
    assert {each.code for each in checked.problems} == {"same-deal", "many-empty"}


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_fz13_fz14_fz15_the_play_tells_what_was_taken_and_is_held_against_the_rules(
    players: int, seed: int
) -> None:
    rng, dealer = random.Random(seed), str(1 + seed % players)
    state = FIFTEENS.start(FIFTEENS.deal(rng, dealer, {}, players), dealer, {}, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))

    def checked(**more: Any) -> Any:
        sheet = {"deals": [{"play": " ".join(state.history), **more}]}
        return FIFTEENS.check_sheet(sheet, dealer, {"deals": 1}, players)

    def found(**more: Any) -> set[tuple[str, str]]:
        return {(each.severity.value, each.code) for each in checked(**more).problems}

    total, told = state.score().total, FIFTEENS.record_of(state)
    assert dict(checked().scores[0].total) == total
    assert not [each for each in checked(**told).problems if each.refuses]
    taken: Any = told["taken"]
    partly = checked(taken={"1": taken["1"]}, total={"2": total["2"]})
    assert dict(partly.scores[0].total) == total
    assert ("inconsistent", "play-other") in found(taken={**taken, "1": taken["1"] + 1})
    assert ("inconsistent", "total-taken") in found(total={**total, "1": total["1"] + 1})
    assert ("impossible", "bad-play") in found(play=" ".join(state.history[:-1]))
    assert ("impossible", "bad-play") in found(play=17)


def test_fz14_a_card_that_follows_no_rule_is_named() -> None:
    # Like this somebody else has played the king of diamonds: no Zwang.
    assert FIFTEENS.check_sheet({"deals": [{"play": TOKENS}]}, DEALER, {"deals": 1}, 3).problems == ()
    wrong = TOKENS.split()
    wrong[1], wrong[4] = wrong[4], wrong[1]
    problems = FIFTEENS.check_sheet({"deals": [{"play": " ".join(wrong)}]}, DEALER, {"deals": 1}, 3).problems
    assert [str(each.message) for each in problems if each.code == "play-rule"] == [
        "Card 1 can’t be played there."
    ]
