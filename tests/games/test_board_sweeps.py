"""Boards that wait for a day: those whose day has not come take no place from those whose day has."""

from datetime import timedelta

import pytest

from games.boards.services import boards, releases
from games.models import Duplicate, FixtureBoard
from league.models import Competition, Division, Entry, Fixture, Round
from tests.games.boards import AGREED, duplicate_scene, plays_of, sealed
from tests.league import factories
from tests.scenes import Scene

pytestmark = pytest.mark.django_db


def waits_longer(scene: Scene, fixture: Fixture) -> Fixture:
    """A decided match of another competition: an earlier round, whose boards wait for sixty days."""
    competition = Competition.objects.get(pk=scene.competition.pk)
    competition.pk, competition.slug = None, "patient-league"
    competition.save()
    stage = factories.stage(competition)
    Duplicate.objects.create(competition=competition, open_after_days=60)
    division = Division.objects.create(stage=stage, name="First Division", level=1)
    entries = [
        Entry.objects.create(
            competition=competition, division=division, lineup=each.lineup, number=each.number
        )
        for each in (fixture.home, fixture.away)
    ]
    before = Round.objects.get(pk=fixture.round_id)
    before.pk, before.stage = None, stage
    before.closes_at -= timedelta(days=3)
    before.save()
    made = factories.meet(before, *entries)
    boards.make(competition=competition, round=before, count=4, delayed=AGREED, actor=scene.users["dora"])
    return made


def test_matches_whose_day_has_not_come_take_no_place_in_the_sweep() -> None:
    scene = duplicate_scene()
    made = sealed(scene)
    fixture = scene.fixture
    other = waits_longer(scene, fixture)
    Fixture.objects.filter(pk__in=[fixture.pk, other.pk]).update(status=Fixture.Status.VOID)
    closes = fixture.round.closes_at

    assert releases.open_overdue(at=closes + timedelta(days=14), most=1) == 0
    assert releases.open_overdue(at=closes + timedelta(days=15), most=1) == 1
    assert {each.settled for each in plays_of(made, fixture)} == {"time"}
    assert set(FixtureBoard.objects.filter(fixture=other).values_list("settled", flat=True)) == {""}

    assert releases.open_overdue(at=closes + timedelta(days=57), most=1) == 0
    assert releases.open_overdue(at=closes + timedelta(days=58), most=1) == 1
