"""Matches of more than two sides: what they are worth, and the tables that they make."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contest.points.parsing import read_scheme
from engine.contest.points.scheme import ByRank, ByShare, HeadToHead, PointsScheme
from engine.contest.results import Ending, Entry, Key, ResultLine, Side, Withdrawal
from engine.contest.standings import explanation
from engine.contest.standings.parsing import read_season
from engine.contest.standings.standings import standings
from engine.contest.standings.table import Table
from engine.contest.standings.tie_breaks import NotApplicable
from engine.contest.standings.withdrawal import Rule
from engine.errors import ContestError
from tests.engine.contest import oracle
from tests.engine.contest.seasons import ALL_METRICS, Season, entries_named, seasons

FORFEIT = "x"
WALKOVER = "w"


def table_of(number: int, round_: int, *sides: tuple[Key, int | str], lowest: bool = False) -> ResultLine:
    """A match of sides with their scores; "x" forfeits, "w" has a walkover, "" has not played yet."""
    endings = {FORFEIT: Ending.WALKOVER_LOST, WALKOVER: Ending.WALKOVER_WON, "": Ending.OPEN}
    return ResultLine.of(
        number,
        round_,
        [
            (key, Ending.PLAYED, score) if isinstance(score, int) else (key, endings[score], 0)
            for key, score in sides
        ],
        lower_is_better=lowest,
    )


def points(scheme: PointsScheme, *scores: int | str, lowest: bool = False) -> list[str]:
    line = table_of(1, 1, *enumerate(scores), lowest=lowest)
    return ["-" if award is None else str(award.points) for award in scheme.awards(line)]


def case(name: str) -> list[Any]:
    return [pytest.param(each, id=str(number)) for number, each in enumerate(oracle.tables(name))]


@pytest.mark.parametrize("given_case", case("awards"))
def test_points_by_rank_and_by_share_as_worked_out_by_hand(given_case) -> None:
    scheme = read_scheme(given_case["points"])
    lowest = given_case.get("lower_is_better", False)
    assert points(scheme, *given_case["scores"], lowest=lowest) == given_case["expect"]
    assert read_scheme(scheme.as_json()) == scheme


@pytest.mark.parametrize("given_case", case("seasons"))
def test_seasons_worked_out_by_hand(given_case) -> None:
    table = read_season(given_case["season"]).table()
    names = {"A": "Ann", "B": "Bob", "C": "Cleo", "D": "Dora"}
    assert [[row.place, row.entry, str(row.league_points)] for row in table.rows] == given_case["table"]
    for key, lines in given_case.get("why", {}).items():
        row = table.row_of(key)
        assert row is not None
        told = [str(explanation.contribution(line, lambda k: names[str(k)])) for line in row.contributions]
        assert told == lines
    for key, reason in given_case.get("parted", {}).items():
        row = table.row_of(key)
        assert row is not None
        assert row.separated_by is not None
        assert str(explanation.separation(row.separated_by)) == reason


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"by": "luck"}, ("scheme-way", ("by",))),
        ({"by": ["rank"]}, ("scheme-way", ("by",))),
        ({"by": "rank", "win": 2}, ("unknown-field", ("win",))),
        ({"by": "rank", "places": [3]}, ("places-shape", ("places",))),
        ({"by": "rank", "places": [3, 0.5]}, ("points", ("places", 1))),
        ({"by": "rank", "places": [3, 4, 0]}, ("places-grow", ("places", 1))),
        ({"by": "rank", "places": [1, 1, 1]}, ("places-equal", ("places",))),
        ({"by": "rank", "places": [1, 0], "first": 1}, ("places-and-first", ("places",))),
        ({"by": "rank", "first": 0}, ("not-above-nothing", ("first",))),
        ({"by": "share", "stake": -1}, ("not-above-nothing", ("stake",))),
        ({"by": "share", "stake": "x"}, ("points", ("stake",))),
        ({"by": "share", "walkover": {"winner": 1, "loser": 2}}, ("win-below-loss", ("walkover",))),
    ],
)
def test_a_scheme_that_makes_no_sense_is_refused(data, fault) -> None:
    with pytest.raises(ContestError) as refused:
        read_scheme(data)
    causes = refused.value.causes or (refused.value,)
    assert {(cause.code, cause.place) for cause in causes} == {fault}
    assert all(str(cause.message) for cause in causes)


def test_which_numbers_of_sides_a_scheme_fits() -> None:
    for scheme, sides in ((HeadToHead.plain(), {2}), (ByRank(), {2, 3, 4, 5})):
        assert {number for number in range(6) if scheme.fits(number)} == sides
    lines = [table_of(1, 1, ("A", 3), ("B", 2), ("C", 1))]
    with pytest.raises(ContestError, match="for matches of 3 sides"):
        standings(entries_named("ABC"), lines, HeadToHead.plain())


@pytest.mark.parametrize(
    "scores",
    [
        (1, WALKOVER, FORFEIT),
        (WALKOVER, WALKOVER, WALKOVER),
        (1, FORFEIT, FORFEIT),
        (1, "", FORFEIT),
        (1, 2, ""),
    ],
)
def test_sides_that_contradict_each_other_are_refused(scores) -> None:
    line = table_of(1, 1, *zip("ABC", scores, strict=True))
    with pytest.raises(ContestError, match="must agree"):
        standings(entries_named("ABC"), [line], ByRank())


def test_a_side_has_a_rank_if_it_played_and_only_then() -> None:
    for made in ({"ending": Ending.PLAYED}, {"ending": Ending.OPEN, "rank": 1}):
        with pytest.raises(ValueError, match="rank"):
            Side("A", **made)


def test_the_order_of_the_game_goes_before_the_scores() -> None:
    season = {
        "entries": ["A", "B", "C"],
        "points": {"by": "rank"},
        "results": [
            {
                "round": 1,
                "sides": [
                    {"entry": "A", "score": 5, "rank": 3},
                    {"entry": "B", "score": 5, "rank": 1},
                    {"entry": "C", "score": 5, "rank": 2},
                ],
            }
        ],
    }
    assert [row.entry for row in read_season(season).table().rows] == ["B", "C", "A"]


def test_a_difference_is_left_out_where_more_than_two_meet() -> None:
    lines = [table_of(1, 1, ("A", 5), ("B", 5), ("C", 1))]
    table = standings(entries_named("ABC"), lines, ByRank(), ("league_points", "points_difference"))
    assert "points_difference" not in table.rows[0].metrics
    parting = table.rows[1].separated_by
    assert parting is not None
    assert [skip.reason for skip in parting.skipped] == [NotApplicable.MORE_THAN_TWO]
    assert str(explanation.left_out(parting.skipped[0])) == (
        "Points difference was left out: it is only for matches of two sides."
    )


SCHEMES = st.sampled_from(
    [
        ByRank(),
        ByRank(places=tuple(map(Fraction, (5, 3, 1)))),
        ByRank(places=tuple(map(Fraction, (6, 2, -2, -6)))),
        ByRank(first=Fraction(1)),
        ByRank(walkover_winner=Fraction(1), walkover_loser=Fraction(-1)),
        ByShare(stake=Fraction(20)),
        ByShare(stake=Fraction(7), walkover_winner=Fraction(2)),
    ]
)


@st.composite
def tables(draw: st.DrawFn, *, least: int = 2, endings: int = 6) -> ResultLine:
    """A match of two to five sides: mostly played, with forfeits, walkovers, open and void ones."""
    entries = draw(st.lists(st.integers(1, 8), min_size=least, max_size=5, unique=True))
    kind = draw(st.integers(0, endings))
    line = ResultLine.of(1, 1, [(entry, Ending.OPEN, 0) for entry in entries])
    if kind == endings and endings:
        return line.ending_as(draw(st.sampled_from([Ending.OPEN, Ending.VOID, Ending.WALKOVER_LOST])))
    away = draw(st.sets(st.sampled_from(entries), max_size=len(entries) - 1)) if kind >= 4 else set()
    came = len(entries) - len(away)
    others = Ending.PLAYED if came > 1 and kind != 5 else Ending.WALKOVER_WON if away else Ending.PLAYED
    sides = [
        (entry, Ending.WALKOVER_LOST if entry in away else others, draw(st.integers(-2, 4)))
        for entry in entries
    ]
    return ResultLine.of(1, 1, sides, lower_is_better=draw(st.booleans()))


@st.composite
def contests(draw: st.DrawFn, *, withdrawals: int = 2) -> Season:
    """Any matches of eight entries in which the best score is the highest, or in all of them the lowest."""
    lowest = draw(st.booleans())
    drawn = draw(st.lists(tables(), max_size=9))
    lines = tuple(
        ResultLine.of(
            number,
            1 + number // 3,
            [(s.entry, s.ending, s.score) for s in line.sides],
            lower_is_better=lowest,
        )
        for number, line in enumerate(drawn)
    )
    leaving = draw(st.lists(st.integers(1, 8), unique=True, max_size=withdrawals))
    entries = tuple(Entry(key, seed=key) for key in range(1, 9))
    keys = draw(st.permutations(ALL_METRICS[1:]))
    more = {"withdrawals": tuple(map(Withdrawal, leaving))}
    return Season(entries, lines, draw(SCHEMES), ("league_points", *keys), more)


@given(tables(endings=0), SCHEMES)
def test_who_finishes_ahead_never_gets_less(line: ResultLine, scheme: PointsScheme) -> None:
    awards = scheme.awards(line)
    for (one, first), (two, second) in combinations(zip(line.sides, awards, strict=True), 2):
        assert first is not None
        assert second is not None
        assert (first.points - second.points) * (one.rank - two.rank) <= 0
        assert (first.points == second.points) or one.rank != two.rank


@given(tables(endings=0))
def test_a_table_shares_out_all_its_points(line: ResultLine) -> None:
    def total(scheme: PointsScheme) -> Fraction:
        return sum((award.points for award in scheme.awards(line) if award), Fraction(0))

    size = len(line.sides)
    assert total(ByRank()) == size * (size - 1)
    assert total(ByRank(first=Fraction(1))) == Fraction(size, 2)
    assert total(ByShare(stake=Fraction(20))) == 20


@given(tables(endings=0))
def test_points_by_rank_by_a_second_reading(line: ResultLine) -> None:
    """Two for every side behind, one for every side level."""
    for side, award in zip(line.sides, ByRank().awards(line), strict=True):
        others = [other.rank for other in line.sides if other is not side]
        assert award is not None
        assert award.points == 2 * sum(r > side.rank for r in others) + others.count(side.rank)


@given(tables())
def test_staying_away_is_never_worth_more_than_coming(line: ResultLine) -> None:
    for scheme in (
        ByRank(),
        ByRank(places=(Fraction(3), Fraction(0), Fraction(-3))),
        ByShare(stake=Fraction(9)),
    ):
        awards = [award.points for award in scheme.awards(line) if award]
        away = [
            award.points
            for side, award in zip(line.sides, scheme.awards(line), strict=True)
            if award and side.ending is Ending.WALKOVER_LOST
        ]
        assert not away or (max(away) <= 0 and max(away) <= min(awards))


@given(seasons())
def test_where_two_meet_points_by_rank_are_two_one_nought(season: Season) -> None:
    by_rank = replace(season, scheme=ByRank())
    by_match = replace(season, scheme=HeadToHead.plain())
    assert by_rank.table().digest() == by_match.table().digest()


@given(contests(), st.randoms(use_true_random=False))
def test_the_order_in_which_facts_are_listed_does_not_matter(season: Season, rng) -> None:
    lines = tuple(sorted(season.results, key=lambda _: rng.random()))
    assert replace(season, results=lines).table().digest() == season.table().digest()


@given(contests())
def test_a_table_survives_json(season: Season) -> None:
    for table in (season.table(), *season.history()):
        again = Table.from_json(json.loads(json.dumps(table.as_json())))
        assert again == table


@given(contests())
def test_every_number_of_the_table_is_explained(season: Season) -> None:
    for row in season.table().rows:
        assert sum(line.points for line in row.contributions) == row.league_points
        matches = [line for line in row.contributions if line.outcome is not None]
        assert len(matches) == row.played == row.won + row.drawn + row.lost
        assert sum(line.score_for for line in matches) == row.score_for
        assert row.to_play >= 0
        for line in row.contributions:
            assert str(explanation.contribution(line, str))
        parting = row.separated_by
        if parting is not None:
            assert str(explanation.separation(parting))
            assert all(str(explanation.left_out(skip)) for skip in parting.skipped)


@given(contests())
def test_a_meeting_is_seen_from_both_sides(season: Season) -> None:
    seen = {
        (line.fixture, row.entry, met.entry): met.outcome
        for row in season.table().rows
        for line in row.contributions
        for met in line.opponents
    }
    opposite = {"W": {"L"}, "L": {"W", "L"}, "D": {"D"}}
    for (fixture, one, two), outcome in seen.items():
        assert seen[fixture, two, one] in opposite[outcome]


@given(contests(withdrawals=1))
def test_who_withdrew_before_half_leaves_the_table_as_if_never_entered(season: Season) -> None:
    table = season.table()
    gone = {row.entry for row in table.withdrawn}
    left = [line.without(gone) for line in season.results]
    without = replace(
        season,
        entries=tuple(entry for entry in season.entries if entry.key not in gone),
        results=tuple(line for line in left if line is not None),
        more={"withdrawals": tuple(w for w in season.more["withdrawals"] if w.entry not in gone)},
    )
    if max((len(line.sides) for line in season.results), default=2) == max(
        (len(line.sides) for line in without.results), default=2
    ):
        assert without.table().rows == table.rows


@given(contests())
def test_who_withdrew_after_half_has_nothing_left_to_play(season: Season) -> None:
    for row in season.table().rows:
        if row.withdrawal is not None:
            assert row.withdrawal.rule is Rule.STANDS
            assert row.to_play == 0


def test_the_others_can_still_play_when_one_of_four_withdrew() -> None:
    lines = [
        table_of(1, 1, ("A", 4), ("B", 3), ("C", 2), ("D", 1)),
        table_of(2, 2, ("A", ""), ("B", ""), ("C", ""), ("D", "")),
    ]
    table = standings(entries_named("ABCD"), lines, ByRank(), withdrawals=[Withdrawal("A")])
    rows = {row.entry: row for row in table.rows}
    assert (rows["A"].forfeits, rows["A"].to_play) == (1, 0)
    assert [rows[key].to_play for key in "BCD"] == [1, 1, 1]
    said = [str(explanation.contribution(line, str)) for line in rows["A"].contributions]
    assert said[1] == "Round 2: forfeited, 0"
