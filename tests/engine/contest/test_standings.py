from fractions import Fraction

import pytest

from engine.contest.points.scheme import HeadToHead
from engine.contest.results import Adjustment, Bye, DrawOfLots, Entry, Outcome
from engine.contest.standings.ledger import Source
from engine.contest.standings.standings import history, standings
from engine.errors import ContestError
from tests.engine.contest.oracle import contest
from tests.engine.contest.seasons import CHESS, LEAGUE, match, places, season, told

ORACLE = contest("sonneborn_berger")
#: The only cross-table of seven that has the published points and Sonneborn-Berger scores, found by search:
#: each row is what its player scored, in half points, against those behind it in the alphabet.
CROSS_TABLE = {"A": "112222", "B": "11222", "C": "1122", "D": "222", "E": "22", "F": "2"}


def cross_table_results() -> list[str]:
    scores = {"2": "60-40", "1": "50-50", "0": "40-60"}
    names = "ABCDEFG"
    return [
        f"{home} {scores[half_points]} {away}"
        for home, row in CROSS_TABLE.items()
        for away, half_points in zip(names[names.index(home) + 1 :], row, strict=True)
    ]


def test_published_sonneborn_berger_scores() -> None:
    tie_breaks = ("league_points", "sonneborn_berger")
    table = season("GFEDCBA", *cross_table_results(), scheme=CHESS, tie_breaks=tie_breaks).table()
    assert {row.entry: row.league_points for row in table.rows} == {
        name: Fraction(str(points)) for name, points in ORACLE["points"].items()
    }
    assert {row.entry: row.metrics["sonneborn_berger"] for row in table.rows} == {
        name: Fraction(str(score)) for name, score in ORACLE["sb"].items()
    }
    assert places(table) == list(enumerate("ABCDEFG", start=1))
    [parting] = [row.separated_by for row in table.rows if row.entry == "D"]
    assert parting is not None
    assert told(parting.metric, parting.above, parting.below) == ("sonneborn_berger", 9, Fraction(31, 4))
    assert parting.tied == ("D", "C")


def test_a_row_counts_everything() -> None:
    table = season("ABC", "A 60-40 B", "B 50-50 C", "C 30-70 A", "A - B", "A w/o C").table()
    row = table.rows[0]
    assert row.entry == "A"
    assert (row.played, row.won, row.drawn, row.lost) == (3, 3, 0, 0)
    assert (row.walkovers, row.forfeits, row.to_play) == (1, 0, 1)
    assert (row.score_for, row.score_against, row.form) == (130, 70, "WWW")
    assert row.league_points == 6
    last = table.rows[-1]
    assert (last.entry, last.form, last.forfeits, last.lost) == ("C", "DLL", 1, 2)
    assert table.results_counted == 4


def test_form_is_the_last_five_in_round_order() -> None:
    lines = [
        match(number, number, "A", "B", "played", score, 50)
        for number, score in enumerate([60, 60, 40, 50, 60, 40, 60], start=1)
    ]
    table = standings([Entry("A"), Entry("B")], reversed(lines), LEAGUE)
    assert table.rows[0].form == "LDWLW"
    assert table.rows[1].form == "WDLWL"


def test_contributions_answer_why_so_many_points() -> None:
    adjusted = (Adjustment("A", Fraction(-1), "late sheet", round=2),)
    scheme = HeadToHead.plain(2, 1, 0)
    table = season(
        "AB",
        "A 60-40 B",
        "B 50-50 A",
        scheme=scheme,
        more={"adjustments": adjusted, "byes": (Bye("A", 3),)},
    ).table()
    lines = next(row.contributions for row in table.rows if row.entry == "A")
    assert [told(line.source, line.round, line.points) for line in lines] == [
        (Source.PLAYED, 1, 2),
        (Source.ADJUSTMENT, 2, -1),
        (Source.PLAYED, 2, 1),
        (Source.BYE, 3, 0),
    ]
    assert (lines[0].opponent, lines[0].outcome, lines[0].is_home) == ("B", Outcome.WON, True)
    assert (lines[0].score_for, lines[0].score_against) == (60, 40)
    assert lines[1].reason == "late sheet"
    assert not lines[2].is_home


def test_two_matches_in_one_round_stand_by_fixture_and_adjustments_by_reason() -> None:
    lines = [match(fixture, 1, "A", "B", "played", score, 50) for fixture, score in ((1, 60), (2, 40))]
    adjusted = [Adjustment("A", Fraction(1), reason) for reason in ("b", "a")]
    tables = [
        standings([Entry("A"), Entry("B")], listed, LEAGUE, adjustments=made)
        for listed, made in ((lines, adjusted), (lines[::-1], adjusted[::-1]))
    ]
    for table in tables:
        row = table.rows[0]
        assert row.form == "WL"
        assert [line.reason for line in row.contributions] == ["a", "b", "", ""]
        assert [line.fixture for line in row.contributions] == [None, None, 1, 2]


