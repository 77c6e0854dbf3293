"""Seasons to compute tables of: written by hand as cross-tables, or any that Hypothesis thinks of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from engine.contest.draws.round_robin import berger, double_berger
from engine.contest.points.scheme import HeadToHead, PointsScheme
from engine.contest.results import (
    ENDINGS_OF_TWO,
    Adjustment,
    Bye,
    DrawOfLots,
    Entry,
    Key,
    ResultLine,
    Withdrawal,
)
from engine.contest.standings.standings import history, standings
from engine.contest.standings.table import Row, Table

ALL_METRICS = (
    "league_points",
    "head_to_head",
    "points_difference",
    "points_scored",
    "imps",
    "net",
    "matches_won",
    "sonneborn_berger",
    "opponents_score",
    "opponents_score_cut1",
    "draw_of_lots",
)
CHESS = HeadToHead.plain(1, "1/2", 0)
LEAGUE = HeadToHead.plain(2, 1, 0)


@dataclass(frozen=True)
class Season:
    """All that a table is made of."""

    entries: tuple[Entry, ...]
    results: tuple[ResultLine, ...]
    scheme: PointsScheme = LEAGUE
    tie_breaks: tuple[str, ...] = ALL_METRICS
    more: dict[str, Any] = field(default_factory=dict)

    def table(self) -> Table:
        return standings(self.entries, self.results, self.scheme, self.tie_breaks, **self.more)

    def history(self) -> tuple[Table, ...]:
        return history(self.entries, self.results, self.scheme, self.tie_breaks, **self.more)


def match(  # noqa: PLR0917 - written like a line of results
    fixture: Key,
    round: int,  # noqa: A002
    home: Key,
    away: Key,
    kind: str = "unplayed",
    home_score: int = 0,
    away_score: int = 0,
    **more: Any,
) -> ResultLine:
    """A match of two."""
    endings = ENDINGS_OF_TWO[kind]
    sides = zip((home, away), endings, (home_score, away_score), strict=True)
    return ResultLine.of(fixture, round, sides, **more)


def played(*results: str) -> tuple[ResultLine, ...]:
    """Results as "A 60-40 B", in rounds 1, 2, 3 ...; "A w/o B" is a walkover for A, "A - B" is unplayed."""
    return tuple(_line(number, *text.split()) for number, text in enumerate(results, start=1))


def _line(number: int, home: str, score: str, away: str) -> ResultLine:
    if score == "w/o":
        return match(number, number, home, away, "walkover_home")
    if score == "-":
        return match(number, number, home, away)
    left, right = score.split("-")
    return match(number, number, home, away, "played", int(left), int(right))


def entries_named(names: Iterable[str]) -> tuple[Entry, ...]:
    return tuple(Entry(name, seed) for seed, name in enumerate(names, start=1))


def season(names: str, *results: str, **changes: Any) -> Season:
    """A season of entries with names of one letter."""
    return Season(entries_named(names), played(*results), **changes)


def told(*values: Any) -> tuple[Any, ...]:
    """The values together: fractions may be compared with the whole numbers that they equal."""
    return values


def place_of(row: Row) -> int:
    """The place of a row that has one."""
    assert row.place is not None
    return row.place


def places(table: Table) -> list[tuple[int | None, Key]]:
    return [(row.place, row.entry) for row in table.rows]


KINDS = st.sampled_from(["played"] * 5 + list(ENDINGS_OF_TWO))
SCORES = st.integers(0, 3)
SCHEMES = st.sampled_from([LEAGUE, CHESS, HeadToHead.plain(3, 1, 0), HeadToHead.plain("5/3", "2/3", "-1/3")])


@st.composite
def seasons(
    draw: st.DrawFn, *, schemes: st.SearchStrategy[PointsScheme] = SCHEMES, withdrawals: int = 2
) -> Season:
    """A round robin of up to seven entries with ties, gaps, walkovers, lots, adjustments and withdrawals."""
    size = draw(st.integers(2, 7))
    rounds = draw(st.sampled_from([berger, double_berger]))(size)
    lines = tuple(
        match(100 * r.number + table, r.number, p.home, p.away, draw(KINDS), draw(SCORES), draw(SCORES))
        for r in rounds
        for table, p in enumerate(r.pairings)
    )
    keys = st.integers(1, size)
    leaving = draw(st.lists(keys, unique=True, max_size=withdrawals))
    adjusted = draw(st.lists(st.tuples(keys, st.sampled_from([Fraction(-1), Fraction(1, 2)])), max_size=2))
    lots = draw(st.lists(st.permutations(range(1, size + 1)).map(tuple), max_size=2))
    more = {
        "byes": tuple(Bye(r.bye, r.number) for r in rounds if r.bye is not None),
        "adjustments": tuple(Adjustment(key, points, "late") for key, points in adjusted),
        "draw_of_lots": tuple(map(DrawOfLots, lots)),
        "withdrawals": tuple(map(Withdrawal, leaving)),
    }
    tie_breaks = draw(st.permutations(ALL_METRICS[1:]).flatmap(_beginnings))
    entries = tuple(Entry(key, seed=draw(st.integers(0, 2))) for key in range(1, size + 1))
    return Season(entries, lines, draw(schemes), tie_breaks, more)


def _beginnings(keys: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    """League points, and then some of the keys."""
    return st.integers(0, len(keys)).map(lambda length: ("league_points", *keys[:length]))
