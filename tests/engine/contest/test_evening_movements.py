"""Movements for evenings: three-quarter Howells, Hesitation, Web, Appendix and Rover Mitchells, barometers."""

from fractions import Fraction
from itertools import pairwise

import pytest

from engine.contest.movements import pivots, three_quarter
from engine.contest.movements import web as webs
from engine.contest.movements.found import FILE, found
from engine.contest.movements.howell import barometer_howell, howell
from engine.contest.movements.mitchell import EvenTables, mitchell
from engine.contest.movements.movement import Movement, faults
from engine.contest.movements.sections import Choice, Kind, choices, usual_switch, ways
from engine.errors import ContestError

THREE_QUARTERS = [three_quarter.three_quarter(*size) for size in three_quarter.THREE_QUARTERS]
HESITATIONS = [three_quarter.hesitation(tables) for tables, _rounds in three_quarter.HESITATIONS]
WEBS = [webs.web(tables, sets) for tables in range(10, 28) for sets in webs.lengths(tables)]
APPENDICES = [
    pivots.appendix(tables, base) for tables in range(6, 20) for base in pivots.appendix_bases(tables)
]
ROVERS = [pivots.rover(tables) for tables in pivots.BASES]
#: Two tables share a set where no other such movement is known.
SHARING = {("hesitation", 6), ("hesitation", 8), ("hesitation", 10), ("hesitation", 12), ("three-quarter", 4)}


def size(movement: Movement) -> str:
    return f"{movement.name} {len(movement.rounds[0])} {len(movement.rounds)}"


def every_round(movement: Movement) -> range:
    return range(1, len(movement.rounds) + 1)


def sets_of(movement: Movement, pair: int) -> list[int]:
    return [at.boards for number in every_round(movement) for at in movement.played(number) if at.has(pair)]


@pytest.mark.parametrize("movement", [*THREE_QUARTERS, *HESITATIONS, *WEBS, *APPENDICES, *ROVERS], ids=size)
def test_the_laws_hold(movement: Movement) -> None:
    assert list(faults(movement)) == []
    assert movement.is_one_field()


@pytest.mark.parametrize("movement", [*THREE_QUARTERS, *HESITATIONS, *WEBS, *APPENDICES], ids=size)
def test_everybody_plays_every_set_and_every_set_at_as_many_tables(movement: Movement) -> None:
    for pair in range(1, movement.pairs + 1):
        assert sorted(sets_of(movement, pair)) == list(range(1, movement.sets + 1))
    for number in every_round(movement):
        assert movement.sitting_out(number) is None


def test_there_are_movements_for_all_the_tables_that_they_are_promised_for() -> None:
    assert {len(each.rounds[0]) for each in THREE_QUARTERS} == set(range(4, 16))
    assert {len(each.rounds[0]) for each in HESITATIONS} == set(range(5, 14))
    assert {len(each.rounds[0]) for each in WEBS} == set(range(10, 28))
    assert all(len(each.rounds) == len(each.rounds[0]) + 1 for each in HESITATIONS)


@pytest.mark.parametrize("movement", [*THREE_QUARTERS, *HESITATIONS], ids=size)
def test_boards_are_at_one_table_but_where_it_is_said(movement: Movement) -> None:
    shared = {tables for number in every_round(movement) for tables in movement.shared(number)}
    tables = len(movement.rounds[0])
    if (movement.name, tables) in SHARING or (tables, len(movement.rounds)) == (5, 8):
        assert [len(together) for together in shared] == [2], "two tables, the same in every round"
    else:
        assert not shared


@pytest.mark.parametrize("movement", WEBS, ids=size)
def test_a_web_needs_two_copies_or_three(movement: Movement) -> None:
    assert movement.copies() == (3 if len(movement.rounds[0]) % 2 else 2)


@pytest.mark.parametrize("movement", HESITATIONS, ids=size)
def test_in_a_hesitation_who_comes_to_the_last_table_stays_for_a_round(movement: Movement) -> None:
    last = len(movement.rounds[0])
    at_last = [{sittings[-1].first, sittings[-1].second} for sittings in movement.rounds]
    staying = [len(one & other) for one, other in pairwise(at_last)]
    assert set(staying) == {1}
    assert all(sittings[-1].table == last for sittings in movement.rounds)


@pytest.mark.parametrize("movement", APPENDICES, ids=size)
def test_in_an_appendix_mitchell_two_tables_at_most_share(movement: Movement) -> None:
    tables, base = len(movement.rounds[0]), len(movement.rounds)
    for number in every_round(movement):
        assert len(movement.shared(number)) == tables - base
    assert movement.copies() == 2


