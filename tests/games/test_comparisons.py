"""Figures of boards and rankings of events, through the database: published examples, laws, versions, healing."""

import json
from fractions import Fraction
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from engine.contest import exact
from engine.contest.comparison.imps import victory_points
from games import tasks
from games.comparisons.reckoning import fields, figures, rankings
from games.comparisons.services import comparisons, verification
from games.models import Board, Comparison, Duplicate, EventRanking, FixtureBoard, SectionMovement
from games.scoresheets.services import matches
from league import formats
from league.errors import Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import AuditEntry, Role, Round
from tests.games.events import AT, Event, make_event, play, play_all, play_of, settle
from tests.league import factories

pytestmark = pytest.mark.django_db

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "contest.json").read_text())
Way = Duplicate.Way
Kind = SectionMovement.Kind


def column(event: Event, side: str, name: str = "value", number: int = 1) -> list[Fraction]:
    """What is stored for each table, in the order of tables."""
    content = event.comparison(number)
    return [exact.restore(content["plays"][key][side][name]) for key in sorted(content["plays"], key=int)]


def played(scores: list[int], tables: int | None = None, **settings: Any) -> Event:
    """An event of one board with these differences for the home pairs, points all above 0."""
    event = make_event(tables=tables or len(scores), boards=1, **settings)
    play_all((fixture, [(1000 + s, 1000)]) for fixture, s in zip(event.fixtures, scores, strict=False))
    settle(event)
    return event


def at_random(seed: int, *, tables: int = 6, boards: int = 3, missing: int = 0, **settings: Any) -> Event:
    """An event with points drawn at random; the last tables of the first round are missing."""
    chance = Random(seed)
    event = make_event(tables=tables, boards=boards, **settings)
    out = {fixture.pk for fixture in event.fixtures[tables - missing : tables]}
    play_all(
        (fixture, [(chance.randint(0, 30), chance.randint(0, 30)) for _ in range(boards)])
        for fixture in event.fixtures
        if fixture.pk not in out
    )
    settle(event)
    return event


@pytest.mark.parametrize("case", [case for case in ORACLES["matchpoints"] if "mp" in case])
def test_published_matchpoints_are_what_is_stored(case: dict[str, list[int]]) -> None:
    event = played(case["ns_scores"])
    assert column(event, "home") == case["mp"]
    top = 2 * (len(case["mp"]) - 1)
    assert column(event, "away") == [top - points for points in case["mp"]]


@pytest.mark.parametrize("case", ORACLES["neuberg"]["cases"])
def test_published_unequal_counts_are_what_is_stored(case: dict[str, Any]) -> None:
    event = played(case["scores"], tables=case["E"])
    assert column(event, "home") == [Fraction(str(value)) for value in case["result"]]


