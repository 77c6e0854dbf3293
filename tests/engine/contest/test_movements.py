"""The laws of movements, for every movement that is offered, and the published tables."""

import re
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contest.movements.howell import barometer_howell, howell
from engine.contest.movements.mitchell import EvenTables, mitchell
from engine.contest.movements.movement import Movement, Sitting, faults
from engine.contest.movements.pivots import appendix, rover
from engine.contest.movements.web import web
from engine.errors import ContestError
from tests.engine.contest.oracle import contest
from tests.engine.contest.test_contest_commands import run

SIZES = [*range(2, 21), 35, 48, 60]
MITCHELLS = [
    *((tables, EvenTables.SKIP) for tables in SIZES),
    *((tables, EvenTables.SHARE_AND_RELAY) for tables in SIZES if tables % 2 == 0),
]
HOWELLS = range(2, 11)
ENTRY = re.compile(r"(\d+)-(\d+)/(\d+)")


def every_round(movement: Movement) -> range:
    return range(1, len(movement.rounds) + 1)


@pytest.mark.parametrize(("tables", "even"), MITCHELLS)
def test_the_laws_hold_in_every_mitchell(tables, even) -> None:
    movement = mitchell(tables, even)
    assert list(faults(movement)) == []
    assert movement.pairs == 2 * tables
    assert not movement.is_one_field()
    skips = tables % 2 == 0 and even is EvenTables.SKIP
    assert len(movement.rounds) == tables - skips
    assert {at.boards for at in movement.rounds[0]} <= set(range(1, tables + 1))


@pytest.mark.parametrize(("tables", "even"), MITCHELLS)
def test_boards_are_at_one_table_but_for_the_two_that_share(tables, even) -> None:
    movement = mitchell(tables, even)
    shares = tables % 2 == 0 and even is EvenTables.SHARE_AND_RELAY
    expected = ((1, tables),) if shares else ()
    assert {movement.shared(number) for number in every_round(movement)} == {expected}


@pytest.mark.parametrize("tables", range(3, 30, 2))
def test_an_odd_mitchell_is_the_published_one(tables) -> None:
    """North-South t, East-West (t - r) and set (t + r), modulo the tables, all counted from 0."""
    for number, sittings in enumerate(mitchell(tables).rounds):
        for table, at in enumerate(sittings):
            assert (at.table, at.first) == (table + 1, table + 1)
            assert at.second - tables - 1 == (table - number) % tables
            assert at.boards - 1 == (table + number) % tables


