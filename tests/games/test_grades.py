"""Grades of confirmed matches and public fields: corrected, merged, hidden, listed, used as seeds (F130 to F142)."""

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.contest.grades import VERSION
from games.comparisons.services import team_results
from games.grades import queries, services, verification
from games.models import Board, GradeBook, GradeSession, GradeStart, GradeStep, HiddenGrade, MatchSeat
from games.scoresheets.services import matches, scoresheets
from league.draws.services import draws
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.manage.services import setups
from league.models import AuditEntry, Competition, Fixture
from league.people.services import merging
from tests.games.events import Event, make_event, play, settle
from tests.games.team_leagues import make_league, name_pairs, play_room
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TODAY = NOW.date()
FOUR = ((24, 10), (20, 15), (18, 20), (22, 11))
TURNED = tuple((ew, ns) for ns, ew in FOUR)


def played(scene: Scene, fixture: Fixture | None = None, deals: Any = FOUR) -> None:
    """A match between Anna's pair and the pair of Eva with a confirmed sheet."""
    fixture = fixture or scene.fixture
    sheet = scoresheets.submit(
        actor=scene.users["anna"], fixture=fixture, content=totals_sheet(*deals), origin="page"
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)


def sit(event: Event) -> None:
    """Everybody sits at their table."""
    MatchSeat.objects.bulk_create(
        MatchSeat(match_id=fixture.pk, seat=seat, entry=entry, player=player)
        for fixture in event.fixtures
        for entry, seats in zip(fixture.entries, ("NS", "EW"), strict=True)
        for seat, player in zip(seats, entry.lineup.players, strict=True)
    )


def evening_of(tables: int = 4, boards: int = 6, **more: Any) -> Event:
    """A round of a league on the same boards, won by the home sides in the order of the tables."""
    event = make_event(tables=tables, boards=boards, **more)
    for number, fixture in enumerate(event.fixtures):
        play(fixture, *[(50 - number, 20 + number)] * boards)
    sit(event)
    settle(event)
    return event


def rated() -> int:
    """Lets the sweep do what there is to do."""
    return services.sweep(at=NOW)


def test_f134_a_confirmed_match_is_rated_with_what_was_expected_and_the_share() -> None:
    scene = make_scene()
    assert rated() == 0
    played(scene)
    assert rated() == 1
    session = GradeSession.objects.get()
    assert session.content["boards"] == 4
    assert abs(session.content["margin"]) == 28
    steps = GradeStep.objects.filter(session=session)
    assert steps.count() == 4
    assert {step.expected for step in steps} == {0.0}
    assert sum(step.grade for step in steps) == pytest.approx(200)
    # F136: 36 / 2 over 900 / 4 and the spread of both sides.
    assert {round(step.share, 6) for step in steps} == {round(18 / (225 + 36), 6)}
    assert rated() == 0
    assert list(verification.differences()) == []


def test_f131_walkovers_and_what_is_not_confirmed_are_not_rated() -> None:
    scene = make_scene()
    scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, content=totals_sheet(*FOUR), origin="page"
    )
    other = next(each for each in scene.fixtures if each.pk != scene.fixture.pk)
    fixtures.award_walkover(actor=DIRECTOR, fixture=other, losing=[other.home], reason="Absent")
    rated()
    assert not GradeSession.objects.exists()


def test_f138_a_correction_is_rated_again_from_that_session() -> None:
    scene = make_scene()
    played(scene)
    rated()
    before = list(GradeStep.objects.order_by("player").values_list("player", "grade"))
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="Wrong way round")
    rated()
    assert not GradeSession.objects.exists()
    played(scene, deals=TURNED)
    rated()
    after = dict(GradeStep.objects.values_list("player", "grade"))
    assert all(after[player] == pytest.approx(100 - grade) for player, grade in before)
    assert list(verification.differences()) == []


def test_f132_f133_a_field_is_rated_once_and_its_matches_are_not() -> None:
    event = evening_of()
    rated()
    assert [row.source.split(":")[0] for row in GradeSession.objects.all()] == [
        "field"
    ] * GradeSession.objects.count()
    assert GradeStep.objects.values("player").distinct().count() == 16
    best = event.entries[0].lineup.players[0]
    step = GradeStep.objects.get(player=best.pk)
    assert step.expected == pytest.approx(50)
    assert step.grade > 50
    assert list(verification.differences()) == []


