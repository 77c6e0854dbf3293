"""What a director may choose for a section, and where a late pair roves: the laws hold for every one of them."""

from dataclasses import replace

import pytest

from engine.contest.movements import roving
from engine.contest.movements.mitchell import EvenTables
from engine.contest.movements.movement import faults
from engine.contest.movements.sections import (
    Choice,
    Kind,
    check,
    choices,
)
from engine.errors import ContestError


@pytest.mark.parametrize("pairs", [*range(3, 33), 61, 62, 119, 120])
def test_every_choice_is_lawful_and_for_so_many_pairs(pairs: int) -> None:
    found = choices(pairs)
    assert found
    assert len({(each.kind, each.even, each.length) for each in found}) == len(found)
    for each in found:
        movement = check(each, pairs)
        assert list(faults(movement)) == []
        assert len(each.numbers()) == pairs
        assert len(movement.rounds) == each.rounds >= 2
        seated = {pair for tables in movement.rounds for one in tables for pair in (one.first, one.second)}
        assert seated == set(range(1, movement.pairs + 1))


def test_few_pairs_usually_play_a_howell_and_many_a_mitchell() -> None:
    assert [choices(pairs)[0].kind for pairs in (4, 8, 9, 16)] == [
        Kind.HOWELL,
        Kind.HOWELL,
        Kind.MITCHELL,
        Kind.MITCHELL,
    ]
    assert choices(24)[0].kind is Kind.MITCHELL
    assert choices(2) == choices(121) == ()


@pytest.mark.parametrize("pairs", range(3, 17, 2))
def test_any_number_may_be_missing(pairs: int) -> None:
    for each in choices(pairs):
        if each.kind is Kind.ROVER:
            continue
        for number in range(1, pairs + 2):
            movement = check(replace(each, phantom=number), pairs)
            out = [movement.sitting_out(played) for played in range(1, each.rounds + 1)]
            assert number not in out
            assert all(out)


@pytest.mark.parametrize(
    ("choice", "pairs", "code"),
    [
        (Choice(Kind.HOWELL, 11, 21), 22, "tables"),
        (Choice(Kind.ROVER, 7, 7), 14, "tables"),
        (Choice(Kind.ROVER, 7, 7, phantom=3), 15, "phantom"),
        (Choice(Kind.WEB, 14, 9, length=8), 28, "tables"),
        (Choice(Kind.APPENDIX, 8, 7, length=7, barometer=True), 16, "barometer"),
        (Choice(Kind.HOWELL, 4, 7), 10, "tables"),
        (Choice(Kind.HOWELL, 4, 7), 7, "phantom"),
        (Choice(Kind.HOWELL, 4, 7, phantom=1), 8, "phantom"),
        (Choice(Kind.HOWELL, 4, 7, phantom=9), 7, "pair"),
        (Choice(Kind.HOWELL, 4, 0), 8, "rounds"),
        (Choice(Kind.MITCHELL, 4, 4), 8, "rounds"),
        (Choice(Kind.MITCHELL, 4, 3, arrow_switched=-1), 8, "rounds"),
        (Choice(Kind.HOWELL, 4, 7, arrow_switched=1), 8, "arrow_switched"),
        (Choice(Kind.MITCHELL, 1, 1), 2, "pairs"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(choice: Choice, pairs: int, code: str) -> None:
    with pytest.raises(ContestError) as refusal:
        check(choice, pairs)
    assert refusal.value.code == code


@pytest.mark.parametrize("pairs", range(4, 31, 2))
def test_a_roving_pair_meets_nobody_and_no_boards_twice(pairs: int) -> None:
    for each in choices(pairs):
        movement = check(each, pairs)
        for first in range(1, each.rounds + 1):
            found = roving.places(movement, first)
            if found is None:
                continue
            assert [place.round_number for place in found] == list(range(first, each.rounds + 1))
            for what in ("against", "boards", "instead_of"):
                met = [getattr(place, what) for place in found]
                assert len(set(met)) == len(met)
            for place in found:
                [sitting] = [
                    one for one in movement.rounds[place.round_number - 1] if one.table == place.table
                ]
                assert {place.instead_of, place.against} == {sitting.first, sitting.second}
                assert place.boards == sitting.boards


@pytest.mark.parametrize("tables", range(3, 13))
def test_there_is_a_way_to_rove_through_every_usual_mitchell(tables: int) -> None:
    evens = (EvenTables.SKIP, EvenTables.SHARE_AND_RELAY)
    for each in choices(2 * tables):
        if each.kind is Kind.MITCHELL and each.even in evens:
            assert roving.places(each.movement(), 2) is not None
