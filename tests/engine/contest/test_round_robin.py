from collections import Counter
from itertools import chain

import pytest

from engine.contest.draws.round_robin import (
    Pairing,
    Round,
    berger,
    double_berger,
)
from engine.errors import ContestError
from tests.engine.contest.oracle import contest

PUBLISHED = contest("berger")["tables"]
SIZES = range(2, 41)


def rounds_as_lists(rounds: tuple[Round, ...]) -> list[list[list[int]]]:
    return [[[pairing.home, pairing.away] for pairing in played.pairings] for played in rounds]


def meetings(rounds: tuple[Round, ...]) -> Counter[frozenset[int]]:
    return Counter(frozenset((p.home, p.away)) for played in rounds for p in played.pairings)


def venues(rounds: tuple[Round, ...], entry: int) -> str:
    """Where the entry plays, match after match: H at home, A away."""
    return "".join(
        "H" if pairing.home == entry else "A"
        for played in rounds
        for pairing in played.pairings
        if entry in {pairing.home, pairing.away}
    )


@pytest.mark.parametrize("size", PUBLISHED)
def test_the_published_table(size: str) -> None:
    assert rounds_as_lists(berger(int(size))) == PUBLISHED[size]


@pytest.mark.parametrize("size", PUBLISHED)
def test_one_entry_fewer_is_the_same_table_with_a_bye_for_whoever_meets_the_highest_number(size: str) -> None:
    dummy = int(size)
    if dummy == 2:
        return
    for played, published in zip(berger(dummy - 1), PUBLISHED[size], strict=True):
        [against_dummy] = [pair for pair in published if dummy in pair]
        assert played.bye == min(against_dummy)
        assert rounds_as_lists((played,)) == [[pair for pair in published if dummy not in pair]]


@pytest.mark.parametrize("size", PUBLISHED)
def test_the_double_round_robin_exchanges_two_rounds_and_then_reverses_colours(size: str) -> None:
    table = PUBLISHED[size]
    first = [*table[:-2], *reversed(table[-2:])]
    second = [[[away, home] for home, away in played] for played in table]
    assert rounds_as_lists(double_berger(int(size))) == first + second


@pytest.mark.parametrize("entries", SIZES)
@pytest.mark.parametrize(("draw", "times"), [(berger, 1), (double_berger, 2)])
def test_everybody_meets_everybody(draw, times, entries) -> None:
    met = meetings(draw(entries))
    assert len(met) == entries * (entries - 1) // 2
    assert set(met.values()) == {times}


@pytest.mark.parametrize("entries", SIZES)
@pytest.mark.parametrize("draw", [berger, double_berger])
def test_everybody_plays_once_a_round_or_has_the_bye(draw, entries) -> None:
    for played in draw(entries):
        present = list(chain.from_iterable((p.home, p.away) for p in played.pairings))
        present += [] if played.bye is None else [played.bye]
        assert sorted(present) == list(range(1, entries + 1))
        assert (played.bye is None) == (entries % 2 == 0)


@pytest.mark.parametrize("entries", SIZES)
def test_home_and_away_are_balanced(entries) -> None:
    for entry in range(1, entries + 1):
        single, double = venues(berger(entries), entry), venues(double_berger(entries), entry)
        assert abs(single.count("H") - single.count("A")) == (1 if entries % 2 == 0 else 0)
        assert double.count("H") == double.count("A") == entries - 1


@pytest.mark.parametrize("entries", SIZES)
@pytest.mark.parametrize("draw", [berger, double_berger])
def test_nobody_is_at_home_or_away_three_times_in_a_row(draw, entries) -> None:
    rounds = draw(entries)
    for entry in range(1, entries + 1):
        assert "HHH" not in venues(rounds, entry)
        assert "AAA" not in venues(rounds, entry)


def test_without_the_exchange_somebody_would_be_three_times_in_a_row_at_home_or_away() -> None:
    """Guards the test above: the exchange of two rounds is what it proves."""
    single = berger(8)
    reverse = tuple(Round(r.number, tuple(p.reversed() for p in r.pairings), r.bye) for r in single)
    runs = [venues(single + reverse, entry) for entry in range(1, 9)]
    assert any("HHH" in run or "AAA" in run for run in runs)


def test_rounds_are_numbered_from_one() -> None:
    assert [played.number for played in double_berger(5)] == list(range(1, 11))


def test_two_entries() -> None:
    assert berger(2) == (Round(1, (Pairing(1, 2),), None),)
    assert [r.pairings for r in double_berger(2)] == [(Pairing(1, 2),), (Pairing(2, 1),)]


@pytest.mark.parametrize("entries", [-1, 0, 1])
def test_a_round_robin_needs_two_entries(entries) -> None:
    with pytest.raises(ContestError, match="needs at least two entries"):
        berger(entries)