def test_an_adjustment_moves_a_pair_but_not_what_beating_it_was_worth() -> None:
    results = ("A 60-40 B", "B 60-40 C", "C 50-50 A")
    before = season("ABC", *results, tie_breaks=("league_points", "sonneborn_berger")).table()
    penalty = {"adjustments": (Adjustment("B", Fraction(-5), "no-show"),)}
    after = season("ABC", *results, tie_breaks=("league_points", "sonneborn_berger"), more=penalty).table()
    assert places(after) == [(1, "A"), (2, "C"), (3, "B")]
    for row in after.rows:
        was = before.row_of(row.entry)
        assert was is not None
        assert row.metrics["sonneborn_berger"] == was.metrics["sonneborn_berger"]
    assert after.rows[2].league_points == -3


def test_places_are_shared_when_nothing_separates() -> None:
    table = season("DCBA", "A 60-40 D", "B 50-50 C", tie_breaks=("points_difference",)).table()
    assert places(table) == [(1, "A"), (2, "C"), (2, "B"), (4, "D")]
    assert [row.is_shared for row in table.rows] == [False, True, True, False]
    shared = table.rows[2].separated_by
    assert shared is not None
    assert (shared.metric, shared.tied) == (None, ("C", "B"))


def test_all_share_the_first_place_before_the_first_match() -> None:
    table = season("CAB").table()
    assert places(table) == [(1, "C"), (1, "A"), (1, "B")]
    assert table.rows[0].separated_by is None


def test_those_who_share_a_place_stand_by_seed_and_then_by_key() -> None:
    entries = [Entry(10, 2), Entry(9, 2), Entry("x", 2), Entry(30, 1)]
    assert [row.entry for row in standings(entries, [], LEAGUE).rows] == [30, 9, 10, "x"]


def test_the_usual_tie_breaks_are_used_when_none_are_named() -> None:
    table = season("AB", "A 60-40 B", tie_breaks=()).table()
    usual = ("league_points", "head_to_head", "points_difference", "points_scored", "draw_of_lots")
    assert table.tie_breaks == usual


@pytest.mark.parametrize(
    ("metric", "above", "below"),
    [("points_difference", 20, 10), ("points_scored", 130, 120), ("matches_won", 1, 0)],
)
def test_each_simple_metric_separates(metric, above, below) -> None:
    results = {
        "points_difference": ("A 60-40 C", "B 60-50 C"),
        "points_scored": ("A 130-110 C", "B 120-100 C"),
        "matches_won": ("A 60-40 C", "D 60-40 A", "B 50-50 C", "B 50-50 D"),
    }[metric]
    table = season("BACD", *results, tie_breaks=(metric,)).table()
    rows = [row.entry for row in table.rows]
    assert rows.index("A") + 1 == rows.index("B")
    parting = table.rows[rows.index("B")].separated_by
    assert parting is not None
    assert (parting.metric, parting.above, parting.below) == (metric, above, below)


class TestDrawOfLots:
    def draw(self, *orders: str):
        return season(
            "ABC", more={"draw_of_lots": tuple(DrawOfLots(tuple(order)) for order in orders)}
        ).table()

    def test_the_recorded_order_separates(self) -> None:
        table = self.draw("CAB")
        assert places(table) == [(1, "C"), (2, "A"), (3, "B")]
        parting = table.rows[1].separated_by
        assert parting is not None
        assert (parting.metric, parting.above, parting.below) == ("draw_of_lots", 1, 2)

    def test_a_draw_that_leaves_somebody_out_separates_nobody(self) -> None:
        table = self.draw("CA")
        assert places(table) == [(1, "A"), (1, "B"), (1, "C")]
        parting = table.rows[1].separated_by
        assert parting is not None
        assert "draw_of_lots" in {skip.metric for skip in parting.skipped}

    def test_the_newest_draw_that_names_all_of_them_counts(self) -> None:
        assert places(self.draw("CAB", "BAC", "BA")) == [(1, "B"), (2, "A"), (3, "C")]

    def test_a_draw_among_more_than_those_tied_counts_in_its_order(self) -> None:
        draws = {"draw_of_lots": (DrawOfLots(("C", "B", "A")),)}
        table = season("ABC", "A 60-40 C", "B 60-40 C", more=draws).table()
        assert places(table) == [(1, "B"), (2, "A"), (3, "C")]
        parting = table.rows[1].separated_by
        assert parting is not None
        assert told(parting.above, parting.below) == (1, 2)


class TestWalkovers:
    results = ("A w/o B", "B 60-40 C", "C 60-40 B")

    def test_a_walkover_gives_points_and_counts_as_won(self) -> None:
        row = season("ABC", *self.results).table().row_of("A")
        assert row is not None
        assert told(row.league_points, row.played, row.won, row.walkovers) == (2, 1, 1, 1)
        assert (row.score_for, row.score_against) == (0, 0)

    def test_a_walkover_can_count_a_score(self) -> None:
        win = LEAGUE.bands
        scheme = HeadToHead(bands=win, draw=Fraction(1), walkover_winner=Fraction(2), walkover_score=100)
        table = season("ABC", *self.results, scheme=scheme).table()
        scores = {row.entry: (row.score_for, row.score_against) for row in table.rows}
        assert scores == {"A": (100, 0), "B": (100, 200), "C": (100, 100)}

    def test_a_double_forfeit_is_lost_by_both(self) -> None:
        line = match(1, 1, "A", "B", "double_forfeit")
        rows = standings([Entry("A"), Entry("B")], [line], LEAGUE).rows
        assert [told(row.lost, row.forfeits, row.league_points) for row in rows] == [(1, 1, 0)] * 2

    def test_a_void_match_counts_for_nothing(self) -> None:
        line = match(1, 1, "A", "B", "void", 60, 40)
        row = standings([Entry("A"), Entry("B")], [line], LEAGUE).rows[0]
        assert told(row.played, row.to_play, row.league_points, row.contributions) == (0, 0, 0, ())


