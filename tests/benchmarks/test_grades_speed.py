"""How fast grades are made. Run with `pytest tests/benchmarks/test_grades_speed.py --benchmark-only`.

tests/benchmarks/peers/grades_and_openskill.py rates the same matches with openskill.
"""

from __future__ import annotations

import random

import pytest

from engine.contest.grades import Grades, Match, Session, rate_all

RESULTS, PLAYERS, A_WEEK = 100_000, 2_000, 7
DAYS = 3_650


def ten_years() -> list[Session]:
    """Matches of pairs, the same in every run."""
    rng = random.Random(130)
    skills = [rng.gauss(0, 4) for _player in range(PLAYERS)]
    found = []
    for order in range(RESULTS):
        a, b, c, d = rng.sample(range(PLAYERS), 4)
        expected = (skills[a] + skills[b] - skills[c] - skills[d]) / 2
        played = Match(((a, b), (c, d)), 12, rng.gauss(expected, 8))
        found.append(Session(order, order * DAYS // RESULTS, played))
    return found


@pytest.fixture(scope="module")
def sessions() -> list[Session]:
    return ten_years()


def test_a_hundred_thousand_results(benchmark, sessions: list[Session]) -> None:
    log, grades = benchmark.pedantic(rate_all, args=(sessions,), rounds=3)
    assert len(log) == RESULTS
    assert len(grades.beliefs) == PLAYERS


def test_one_corrected_result_of_last_week(benchmark, sessions: list[Session]) -> None:
    """From the grades before it, as they are kept with the session's steps."""
    before = Grades()
    recent = [each for each in sessions if each.day >= DAYS - A_WEEK]
    for session in sessions[: -len(recent)]:
        before.rate(session)

    def again() -> int:
        grades = before.copy()
        for session in recent:
            grades.rate(session)
        return len(grades.beliefs)

    assert benchmark(again) == PLAYERS