@pytest.mark.parametrize("movement", ROVERS, ids=size)
def test_a_rover_plays_every_round_and_every_other_pair_that_stays_sits_out_once(movement: Movement) -> None:
    rounds = len(movement.rounds)
    assert sorted(sets_of(movement, movement.pairs)) == list(range(1, rounds + 1))
    assert sorted(movement.sitting_out(number) or 0 for number in every_round(movement)) == list(
        range(1, rounds + 1)
    )
    assert all(not movement.shared(number) for number in every_round(movement))


def usual(tables: int, rounds: int, pairs: int) -> list[Movement]:
    """What a club would play so long without these: a shortened Howell, or a Mitchell with the arrow switched."""
    found_ = [howell(tables)] if tables <= 10 and rounds < 2 * tables else []
    mitchells = [mitchell(tables, even) for even in (EvenTables if tables % 2 == 0 else [EvenTables.SKIP])]
    switched = range(1, rounds)
    return (
        [
            *(each.with_rounds(rounds) for each in found_),
            *(
                whole.with_rounds(rounds).arrow_switched(number)
                for whole in mitchells
                if len(whole.rounds) >= rounds
                for number in switched
            ),
        ]
        if pairs == 2 * tables
        else [
            whole.with_rounds(rounds).arrow_switched(number).without(pairs + 1)
            for whole in [mitchell(tables + 1, even) for even in EvenTables]
            for number in switched
        ]
    )


@pytest.mark.parametrize("movement", [*THREE_QUARTERS, *HESITATIONS, *WEBS, *APPENDICES, *ROVERS], ids=size)
def test_no_movement_is_less_even_than_the_usual_ways_to_play_so_long(movement: Movement) -> None:
    others = usual(len(movement.rounds[0]), len(movement.rounds), movement.pairs)
    balance = movement.balance()
    assert all(balance <= other.balance() for other in others)


def test_the_file_says_how_even_each_movement_is() -> None:
    lines = [line.split() for line in FILE.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == len(found())
    for name, tables, rounds, balance, *_rest in lines:
        if name == "barometer":
            movement = barometer_howell(int(tables))
        else:
            movement = Choice(Kind(name), int(tables), int(rounds), length=int(rounds)).movement()
        assert movement.balance() == Fraction(balance), (name, tables, rounds)


@pytest.mark.parametrize("tables", range(2, 11))
def test_in_a_barometer_all_tables_play_the_same_boards_in_a_round(tables: int) -> None:
    for kind in (Kind.HOWELL, Kind.MITCHELL):
        plain = next(each for each in choices(2 * tables) if each.kind is kind)
        movement = Choice(kind, tables, plain.rounds, plain.even, barometer=True).movement()
        assert list(faults(movement)) == []
        for number, sittings in enumerate(movement.rounds, start=1):
            assert {at.boards for at in sittings} == {number}


@pytest.mark.parametrize("rounds", [1, 3, 5])
def test_a_cut_barometer_needs_the_boards_of_its_rounds_alone(rounds: int) -> None:
    cut = Choice(Kind.HOWELL, 3, rounds, barometer=True).movement()
    assert (cut.sets, cut.sets_in_play()) == (rounds, rounds)


def test_a_barometer_of_two_four_or_six_tables_and_more_compares_as_evenly_as_can_be() -> None:
    assert [barometer_howell(tables).balance() for tables in (2, 4)] == [0, 0]
    assert all(barometer_howell(tables).balance() < 4 for tables in range(2, 11))


@pytest.mark.parametrize("pairs", range(6, 55))
def test_ways_are_as_long_as_wanted_and_the_most_even_comes_first(pairs: int) -> None:
    for rounds in (5, 7, 9):
        offered = ways(pairs, rounds)
        assert all(len(each.movement().rounds) == rounds for each in offered)
        assert all(each.movement().is_one_field() for each in offered)
        balances = [each.movement().balance() for each in offered]
        assert balances == sorted(balances)
        if pairs > rounds + 1:
            assert offered, (pairs, rounds)


def test_one_round_in_eight_has_an_arrow_switch() -> None:
    assert [usual_switch(rounds) for rounds in (1, 5, 8, 11, 13, 16)] == [1, 1, 1, 1, 2, 2]


@pytest.mark.parametrize(
    "make",
    [
        lambda: three_quarter.three_quarter(3, 5), lambda: three_quarter.three_quarter(7, 8),
        lambda: three_quarter.hesitation(4), lambda: three_quarter.hesitation(14), lambda: webs.web(9, 7),
        lambda: webs.web(14, 8), lambda: webs.web(28, 15), lambda: webs.web(18, 7), lambda: pivots.rover(9),
        lambda: pivots.appendix(5, 5), lambda: pivots.appendix(8, 5), lambda: pivots.appendix(10, 9),
        lambda: Choice(Kind.WEB, 14, 9, length=9, barometer=True).movement(),
    ],
)  # fmt: skip
def test_what_there_is_not_is_refused(make) -> None:
    with pytest.raises(ContestError):
        make()
