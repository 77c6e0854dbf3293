"""The half-played rule, as contest.json states it."""

from fractions import Fraction

import pytest

from engine.contest.results import Adjustment, Bye, Entry, Withdrawal
from engine.contest.standings.standings import history, standings
from engine.contest.standings.withdrawal import Rule, settle
from tests.engine.contest.oracle import contest
from tests.engine.contest.seasons import LEAGUE, entries_named, match, places, played, season, told

LEFT = {"withdrawals": (Withdrawal("W", "moved away"),)}


def matches_of_w(played_at_table: int, unplayed: int) -> tuple[str, ...]:
    return tuple(["W 60-40 A"] * played_at_table + ["W - A"] * unplayed)


def test_the_rule_is_the_one_agreed() -> None:
    assert contest("withdrawal").startswith("FIDE: with less than half of the games played all are removed")


@pytest.mark.parametrize(
    ("played_at_table", "unplayed", "rule"),
    [
        (0, 4, Rule.REMOVED),
        (1, 3, Rule.REMOVED),
        (2, 2, Rule.STANDS),
        (2, 3, Rule.REMOVED),
        (3, 2, Rule.STANDS),
        (4, 0, Rule.STANDS),
        (0, 0, Rule.REMOVED),
    ],
)
def test_half_is_enough(played_at_table, unplayed, rule) -> None:
    lines = played(*matches_of_w(played_at_table, unplayed))
    verdict = settle(lines, LEFT["withdrawals"]).verdicts["W"]
    assert verdict.rule is rule
    assert (verdict.played, verdict.matches) == (played_at_table, played_at_table + unplayed)
    assert verdict.reason == "moved away"


def test_walkovers_are_not_played_and_void_matches_do_not_count() -> None:
    void = match(9, 9, "A", "W", "void")
    lines = (*played("W 60-40 A", "W w/o A", "A - W"), void)
    verdict = settle(lines, LEFT["withdrawals"]).verdicts["W"]
    assert (verdict.played, verdict.matches, verdict.rule) == (1, 3, Rule.REMOVED)


def test_less_than_half_takes_the_entry_and_its_results_out() -> None:
    results = ("A 60-40 B", "W 90-10 A", "B - W", "W - A")
    table = season("ABW", *results, more=LEFT).table()
    assert places(table) == [(1, "A"), (2, "B")]
    assert [told(row.entry, row.place, row.played, row.league_points) for row in table.withdrawn] == [
        ("W", None, 0, 0)
    ]
    assert table.removed == (2,)
    assert table.results_counted == 1
    assert (table.rows[0].score_against, table.rows[0].to_play) == (40, 0)
    verdict = table.withdrawn[0].withdrawal
    assert verdict is not None
    assert verdict.rule is Rule.REMOVED


def test_half_or_more_stands_and_the_rest_is_forfeited() -> None:
    results = ("W 60-40 A", "B 60-40 W", "A - W", "W - B")
    table = season("ABW", *results, more=LEFT).table()
    assert [row.entry for row in table.rows] == ["B", "W", "A"]
    rows = {row.entry: row for row in table.rows}
    assert told(rows["B"].league_points, rows["B"].walkovers) == (4, 1)
    assert told(rows["A"].league_points, rows["A"].walkovers) == (2, 1)
    assert told(rows["W"].league_points, rows["W"].forfeits, rows["W"].to_play) == (2, 2, 0)
    assert rows["W"].withdrawal is not None
    assert rows["A"].withdrawal is None
    assert table.withdrawn == ()
    assert table.removed == ()


def test_two_who_withdrew_both_lose_their_match() -> None:
    lines = played("W 60-40 A", "V 60-40 A", "W - V")
    more = [Withdrawal("W"), Withdrawal("V")]
    table = standings(entries_named("AVW"), lines, LEAGUE, withdrawals=more)
    points = {row.entry: told(row.league_points, row.forfeits) for row in table.rows}
    assert points == {"V": (2, 1), "W": (2, 1), "A": (0, 0)}


def test_adjustments_and_byes_go_with_the_entry() -> None:
    table = standings(
        entries_named("ABW"),
        played("A 60-40 B", "W - A"),
        LEAGUE,
        adjustments=[Adjustment("W", Fraction(3), "x")],
        byes=[Bye("W", 1)],
        withdrawals=LEFT["withdrawals"],
    )
    assert table.withdrawn[0].contributions == ()
    assert table.withdrawn[0].league_points == 0


def test_history_is_without_it_from_the_beginning() -> None:
    results = ("W 60-40 A", "A 60-40 B", "W - B", "B - W", "A - W")
    tables = history(entries_named("ABW"), played(*results), LEAGUE, withdrawals=LEFT["withdrawals"])
    assert [places(table) for table in tables] == [[(1, "A"), (1, "B")], [(1, "A"), (2, "B")]]


def test_forfeits_of_rounds_to_come_are_not_history_yet() -> None:
    results = ("W 60-40 A", "W 60-40 B", "W - A", "W - B")
    tables = season("ABW", *results, more=LEFT).history()
    assert len(tables) == 2
    assert tables[-1].rows[0].league_points == 4
    assert tables[-1].rows[0].to_play == 2


def test_an_entry_that_never_had_a_match_can_withdraw() -> None:
    table = standings([Entry("A"), Entry("W")], [], LEAGUE, withdrawals=[Withdrawal("W")])
    assert places(table) == [(1, "A")]
    assert [row.entry for row in table.withdrawn] == ["W"]
