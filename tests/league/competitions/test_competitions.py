"""Setting up, changing, publishing and finishing a competition."""

from dataclasses import replace
from datetime import UTC, date, datetime, time

import pytest
from django.db import IntegrityError, transaction

from league import extension, formats
from league.competitions.calendars import calendar
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.competitions.services.divisions import DivisionPlan
from league.draws.services import draws
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import AuditEntry, Competition, Fixture, Role, Season
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = pytest.mark.django_db

PLAIN = Setup(name="Winter League", starts_on=date(2026, 10, 5))


def set_up(club=None, actor=DIRECTOR, **changes):
    return competitions.set_up(actor=actor, club=club or factories.club(), data=replace(PLAIN, **changes))


def edit(competition, **changes):
    return competitions.edit(actor=DIRECTOR, competition=competition, data=replace(PLAIN, **changes))


def faults(refusal):
    return [tuple(fault["place"]) for fault in refusal.value.details]


def test_a_name_and_a_date_are_enough():
    competition = set_up()
    assert (competition.state, competition.slug, competition.season.name) == (
        "draft",
        "winter-league",
        "2026/27",
    )
    assert [division.name for division in competition.stage.divisions.all()] == ["Division 1"]
    assert competition.rules == extension.game("concerto").read_options({})
    assert competition.tie_breaks[0] == "league_points"
    assert (competition.correction_hours, competition.days_between_rounds) == (48, 7)
    assert AuditEntry.objects.get(action="competition.set_up").after["divisions"][0]["name"] == "Division 1"


@pytest.mark.parametrize(
    ("starts_on", "season"),
    [(date(2027, 7, 31), "2026/27"), (date(2027, 8, 1), "2027/28"), (date(1999, 9, 1), "1999/00")],
)
def test_the_season_is_that_of_the_first_day(starts_on, season):
    assert set_up(starts_on=starts_on).season.name == season


def test_a_season_that_is_there_is_used():
    club = factories.club()
    season = factories.season(club)
    assert set_up(club).season == season
    assert set_up(club, season="Summer Cup", slug="summer").season.name == "Summer Cup"
    assert Season.objects.count() == 2


def test_divisions_are_named_and_ordered():
    plans = (DivisionPlan("Premier", relegated=2), DivisionPlan(promoted=2))
    rows = (
        set_up(divisions=plans).stage.divisions.order_by("level").values_list("name", "promoted", "relegated")
    )
    assert list(rows) == [("Premier", 0, 2), ("Division 2", 2, 0)]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"name": " "}, ("name",)),
        ({"format": "carousel"}, ("format",)),
        ({"visibility": "aliens"}, ("visibility",)),
        ({"days_between_rounds": 0}, ("days_between_rounds",)),
        ({"days_between_rounds": 91}, ("days_between_rounds",)),
        ({"correction_hours": 100_000}, ("correction_hours",)),
        ({"starts_on": date(9999, 12, 31)}, ("starts_on",)),
        ({"game": "whist"}, ("rules",)),
        ({"rules": {"nonsense": 1}}, ("rules", "nonsense")),
        ({"points": {"win": "x"}}, ("points", "win")),
        ({"points": []}, ("points",)),
        ({"tie_breaks": ("luck",)}, ("tie_breaks", 0)),
        ({"divisions": ()}, ("divisions",)),
        ({"divisions": (DivisionPlan("A"), DivisionPlan("a"))}, ("divisions", 0, "name")),
        ({"divisions": (DivisionPlan("A", promoted=-1),)}, ("divisions", 0, "promoted")),
        ({"divisions": (DivisionPlan("x" * 61),)}, ("divisions", 0, "name")),
    ],
)
def test_what_makes_no_sense_is_told_at_its_field(changes, place):
    with pytest.raises(Invalid) as refusal:
        set_up(**changes)
    assert place in faults(refusal)
    assert not Competition.objects.exists()
    assert not Season.objects.exists()


def test_all_faults_are_told_at_once():
    with pytest.raises(Invalid) as refusal:
        set_up(name="", points={"win": "x", "draw": "y"}, tie_breaks=("luck",), divisions=())
    assert set(faults(refusal)) == {
        ("name",),
        ("points", "win"),
        ("points", "draw"),
        ("tie_breaks", 0),
        ("divisions",),
    }


def test_the_calendar_counts_matches_and_byes_and_writes_nothing():
    club = factories.club(time_zone="Europe/Berlin")
    row = competitions.build(club, PLAIN)
    shown = calendar(row, [6, 5])
    assert not Competition.objects.exists()
    assert [(each.matches, each.byes) for each in shown.rounds] == [(5, 1)] * 5
    assert (shown.matches, shown.byes, shown.ends_on) == (25, 5, date(2026, 11, 2))
    plays = [each.dates.plays_at.astimezone(UTC) for each in shown.rounds]
    # Clocks in Berlin go back on 25 October 2026.
    assert plays[2] == datetime(2026, 10, 19, 17, 30, tzinfo=UTC)
    assert plays[3] == datetime(2026, 10, 26, 18, 30, tzinfo=UTC)
    double = competitions.build(club, replace(PLAIN, format=formats.DOUBLE))
    assert calendar(double, [4]).matches == 12
    assert calendar(row, [1, 0]).rounds == ()


