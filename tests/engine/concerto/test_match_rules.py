"""When a match ends and what it is worth, rule by rule (R15 to R18)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.concerto.match import match_result
from engine.concerto.options import Options, read_options
from engine.concerto.scoring import DealScore
from engine.errors import OptionError
from engine.game import MatchResult
from engine.seats import BySide, Side
from tests.engine.oracle import MATCHES

TOTALS = st.lists(st.tuples(st.integers(0, 120), st.integers(0, 120)), max_size=6)


def result(*totals: tuple[int, int], **options: Any) -> MatchResult:
    return match_result([DealScore.of_totals(*total) for total in totals], Options(**options))


@pytest.mark.parametrize("number", range(len(MATCHES)))
def test_the_oracle_matches(number: int) -> None:
    oracle = MATCHES[number]
    found = result(*((total["NS"], total["EW"]) for total in oracle["deals"])).as_json()
    assert {name: found[name] for name in ("counted", "points", "bonus", "total")} == {
        name: oracle[name] for name in ("counted", "points", "bonus", "total")
    }


def test_r15_a_match_is_at_most_four_deals() -> None:
    found = result((10, 0), (10, 0), (10, 0), (10, 0), (99, 0))
    assert found.counted == 4
    assert found.points == BySide(40, 0)
    assert found.is_over


def test_r15_it_ends_after_the_deal_in_which_a_side_reaches_100() -> None:
    assert result((99, 99)).is_over is False
    found = result((60, 10), (40, 10), (50, 200))
    assert found.counted == 2
    assert found.points == BySide(100, 20)
    assert found.is_over


def test_r15_before_the_end_there_is_neither_bonus_nor_winner() -> None:
    found = result((60, 10))
    assert not found.is_over
    assert found.winner is None
    assert found.bonus == BySide(0, 0)
    assert found.total == BySide(60, 10)


@pytest.mark.parametrize("counted", [1, 2, 3, 4])
def test_r16_the_bonus_is_100_and_100_more_for_each_deal_unplayed(counted: int) -> None:
    totals = [(0, 0)] * (counted - 1) + [(100, 99)]
    found = result(*totals)
    assert found.counted == counted
    assert found.bonus == BySide(100 + 100 * (4 - counted), 0)
    assert found.total == BySide(100 + 100 + 100 * (4 - counted), 99)


def test_r16_no_bonus_when_both_or_neither_reached_100() -> None:
    assert result((100, 100)).bonus == BySide(0, 0)
    assert result((20, 20), (20, 20), (20, 20), (20, 20)).bonus == BySide(0, 0)


def test_r17_the_higher_total_wins_and_equal_totals_are_a_draw() -> None:
    assert result((100, 130)).winner is Side.EW
    assert result((100, 99)).winner is Side.NS
    draw = result((20, 20), (0, 0), (0, 0), (0, 0))
    assert draw.is_over
    assert draw.winner is None


def test_r18_a_duplicate_match_plays_all_its_deals_without_bonus() -> None:
    options = read_options({"duplicate": True})
    assert options == Options(duplicate=True, early_end=False, game_bonus=False)
    scores = [DealScore.of_totals(120, 0)] * 3
    assert not match_result(scores, options).is_over
    found = match_result([*scores, DealScore.of_totals(0, 400)], options)
    assert found.is_over
    assert found.counted == 4
    assert found.bonus == BySide(0, 0)
    assert found.winner is Side.EW


def test_r18_the_game_bonus_of_a_duplicate_match_is_an_option() -> None:
    options = read_options({"duplicate": True, "game_bonus": True, "deals": 2})
    found = match_result([DealScore.of_totals(120, 0), DealScore.of_totals(0, 99)], options)
    assert found.is_over
    assert found.bonus == BySide(100, 0)


def test_r18_a_duplicate_match_cannot_end_early() -> None:
    with pytest.raises(OptionError, match="always plays all its deals"):
        read_options({"duplicate": True, "early_end": True})


def test_r18_the_number_of_deals_is_an_option() -> None:
    assert result((1, 0), deals=1).is_over
    assert not result((1, 0), (1, 0), (1, 0), (1, 0), deals=6).is_over
    assert result((100, 0), deals=6).bonus == BySide(600, 0)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "x",
        {"deals": 0},
        {"deals": 65},
        {"deals": 4.0},
        {"deals": "4"},
        {"deals": True},
        {"duplicate": 1},
        {"rules": "concerto-1977"},
        {"rules": {}},
        {"speed": 3},
    ],
    ids=str,
)
def test_bad_options_are_refused(data: object) -> None:
    with pytest.raises(OptionError) as refused:
        read_options(data)
    assert str(refused.value.message)


def test_all_faults_of_options_come_at_once() -> None:
    with pytest.raises(OptionError) as refused:
        read_options({"deals": 0, "duplicate": "yes", "speed": 3})
    assert [cause.place for cause in refused.value.causes] == [("deals",), ("duplicate",), ("speed",)]


@given(TOTALS)
def test_deals_after_the_end_change_nothing(totals: list[tuple[int, int]]) -> None:
    found = result(*totals)
    assert found == result(*totals[: found.counted])
    if found.is_over:
        assert found == result(*totals, (500, 0))


@given(TOTALS)
def test_it_does_not_matter_which_side_is_which(totals: list[tuple[int, int]]) -> None:
    found, turned = result(*totals), result(*((ew, ns) for ns, ew in totals))
    assert found.total == BySide(turned.total[Side.EW], turned.total[Side.NS])
    assert found.is_over == turned.is_over
