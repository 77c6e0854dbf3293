"""How fast boards are compared. Run with `pytest tests/benchmarks --benchmark-only`."""

from __future__ import annotations

import random

import pytest

from engine.contest.comparison.comparison import (
    Method,
    Result,
    Rules,
    compare,
)
from engine.contest.comparison.field import Score

SIZES = (1_000, 4_000)


def results_of(size: int) -> tuple[Result, ...]:
    """One side's results, some equal."""
    rng = random.Random(size)
    return tuple(Result(str(key), Score.of(rng.randint(-120, 120))) for key in range(size))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("method", Method)
def test_a_board(benchmark, method: Method, size: int) -> None:
    figures = benchmark(compare, results_of(size), Rules(method), size)
    assert len(figures) == size


@pytest.mark.parametrize("size", SIZES)
def test_a_board_with_results_missing_and_versions(benchmark, size: int) -> None:
    results = [
        Result(each.key, each.score, "B" if place % 10 == 0 else "")
        for place, each in enumerate(results_of(size))
    ]
    figures = benchmark(compare, results, Rules(), size + 5)
    assert len(figures) == size