def test_a_bye_has_the_points_of_the_scheme() -> None:
    scheme = HeadToHead(bands=LEAGUE.bands, draw=Fraction(1), walkover_winner=Fraction(2), bye=Fraction(1, 2))
    table = season("ABC", "A 50-50 B", scheme=scheme, more={"byes": (Bye("C", 1),)}).table()
    row = table.row_of("C")
    assert row is not None
    assert (row.league_points, row.byes, row.played, row.form) == (Fraction(1, 2), 1, 0, "")


class TestHistory:
    def test_each_table_counts_its_round_and_those_before(self) -> None:
        tables = season("AB", "A 60-40 B", "B 60-40 A", "B 60-40 A").history()
        assert [table.after_round for table in tables] == [1, 2, 3]
        assert [places(table)[0] for table in tables] == [(1, "A"), (1, "A"), (1, "B")]
        assert [table.results_counted for table in tables] == [1, 2, 3]
        assert [table.rows[0].to_play for table in tables] == [2, 1, 0]

    def test_it_ends_with_the_last_round_that_has_a_result(self) -> None:
        assert len(season("AB", "A 60-40 B", "B - A", "A 50-50 B", "B - A").history()) == 3
        assert season("AB", "A - B").history() == ()

    def test_a_late_entry_appears_with_its_first_round(self) -> None:
        entries = [Entry("A"), Entry("B"), Entry("C", first_round=2)]
        lines = [
            match(1, 1, "A", "B", "played", 60, 40),
            match(2, 2, "A", "C", "played", 40, 60),
        ]
        first, second = history(entries, lines, LEAGUE)
        assert [row.entry for row in first.rows] == ["A", "B"]
        assert places(second)[0] == (1, "C")

    def test_an_adjustment_counts_from_its_round_on(self) -> None:
        adjusted = (Adjustment("A", Fraction(-1), "x", round=2), Adjustment("B", Fraction(-1), "y"))
        tables = season("AB", "A 50-50 B", "A 50-50 B", more={"adjustments": adjusted}).history()
        points = [{row.entry: row.league_points for row in table.rows} for table in tables]
        assert points == [{"A": 1, "B": 0}, {"A": 1, "B": 1}]


class TestContradictions:
    def refused(self, entries=("A", "B"), results=(), **more) -> set[tuple[str, tuple[str | int, ...]]]:
        with pytest.raises(ContestError) as refused:
            standings([Entry(key) for key in entries], results, LEAGUE, **more)
        assert all(str(cause.message) for cause in refused.value.causes)
        return {(cause.code, cause.place) for cause in refused.value.causes}

    def test_all_are_named_at_once(self) -> None:
        lines = [match(1, 1, "A", "X"), match(1, 2, "B", "B")]
        assert self.refused(("A", "B", "A"), lines, byes=[Bye("Y", 1)]) == {
            ("entry-twice", ("entries",)),
            ("fixture-twice", ("results",)),
            ("stranger", ("results", 0)),
            ("against-itself", ("results", 1)),
            ("stranger", ("byes", 0)),
        }

    def test_lots_name_nobody_twice(self) -> None:
        draws = [DrawOfLots(("A", "B", "A"))]
        assert self.refused(draw_of_lots=draws) == {("drawn-twice", ("draw_of_lots", 0))}


class TestTieBreakList:
    def refused(self, keys: object) -> set[tuple[str, tuple[str | int, ...]]]:
        with pytest.raises(ContestError) as refused:
            season("AB", tie_breaks=keys).table()
        causes = refused.value.causes or (refused.value,)
        return {(cause.code, cause.place) for cause in causes}

    def test_unknown_twice_and_out_of_place_are_named_at_once(self) -> None:
        keys = ["matches_won", "luck", "matches_won", "league_points", 7]
        assert self.refused(keys) == {
            ("unknown-metric", (1,)),
            ("tie-break-twice", (2,)),
            ("league-points-first", (3,)),
            ("unknown-metric", (4,)),
        }

    @pytest.mark.parametrize("keys", ["league_points", {"league_points": 1}, 3, None])
    def test_it_must_be_a_list(self, keys) -> None:
        assert self.refused(keys) == {("tie-breaks-shape", ())}

    def test_league_points_come_first_without_being_named(self) -> None:
        assert season("AB", tie_breaks=("matches_won",)).table().tie_breaks == (
            "league_points",
            "matches_won",
        )
