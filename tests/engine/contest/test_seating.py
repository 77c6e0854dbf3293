"""Rounds of tables: sizes, who sits out, how evenly people meet, held against all seatings of small fields."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from engine.contest.draws.seating import ImpossibleSeatingError, Room, Tables, table_sizes
from engine.contest.results import Key
from engine.errors import ContestError

TWO_TO_FOUR, THREE_OR_FOUR, FOUR = (2, 3, 4), (3, 4), (4,)


@pytest.mark.parametrize(
    ("players", "allowed", "tables"),
    [
        (3, TWO_TO_FOUR, (3,)),
        (5, TWO_TO_FOUR, (3, 2)),
        (5, THREE_OR_FOUR, (4,)),
        (6, TWO_TO_FOUR, (3, 3)),
        (7, THREE_OR_FOUR, (4, 3)),
        (9, TWO_TO_FOUR, (3, 3, 3)),
        (10, THREE_OR_FOUR, (4, 3, 3)),
        (11, (3, 4, 5, 6, 7), (4, 4, 3)),
        (13, (3, 4, 5, 6, 7), (5, 4, 4)),
        (7, FOUR, (4,)),
    ],
)
def test_as_many_as_possible_have_a_seat(
    players: int, allowed: tuple[int, ...], tables: tuple[int, ...]
) -> None:
    assert table_sizes(players, 4, allowed) == tables


def test_too_few_for_a_table() -> None:
    with pytest.raises(ContestError):
        Room((1, 2), allowed=THREE_OR_FOUR).draw()


def _all(players: Sequence[Key], sizes: Sequence[int]) -> Iterator[tuple[Tables, tuple[Key, ...]]]:
    """Every way to seat the players at these tables, some of them more than once."""
    if not sizes:
        yield (), tuple(players)
        return
    for table in combinations(players, sizes[0]):
        for others, out in _all([each for each in players if each not in table], sizes[1:]):
            yield (table, *others), out


def _played(players: int, rounds: int, allowed: tuple[int, ...], seed: str) -> Iterator[Room]:
    before: list[Tables] = []
    for _number in range(rounds):
        room = Room(tuple(range(1, players + 1)), tuple(before), allowed=allowed, seed=seed)
        yield room
        before.append(room.draw().tables)


@pytest.mark.parametrize(
    ("players", "allowed"), [(5, FOUR), (7, THREE_OR_FOUR), (8, FOUR), (9, THREE_OR_FOUR)]
)
def test_no_seating_costs_less(players: int, allowed: tuple[int, ...]) -> None:
    for room in _played(players, 5, allowed, "spring"):
        least = min(room.draw_of(*seating).cost for seating in _all(room.playing, room.sizes))
        assert room.draw().cost == least


@given(players=some.integers(3, 21), seed=some.text(max_size=3), rounds=some.integers(1, 4))
def test_everybody_has_one_place_and_nobody_misses_twice_before_all_have_once(
    players: int, seed: str, rounds: int
) -> None:
    missed: Counter[object] = Counter()
    for room in _played(players, rounds, FOUR if players > 3 else (3,), seed):
        drawn = room.draw()
        there = [key for table in drawn.tables for key in table]
        assert sorted(map(str, [*there, *drawn.out])) == sorted(map(str, room.entries))
        assert room.draw() == drawn
        missed.update(drawn.out)
        assert max(missed.values(), default=0) - min(missed[key] for key in room.entries) <= 1


def test_in_four_rounds_of_sixteen_hardly_anybody_meets_twice() -> None:
    rooms = list(_played(16, 4, FOUR, "x"))
    assert [room.draw().cost.met for room in rooms][:3] == [0, 0, 0]


def test_who_comes_late_has_a_seat_before_those_who_played_all_along() -> None:
    before = (((1, 2, 3, 4),),)
    drawn = Room((1, 2, 3, 4, 5), before, allowed=FOUR).draw()
    assert 5 not in drawn.out
    assert drawn.cost == (1, 0, 0, 3, 0)


def test_who_sat_at_the_small_table_sits_at_a_full_one_next() -> None:
    before = (((1, 2, 3, 4), (5, 6, 7)),)
    drawn = Room(tuple(range(1, 8)), before, allowed=THREE_OR_FOUR).draw()
    assert drawn.cost.met == 3
    assert len({5, 6, 7}.intersection(drawn.tables[1])) == drawn.cost.unusual == 1


def test_why_not() -> None:
    before = (((1, 2, 3, 4), (5, 6, 7, 8)),)
    room = Room(tuple(range(1, 9)), before, allowed=FOUR)
    least = room.draw()
    assert least.cost.met == 4
    assert room.times_met(1, 2) == 1
    dearer = room.draw_with((1, 2))
    assert any({1, 2} <= set(table) for table in dearer.tables)
    assert dearer.cost >= least.cost
    with pytest.raises(ImpossibleSeatingError):
        room.draw_with((1, None))
    out = Room(tuple(range(1, 10)), before, allowed=FOUR).draw_with((4, None))
    assert out.out == (4,)


def test_two_who_are_kept_apart_sit_at_different_tables() -> None:
    apart = frozenset({frozenset({1, 2}), frozenset({1, 3})})
    drawn = Room(tuple(range(1, 9)), allowed=FOUR, apart=apart).draw()
    assert not any(two <= set(table) for two in apart for table in drawn.tables)
    with pytest.raises(ImpossibleSeatingError):
        Room((1, 2, 3, 4), allowed=FOUR, apart=apart).draw()
    with pytest.raises(ImpossibleSeatingError):
        Room(tuple(range(1, 9)), allowed=FOUR, apart=apart).draw_with((1, 2))


def test_first_at_the_table_is_who_was_first_least_often() -> None:
    for room in _played(4, 4, FOUR, "x"):
        (table,) = room.draw().tables
        assert room.missed(table[0]) == 0
    assert sorted(map(str, (tables[0][0] for tables in room.rounds))) == sorted(
        {str(tables[0][0]) for tables in room.rounds}
    )
