from dataclasses import replace

import pytest
from hypothesis import given

from engine.contest.results import Withdrawal
from engine.contest.standings.changes import (
    ChangeKind,
    consequences,
    sentence,
)
from engine.contest.standings.explanation import ordinal
from tests.engine.contest.seasons import Season, played, season, seasons

NAMES = {"A": "Riverside", "B": "Hillside", "C": "Lakeside"}
BEFORE = season("ABC", "A 60-40 B", "B 60-40 C", "C 50-50 A")


def messages(before: Season, after: Season) -> list[str]:
    changes = consequences(before.table(), after.table())
    return [str(sentence(change, lambda entry: NAMES[str(entry)])) for change in changes]


def test_a_corrected_result_moves_places_and_points() -> None:
    after = replace(BEFORE, results=played("A 60-40 B", "B 40-60 C", "C 50-50 A"))
    assert messages(BEFORE, after) == [
        "Riverside now share 1st place",
        "Lakeside move up from 3rd to 1st",
        "Lakeside have 3 league points instead of 1",
        "Hillside drop from 2nd to 3rd",
        "Hillside have 0 league points instead of 2",
    ]


def test_a_change_is_data_first() -> None:
    after = replace(BEFORE, results=played("A 60-40 B", "B 60-40 C", "C 40-60 A"))
    assert [change.as_json() for change in consequences(BEFORE.table(), after.table())] == [
        {"kind": "points", "entry": "A", "before": 3, "after": 4},
        {"kind": "points", "entry": "C", "before": 1, "after": 0},
    ]


def test_sharing_a_place_is_a_change() -> None:
    alone = season("AB", "A 60-40 B", "B 50-50 A")
    level = season("AB", "A 50-50 B", "B 50-50 A")
    kinds = {(c.kind, c.entry) for c in consequences(alone.table(), level.table())}
    assert (ChangeKind.COMES_TO_SHARE, "A") in kinds
    assert (ChangeKind.RISES, "B") in kinds
    assert "Riverside now share 1st place" in messages(alone, level)
    assert "Riverside no longer share 1st place" in messages(level, alone)


def test_a_withdrawal_takes_out_and_its_undoing_puts_in() -> None:
    gone = replace(BEFORE, results=played("A 60-40 B", "B 60-40 C", "C - A", "C - B"))
    gone = replace(gone, more={"withdrawals": (Withdrawal("C"),)})
    assert "Lakeside are removed from the table" in messages(BEFORE, gone)
    assert "Lakeside join the table in 3rd place" in messages(gone, BEFORE)


@pytest.mark.parametrize(
    ("place", "spoken"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (112, "112th"),
    ],
)
def test_ordinals(place, spoken) -> None:
    assert ordinal(place) == spoken


@given(seasons())
def test_the_same_table_has_no_consequences(any_season: Season) -> None:
    assert consequences(any_season.table(), any_season.table()) == ()


@given(seasons())
def test_undoing_a_change_changes_the_same_entries_back(any_season: Season) -> None:
    fewer = replace(any_season, results=any_season.results[1:])
    there = consequences(any_season.table(), fewer.table())
    back = consequences(fewer.table(), any_season.table())
    assert {(c.entry, c.before, c.after) for c in there} == {(c.entry, c.after, c.before) for c in back}
