"""Two Swiss of the demo: of nine pairs, one of them late, in the fourth round, and of players whose partners change."""

import random
from datetime import date, time, timedelta

from config.demo import season
from config.demo.clock import at_time
from config.demo.people import People
from league import formats
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws, rounds
from league.entries.services import entries
from league.manage.services import evenings
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


def build_of_players(club: Club, people: People, rng: random.Random, *, third_day: date) -> None:
    """Two of three rounds are played; the third is drawn."""
    director = people["Daniel Quinn"]
    first_day = third_day - timedelta(days=14)
    data = Setup(
        name="Individual Swiss",
        starts_on=first_day,
        format=formats.SWISS_PLAYERS,
        planned_rounds=3,
        place=club.place,
    )
    alone = [player for pair in people.pairs[0][:4] for player in pair.players]
    with at_time(at_local(first_day, time(7), club.time_zone)) as at:
        made = competitions.set_up(actor=director, club=club, data=data)
        division = made.stage.divisions.get()
        evenings.register(actor=director, division=division, came=alone, left=(), at=at)
        evenings.begin(actor=director, competition=made, seed=f"{rng.getrandbits(64):016x}")
    division = Division.objects.get(pk=division.pk)
    for number in (1, 2, 3):
        _draw(people, division, number)
        drawn = Fixture.objects.filter(division=division, round__number=number).with_pairs().order_by("pk")
        for fixture in drawn if number < 3 else ():
            season.play_and_confirm(fixture, people, rng)


def _draw(people: People, division: Division, number: int) -> None:
    round_ = division.stage.rounds.get(number=number)
    with at_time(at_local(round_.starts_on, time(8), division.competition.club.time_zone)) as at:
        seen = rounds.proposal_of(division=division, round_=round_).digest
        rounds.publish(actor=people["Daniel Quinn"], division=division, number=number, at=at, seen=seen)
