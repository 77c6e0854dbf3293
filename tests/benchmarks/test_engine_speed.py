"""How fast the engine plays, reads, checks and scores. Run with `make bench`; figures are in docs/performance.md.

Each figure is for a batch; `ROUNDS` says how many deals, records or hands a batch is.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations, islice
from typing import Any

import pytest

from engine.cards import PACK, CardSet
from engine.concerto.checking import check
from engine.concerto.options import Options
from engine.concerto.play import State, start
from engine.concerto.poker import classify, classify_bits
from engine.concerto.records.choices import choices
from engine.concerto.records.parsing import read_record
from engine.concerto.view import view
from engine.deals import Deal
from engine.seats import SEATS
from tests.engine.oracle import DEALS, by_combination, by_seat, replayed

ROUNDS = 120
STATES = [replayed(oracle) for oracle in DEALS]

Benchmark = Callable[..., Any]


def play_out(deal: Deal, pick: Callable[[], float]) -> State:
    """A deal played out through legal_actions and apply."""
    state = start(deal, SEATS[0], Options())
    while not state.is_over:
        legal = state.legal_actions()
        state = state.apply(legal[int(pick() * len(legal))])
    return state


def test_play_random_deals(benchmark: Benchmark) -> None:
    rng = random.Random(1)
    deals = [Deal.random(rng) for _ in range(ROUNDS)]
    states = benchmark(lambda: [play_out(deal, rng.random) for deal in deals])
    assert all(state.is_over for state in states)


def written(form: str) -> list[Any]:
    """The oracle's deals as records of that form."""
    if form == "cards":
        return [by_seat(state) for state in STATES]
    if form == "line of play":
        return [{name: oracle[name] for name in ("dealer", "hands", "left")} for oracle in DEALS]
    if form == "line of play, deal and all figures":
        return DEALS
    if form == "combinations":
        figures = [state.score().left_over_bonus for state in STATES]
        return [
            {**by_combination(state), "left_over_bonus": bonus}
            for state, bonus in zip(STATES, figures, strict=True)
        ]
    return [{"total": oracle["total"]} for oracle in DEALS]


@pytest.mark.parametrize(
    "form", ["cards", "line of play", "line of play, deal and all figures", "combinations", "totals"]
)
def test_read_check_and_score_records(benchmark: Benchmark, form: str) -> None:
    records = written(form)
    checked = benchmark(lambda: [check(read_record(data)) for data in records])
    assert all(each.score for each in checked)


def test_check_and_score_records_that_are_read(benchmark: Benchmark) -> None:
    records = [read_record(data) for data in DEALS]
    checked = benchmark(lambda: [check(record) for record in records])
    assert all(each.score for each in checked)


def test_views_in_the_middle_of_a_deal(benchmark: Benchmark) -> None:
    rng = random.Random(2)
    states = []
    for _ in range(ROUNDS):
        state = start(Deal.random(rng), SEATS[0], Options())
        while len(state.hands) < 4:
            state = state.apply(rng.choice(state.legal_actions()))
        states.append(state)
    views = benchmark(lambda: [view(state, seat).as_json() for state in states for seat in SEATS])
    assert len(views) == 4 * ROUNDS


def test_choices_for_a_hand(benchmark: Benchmark) -> None:
    records = [read_record({**by_seat(state), "left": None}) for state in STATES]
    found = benchmark(lambda: [choices(record, 3).as_json() for record in records])
    assert len(found) == ROUNDS


def test_classify_hands_as_bits(benchmark: Benchmark) -> None:
    bits = [card.bit for card in PACK]
    hands = [sum(hand) for hand in islice(combinations(bits, 5), 0, None, 260)]
    found = benchmark(lambda: [classify_bits(hand) for hand in hands])
    assert len(found) == 9996


def test_classify_hands_as_card_sets(benchmark: Benchmark) -> None:
    bits = [card.bit for card in PACK]
    hands = [CardSet(sum(hand)) for hand in islice(combinations(bits, 5), 0, None, 260)]
    found = benchmark(lambda: [classify(hand) for hand in hands])
    assert len(found) == 9996


def test_deal(benchmark: Benchmark) -> None:
    rng = random.Random(3)
    assert len(benchmark(lambda: [Deal.random(rng) for _ in range(ROUNDS)])) == ROUNDS
