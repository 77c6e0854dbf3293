from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contest.points.scheme import HeadToHead
from engine.contest.results import (
    Adjustment,
    Bye,
    DrawOfLots,
    Entry,
    Withdrawal,
)
from engine.contest.standings.parsing import Season, read_season
from engine.errors import ContestError
from tests.engine.contest.seasons import match, places

FULL = {
    "entries": ["A", "B", {"key": 3, "seed": 9, "first_round": 2}],
    "results": [
        {"round": 1, "home": "A", "away": "B", "home_score": 60, "away_score": 40},
        {"round": 2, "home": "B", "away": 3, "kind": "walkover_home", "fixture": 17},
        {"round": 3, "home": "A", "away": 3},
    ],
    "points": {"win": 3},
    "tie_breaks": ["league_points", "head_to_head"],
    "adjustments": [{"entry": "A", "points": "-1/2", "reason": "late sheet", "round": 2}],
    "byes": [{"entry": 3, "round": 1}],
    "draw_of_lots": [["B", "A"]],
    "withdrawals": [{"entry": 3, "reason": "moved away"}],
}


def faults_of(data: object) -> set[tuple[str, tuple[str | int, ...]]]:
    with pytest.raises(ContestError) as refused:
        read_season(data)
    causes = refused.value.causes or (refused.value,)
    assert all(str(cause.message) for cause in causes)
    return {(cause.code, cause.place) for cause in causes}


def test_a_full_season() -> None:
    assert read_season(FULL) == Season(
        entries=(Entry("A", 1), Entry("B", 2), Entry(3, 9, 2)),
        results=(
            match(1, 1, "A", "B", "played", 60, 40),
            match(17, 2, "B", 3, "walkover_home"),
            match(3, 3, "A", 3, "unplayed"),
        ),
        scheme=HeadToHead.plain(3, 1, 0),
        tie_breaks=("league_points", "head_to_head"),
        adjustments=(Adjustment("A", Fraction(-1, 2), "late sheet", 2),),
        byes=(Bye(3, 1),),
        draws=(DrawOfLots(("B", "A")),),
        withdrawals=(Withdrawal(3, "moved away"),),
    )


def test_its_table_and_history() -> None:
    season = read_season(FULL)
    assert places(season.table()) == [(1, "A"), (2, "B")]
    assert len(season.history()) == 2


def test_only_entries_are_needed() -> None:
    assert places(read_season({"entries": ["A", "B"]}).table()) == [(1, "A"), (1, "B")]


def test_every_fault_at_once_at_its_place() -> None:
    data = {
        "entries": ["A", {"key": "", "first_round": 0}, ["B"]],
        "results": [
            {"round": 0, "home": "A", "away": None, "kind": "lost"},
            {"round": 1, "home": "A", "away": "B", "home_score": 60},
            {"round": 10**30, "home": "A", "away": "B", "score": "3-2"},
        ],
        "points": {"win": "x", "bye": 0.5},
        "tie_breaks": ["luck"],
        "adjustments": [{"entry": "A", "points": 0.1, "reason": 7}],
        "byes": {},
        "draw_of_lots": ["AB"],
        "weather": "rain",
    }
    assert faults_of(data) == {
        ("unknown-field", ("weather",)),
        ("key", ("entries", 1, "key")),
        ("number", ("entries", 1, "first_round")),
        ("object", ("entries", 2)),
        ("key", ("entries", 2, "key")),
        ("number", ("results", 0, "round")),
        ("key", ("results", 0, "away")),
        ("kind", ("results", 0, "kind")),
        ("number", ("results", 1, "away_score")),
        ("number", ("results", 2, "round")),
        ("unknown-field", ("results", 2, "score")),
        ("points", ("points", "win")),
        ("points", ("points", "bye")),
        ("unknown-metric", ("tie_breaks", 0)),
        ("points", ("adjustments", 0, "points")),
        ("text", ("adjustments", 0, "reason")),
        ("list", ("byes",)),
        ("lots", ("draw_of_lots", 0)),
    }


@pytest.mark.parametrize("data", [None, 3, "x", []])
def test_a_season_is_an_object(data) -> None:
    assert faults_of(data) == {("season-shape", ())}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from("AB"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["key", "seed", "entry", "round", "home", "away", "kind", "points", "reason"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def table_or_refusal(data: object) -> object:
    try:
        return read_season(data).table()
    except ContestError as refused:
        return [str(cause.message) for cause in (refused, *refused.causes)]


@given(st.dictionaries(st.sampled_from(list(FULL)), JSON) | JSON)
def test_any_json_gives_a_table_or_reasons(data) -> None:
    assert table_or_refusal(data)
