"""How fast tables are made. Run with `pytest tests/benchmarks --benchmark-only`."""

from __future__ import annotations

import random

import pytest

from engine.contest.draws.round_robin import double_berger
from engine.contest.results import Entry, ResultLine
from engine.contest.standings.standings import history, standings
from tests.engine.contest.seasons import ALL_METRICS, LEAGUE, match

SIZE = 40
ENTRIES = tuple(Entry(key, seed=key) for key in range(1, SIZE + 1))


@pytest.fixture(scope="module")
def results() -> tuple[ResultLine, ...]:
    """A whole double round robin of 40 entries: 1,560 matches in 78 rounds."""
    rng = random.Random(40)
    return tuple(
        match(
            fixture=100 * played.number + table,
            round=played.number,
            home=pairing.home,
            away=pairing.away,
            kind="played",
            home_score=rng.randint(80, 220),
            away_score=rng.randint(80, 220),
        )
        for played in double_berger(SIZE)
        for table, pairing in enumerate(played.pairings)
    )


def test_the_table_of_forty_entries(benchmark, results) -> None:
    table = benchmark(standings, ENTRIES, results, LEAGUE, ALL_METRICS)
    assert (len(table.rows), table.results_counted) == (40, 1560)


def test_the_history_of_forty_entries(benchmark, results) -> None:
    tables = benchmark(history, ENTRIES, results, LEAGUE, ALL_METRICS)
    assert len(tables) == 78
    assert tables[-1].results_counted == 1560


def test_the_json_of_a_table_of_forty_entries(benchmark, results) -> None:
    table = standings(ENTRIES, results, LEAGUE, ALL_METRICS)
    digest = benchmark(table.digest)
    assert len(digest) == 64


MANY, ROUNDS = 1000, 30


def test_the_table_of_a_thousand_entries(benchmark) -> None:
    """Thirty rounds of 500 matches, whoever meets whom."""
    rng, entries = random.Random(1000), [*range(1, MANY + 1)]
    results = []
    for number in range(1, ROUNDS + 1):
        rng.shuffle(entries)
        for table, (home, away) in enumerate(zip(entries[::2], entries[1::2], strict=True)):
            scores = {"home_score": rng.randint(80, 220), "away_score": rng.randint(80, 220)}
            results.append(
                match(
                    fixture=MANY * number + table, round=number, home=home, away=away, kind="played", **scores
                )
            )
    everyone = tuple(Entry(key, seed=key) for key in range(1, MANY + 1))
    table = benchmark(standings, everyone, tuple(results), LEAGUE, ALL_METRICS)
    assert (len(table.rows), table.results_counted) == (MANY, MANY * ROUNDS // 2)