def test_f131_nothing_of_a_board_that_is_not_public_counts() -> None:
    event = evening_of()
    Board.objects.filter(board_set__competition=event.competition, number__gt=4).update(released_at=None)
    settle(event)
    rated()
    content = GradeSession.objects.first().content  # type: ignore[union-attr]
    assert {boards for _players, boards, _percent, _unrated in content["pairs"]} == {4}
    Board.objects.filter(board_set__competition=event.competition).update(released_at=None)
    event.duplicate.__class__.objects.update(results_version=99)
    settle(event)
    rated()
    assert not GradeStep.objects.exists()


def test_f131_with_too_few_boards_nobody_is_rated() -> None:
    evening_of(boards=3)
    rated()
    assert not GradeStep.objects.exists()


def test_later_sessions_are_rated_again_and_pieces_equal_the_whole() -> None:
    scene = make_scene()
    played(scene)
    rated()
    event = evening_of(club=scene.club)
    anna = scene.players[0]
    MatchSeat.objects.filter(match_id=event.fixtures[0].pk, seat="N").update(player=anna)
    rated()
    assert GradeStep.objects.filter(player=anna.pk).count() == 2
    later = GradeStep.objects.filter(player=anna.pk).latest("day").grade
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="Wrong way round")
    played(scene, deals=TURNED)
    rated()
    assert GradeStep.objects.filter(player=anna.pk).latest("day").grade != later
    assert list(verification.differences()) == []


def test_f138_a_merged_player_has_the_results_of_both() -> None:
    scene = make_scene()
    played(scene)
    rated()
    duplicate = factories.player(scene.club, "Anna B.")
    kept = scene.players[0]
    undo = merging.merge(actor=DIRECTOR, keep=duplicate, duplicate=kept)
    rated()
    assert GradeStep.objects.filter(player=duplicate.pk).count() == 1
    assert not GradeStep.objects.filter(player=kept.pk).exists()
    merging.undo(actor=DIRECTOR, merge=undo)
    rated()
    assert GradeStep.objects.filter(player=kept.pk).count() == 1
    assert list(verification.differences()) == []


def test_f143_with_other_constants_the_whole_history_is_rated_again() -> None:
    scene = make_scene()
    played(scene)
    rated()
    GradeBook.objects.update(constants=0)
    GradeStep.objects.update(grade=99.0)
    assert rated() == 1
    assert GradeBook.objects.get().constants == VERSION
    assert list(verification.differences()) == []


def test_verify_reports_a_grade_that_does_not_follow() -> None:
    scene = make_scene()
    played(scene)
    rated()
    step = GradeStep.objects.first()
    GradeStep.objects.filter(pk=step.pk).update(grade=51.0)  # type: ignore[union-attr]
    assert [each.what for each in verification.differences()] == ["the grade"]
    GradeSession.objects.update(content={"sides": [[1, 2], [3, 4]], "boards": 4, "margin": 1})
    assert "the rated session" in {each.what for each in verification.differences()}


def test_f141_every_step_is_told_to_the_player() -> None:
    scene = make_scene()
    played(scene)
    rated()
    anna = scene.players[0]
    browser = Client()
    browser.force_login(scene.users["anna"])
    page = browser.get(reverse("player_grade", args=[anna.pk])).content.decode()
    assert "You and Chidi" in page
    assert "your share is 0.069" in page
    assert "With each partner" in page
    assert "Hide my grade" in page
    german = browser.get(reverse("player_grade", args=[anna.pk]), headers={"accept-language": "de"}).text
    assert "0,069" in german
    assert re.search(r"\d,\d \?", german)
    assert not re.search(r"\d\.\d \?", german)
    other = browser.get(reverse("player_grade", args=[scene.players[2].pk])).content.decode()
    assert "Hide my grade" not in other
    found = queries.of_player(anna, scene.users["anna"], today=TODAY)[0]
    assert found.grade.text.endswith(" ?")
    assert found.partners[0].sessions == 1


@pytest.mark.parametrize(
    ("value", "text"), [(52.25, "52.3"), (47.75, "47.7"), (50.0, "50.0"), (49.96, "50.0"), (47.74, "47.7")]
)
def test_f138_one_decimal_half_away_from_fifty(value: float, text: str) -> None:
    assert queries.figure(value) == text


def test_f139_a_club_lists_provisional_grades_apart_and_nobody_after_two_years() -> None:
    scene = make_scene()
    played(scene)
    rated()
    listed = queries.of_club(scene.club, today=TODAY)[0]
    assert (len(listed.established), len(listed.provisional)) == (0, 4)
    GradeStep.objects.update(variance=9.0)
    assert len(queries.of_club(scene.club, today=TODAY)[0].established) == 4
    late = queries.of_club(scene.club, today=TODAY + timedelta(days=800))[0]
    assert (late.established, late.provisional) == ((), ())
    page = Client().get(reverse("club_grades", args=[scene.club.slug]))
    assert page.status_code == 200