def test_published_imps_are_what_is_stored() -> None:
    """The published scores are those of bridge: a tenth of them on Concerto's scale."""
    given = ORACLES["cross_imps"]
    event = played([points // 10 for points in (given["own"], *given["others"])], method=Way.CROSS_IMPS)
    assert column(event, "home", "raw")[0] == given["sum"]
    assert column(event, "home")[0] == Fraction(given["sum"], len(given["others"]))
    [butler] = ORACLES["butler"]
    event = played([points // 10 for points in butler["scores"]], method=Way.BUTLER)
    assert column(event, "home", "datum")[0] * 10 == butler["datum"]
    assert column(event, "home") == butler["imps"]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("missing", [0, 1])
def test_matchpoints_of_a_column_sum_to_what_there_is_to_win(seed: int, missing: int) -> None:
    event = at_random(seed, missing=missing)
    for number in (1, 2, 3):
        for side in ("home", "away"):
            values = column(event, side, number=number)
            # Without all results: Neuberg's scale keeps the average of the column at half the top.
            assert sum(values) == len(values) * (6 - 1)
            tops = [exact.restore(row[side]["top"]) for row in event.comparison(number)["plays"].values()]
            assert set(tops) == {10}


@pytest.mark.parametrize("method", Way.values)
@pytest.mark.parametrize("seed", range(3))
def test_what_a_pair_wins_by_the_difference_its_opponents_lose(seed: int, method: str) -> None:
    event = at_random(seed, method=method)
    together = zip(column(event, "home"), column(event, "away"), strict=True)
    assert {home + away for home, away in together} == {Fraction(10 if method == Way.MATCHPOINTS else 0)}


def test_a_pairs_own_points_are_compared_where_the_event_says_so() -> None:
    event = make_event(tables=3, boards=1, measure=Duplicate.Measure.OWN)
    play_all(zip(event.fixtures, ([(10, 90)], [(20, 80)], [(30, 95)]), strict=True))
    settle(event)
    assert column(event, "home") == [0, 2, 4]
    assert column(event, "away") == [2, 0, 4]


def test_the_home_pair_may_sit_either_way() -> None:
    event = make_event(tables=3, boards=1)
    play_all([(event.fixtures[0], [(40, 10)])], home_side="EW")
    play_all([(event.fixtures[1], [(40, 20)]), (event.fixtures[2], [(10, 40)])])
    settle(event)
    assert column(event, "home") == [4, 2, 0]


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_confirmations_does_not_matter(
    seed: int, django_capture_on_commit_callbacks: Any
) -> None:
    chance = Random(seed)
    points = [[(chance.randint(0, 9), chance.randint(0, 9)) for _ in range(2)] for _ in range(5)]
    stored = []
    for order in (range(5), chance.sample(range(5), 5)):
        event = make_event(tables=5, boards=2)
        for table in order:
            with django_capture_on_commit_callbacks(execute=True):
                play(event.fixtures[table], *points[table])
        place = {row.pk: n for n, row in enumerate(FixtureBoard.objects.filter(fixture__in=event.fixtures))}
        compared = [
            {place[int(key)]: found for key, found in event.comparison(number)["plays"].items()}
            for number in (1, 2)
        ]
        seats = {entry.pk: n for n, entry in enumerate(event.entries)}
        ranked = [{**row, "entry": seats[row["entry"]]} for row in event.ranking()["rows"]]
        stored.append((compared, ranked))
    assert stored[0] == stored[1]


def test_versions_are_compared_within_themselves() -> None:
    event = make_event(tables=7, boards=1)
    FixtureBoard.objects.filter(fixture__in=event.fixtures[5:]).update(version="B")
    play_all((fixture, [(n, 0)]) for n, fixture in enumerate(event.fixtures))
    settle(event)
    content = event.comparison()
    bases = [
        found["home"]["basis"] for _key, found in sorted(content["plays"].items(), key=lambda i: int(i[0]))
    ]
    assert bases == ["neuberg"] * 5 + ["small-group"] * 2
    assert column(event, "home", "percent")[5:] == [55, 65]
    # The five of one version: 0, 2, 4, 6, 8 matchpoints, scaled to seven results.
    assert column(event, "home")[:5] == [(Fraction(2 * n) + 1) * 7 / 5 - 1 for n in range(5)]


def test_a_ranking_shares_places_and_counts_all() -> None:
    event = make_event(tables=4, boards=2)
    play_all(zip(event.fixtures, ([(9, 0)] * 2, [(5, 0)] * 2, [(5, 0)] * 2, [(1, 0)] * 2), strict=True))
    settle(event)
    rows = event.ranking()["rows"]
    assert [row["rank"] for row in rows] == [1, 1, 3, 3, 3, 3, 7, 7]
    assert [row["percent"] for row in rows] == [100, 100, 50, 50, 50, 50, 0, 0]
    assert {(row["boards"], row["top"]) for row in rows} == {(2, 12)}
    [shown] = rankings.of_event(event.competition)
    assert [(row.rank, row.is_shared, row.text) for row in shown.rows][:3] == [
        (1, True, "100.00%"), (1, True, "100.00%"), (3, True, "50.00%")
    ]  # fmt: skip
    assert shown.is_complete
    assert shown.title == "All pairs"


def test_rounds_of_a_league_have_rankings_of_their_own() -> None:
    event = at_random(1, boards=2, rounds=2)
    whole = {row["entry"]: exact.restore(row["value"]) for row in event.ranking()["rows"]}
    parts = [{r["entry"]: exact.restore(r["value"]) for r in event.ranking("all", n)["rows"]} for n in (1, 2)]
    assert whole == {entry: parts[0][entry] + parts[1][entry] for entry in whole}


def test_victory_points_follow_from_the_imps_of_a_match() -> None:
    event = at_random(2, tables=5, boards=4, rounds=2, method=Way.BUTLER)
    [shown] = rankings.of_event(event.competition)
    for row in shown.rows:
        for part in row.parts:
            assert part.victory_points == victory_points(int(exact.rounded(part.value, 0)), 4)[0]
        assert row.victory_points == sum(part.victory_points or 0 for part in row.parts)
    # Figures of a match are opposite, and so its victory points are 20 together.
    assert sum(row.victory_points or 0 for row in shown.rows) == 20 * 5 * 2


def section(event: Event, level: int, kind: str, **more: Any) -> None:
    division = event.competition.stage.divisions.get(level=level)
    SectionMovement.objects.create(division=division, kind=kind, **{"tables": 3, "rounds": 3, **more})


def test_two_winners_where_pairs_keep_their_direction() -> None:
    event = make_event(tables=3, boards=1, format=formats.EVENING)
    section(event, 1, Kind.MITCHELL)
    play_all(zip(event.fixtures, ([(1, 0)], [(2, 0)], [(3, 0)]), strict=True))
    settle(event)
    home, away = rankings.of_event(event.competition)
    assert (home.field, home.title, away.field, away.title) == ("home", "North-South", "away", "East-West")
    assert [row.pair.entry for row in home.rows] == [e.pk for e in event.entries[4::-2]]
    assert [row.pair.entry for row in away.rows] == [e.pk for e in event.entries[1::2]]


@pytest.mark.parametrize(
    ("movement", "is_one"),
    [
        ({"kind": Kind.MITCHELL}, False),
        ({"kind": Kind.MITCHELL, "arrow_switched": 1}, True),
        ({"kind": Kind.HOWELL}, True),
        ({"kind": Kind.MITCHELL, "tables": 4, "even": "share-and-relay"}, False),
    ],
)
def test_a_movement_is_one_field_where_pairs_sit_both_ways(movement: dict[str, Any], is_one: bool) -> None:
    assert fields.is_one_field(SectionMovement(**{"tables": 3, "rounds": 3, **movement})) is is_one


def test_sections_are_also_ranked_by_themselves() -> None:
    event = make_event(tables=4, boards=1, sections=2, format=formats.EVENING)
    section(event, 1, Kind.MITCHELL)
    section(event, 2, Kind.HOWELL)
    play_all((fixture, [(n, 0)]) for n, fixture in enumerate(event.fixtures))
    settle(event)
    found = rankings.of_event(event.competition)
    assert [(r.field, r.title, len(r.rows)) for r in found] == [
        ("all", "All pairs", 8),
        ("home:1", "A: North-South", 2),
        ("away:1", "A: East-West", 2),
        ("all:2", "B: All pairs", 4),
    ]


def test_a_pair_that_once_sat_the_other_way_stays_in_its_field() -> None:
    event = make_event(tables=2, boards=1, rounds=3, format=formats.EVENING)
    section(event, 1, Kind.MITCHELL)
    last = event.fixtures[-1]
    for order, side in ((3, last.sides[0]), (1, last.sides[1]), (2, last.sides[0])):
        last.appearances.filter(pk=side.pk).update(order=order)
    play_all((fixture, [(n, 0)]) for n, fixture in enumerate(event.fixtures))
    settle(event)
    assert {row["entry"] for row in event.ranking("home")["rows"]} == {e.pk for e in event.entries[::2]}
    assert {row["boards"] for row in event.ranking("home")["rows"]} == {3}


def test_only_released_boards_are_ranked_and_shown() -> None:
    event = make_event(tables=3, boards=2, is_released=False)
    play_all((fixture, [(n, 0), (n, 0)]) for n, fixture in enumerate(event.fixtures))
    settle(event)
    assert figures.of_board(event.board(1)) == {}
    assert figures.explain(play_of(event, 1), "home") is None
    assert event.ranking() == {
        "measure": "difference", "method": "matchpoints", "boards_counted": 0, "boards_total": 2, "boards_needed": 0,
        "rows": [],
    }  # fmt: skip
    Board.objects.filter(pk=event.board(2).pk).update(released_at=AT)
    settle(event)
    assert (event.ranking()["boards_counted"], len(event.ranking()["rows"])) == (1, 6)
    assert {row["boards"] for row in event.ranking()["rows"]} == {1}
    assert len(figures.of_board(event.board(2))) == 6


def test_a_board_without_company_ranks_nobody() -> None:
    event = played([10])
    assert column(event, "home") == [0]
    assert event.comparison()["plays"][str(play_of(event, 1).pk)]["home"]["percent"] is None
    assert [row["rank"] for row in event.ranking()["rows"]] == [None, None]


def test_a_result_bumps_and_workers_follow(django_capture_on_commit_callbacks: Any) -> None:
    event = make_event(tables=3, boards=2)
    with django_capture_on_commit_callbacks(execute=True):
        play(event.fixtures[0], (3, 0), (3, 0))
    assert (event.board(1).results_version, event.duplicate.results_version) == (1, 1)
    assert Comparison.objects.get(board=event.board(1)).results_version == 1
    assert len(event.comparison(2)["plays"]) == 1
    assert EventRanking.objects.get(competition=event.competition, round_number=0).results_version == 1


@pytest.mark.parametrize(("tops", "without"), [(Duplicate.Tops.OWN, 3), (Duplicate.Tops.SAME, 4)])
def test_reopening_walkovers_and_restoring_reach_the_figures(
    tops: str, without: int, django_capture_on_commit_callbacks: Any
) -> None:
    """With the same top on every board a void match is expected still, with its own no longer."""
    event = at_random(3, tables=4, boards=1, tops=tops)
    first = event.fixtures[0]
    with django_capture_on_commit_callbacks(execute=True):
        matches.reopen(actor=event.director, fixture=first, reason="Wrong sheet")
    assert (event.comparison()["expected"], len(event.comparison()["plays"])) == (4, 3)
    with django_capture_on_commit_callbacks(execute=True):
        fixtures.void(actor=event.director, fixture=first, reason="Not played")
    assert (event.comparison()["expected"], len(event.comparison()["plays"])) == (without, 3)
    with django_capture_on_commit_callbacks(execute=True):
        fixtures.restore(actor=event.director, fixture=first, reason="It will be")
    assert event.comparison()["expected"] == 4
    assert not list(verification.differences(competition=event.competition))


def test_settings_change_all_figures_and_are_kept_in_the_trail(
    django_capture_on_commit_callbacks: Any,
) -> None:
    event = at_random(4, tables=4, boards=2)
    given: dict[str, Any] = {"measure": "own", "method": "butler", "tops": "own", "least_share": 25}
    with django_capture_on_commit_callbacks(execute=True):
        comparisons.change_settings(actor=event.director, competition=event.competition, **given)
    assert [event.comparison(n)["method"] for n in (1, 2)] == ["butler", "butler"]
    assert (event.ranking()["method"], event.ranking()["measure"]) == ("butler", "own")
    line = AuditEntry.objects.get(action="comparison.settings_changed")
    before = {"measure": "difference", "method": "matchpoints", "tops": "same", "least_share": 50}
    assert (line.before, line.after) == (before, given)
    with pytest.raises(NotAllowed):
        comparisons.change_settings(
            actor=factories.member(event.competition.club, Role.SCORER),
            competition=event.competition, **given,
        )  # fmt: skip
    for wrong in ({"method": "guessing"}, {"measure": "x"}, {"tops": ""}, {"least_share": 101}):
        with pytest.raises(Invalid):
            comparisons.change_settings(
                actor=event.director, competition=event.competition, **{**given, **wrong}
            )
    assert Duplicate.objects.values("measure", "method", "tops", "least_share").get() == given


def test_what_is_stored_is_never_replaced_by_something_older() -> None:
    event = at_random(5, tables=3, boards=1)
    Comparison.objects.update(results_version=7, content={"newer": True})
    EventRanking.objects.update(results_version=7, content={"newer": True})
    settle(event)
    assert event.comparison() == {"newer": True}
    assert event.ranking() == {"newer": True}


def test_the_sweep_heals_what_a_lost_message_left() -> None:
    event = make_event(tables=3, boards=2)
    for fixture in event.fixtures:
        play(fixture, (3, 0), (0, 3))
    assert not Comparison.objects.exists()
    # Two boards and the event; then there is nothing left.
    assert (tasks.sweep_comparisons(), tasks.sweep_comparisons()) == (3, 0)
    assert not list(verification.differences(competition=event.competition))
    assert comparisons.compute(board_id=event.board(1).pk, at=AT) is None


def test_tasks_may_run_twice_late_or_for_what_is_gone() -> None:
    event = at_random(6, tables=3, boards=1)
    before = event.comparison()
    for _ in range(2):
        tasks.compare_board(event.board().pk)
        tasks.rank_event(event.competition.pk)
    assert event.comparison() == before
    tasks.compare_board(10**9)
    tasks.rank_event(10**9)
    # A competition whose tables play different deals has no rankings.
    other = factories.running(event.competition.club)
    tasks.rank_event(other.pk)
    assert not EventRanking.objects.filter(competition=other).exists()


def test_verification_finds_every_stored_figure_that_does_not_follow() -> None:
    event = at_random(7, tables=3, boards=2)
    assert not list(verification.differences(competition=event.competition))
    kept = Comparison.objects.get(board=event.board(1))
    key = str(play_of(event, 1).pk)
    kept.content["plays"][key]["home"]["value"] = "99"
    kept.save(update_fields=["content"])
    EventRanking.objects.filter(round_number=0).update(digest="0" * 64)
    found = [
        f"{d.where.rpartition(', ')[2]}: {d.what}"
        for d in verification.differences(competition=event.competition)
    ]
    assert found == ["board 1: the comparison", "round all: the ranking"]
    Comparison.objects.filter(board=event.board(2)).delete()
    assert len(list(verification.differences(competition=event.competition))) == 3


def test_the_command_says_what_differs() -> None:
    event = make_event(tables=3, boards=1)
    comparisons.bump(event.board())
    said = StringIO()
    call_command("verify", competition=event.competition.pk, stdout=said)
    missing = "board 1: the comparison is stored as missing but follows as present"
    assert f"{missing} (stale: a worker is still to compute it)" in said.getvalue()
    call_command("verify", competition=event.competition.pk, settle=True, stdout=said)
    assert "1 competitions verified" in said.getvalue()
    Comparison.objects.update(digest="0" * 64)
    with pytest.raises(CommandError, match="1 differences, and 0 that wait"):
        call_command("verify", competition=event.competition.pk, stdout=said)


def test_a_bounded_number_of_queries(django_assert_num_queries: Any) -> None:
    """However many tables and boards: 2 for figures of boards, 5 for rankings."""
    event = at_random(8, tables=5, boards=4)
    with django_assert_num_queries(2):
        figures.of_boards(list(Board.objects.all()[:0]) + event.boards)
    with django_assert_num_queries(5):
        rankings.of_event(event.competition)
    assert Round.objects.count() == 1


def test_another_layout_reaches_what_has_results_and_nothing_else(
    django_capture_on_commit_callbacks: Any,
) -> None:
    event = make_event(tables=3, boards=2, rounds=2)
    with django_capture_on_commit_callbacks(execute=True):
        play(event.fixtures[0], (3, 0), (3, 0))
    FixtureBoard.objects.filter(fixture__in=[event.fixtures[1], event.fixtures[5]]).delete()
    assert list(verification.differences(competition=event.competition))
    with django_capture_on_commit_callbacks(execute=True):
        comparisons.laid_out(*event.boards)
    assert not list(verification.differences(competition=event.competition))
    assert [event.board(n).results_version for n in (1, 2, 3, 4)] == [2, 2, 0, 0]
    assert event.comparison()["expected"] == 2
