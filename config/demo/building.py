"""Making the whole demo, from an empty database."""

import random
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.utils import timezone

from config.demo import (
    at_tables,
    cup,
    duplicate_league,
    evenings,
    further_games,
    ladder,
    season,
    swiss,
    teams,
    year,
)
from config.demo.clock import at_time
from config.demo.people import People, account, found_club
from games.comparisons.services import comparisons
from games.grades import services as grades
from league.actors import System
from league.clubs.services import clubs
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.models import Club, Competition
from league.notices.services import outbox
from league.people.services import claims, players
from league.standings.services import standings
from league.zones import at_local

ZONE = "Europe/Dublin"
FRIDAY = 4
OPEN_FOR = timedelta(days=400)
"""Since when the club is here."""


def build(*, seed: int, today: date) -> Competition:
    """Makes the demo: the same for a seed and a day. The database must be without people."""
    first_day = _last_thursday(today) - timedelta(days=7 * (season.ROUNDS_PLAYED - 1))
    founded = at_local(first_day - timedelta(days=40), time(20), ZONE)
    morning = at_local(today, time(8), ZONE)
    summer_begins = first_day - timedelta(days=7 * 12)
    with transaction.atomic():
        with at_time(at_local(today - OPEN_FOR, time(20), ZONE)) as opening:
            club, people = found_club(opening)
            summer = year.play_last_season(club, people, random.Random(seed), first_day=summer_begins)  # noqa: S311
            year.play_club_evenings(club, people, random.Random(seed), today=today)  # noqa: S311
        with at_time(founded):
            # The handicaps of the season follow from the grades of the last one.
            grades.sweep(at=founded)
            competition = season.set_up(club, people, first_day=first_day, at=founded)
        with at_time(founded + timedelta(days=20)) as at:
            newcomers = year.new_pair(club, people, at=at)
        season.play(competition, people, random.Random(seed), newcomers)  # noqa: S311 - deals for a demo
        tuesday = at_local(_last_thursday(today) - timedelta(days=2), time(19, 30), ZONE)
        evenings.build(club, people, random.Random(seed), played_on=tuesday, now=_now(today, morning))  # noqa: S311
        monday = _last_thursday(today) - timedelta(days=3)
        duplicate_league.build(club, people, random.Random(seed), in_play_since=monday, at=morning)  # noqa: S311
        rng = random.Random(seed)  # noqa: S311
        thursday = _last_thursday(today) - timedelta(days=7)
        further_games.build(club, people, rng, first_day=thursday, at=at_local(thursday, time(8), ZONE))
        cup.build(club, people, random.Random(seed), first_day=tuesday.date())  # noqa: S311
        _lately(club, people, seed, today=today)
        with at_time(morning - timedelta(days=2)) as at:
            year.prepare_next(summer, people, at=at)
            year.name_substitutes(club, people, competition, at=at)
            year.invite_others(club, people, at=at)
        with at_time(morning):
            _loose_ends(club, people, first_day=first_day, at=morning)
            outbox.drop_waiting(actor=System("demo"))
            year.read_notices(people, before=morning - timedelta(days=7), at=morning)
            year.bounce(club, people, at=morning)
    _compute(morning)
    return competition


def _lately(club: Club, people: People, seed: int, *, today: date) -> None:
    """Two Swiss, a ladder and a league of teams that have been running for a while, and last night's tables."""
    tuesday = _last_thursday(today) - timedelta(days=2)
    swiss.build(club, people, random.Random(seed), fourth_day=tuesday)  # noqa: S311
    swiss.build_of_players(club, people, random.Random(seed), third_day=tuesday)  # noqa: S311
    ladder.build(club, people, random.Random(seed), today=today)  # noqa: S311
    teams.build(club, people, random.Random(seed), today=today)  # noqa: S311
    begins = at_local(today - timedelta(days=1), time(19, 30), ZONE)
    at_tables.build(club, people, random.Random(seed), begins=begins)  # noqa: S311


def _compute(at: datetime) -> None:
    """What workers make of the results: tables, comparisons and grades."""
    standings.sweep(at=at)
    comparisons.sweep(at=at)
    grades.sweep(at=at)


def _now(today: date, morning: datetime) -> datetime:
    """When the demo is looked at: now, where it is made for today."""
    now = timezone.now()
    return now if now.astimezone(morning.tzinfo).date() == today else morning


def _last_thursday(today: date) -> date:
    """The newest Thursday before today, so that its evening is over."""
    return today - timedelta(days=(today.weekday() - FRIDAY) % 7 + 1)


def _loose_ends(club: Club, people: People, *, first_day: date, at: datetime) -> None:
    """What waits on a director's desk: a claim, a duplicate, a competition being set up; and a second club."""
    director, owner = people["Daniel Quinn"], people["Olive Hart"]
    for name, number in (("Nora Field", "R-117"), ("Tom Marsch", "R-042")):
        players.add(actor=director, club=club, name=name, number=number)
    newcomer = account("Nora Field")
    claims.claim(
        actor=newcomer,
        player=club.players.get(name="Nora Field"),
        at=at,
        message="I joined at the open evening.",
    )
    cup = Setup(name="Spring Cup", starts_on=first_day + timedelta(days=7 * 9))
    competitions.set_up(actor=director, club=club, data=cup)
    clubs.found(actor=owner, name="Hillside Card Club", time_zone="Europe/Vienna", place="Café am Hang")
