"""What is true of every table, whatever the season."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.contest.points.scheme import HeadToHead
from engine.contest.results import Ending, Key, ResultLine
from engine.contest.standings.table import Row, Table
from engine.contest.standings.tie_breaks import get
from engine.contest.standings.withdrawal import Rule
from tests.engine.contest.seasons import ALL_METRICS, LEAGUE, Season, place_of, seasons


@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_in_which_facts_are_listed_does_not_matter(season: Season, rng) -> None:
    def shuffled(things: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(sorted(things, key=lambda _: rng.random()))

    more = {
        name: things if name == "draw_of_lots" else shuffled(things) for name, things in season.more.items()
    }
    other = replace(season, entries=shuffled(season.entries), results=shuffled(season.results), more=more)
    assert other.table().canonical_json() == season.table().canonical_json()
    assert [table.digest() for table in other.history()] == [table.digest() for table in season.history()]


@given(seasons())
def test_a_table_survives_json(season: Season) -> None:
    for table in (season.table(), *season.history()):
        again = Table.from_json(json.loads(json.dumps(table.as_json())))
        assert again == table
        assert again.digest() == table.digest()


@given(seasons())
def test_places_count_those_above(season: Season) -> None:
    """1, 2, 2, 4: a place is one more than the number of entries above it, and shared by those level."""
    rows = season.table().rows
    taken = [place_of(row) for row in rows]
    assert taken == sorted(taken)
    for row in rows:
        assert row.place == 1 + sum(place < place_of(row) for place in taken)
        assert row.is_shared == (taken.count(place_of(row)) > 1)


@given(seasons())
def test_every_neighbour_is_separated_by_what_the_row_says(season: Season) -> None:
    table = season.table()
    for above, below in pairwise(table.rows):
        parting = below.separated_by
        assert parting is not None
        assert {above.entry, below.entry} <= set(parting.tied)
        assert (parting.metric is None) == (above.place == below.place)
        if parting.metric is None:
            continue
        assert level_until(table, parting.metric, above, below)
        assert parting.above is not None
        assert parting.below is not None
        best_first = sorted((parting.above, parting.below), reverse=get(parting.metric).higher_is_better)
        assert [parting.above, parting.below] == best_first
        assert parting.above != parting.below
        if parting.metric in above.metrics:
            assert (parting.above, parting.below) == (
                above.metrics[parting.metric],
                below.metrics[parting.metric],
            )
    assert not table.rows or table.rows[0].separated_by is None


def level_until(table: Table, metric: str, above: Row, below: Row) -> bool:
    """Whether two are level on every metric before this one that looks at entries alone."""
    earlier = table.tie_breaks[: table.tie_breaks.index(metric)]
    return all(above.metrics[key] == below.metrics[key] for key in earlier if key in above.metrics)


@given(seasons())
def test_league_points_decide_before_everything_else(season: Season) -> None:
    points = [row.league_points for row in season.table().rows]
    assert points == sorted(points, reverse=True)


@given(seasons())
def test_contributions_add_up(season: Season) -> None:
    for row in season.table().rows:
        assert sum(line.points for line in row.contributions) == row.league_points
        matches = [line for line in row.contributions if line.outcome is not None]
        assert len(matches) == row.played == row.won + row.drawn + row.lost
        assert sum(line.score_for for line in matches) == row.score_for
        assert sum(line.score_against for line in matches) == row.score_against
        assert row.form == "".join(str(line.outcome) for line in matches)[-5:]
        assert [line.round for line in row.contributions] == sorted(line.round for line in row.contributions)


@given(seasons(schemes=st.just(LEAGUE)))
def test_two_one_nought_shares_out_two_points_a_match(season: Season) -> None:
    table = season.table()
    contributions = [line for row in table.rows for line in row.contributions if line.opponent is not None]
    forfeits_by_both = sum(row.forfeits for row in table.rows) - sum(row.walkovers for row in table.rows)
    assert sum(line.points for line in contributions) == 2 * table.results_counted - forfeits_by_both
    assert sum(row.score_for - row.score_against for row in table.rows) == 0
    assert sum(row.played for row in table.rows) == 2 * table.results_counted


@given(seasons(), st.sampled_from(ALL_METRICS))
def test_one_more_tie_break_never_changes_the_order_of_those_separated(season: Season, key: str) -> None:
    if key in season.tie_breaks:
        return
    before = {row.entry: place_of(row) for row in season.table().rows}
    after = {
        row.entry: place_of(row) for row in replace(season, tie_breaks=(*season.tie_breaks, key)).table().rows
    }
    separated = [(one, two) for one, two in permutations(before, 2) if before[one] < before[two]]
    assert all(after[one] < after[two] for one, two in separated)


@given(seasons(withdrawals=1))
def test_who_withdrew_before_half_leaves_the_table_as_if_never_entered(season: Season) -> None:
    table = season.table()
    gone = {row.entry for row in table.withdrawn}
    assert all(row.withdrawal and row.withdrawal.rule is Rule.REMOVED for row in table.withdrawn)
    without = replace(
        season,
        entries=tuple(entry for entry in season.entries if entry.key not in gone),
        results=tuple(line for line in season.results if gone.isdisjoint(line.entries)),
        more={name: kept(things, gone) for name, things in season.more.items()},
    )
    assert without.table().rows == table.rows


def kept(things, gone: set[Key]):
    return tuple(
        replace(thing, order=tuple(key for key in thing.order if key not in gone))
        if hasattr(thing, "order")
        else thing
        for thing in things
        if hasattr(thing, "order") or thing.entry not in gone
    )


@given(seasons())
def test_who_withdrew_after_half_has_nothing_left_to_play(season: Season) -> None:
    for row in season.table().rows:
        if row.withdrawal is not None:
            assert row.withdrawal.rule is Rule.STANDS
            assert 2 * row.withdrawal.played >= row.withdrawal.matches
            assert row.to_play == 0


@given(seasons(withdrawals=0))
def test_history_ends_with_the_table_of_all_results(season: Season) -> None:
    tables = season.history()
    last = max((line.round for line in season.results if line.is_counted), default=0)
    # Byes are counted when their round is: those of the last rounds may be still to come.
    byes = tuple(bye for bye in season.more["byes"] if bye.round <= last)
    now = replace(season, more={**season.more, "byes": byes}).table()
    assert len(tables) == last
    if tables:
        assert replace(tables[-1], after_round=None) == now


@given(seasons(withdrawals=0), st.integers(1, 14))
def test_history_after_a_round_is_the_table_of_its_results_alone(season: Season, number: int) -> None:
    tables = season.history()
    if number > len(tables):
        return
    early = replace(
        season,
        results=tuple(
            line
            if line.round <= number or line.sides[0].ending is Ending.VOID
            else line.ending_as(Ending.OPEN)
            for line in season.results
        ),
        more={**season.more, "byes": tuple(bye for bye in season.more["byes"] if bye.round <= number)},
    )
    assert replace(tables[number - 1], after_round=None) == early.table()


@given(seasons(withdrawals=0))
def test_sonneborn_berger_by_a_second_reading(season: Season) -> None:
    season = replace(season, tie_breaks=("league_points", "sonneborn_berger"))
    lines = [line for line in season.results if line.is_counted]
    assert isinstance(season.scheme, HeadToHead)
    for row in season.table().rows:
        assert row.metrics["sonneborn_berger"] == naive_sonneborn_berger(row.entry, lines, season.scheme)


def naive_sonneborn_berger(entry: Key, lines: list[ResultLine], scheme: HeadToHead) -> Fraction:
    total = Fraction(0)
    for line in lines:
        if entry in line.entries:
            opponent = next(other for other in line.entries if other != entry)
            total += share(entry, line) * match_points(opponent, lines, scheme)
    return total


def share(entry: Key, line: ResultLine) -> Fraction:
    """1 for a win, 1/2 for a draw, 0 for a loss."""
    own, other = sorted(line.sides, key=lambda side: side.entry != entry)
    if own.ending is Ending.PLAYED:
        return Fraction(1, 2) if own.score == other.score else Fraction(own.score > other.score)
    return Fraction(own.ending is Ending.WALKOVER_WON)


def match_points(entry: Key, lines: list[ResultLine], scheme: HeadToHead) -> Fraction:
    """League points from matches, for schemes without bands."""
    worth = {
        Fraction(1): scheme.bands[0].winner,
        Fraction(1, 2): scheme.draw,
        Fraction(0): scheme.bands[0].loser,
    }
    points = Fraction(0)
    for line in lines:
        if entry in line.entries:
            is_forfeit = any(s.entry == entry and s.ending is Ending.WALKOVER_LOST for s in line.sides)
            points += scheme.walkover_loser if is_forfeit else worth[share(entry, line)]
    return points
