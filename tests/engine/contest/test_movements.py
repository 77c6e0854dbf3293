"""The laws of movements, for every movement that is offered, and the published tables."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contest.movements.howell import howell
from engine.contest.movements.mitchell import EvenTables, mitchell
from engine.contest.movements.movement import Movement, Sitting, faults
from engine.errors import ContestError
from tests.engine.contest.oracle import contest
from tests.engine.contest.test_contest_commands import run

SIZES = [*range(2, 21), 35, 48, 60]
MITCHELLS = [
    *((tables, EvenTables.SKIP) for tables in SIZES),
    *((tables, EvenTables.SHARE_AND_RELAY) for tables in SIZES if tables % 2 == 0),
]
HOWELLS = range(2, 9)
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
    ("tables", "rounds_shared"), [(2, 3), (3, 1), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0)]
)
def test_boards_are_shared_only_where_no_other_howell_exists(tables, rounds_shared) -> None:
    movement = howell(tables)
    sharing = [movement.shared(number) for number in every_round(movement) if movement.shared(number)]
    assert sharing == [(tuple(range(1, tables + 1)),)] * rounds_shared


@pytest.mark.parametrize("tables", [2, 4, 6, 8])
def test_a_howell_of_even_tables_compares_all_alike(tables) -> None:
    assert howell(tables).balance() == 0


@pytest.mark.parametrize(("tables", "least", "most"), [(3, -6, 0), (5, -6, -2), (7, -8, -4)])
def test_a_howell_of_odd_tables_compares_nearly_alike(tables, least, most) -> None:
    figures = set(howell(tables).comparisons().values())
    assert (min(figures), max(figures)) == (least, most)


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
    lambda: mitchell(1), lambda: mitchell(61), lambda: howell(1), lambda: howell(9),
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
