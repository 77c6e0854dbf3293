"""How fast best play and hands in batches are. Run with `pytest tests/benchmarks --benchmark-only`."""

from __future__ import annotations

import random

import pytest

from engine.concerto.best_play.costs import cost
from engine.concerto.best_play.deal_par import deal_pars
from engine.concerto.best_play.feasible import feasible
from engine.concerto.best_play.par import frontier
from engine.concerto.records.parsing import read_record
from engine.deals import Deal
from engine.seats import SEATS, Seat
from tests.engine.oracle import DEALS, by_combination, replayed

SET = 32


@pytest.fixture(scope="module")
def boards() -> list[tuple[Deal, Seat]]:
    """A set of boards; the search is loaded by then."""
    rng = random.Random(32)
    found = [(Deal.random(rng), SEATS[number % 4]) for number in range(SET)]
    deal_pars(found[:1])
    return found


def test_a_set_of_boards(benchmark, boards) -> None:
    assert len(benchmark(deal_pars, boards)) == SET


def test_one_side(benchmark, boards) -> None:
    deal = boards[0][0]
    assert benchmark(frontier, deal[Seat.N], deal[Seat.S])


def test_the_cost_of_eight_hands(benchmark, boards) -> None:
    record = read_record({"deal": DEALS[0]["deal"], "dealer": DEALS[0]["dealer"], "hands": DEALS[0]["hands"]})
    assert None not in benchmark(cost, record)


def test_claims_that_can_be_made(benchmark) -> None:
    state = replayed(DEALS[0])
    record = read_record(by_combination(state))
    assert benchmark(feasible, record, state.setting.deal) == ()
