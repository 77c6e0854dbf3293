"""The Winter Cup of the demo: a knock-out of six pairs, two of them with a bye, at its semi-finals."""

import random
from datetime import date, time, timedelta

from config.demo import season
from config.demo.clock import at_time
from config.demo.people import People
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws, rounds, ties
from league.entries.services import entries
from league.models import Club, Fixture
from league.standings import brackets
from league.zones import at_local

PAIRS = slice(1, 7)


def build(club: Club, people: People, rng: random.Random, *, first_day: date) -> None:
    """Sets it up, plays the first round and draws the semi-finals, which are still to be played."""
    director = people["Daniel Quinn"]
    at = at_local(first_day + timedelta(days=2), time(8), club.time_zone)
    data = Setup(name="Winter Cup", starts_on=first_day, format="knockout", place=club.place)
    with at_time(at - timedelta(days=14)) as before:
        cup = competitions.set_up(actor=director, club=club, data=data)
        division = cup.stage.divisions.get()
        entries.enter_all(actor=director, division=division, lineups=people.pairs[1][PAIRS], at=before)
        draws.draw(actor=director, competition=cup, order=draws.GIVEN)
        competitions.publish(actor=director, competition=cup)
    for fixture in Fixture.objects.of_competition(cup.pk).with_pairs().order_by("pk"):
        season.play_and_confirm(fixture, people, rng)
    with at_time(at):
        for tie in brackets.of_division(division).undecided:
            assert tie.fixture is not None  # noqa: S101 - it was just played
            ties.play_extra(actor=director, fixture=tie.fixture, scores=(41, 28), at=at)
        semi_finals = cup.stage.rounds.get(number=2)
        seen = ties.propose(division=division, round_=semi_finals).digest
        rounds.publish(actor=director, division=division, number=2, at=at, seen=seen)
