"""Head-to-head among those who are tied, by cases worked out by hand."""

from fractions import Fraction

from engine.contest.points.scheme import HeadToHead
from engine.contest.results import Adjustment
from engine.contest.standings.ranking import Skipped
from engine.contest.standings.standings import standings
from engine.contest.standings.tie_breaks import NotApplicable
from tests.engine.contest.seasons import LEAGUE, entries_named, match, places, season, told

HEAD_TO_HEAD = ("league_points", "head_to_head")


def test_the_winner_of_their_match_is_ahead_of_a_better_difference() -> None:
    table = season(
        "ABC",
        "A 51-50 B",
        "B 100-0 C",
        "C 60-40 A",
        "C 30-50 B",
        "A 50-20 C",
        tie_breaks=(*HEAD_TO_HEAD, "points_difference"),
    ).table()
    assert places(table) == [(1, "A"), (2, "B"), (3, "C")]
    parting = table.rows[1].separated_by
    assert parting is not None
    assert told(parting.metric, parting.above, parting.below) == ("head_to_head", 2, 0)
    assert parting.tied == ("A", "B")


def test_the_mini_league_shows_the_matches_that_decided() -> None:
    table = season("ABC", "A 51-50 B", "B 100-0 C", "C 60-40 A", "C 0-50 B", "A 50-20 C").table()
    parting = table.rows[1].separated_by
    assert parting is not None
    assert parting.mini_league is not None
    rows = table.mini_leagues[parting.mini_league].rows
    assert [told(row.entry, row.points) for row in rows] == [("A", 2), ("B", 0)]
    assert [(m.fixture, m.opponent, m.score_for) for m in rows[0].matches] == [(1, "B", 51)]


def test_three_tied_are_a_mini_league_of_their_own() -> None:
    # A, B and C have four points each; among themselves A has 3, B 2 and C 1.
    among_themselves = ("A 60-40 B", "B 60-40 C", "C 50-50 A")
    others = ("A 50-50 X", "X 60-40 A", "B 60-40 X", "X 60-40 B", "C 60-40 X", "X 50-50 C")
    table = season("CBAX", *among_themselves, *others, tie_breaks=HEAD_TO_HEAD).table()
    assert [row.league_points for row in table.rows] == [6, 4, 4, 4]
    assert places(table) == [(1, "X"), (2, "A"), (3, "B"), (4, "C")]
    assert [told(row.entry, row.points) for row in table.mini_leagues[0].rows] == [
        ("A", 3),
        ("B", 2),
        ("C", 1),
    ]


def test_those_left_tied_are_compared_again_among_themselves() -> None:
    # All but X have six points. Among those four A and B have 4, C and D 2; B beat A, and D beat C.
    table = season(
        "ABCDX",
        "B 60-40 A",
        "A 60-40 C",
        "A 60-40 D",
        "C 60-40 B",
        "B 60-40 D",
        "D 60-40 C",
        "A 60-40 X",
        "B 60-40 X",
        "C 60-40 X",
        "X 40-60 C",
        "D 60-40 X",
        "X 40-60 D",
        tie_breaks=HEAD_TO_HEAD,
    ).table()
    assert places(table) == [(1, "B"), (2, "A"), (3, "D"), (4, "C"), (5, "X")]
    assert [len(mini.rows) for mini in table.mini_leagues] == [4, 2, 2]
    partings = [row.separated_by for row in table.rows]
    assert [p and told(p.metric, p.above, p.below, p.mini_league) for p in partings] == [
        None,
        ("head_to_head", 2, 0, 1),
        ("head_to_head", 4, 2, 0),
        ("head_to_head", 2, 0, 2),
        ("league_points", 6, 0, None),
    ]


def test_a_circle_is_left_to_the_next_tie_break() -> None:
    results = ("A 60-40 B", "B 60-40 C", "C 90-40 A")
    table = season("ABC", *results, tie_breaks=(*HEAD_TO_HEAD, "points_difference")).table()
    assert places(table) == [(1, "C"), (2, "B"), (3, "A")]
    assert [len(mini.rows) for mini in table.mini_leagues] == [3]
    assert all(
        row.separated_by is None or row.separated_by.metric == "points_difference" for row in table.rows
    )


