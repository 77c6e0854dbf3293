"""The Autumn Swiss of the demo: nine pairs, one of them late, in the fourth of five rounds."""

import random
from datetime import date, time, timedelta

from config.demo import season
from config.demo.clock import at_time
from config.demo.people import People
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws, rounds
from league.entries.services import entries
from league.models import Club, Division, Fixture
from league.zones import at_local

ROUNDS, DRAWN = 5, 4
FIRST, SECOND = slice(2, 6), slice(0, 4)


def build(club: Club, people: People, rng: random.Random, *, fourth_day: date) -> None:
    """Sets it up and plays three rounds; of the fourth one match has its result."""
    director = people["Daniel Quinn"]
    first_day = fourth_day - timedelta(days=7 * (DRAWN - 1))
    begins = at_local(first_day, time(8), club.time_zone)
    data = Setup(
        name="Autumn Swiss", starts_on=first_day, format="swiss", planned_rounds=ROUNDS, place=club.place
    )
    with at_time(begins - timedelta(days=14)) as at:
        made = competitions.set_up(actor=director, club=club, data=data)
        division = made.stage.divisions.get()
        lineups = [*people.pairs[0][FIRST], *people.pairs[1][SECOND]]
        entries.enter_all(actor=director, division=division, lineups=lineups, at=at)
        draws.draw(actor=director, competition=made, order=draws.GIVEN)
        competitions.publish(actor=director, competition=made)
    for number in range(1, DRAWN + 1):
        if number > 1:
            _draw(people, division, number)
        drawn = Fixture.objects.filter(division=division, round__number=number).with_pairs().order_by("pk")
        for fixture in drawn[: 1 if number == DRAWN else None]:
            season.play_and_confirm(fixture, people, rng)
        if number == 1:
            with at_time(begins + timedelta(days=5)) as at:
                entries.enter(actor=director, division=division, lineup=people.pairs[1][4], at=at)


def _draw(people: People, division: Division, number: int) -> None:
    round_ = division.stage.rounds.get(number=number)
    with at_time(at_local(round_.starts_on, time(8), division.competition.club.time_zone)) as at:
        seen = rounds.propose(division=division, round_=round_).digest
        rounds.publish(actor=people["Daniel Quinn"], division=division, number=number, at=at, seen=seen)
