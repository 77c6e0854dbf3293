"""A deal written down at any depth scores what it scored in play, and nothing is found wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CardSet
from engine.concerto.checking import check
from engine.concerto.play import State
from engine.concerto.records.description import describe
from engine.concerto.records.facts import establish
from engine.concerto.records.parsing import read_record
from engine.concerto.records.reckoning import reckon, reckon_by_sets
from engine.concerto.scoring import DealScore, left_over_value
from engine.seats import BySide
from tests.engine.oracle import DEALS, by_combination, by_seat, played, replayed
from tests.thorough import examples

HAND_DEPTHS = ("line", "cards", "cards of nobody", "combination", "points")


def without_mistakes(data: dict[str, Any]) -> DealScore:
    checked = check(read_record(data))
    assert [str(problem.message) for problem in checked.problems if problem.refuses] == []
    assert checked.score is not None
    return checked.score


def hand_at(state: State, number: int, depth: str) -> Any:
    """One hand of a finished deal, as it would be written down at that depth."""
    hand = state.hands[number]
    value = hand.value
    split = {"split": str(value.split)} if value.split else {}
    if depth == "line":
        return state.hand_lines[number]
    if depth == "cards":
        return by_seat(state)["hands"][number]
    if depth == "cards of nobody":
        return {"cards": str(hand.cards).split(), **split}
    if depth == "combination":
        return {"combination": value.combination.key, **split}
    return {"points": value.points}


def left_over_claim(state: State) -> dict[str, Any]:
    payer = state.score().left_over_to.other  # type: ignore[union-attr]
    value = left_over_value(*(state.cards_held(seat) for seat in payer.seats))
    return {"combination": value.combination.key, "split": str(value.split) if value.split else None}


@pytest.mark.parametrize("number", range(len(DEALS)))
def test_an_oracle_is_accepted_as_it_is(number: int) -> None:
    oracle = DEALS[number]
    score = without_mistakes(oracle).as_json()
    assert score == {name: oracle[name] for name in score}


@pytest.mark.parametrize("number", range(0, len(DEALS), 5))
def test_an_oracle_scores_the_same_with_less(number: int) -> None:
    oracle = DEALS[number]
    state = replayed(oracle)
    full = state.score()
    lines = {"dealer": oracle["dealer"], "hands": oracle["hands"]}
    assert without_mistakes({**lines, "deal": oracle["deal"]}) == full
    assert without_mistakes({**lines, "left": oracle["left"]}) == full
    assert without_mistakes({**lines, "left_over": left_over_claim(state)}) == full
    assert without_mistakes(by_seat(state)) == full
    assert without_mistakes({**by_combination(state), "left_over": left_over_claim(state)}) == full
    assert without_mistakes({**by_combination(state), "left_over_bonus": full.left_over_bonus}) == full
    assert without_mistakes({**by_combination(state), "total": oracle["total"]}) == full
    points = {"dealer": oracle["dealer"], "points": oracle["points"]}
    assert without_mistakes({**points, "left_over_bonus": oracle["left_over_bonus"]}) == full
    totals = without_mistakes({"total": oracle["total"]})
    assert totals.total == full.total
    assert totals.points is None


@settings(max_examples=examples(200), deadline=None)
@given(
    st.integers(0, 500),
    st.lists(st.sampled_from(HAND_DEPTHS), min_size=8, max_size=8),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["left", "left_over", "left_over_bonus", "total"]),
)
def test_depths_can_be_mixed_freely(
    seed: int, depths: list[str], with_deal: bool, with_claims: bool, left_as: str
) -> None:
    state = played(seed)
    full = state.score()
    hands = [hand_at(state, number, depth) for number, depth in enumerate(depths)]
    data: dict[str, Any] = {"dealer": state.setting.dealer.letter, "hands": hands}
    figures = full.as_json()
    if left_as == "left":
        data["left"] = by_seat(state)["left"]
    elif left_as == "left_over":
        data["left_over"] = left_over_claim(state)
    else:
        data[left_as] = figures[left_as]
    if with_deal:
        data["deal"] = str(state.setting.deal)
    if with_claims:
        data |= figures
    assert without_mistakes(data) == full


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(0, 500), st.data())
def test_claims_may_replace_what_is_not_known(seed: int, data: st.DataObject) -> None:
    """Hands may be lacking altogether where the totals are told; what is there must still agree."""
    state = played(seed)
    hands = [hand_at(state, number, "line") for number in range(8)]
    for number in data.draw(st.sets(st.integers(0, 7), min_size=1)):
        hands[number] = None
    total = state.score().as_json()["total"]
    score = without_mistakes(
        {
            "dealer": state.setting.dealer.letter,
            "hands": hands,
            "deal": str(state.setting.deal),
            "total": total,
        }
    )
    assert score.total == state.score().total
    for number, points in enumerate(score.points or ()):
        if points is not None:
            assert points == state.score().points[number]  # type: ignore[index]


@pytest.mark.parametrize("seed", range(12))
def test_a_sheet_that_tells_all_is_reckoned_the_same_by_sets(seed: int) -> None:
    """The short way through the sums, for sheets without mistakes, gives just what the long way gives."""
    state = played(seed)
    variants: list[dict[str, Any]] = [by_seat(state), {**by_seat(state), **state.score().as_json()}]
    figures = state.score().as_json()
    variants += [{**by_seat(state), claim: figures[claim]} for claim in ("points", "made", "total")]
    for data in variants:
        facts = establish(read_record(data))
        short, long = reckon(facts), reckon_by_sets(facts)
        assert short.score() == long.score() == state.score()
        assert short.problems == long.problems == ()
        assert (short.sums, short.receivers, short.points) == (long.sums, long.receivers, long.points)


def test_the_left_overs_of_one_side_follow_from_all_other_cards() -> None:
    """All forty cards played and the winners' six are known: so are the losers', though not who holds which."""
    state = replayed(DEALS[0])
    data = by_seat(state)
    data["left"] = {seat: data["left"][seat] for seat in "NS"}
    assert without_mistakes(data) == state.score()
    shown = describe(read_record(data))
    assert shown.six.ew == CardSet.parse("Ac Js 7d 8c Kd Tc")
    assert [seat.letter for seat, _ in shown.left] == ["N", "S"]


def test_only_the_losers_left_overs_are_needed() -> None:
    for oracle in DEALS:
        state = replayed(oracle)
        losers = state.score().left_over_to.other  # type: ignore[union-attr]
        data = by_seat(state)
        data["left"] = {seat.letter: data["left"][seat.letter] for seat in losers.seats}
        assert without_mistakes(data) == state.score()


def test_a_player_with_nothing_left_need_not_be_written_down() -> None:
    tried = 0
    for seed in range(150):
        state = played(seed)
        data = by_seat(state)
        if [] in data["left"].values():
            tried += 1
            data["left"] = {seat: cards for seat, cards in data["left"].items() if cards}
            assert without_mistakes(data) == state.score()
            combinations = {**by_combination(state), "left": data["left"]}
            assert without_mistakes(combinations) == state.score()
    assert tried > 5


def test_the_example_in_the_documentation_is_right() -> None:
    page = (Path(__file__).parents[3] / "docs" / "engine.md").read_text()
    example = json.loads(page.partition("```json")[2].partition("```")[0])
    assert without_mistakes(example).as_json() == {
        name: DEALS[0][name] for name in replayed(DEALS[0]).score().as_json()
    }


def test_points_can_settle_a_split_that_was_not_told() -> None:
    cards = {"cards": ["As", "Ad", "Ah", "Ac", "2d"]}
    hands: list[Any] = [cards] + [{"combination": "nothing"}] * 7
    data: dict[str, Any] = {"dealer": "N", "hands": hands, "left_over": "pair"}
    assert not check(read_record(data)).is_accepted
    for points in (8, 12, 16):
        score = without_mistakes({**data, "points": [points] + [None] * 7})
        assert score.made == BySide(0, points)
        assert without_mistakes({**data, "total": {"NS": 0, "EW": points + 10}}).total == score.total


def test_r7_where_earlier_hands_hide_who_ran_out_the_deal_tells_whose_card_it_is() -> None:
    """North is out before hand 8, but hands 1 to 7 are known as combinations only."""
    north_to_west = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    names = ["straight-flush"] * 8
    names[1], names[5] = "pair", "nothing"
    hands: list[Any] = [{"combination": name, "split": "5+0"} for name in names[:7]]
    data = {"dealer": "N", "hands": [*hands, "Qd Jd Td 9d 8d"], "left_over": "nothing"}
    # Who is not known to be out is taken to have played every second card.
    assert without_mistakes(data).points == (10, 1, 10, 10, 10, 0, 10, 20)
    assert without_mistakes({**data, "deal": f"N:{north_to_west}"}).points == (10, 1, 10, 10, 10, 0, 10, 10)
