"""Records that were damaged at random: nothing makes the engine fail, and nothing damaged passes for another score."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import PACK
from engine.concerto.checking import check
from engine.concerto.game import CONCERTO
from engine.concerto.poker import Combination
from engine.concerto.records.facts import establish
from engine.concerto.records.parsing import read_record
from engine.concerto.records.reckoning import reckon, reckon_by_sets
from engine.concerto.scoring import DealScore
from tests.engine.conformance.core import ANY_JSON
from tests.engine.conformance.records import check_reads_anything
from tests.engine.oracle import DEALS, by_combination, by_seat, played
from tests.engine.test_conformance import CONCERTO_ADAPTER
from tests.thorough import examples

CARD = st.sampled_from([card.text for card in PACK])
TOKEN = CARD | st.sampled_from(["-", ">", "", "Play", "10h", "♠A", "x"])
LINE = st.lists(TOKEN, max_size=12).map(" ".join)
BY_SEAT = st.dictionaries(st.sampled_from("NESWX"), st.lists(CARD, max_size=6), max_size=4)
COMBINATION = st.sampled_from([combination.key for combination in Combination] + ["poker"])
SPLIT = st.sampled_from(["5+0", "4+1", "3+2", "4+0", "3+1", "2+2", "9+9", "2", None])
HAND = (
    st.none()
    | LINE
    | st.fixed_dictionaries({}, optional={
        "cards": BY_SEAT | st.lists(CARD, max_size=6),
        "line": LINE,
        "combination": COMBINATION,
        "split": SPLIT,
        "points": st.integers(-1, 21),
    })
)  # fmt: skip
SIDES = st.dictionaries(st.sampled_from(["NS", "EW"]), st.integers(0, 300))
NEAR_RECORD = st.fixed_dictionaries({}, optional={
    "dealer": st.sampled_from("NESW"),
    "deal": st.sampled_from([oracle["deal"] for oracle in DEALS[:3]]),
    "hands": st.lists(HAND, min_size=8, max_size=8),
    "left": BY_SEAT,
    "left_over": st.fixed_dictionaries({"combination": COMBINATION}, optional={"split": SPLIT}),
    "left_over_to": st.sampled_from(["NS", "EW"]),
    "left_over_bonus": st.sampled_from([0, 10, 60, 70, 200]),
    "points": st.lists(st.none() | st.integers(0, 21), min_size=8, max_size=8),
    "made": SIDES,
    "total": SIDES,
    "leaders": st.just(list("NESWNESW")),
})  # fmt: skip


@settings(max_examples=examples(400), deadline=None)
@given(NEAR_RECORD)
def test_whatever_looks_like_a_record_is_read(data: dict[str, Any]) -> None:
    check_reads_anything(CONCERTO_ADAPTER, data)


@settings(max_examples=examples(300), deadline=None)
@given(NEAR_RECORD)
def test_a_record_that_is_accepted_keeps_to_what_was_written(data: dict[str, Any]) -> None:
    score = check(read_record(data)).score
    if score is None:
        return
    for name in ("total", "made"):
        figures = getattr(score, name)
        for side, written in data.get(name, {}).items():
            assert figures is None or {key.value: value for key, value in figures.items()}[side] == written
    for written, points in zip(data.get("points", []), score.points or (), strict=False):
        assert written in (None, points)
    assert data.get("left_over_bonus") in (None, score.left_over_bonus)


@settings(max_examples=examples(300), deadline=None)
@given(NEAR_RECORD)
def test_the_short_way_through_the_sums_never_differs_from_the_long_one(data: dict[str, Any]) -> None:
    facts = establish(read_record(data))
    short, long = reckon(facts), reckon_by_sets(facts)
    assert short.score() == long.score()
    assert short.problems == long.problems


def places(data: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside this JSON."""
    if isinstance(data, dict):
        inner = [places(value, (*place, key)) for key, value in data.items()]
    elif isinstance(data, list):
        inner = [places(value, (*place, number)) for number, value in enumerate(data)]
    else:
        inner = []
    return [place, *(each for one in inner for each in one)]


def put(data: Any, place: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(data)
    target = changed
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    return changed


def written(seed: int, form: str) -> dict[str, Any]:
    if form == "oracle":
        return DEALS[seed % len(DEALS)]
    state = played(seed)
    made: dict[str, Any] = by_seat(state) if form == "cards" else by_combination(state)
    return {**made, **state.score().as_json()}


FORMS = st.sampled_from(["oracle", "cards", "combinations"])


@settings(max_examples=examples(400), deadline=None)
@given(st.integers(0, 200), FORMS, st.data())
def test_damage_at_any_place_never_makes_reading_fail(seed: int, form: str, data: st.DataObject) -> None:
    whole = written(seed, form)
    place = data.draw(st.sampled_from(places(whole)[1:]))
    damaged = put(whole, place, data.draw(ANY_JSON | TOKEN | st.integers(-5, 30)))
    check_reads_anything(CONCERTO_ADAPTER, damaged)


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 200), st.data())
def test_no_single_damage_to_a_full_sheet_changes_the_score_unnoticed(seed: int, data: st.DataObject) -> None:
    """A full sheet tells everything twice: one change is refused, or changes nothing."""
    whole = {key: value for key, value in written(seed, "oracle").items() if key != "leaders"}
    honest = check(read_record(whole)).score
    place = data.draw(st.sampled_from(places(whole)[1:]))
    damaged = put(whole, place, data.draw(ANY_JSON | TOKEN | st.integers(0, 30)))
    found = check(read_record(damaged)).score
    assert found is None or found == honest


@settings(max_examples=examples(300), deadline=None)
@given(NEAR_RECORD)
def test_a_record_is_read_again_from_its_own_json(data: dict[str, Any]) -> None:
    record = read_record(data)
    again = read_record(json.loads(json.dumps(record.as_json())))
    if not record.faults:
        assert again == record
        assert again.as_json() == record.as_json()


def test_monsters() -> None:
    """Huge, deep and strange: refused at once, in short words."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    monsters: list[Any] = [
        {"hands": deep},
        {
            "hands": [deep] * 8,
            "left": {"N": deep},
            "deal": deep,
            "dealer": deep,
            "made": deep,
            "points": deep,
        },
        {"hands": ["7h " * 1_000_000] * 8},
        {"hands": [{"cards": ["7h"] * 1_000_000}] * 8},
        {"hands": [None] * 1_000_000, "points": [1] * 1_000_000},
        {"total": {"NS": 10**100_000, "EW": float("inf")}},
        {"x" * 1_000_000: 1, **{str(number): 1 for number in range(10_000)}},
        {"deal": "N:" + "A" * 1_000_000},
        {"left_over": {"combination": "x" * 1_000_000, "split": "1" * 1_000_000}},
        {"total": {str(number): 1 for number in range(10_000)}},
        {"dealer": "\ud800", "hands": ["\ud800"]},
    ]
    for monster in monsters:
        checked = check(read_record(monster))
        assert checked.score is None
        assert 1 <= len(checked.problems) < 200
        assert all(len(str(problem.message)) < 300 for problem in checked.problems)


def test_a_score_of_totals_alone_says_no_more_than_it_knows() -> None:
    score = CONCERTO.records.check(read_record({"total": {"NS": 40, "EW": 22}})).score
    assert isinstance(score, DealScore)
    assert score.points is None
    assert score.left_over_to is not None
    assert score.left_over_to.value == "NS"
    assert score.left_over_bonus is None