def test_f142_a_hidden_grade_is_for_the_player_and_directors_alone() -> None:
    scene = make_scene()
    played(scene)
    rated()
    anna, at = scene.players[0], timezone.now()
    with pytest.raises(NotAllowed):
        services.hide(actor=scene.users["eva"], player=anna, is_hidden=True, at=at)
    services.hide(actor=scene.users["anna"], player=anna, is_hidden=True, at=at)
    with pytest.raises(Conflict):
        services.hide(actor=scene.users["anna"], player=anna, is_hidden=True, at=at)
    assert len(queries.of_club(scene.club, today=TODAY)[0].provisional) == 3
    for who, sees in (("eva", False), ("dora", True), ("anna", True)):
        browser = Client()
        browser.force_login(scene.users[who])
        page = browser.get(reverse("player_grade", args=[anna.pk])).content.decode()
        assert ("How it came about" in page) is sees, who
        code = browser.get(f"/api/v1/players/{anna.pk}/grade/").status_code
        assert code == (200 if sees else 404)
    browser = Client()
    browser.force_login(scene.users["anna"])
    browser.post(reverse("grade_hide", args=[anna.pk]), {"show": 1})
    assert not HiddenGrade.objects.exists()
    told = browser.get(f"/api/v1/clubs/{scene.club.slug}/grades/").json()
    assert len(told[0]["provisional"]) == 4


def test_f40_seeds_by_grades_in_the_set_up() -> None:
    scene = make_scene()
    played(scene)
    rated()
    draft = factories.competition(scene.club, pairs=0, format="swiss", starts_on=date(2027, 1, 4))
    division = draft.stage.divisions.get()
    for entry in scene.entries:
        factories.entry(division, entry.lineup)
    setups.seed_by_grades(actor=DIRECTOR, competition=draft, at=NOW)
    [(_division, entered)] = draws.fields(Competition.objects.get(pk=draft.pk))
    strength = queries.seeds(draft, today=TODAY)
    assert [strength[each.pk] for each in entered] == sorted(strength.values(), reverse=True)
    assert strength[entered[0].pk] > 50 > strength[entered[-1].pk]


def team_match(*, average: bool = False) -> tuple[Any, Fixture]:
    """A match of two teams, 10 IMPs to the home team over four boards; one of 11 can be taken out."""
    league = make_league()
    match = league.match()
    open_room, closed_room = name_pairs(league, match)
    play_room(open_room, [(72, 12), (40, 30), (20, 45), (60, 10)])
    play_room(closed_room, [(33, 26), (40, 30), (30, 30), (50, 20)])
    if average:
        board = open_room.boards.get(position=1).board
        team_results.give_average(
            actor=league.director, fixture=match, board=board, imps=(3, -3), reason="Fouled."
        )
    rated()
    return league, match


def test_f135_a_match_of_teams_is_rated_by_its_imps_a_board() -> None:
    league, match = team_match()
    session = GradeSession.objects.get()
    assert (session.source, session.content["boards"], session.content["imps"]) == (
        f"match:{match.pk}",
        4,
        10,
    )
    steps = GradeStep.objects.filter(session=session)
    assert steps.count() == 8
    # 2.5 for each IMP a board; F136: 36 / 4 over 300 / 4 and the spread of both sides.
    assert {round(abs(step.surprise), 6) for step in steps} == {6.25}
    assert {round(step.share, 6) for step in steps} == {round(9 / (75 + 18), 6)}
    reserve = league.player("Ida")
    assert not steps.filter(player=reserve.pk).exists()
    assert list(verification.differences()) == []
    anna = league.player("Anna")
    (told,) = queries.of_player(anna, AnonymousUser(), today=TODAY)
    assert "IMPs a board expected: 0.0; made: +2.5" in told.steps[0].what
    # Who played in the same team is no partner yet.
    assert told.partners == ()
    page = Client().get(reverse("player_grade", args=[anna.pk])).content.decode()
    assert "IMPs a board expected" in page


def test_f131_a_board_that_cannot_be_played_is_not_rated() -> None:
    team_match(average=True)
    content = GradeSession.objects.get().content
    assert (content["boards"], content["imps"]) == (3, -1)
    assert list(verification.differences()) == []


