"""Parts of the demo that are quickly made: a Swiss of players, and grades that a league's handicaps follow from."""

import random
from datetime import date, time, timedelta

import pytest

from config.demo import season, swiss, year
from config.demo.building import ZONE
from config.demo.clock import at_time
from config.demo.people import found_club
from games.grades import services as grades
from games.models import HandicapGrade
from league.models import Competition, Fixture
from league.zones import at_local

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
DAY = date(2026, 11, 24)


def test_the_demo_has_a_swiss_of_players_and_a_league_with_handicaps() -> None:
    with at_time(at_local(DAY - timedelta(days=400), time(20), ZONE)) as at:
        club, people = found_club(at)
        year.play_last_season(club, people, random.Random(1), first_day=DAY - timedelta(days=120))
    swiss.build_of_players(club, people, random.Random(1), third_day=DAY)
    made = Competition.objects.get(name="Individual Swiss")
    played = Fixture.objects.of_competition(made.pk)
    assert [played.filter(round__number=n).decided().count() for n in (1, 2, 3)] == [2, 2, 0]
    assert played.filter(round__number=3).count() == 2
    with at_time(at_local(DAY - timedelta(days=60), time(20), ZONE)) as at:
        grades.sweep(at=at)
        league = season.set_up(club, people, first_day=DAY - timedelta(days=50), at=at)
    fixed = HandicapGrade.objects.filter(entry__competition=league)
    assert fixed.count() == league.entries.count()
    assert len(set(fixed.values_list("grade", flat=True))) > 2
