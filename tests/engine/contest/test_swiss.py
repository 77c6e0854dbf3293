"""Swiss draws held to their laws, and to all pairings of small fields (rules F20 to F33)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contest.draws.swiss import (
    Cost,
    ImpossibleDrawError,
    SatOut,
    SwissEntry,
    SwissField,
    SwissMatch,
    SwissRound,
    System,
)
from engine.contest.results import Key

KEYS = "ABCDEFGHIJK"


@st.composite
def fields(draw, most: int = 8) -> SwissField:
    """A Swiss after some rounds that were drawn by themselves, with results by chance."""
    size = draw(st.integers(3, most))
    entries = tuple(
        SwissEntry(key, number, Fraction(draw(st.integers(0, 3)), 2))
        for key, number in zip(KEYS[:size], draw(st.permutations(range(1, size + 1))), strict=True)
    )
    field = SwissField(entries, system=draw(st.sampled_from(System)), seed="x")
    for number in range(1, draw(st.integers(1, 4))):
        field = replace(
            field, round=number, absent=frozenset(draw(st.sets(st.sampled_from(KEYS[:size]), max_size=1)))
        )
        drawn = field.draw()
        matches = []
        for home, away in drawn.tables:
            won = Fraction(draw(st.integers(0, 2)))
            matches.append(
                SwissMatch(home, away, (won, 2 - won), draw(st.sampled_from([True, True, True, False])))
            )
        byes = (SatOut(drawn.bye, Fraction(2)),) if drawn.bye is not None else ()
        field = replace(field, rounds=(*field.rounds, SwissRound(number, tuple(matches), byes)))
    return replace(
        field, round=len(field.rounds) + 1, absent=frozenset(), repeats_allowed=draw(st.booleans())
    )


def pairings(keys: list):
    """All ways to pair these; with None among them one sits out."""
    if not keys:
        yield []
        return
    first, *others = keys
    for other in others:
        for rest in pairings([key for key in others if key != other]):
            yield [(first, other), *rest]


def all_costs(field: SwissField) -> list[Cost]:
    keys: list[Key | None] = [entry.key for entry in field.playing]
    if len(keys) % 2:
        keys.append(None)
    costs = []
    for way in pairings(keys):
        try:
            costs.append(field.draw_of(way).cost)
        except ImpossibleDrawError:
            continue
    return costs


@given(fields())
def test_f20_no_pairing_of_a_small_field_costs_less(field) -> None:
    drawn = field.draw()
    assert drawn.cost == min(all_costs(field))


@given(fields(most=11), st.randoms(use_true_random=False))
def test_everybody_plays_once_and_the_order_of_the_facts_changes_nothing(field, chance) -> None:
    drawn = field.draw()
    seen = [key for two in drawn.tables for key in two] + ([drawn.bye] if drawn.bye is not None else [])
    assert sorted(seen) == sorted(entry.key for entry in field.entries)
    entries, rounds = list(field.entries), list(field.rounds)
    chance.shuffle(entries)
    chance.shuffle(rounds)
    assert replace(field, entries=tuple(entries), rounds=tuple(rounds)).draw() == drawn


@given(fields(), st.data())
def test_f33_a_directors_tables_never_cost_less_than_the_draw_with_them(field, data) -> None:
    two = data.draw(st.lists(st.sampled_from(field.playing), min_size=2, max_size=2, unique=True))
    forced = field.draw_with((two[0].key, two[1].key))
    assert any({two[0].key, two[1].key} == set(table) for table in forced.tables)
    assert field.draw_of([*forced.tables, *([(forced.bye, None)] if forced.bye else [])]) == forced
    assert forced.cost >= field.draw().cost


def test_f22_a_forbidden_field_names_who_is_left() -> None:
    entries = tuple(SwissEntry(key, number) for number, key in enumerate("ABCD", start=1))
    forbidden = frozenset(frozenset(("A", other)) for other in "BCD")
    with pytest.raises(ImpossibleDrawError) as refused:
        SwissField(entries, forbidden=forbidden).draw()
    assert refused.value.left == ("A",)


def test_f5_f25_a_lot_decides_between_equals_and_the_seed_changes_it() -> None:
    entries = tuple(SwissEntry(key, number) for number, key in enumerate("ABCDEF", start=1))
    played = SwissRound(1, tuple(SwissMatch(h, a, (Fraction(1), Fraction(1))) for h, a in ("AD", "BE", "CF")))
    field = SwissField(entries, (played,), round=2)
    draws = {replace(field, seed=str(seed)).draw().tables for seed in range(20)}
    assert len(draws) > 1
    assert len({replace(field, seed=str(seed)).draw().cost for seed in range(20)}) == 1


@pytest.mark.parametrize("system", System)
def test_a_large_field_is_drawn_as_from_all_its_meetings(system, monkeypatch) -> None:
    # The first, cheapest meetings only bound the cost; the draw is that of all of them.
    size = 90
    entries = tuple(
        SwissEntry(number, number, Fraction(number * number % 23, 2)) for number in range(1, size)
    )
    field = SwissField(entries, round=2, system=system, seed="large")
    drawn = field.draw()
    monkeypatch.setattr("engine.contest.draws.swiss._FEW_ENOUGH", size)
    assert replace(field).draw() == drawn