def test_f140_a_team_is_seeded_by_the_mean_of_its_four_best() -> None:
    league, _match = team_match()
    home = league.match().home
    seeds = queries.seeds(league.competition, today=TODAY)
    grades = queries.current(
        [player.pk for player in home.lineup.players], game=league.competition.game, today=TODAY
    )
    best = sorted((*(each.mean for each in grades.values()), 50.0), reverse=True)[:4]
    assert seeds[home.pk] == pytest.approx(sum(best) / 4)
    assert seeds[home.pk] > 50


def begin(scene: Scene, player: Any, grade: str = "60", spread: str = "3", **more: Any) -> Any:
    given: dict[str, Any] = {"game": "concerto", "reason": "Plays for the county"}
    given |= {"at": NOW - timedelta(days=400), **more}
    return services.set_start(
        actor=scene.users["dora"], player=player, grade=Decimal(grade), spread=Decimal(spread), **given
    )


def test_f130_a_director_says_with_which_grade_a_player_begins() -> None:
    scene = make_scene()
    anna = scene.players[0]
    played(scene)
    rated()
    before = GradeStep.objects.get(player=anna.pk)
    begin(scene, anna)
    assert list(verification.differences()) == []
    assert rated() == 1
    after = GradeStep.objects.get(player=anna.pk)
    # F134: her side is the mean of 60 and 50.
    assert abs(after.expected) == pytest.approx(5)
    assert after.before == 60
    assert after.grade > before.grade
    assert after.share < before.share
    assert list(verification.differences()) == []
    page = Client().get(reverse("player_grade", args=[anna.pk])).content.decode()
    assert "begin at 60.0" in page
    assert "Plays for the county" in page
    begin(scene, anna, "52")
    rated()
    assert GradeStep.objects.get(player=anna.pk).before == 52


def test_f130_f140_who_has_not_played_is_seeded_by_the_grade_to_begin_with() -> None:
    scene = make_scene()
    begin(scene, scene.entries[0].lineup.players[0], "70")
    seeds = queries.seeds(scene.competition, today=TODAY)
    assert seeds[scene.entries[0].pk] == 60
    assert seeds[scene.entries[1].pk] == 50


@pytest.mark.parametrize(
    "wrong",
    [
        {"grade": "99.1"},
        {"grade": "-1"},
        {"spread": "0"},
        {"spread": "6.1"},
        {"reason": " "},
        {"game": "chess"},
        {"grade": "NaN"},
    ],
)
def test_f130_what_is_no_grade_is_refused_and_nothing_is_written(wrong: dict[str, str]) -> None:
    scene = make_scene()
    with pytest.raises(Invalid):
        begin(scene, scene.players[0], **wrong)
    assert not GradeStart.objects.exists()
    browser = Client()
    browser.force_login(scene.users["dora"])
    given = {"game": "concerto", "grade": "55", "spread": "4", "reason": "Because", **wrong}
    page = reverse("grade_start", args=[scene.players[0].pk])
    assert browser.post(page, given).status_code == 422
    api = f"/api/v1/players/{scene.players[0].pk}/grade/start/"
    assert browser.post(api, given, content_type="application/json").status_code in {400, 422}
    assert not GradeStart.objects.exists()


def test_f130_only_a_director_says_it_by_page_and_by_program() -> None:
    scene = make_scene()
    anna = scene.players[0]
    page, given = reverse("grade_start", args=[anna.pk]), {"game": "concerto", "grade": "55", "spread": "4"}
    for who in ("anna", "eva"):
        browser = Client()
        browser.force_login(scene.users[who])
        assert browser.get(page).status_code == 403
        assert browser.post(page, {**given, "reason": "Me"}).status_code == 403
    browser.force_login(scene.users["dora"])
    assert "Say with which grade" in browser.get(reverse("player_grade", args=[anna.pk])).content.decode()
    assert browser.post(page, {**given, "reason": "As seen"}).status_code == 302
    api = f"/api/v1/players/{anna.pk}/grade/start/"
    told = browser.post(api, {**given, "reason": "Again"}, content_type="application/json").json()
    assert told["grade"] == "55.0"
    assert GradeStart.objects.count() == 2
    assert AuditEntry.objects.filter(action="grade.stated").count() == 2


def test_f130_a_grade_to_begin_with_goes_over_to_whom_a_player_is_merged_into() -> None:
    scene = make_scene()
    anna = scene.players[0]
    played(scene)
    rated()
    newcomer = factories.player(scene.club)
    begin(scene, newcomer, "60")
    rated()
    assert GradeStep.objects.get(player=anna.pk).before == 50
    merging.merge(actor=DIRECTOR, keep=anna, duplicate=newcomer)
    assert rated()
    assert GradeStep.objects.get(player=anna.pk).before == 60
    assert list(verification.differences()) == []
