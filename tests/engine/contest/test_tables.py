"""Draws that seat entries at tables of three and more."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contest.draws.tables import TableRound, rotations, sizes_of_tables
from engine.errors import ContestError


def meetings(rounds: tuple[TableRound, ...], entries: int) -> list[int]:
    met = Counter(pair for each in rounds for table in each.tables for pair in combinations(sorted(table), 2))
    return [met[pair] for pair in combinations(range(1, entries + 1), 2)]


@pytest.mark.parametrize(
    ("entries", "seats", "allowed", "sizes"),
    [
        (12, 4, (3, 4, 5), (4, 4, 4)),
        (14, 4, (3, 4), (4, 4, 3, 3)),
        (9, 4, (3, 4, 5), (3, 3, 3)),
        (9, 4, (4, 5), (5, 4)),
        (5, 4, (3, 4, 5), (5,)),
        (3, 4, (3, 4, 5), (3,)),
        (6, 4, (4,), (4,)),
        (7, 4, (4, 5), (4,)),
        (5, 4, (3, 4), (4,)),
    ],
)
def test_the_tables_of_a_round(entries, seats, allowed, sizes) -> None:
    assert sizes_of_tables(entries, seats, allowed) == sizes


@pytest.mark.parametrize("entries", [0, 1, 2])
def test_too_few_for_a_table(entries) -> None:
    with pytest.raises(ContestError, match="at least 3"):
        rotations(entries, 4, allowed=(3, 4, 5))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_where_tables_of_a_size_and_as_many_tables_any_two_meet_exactly_once(seats) -> None:
    rounds = rotations(seats * seats, seats)
    assert len(rounds) == seats + 1
    assert set(meetings(rounds, seats * seats)) == {1}
    assert set(meetings(rotations(seats * seats, seats, meetings=2), seats * seats)) == {2}


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("entries", range(6, 31, 8))
def test_meetings_differ_by_two_at_most(entries, seats) -> None:
    met = meetings(rotations(entries, seats, allowed=(3, 4, 5)), entries)
    assert max(met) - min(met) <= 2
    # And not far from the same for most.
    mean = sum(met) / len(met)
    assert sum(abs(times - mean) < 1 for times in met) >= 0.5 * len(met)


@settings(max_examples=15)
@given(st.integers(3, 26), st.integers(3, 5), st.sampled_from([(), (3, 4), (3, 4, 5)]), st.integers(1, 2))
def test_every_round_seats_everybody_once_and_byes_are_shared_out(entries, seats, allowed, times) -> None:
    sizes = allowed or (seats,)
    if entries < min(sizes) or (allowed and seats not in allowed):
        return
    rounds = rotations(entries, seats, allowed=allowed, meetings=times)
    assert [each.number for each in rounds] == list(range(1, len(rounds) + 1))
    byes: Counter[int] = Counter()
    for each in rounds:
        seated = [entry for table in each.tables for entry in table]
        assert sorted([*seated, *each.byes]) == list(range(1, entries + 1))
        assert {len(table) for table in each.tables} <= set(sizes)
        byes.update(each.byes)
    assert max(byes.values(), default=0) - min(byes[entry] for entry in range(1, entries + 1)) <= 1
    assert sum(meetings(rounds, entries)) >= times * len(meetings(rounds, entries))


def test_the_same_numbers_give_the_same_draw() -> None:
    first = rotations(13, 4, allowed=(3, 4))
    rotations.cache_clear()
    assert rotations(13, 4, allowed=(3, 4)) == first