def test_it_is_left_out_when_some_of_those_tied_have_not_met() -> None:
    results = ("A 60-40 X", "B 60-40 X", "A 50-50 C", "B 50-50 C", "C 60-40 X")
    table = season("BACX", *results, tie_breaks=(*HEAD_TO_HEAD, "points_difference")).table()
    assert [row.entry for row in table.rows] == ["C", "B", "A", "X"]
    shared = table.rows[2].separated_by
    assert shared is not None
    assert (shared.metric, shared.tied) == (None, ("B", "A"))
    assert shared.skipped == (Skipped("head_to_head", NotApplicable.NOT_MET_EQUALLY),)
    assert table.mini_leagues == ()


def test_it_is_left_out_when_some_have_met_more_often_than_others() -> None:
    # All three have four points; A and B met twice, C met each of them once.
    results = ("A 60-40 B", "B 60-40 A", "A 60-40 C", "C 60-40 B", "B 60-40 X", "C 60-40 X")
    table = season("ABCX", *results, tie_breaks=HEAD_TO_HEAD).table()
    assert places(table) == [(1, "A"), (1, "B"), (1, "C"), (4, "X")]
    shared = table.rows[1].separated_by
    assert shared is not None
    assert shared.skipped == (Skipped("head_to_head", NotApplicable.NOT_MET_EQUALLY),)


def test_both_matches_of_a_double_round_count() -> None:
    results = ("A 60-40 B", "B 50-50 A", "A 50-50 X", "B 60-40 X", "B 50-50 Y")
    table = season("BAXY", *results, tie_breaks=HEAD_TO_HEAD).table()
    assert [row.league_points for row in table.rows[:2]] == [4, 4]
    assert places(table)[:2] == [(1, "A"), (2, "B")]
    assert [told(row.entry, row.points) for row in table.mini_leagues[0].rows] == [("A", 3), ("B", 1)]


def test_a_walkover_between_them_counts_as_their_match() -> None:
    results = ("B w/o A", "A 60-40 C", "C 60-40 B", "A 60-40 X", "B 60-40 X")
    table = season("ABCX", *results, tie_breaks=HEAD_TO_HEAD).table()
    assert places(table)[:2] == [(1, "B"), (2, "A")]


def test_void_and_unplayed_matches_are_no_meetings() -> None:
    lines = (
        match(1, 1, "A", "B", "void", 60, 40),
        match(2, 2, "A", "B", "unplayed"),
    )
    table = standings(entries_named("AB"), lines, LEAGUE, HEAD_TO_HEAD)
    assert places(table) == [(1, "A"), (1, "B")]
    shared = table.rows[1].separated_by
    assert shared is not None
    assert shared.skipped[0].reason is NotApplicable.NOT_MET_EQUALLY


def test_adjustments_do_not_count_between_them() -> None:
    results = ("A 50-50 B", "A 60-40 X", "X 40-60 B", "B 60-40 X")
    penalty = {"adjustments": (Adjustment("B", Fraction(-2), "late"),)}
    table = season("ABX", *results, tie_breaks=HEAD_TO_HEAD, more=penalty).table()
    assert places(table) == [(1, "A"), (1, "B"), (3, "X")]
    assert [row.points for row in table.mini_leagues[0].rows] == [1, 1]


def test_points_of_the_scheme_count_not_wins() -> None:
    scheme = HeadToHead.plain(3, 1, 0)
    results = ("A 60-40 B", "B 60-40 A", "A 50-50 B", "A 60-40 X", "B 60-40 X")
    table = season("ABX", *results, scheme=scheme, tie_breaks=HEAD_TO_HEAD).table()
    assert [row.points for row in table.mini_leagues[0].rows] == [4, 4]