@pytest.mark.parametrize("tables", range(4, 30, 2))
def test_in_a_skip_east_west_move_two_up_half_way(tables) -> None:
    rounds = mitchell(tables).rounds
    for number in range(1, len(rounds)):
        before = {at.second: at.table for at in rounds[number - 1]}
        moved = {(at.table - before[at.second]) % tables for at in rounds[number]}
        assert moved == {2 if number == tables // 2 else 1}


@pytest.mark.parametrize("tables", HOWELLS)
def test_the_laws_hold_in_every_howell(tables) -> None:
    movement = howell(tables)
    assert list(faults(movement)) == []
    assert movement.is_one_field()
    for pair in range(1, movement.pairs + 1):
        sittings = [
            at for number in every_round(movement) for at in movement.rounds[number - 1] if at.has(pair)
        ]
        assert {at.boards for at in sittings} == set(range(1, 2 * tables)), "plays every set"
        opponents = {at.second if at.first == pair else at.first for at in sittings}
        assert opponents == set(range(1, movement.pairs + 1)) - {pair}, "meets everyone"


def test_the_howell_of_four_tables_is_the_published_one() -> None:
    rows = contest("howell_4_tables")["rows"]
    rounds = howell(4).rounds
    for table, row in enumerate(rows):
        for number, entry in enumerate(ENTRY.findall(row)):
            at = rounds[number][table]
            assert (at.first, at.second, at.boards) == tuple(map(int, entry))


@pytest.mark.parametrize(
    ("tables", "rounds_shared"), [(2, 3), (3, 1), *((tables, 0) for tables in range(4, 11))]
)
def test_boards_are_shared_only_where_no_other_howell_exists(tables, rounds_shared) -> None:
    movement = howell(tables)
    sharing = [movement.shared(number) for number in every_round(movement) if movement.shared(number)]
    assert sharing == [(tuple(range(1, tables + 1)),)] * rounds_shared


#: By tables, as published for 2 to 8; 9 and 10 are known to exist, and are the least there can be.
PUBLISHED = {
    2: Fraction(0), 3: Fraction(8, 3), 4: Fraction(0), 5: Fraction(16, 5), 6: Fraction(0), 7: Fraction(24, 7),
    8: Fraction(0), 9: Fraction(32, 9), 10: Fraction(0),
}  # fmt: skip


@pytest.mark.parametrize("tables", HOWELLS)
def test_a_full_howell_is_as_even_as_published(tables: int) -> None:
    assert howell(tables).balance() == PUBLISHED[tables]
    if tables in {2, 4, 6, 8, 10}:
        assert len(set(howell(tables).comparisons().values())) == 1


def counted(movement: Movement) -> dict[tuple[int, int], Fraction]:
    """`comparisons` by another way: each result of each set against each other one, as matchpoints are counted."""
    tables = len(movement.rounds[0])
    figures = dict.fromkeys(combinations(range(1, movement.pairs + 1), 2), Fraction(0))
    for boards in range(1, movement.sets + 1):
        played = [
            at for number in every_round(movement) for at in movement.played(number) if at.boards == boards
        ]
        for at, against in combinations(played, 2):
            # What the first side of a table wins it wins from its opponents, and against everybody on its side.
            for one, other, sign in (
                (at.first, at.second, 1), (against.first, against.second, 1), (at.first, against.first, 1),
                (at.second, against.second, 1), (at.first, against.second, -1), (at.second, against.first, -1),
            ):  # fmt: skip
                figures[min(one, other), max(one, other)] += Fraction(sign * (tables - 1), len(played) - 1)
    return figures


@pytest.mark.parametrize(
    "movement",
    [
        howell(4), howell(5).with_rounds(4), howell(8).with_rounds(7), mitchell(7).with_rounds(5).arrow_switched(),
        mitchell(8, EvenTables.SHARE_AND_RELAY).with_rounds(6), web(14, 9), rover(7), appendix(9, 7),
        barometer_howell(5).with_rounds(6),
    ],
    ids=lambda each: f"{each.name} {len(each.rounds)}",
)  # fmt: skip
def test_comparisons_are_counted_set_by_set_as_really_played(movement: Movement) -> None:
    assert movement.comparisons() == counted(movement)
    mean = Fraction(sum(counted(movement).values()), len(counted(movement)))
    spread = sum((each - mean) ** 2 for each in counted(movement).values()) / len(counted(movement))
    assert movement.balance() == spread


def test_a_missing_pair_is_compared_with_nobody() -> None:
    figures = howell(4).without(8).comparisons()
    assert set(figures) == set(combinations(range(1, 8), 2))


def test_control_one_round_in_eight_is_the_best_arrow_switch() -> None:
    """As is well known: the figures would say something else if a meeting counted the other way round."""
    balances = {rounds: mitchell(17).arrow_switched(rounds).balance() for rounds in range(1, 9)}
    assert min(balances, key=lambda each: balances[each]) == 2


def test_an_arrow_switch_makes_one_field_and_keeps_the_laws() -> None:
    movement = mitchell(7).arrow_switched()
    assert movement.is_one_field()
    assert list(faults(movement)) == []
    assert movement.rounds[:-1] == mitchell(7).rounds[:-1]
    assert movement.balance() < mitchell(7).balance()


@given(st.sampled_from([howell(4), howell(7), mitchell(5), mitchell(8)]), st.data())
def test_whoever_would_meet_the_phantom_sits_out_once_a_round(movement, data) -> None:
    phantom = data.draw(st.integers(1, movement.pairs))
    missing = movement.without(phantom)
    for number in every_round(missing):
        out = missing.sitting_out(number)
        seated = {pair for at in missing.played(number) for pair in (at.first, at.second)}
        assert out is not None
        assert seated | {out, phantom} == set(range(1, movement.pairs + 1))
        assert len(seated) == movement.pairs - 2


@pytest.mark.parametrize("broken", [
    ((Sitting(1, 1, 2, 1), Sitting(2, 1, 3, 2)),),
    ((Sitting(1, 1, 2, 1),), (Sitting(1, 2, 1, 2),)),
    ((Sitting(1, 1, 2, 1), Sitting(2, 3, 4, 2)), (Sitting(1, 1, 3, 1), Sitting(2, 2, 4, 3))),
])  # fmt: skip
def test_control_broken_laws_are_found(broken) -> None:
    assert list(faults(Movement("broken", 4, 3, broken)))


@pytest.mark.parametrize("make", [
    lambda: mitchell(1), lambda: mitchell(61), lambda: howell(1), lambda: howell(11),
    lambda: howell(4).with_rounds(8), lambda: howell(4).with_rounds(0), lambda: howell(4).without(9),
    lambda: howell(4).arrow_switched(8), lambda: howell(4).arrow_switched(-1),
])  # fmt: skip
def test_what_no_movement_has_is_refused(make) -> None:
    with pytest.raises(ContestError, match=r"not|no pair"):
        make()


def test_the_command_prints_tables_pairs_and_boards() -> None:
    code, rounds = run("movement", "mitchell", "--tables", "3", "--rounds", "2", "--arrow-switch", "1")
    assert (code, rounds) == (
        0,
        [[[1, 1, 4, 1], [2, 2, 5, 2], [3, 3, 6, 3]], [[1, 6, 1, 2], [2, 4, 2, 3], [3, 5, 3, 1]]],
    )
    code, rounds = run("movement", "howell", "--tables", "2", "--phantom", "4")
    assert code == 0
    assert isinstance(rounds, list)
    assert [len(tables) for tables in rounds] == [1, 1, 1]
    assert run("movement", "howell", "--tables", "99")[0] == 1