def test_a_draft_changes_in_every_way():
    competition = set_up()
    edit(competition, name="Spring", points={"win": 3}, divisions=(DivisionPlan("B"), DivisionPlan("A")))
    competition.refresh_from_db()
    assert (competition.name, competition.points, competition.slug) == ("Spring", {"win": 3}, "winter-league")
    edit(competition, divisions=(DivisionPlan("A"), DivisionPlan("B")))
    assert [division.name for division in competition.stage.divisions.order_by("level")] == ["A", "B"]
    entry = AuditEntry.objects.filter(action="competition.edited").last()
    assert entry.before["name"] == "Winter League"


def test_a_division_with_pairs_is_not_removed():
    competition = set_up(divisions=(DivisionPlan("A"), DivisionPlan("B")))
    factories.entry(competition.stage.divisions.get(name="B"))
    with pytest.raises(Conflict, match="B still has entries"):
        edit(competition)
    assert competition.stage.divisions.count() == 2


def drawn(**changes):
    competition = set_up(**changes)
    for _each in range(3):
        factories.entry(competition.stage.divisions.get())
    return draws.draw(actor=DIRECTOR, competition=competition)


def test_dates_change_before_the_draw_only():
    competition = drawn()
    for change in (
        {"starts_on": date(2026, 11, 2)},
        {"format": "double_round_robin"},
        {"days_between_rounds": 14},
        {"play_time": time(18)},
    ):
        with pytest.raises(Conflict, match="Undo the draw"):
            edit(competition, **change)
    draws.take_back(actor=DIRECTOR, competition=competition)
    edit(competition, starts_on=date(2026, 11, 2))
    assert Competition.objects.get().starts_on == date(2026, 11, 2)


def test_a_running_competition_keeps_what_it_is_played_for():
    competition = competitions.publish(actor=DIRECTOR, competition=drawn())
    edit(competition, name="New name", place="Hall", visibility="members", correction_hours=24)
    competition.refresh_from_db()
    assert (competition.name, competition.place, competition.visibility) == ("New name", "Hall", "members")
    for change in (
        {"points": {"win": 3}},
        {"tie_breaks": ("points_scored",)},
        {"divisions": (DivisionPlan("X"),)},
    ):
        with pytest.raises(Conflict, match="is running"):
            edit(competition, **change)


def test_it_finishes_when_every_match_is_decided_and_can_be_reopened():
    competition = competitions.publish(actor=DIRECTOR, competition=drawn())
    with pytest.raises(Conflict, match="3 matches have no result"):
        competitions.finish(actor=DIRECTOR, competition=competition)
    for fixture in Fixture.objects.all():
        fixtures.award_walkover(actor=DIRECTOR, fixture=fixture, losing=[fixture.away], reason="Nobody came")
    assert competitions.finish(actor=DIRECTOR, competition=competition).state == "finished"
    with pytest.raises(Conflict, match="finished"):
        draws.draw(actor=DIRECTOR, competition=competition)
    with pytest.raises(Invalid, match="reason"):
        competitions.reopen(actor=DIRECTOR, competition=competition, reason="")
    assert (
        competitions.reopen(actor=DIRECTOR, competition=competition, reason="Wrong score").state == "running"
    )


def test_only_a_draft_is_deleted():
    published = drawn()
    competitions.publish(actor=DIRECTOR, competition=published)
    with pytest.raises(Conflict, match="Only a draft"):
        competitions.discard(actor=DIRECTOR, competition=published)
    Competition.objects.update(state=Competition.State.DRAFT)
    competition = Competition.objects.get()
    competitions.discard(actor=DIRECTOR, competition=competition)
    assert not Competition.objects.exists()
    assert AuditEntry.objects.filter(action="competition.discarded").count() == 1


@pytest.mark.parametrize("role", [Role.SCORER, Role.MEMBER, None])
def test_only_directors_set_up_and_change(role):
    club = factories.club()
    competition = set_up(club)
    actor = factories.member(club, role) if role else factories.user()
    for write in (
        lambda: set_up(club, actor=actor),
        lambda: competitions.edit(actor=actor, competition=competition, data=PLAIN),
        lambda: competitions.publish(actor=actor, competition=competition),
        lambda: competitions.finish(actor=actor, competition=competition),
        lambda: competitions.discard(actor=actor, competition=competition),
    ):
        with pytest.raises(NotAllowed):
            write()
    assert Competition.objects.get().state == "draft"


def test_the_database_holds_what_competitions_must_be():
    competition = set_up()
    division = competition.stage.divisions.get()
    wrong_rows = (
        lambda: factories.competition(competition.club, 0, slug=competition.slug),
        lambda: factories.competition(competition.club, 0, state="odd"),
        lambda: competition.stage.divisions.create(name="Other", level=division.level),
        lambda: competition.stage.divisions.create(name=division.name, level=9),
        lambda: Season.objects.create(
            club=competition.club, name="Backwards", starts_on=date(2026, 2, 1), ends_on=date(2026, 1, 1)
        ),
    )
    for wrong in wrong_rows:
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong()
    factories.entry(division)
    with pytest.raises(IntegrityError), transaction.atomic():
        factories.entry(division, number=1)
    assert competition.stage.divisions.count() == 1
