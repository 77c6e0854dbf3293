"""The ladder of the demo: eight pairs for a year, a challenge declined, one to play and one to answer."""

import random
from datetime import date, datetime, time, timedelta

from config.demo import season
from config.demo.clock import at_time
from config.demo.people import People
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import challenges, draws
from league.entries.services import entries
from league.fixtures.services import fixtures
from league.models import Challenge, Club, Competition, Entry
from league.zones import at_local

LASTS = timedelta(days=358)
#: On which day who challenges whom, by their places on that day.
PLAYED = (
    *((12, 3, 2), (33, 8, 6), (54, 5, 4), (75, 2, 1), (96, 7, 5), (117, 4, 3), (138, 6, 4), (159, 3, 1)),
    *((180, 8, 7), (201, 5, 3), (222, 2, 1), (243, 6, 5), (264, 4, 2), (285, 7, 6)),
    *((320, 5, 3), (322, 8, 6), (334, 4, 2), (336, 7, 5)),
)


def build(club: Club, people: People, rng: random.Random, *, today: date) -> None:
    """Sets it up and lets it run for a year, so that grades have one."""
    director, first_day = people["Daniel Quinn"], today - LASTS
    begins = at_local(first_day, time(9), club.time_zone)
    data = Setup(
        name="Ladder", starts_on=first_day, format="ladder", place=club.place, ladder={"idle_days": 120}
    )
    with at_time(begins) as at:
        made = competitions.set_up(actor=director, club=club, data=data)
        lineups = [*people.pairs[0][:4], *people.pairs[1][:4]]
        entries.enter_all(actor=director, division=made.stage.divisions.get(), lineups=lineups, at=at)
        draws.draw(actor=director, competition=made, order=draws.GIVEN)
        competitions.publish(actor=director, competition=made)
    for day, by, to in PLAYED:
        _play(people, rng, *_at(made, by, to), begins + timedelta(days=day))
    _challenge(people, *_at(made, 6, 4), begins + timedelta(days=348), "decline")
    _challenge(people, *_at(made, 8, 7), begins + timedelta(days=354), "accept")
    _challenge(people, *_at(made, 3, 1), begins + timedelta(days=356), "")


def _at(ladder: Competition, by: int, to: int) -> tuple[Entry, Entry]:
    """Who stands in these places."""
    entered = ladder.entries.with_pairs()
    return entered.get(ladder_place__place=by), entered.get(ladder_place__place=to)


def _challenge(people: People, by: Entry, to: Entry, when: datetime, answer: str) -> Challenge:
    with at_time(when) as at:
        made = challenges.challenge(actor=people.of_pair(by.lineup), challenger=by, challenged=to, at=at)
    if answer:
        act = challenges.accept if answer == "accept" else challenges.decline
        with at_time(when + timedelta(hours=20)) as at:
            act(actor=people.of_pair(to.lineup), challenge=made, at=at)
    made.refresh_from_db()
    return made


def _play(people: People, rng: random.Random, by: Entry, to: Entry, when: datetime) -> None:
    made = _challenge(people, by, to, when, "accept")
    assert made.fixture is not None  # noqa: S101 - it was just accepted
    with at_time(when + timedelta(days=1)):
        starts_at = when + timedelta(days=5, hours=10)
        fixtures.arrange(actor=people["Daniel Quinn"], fixture=made.fixture, starts_at=starts_at)
    made.fixture.refresh_from_db()
    season.play_and_confirm(made.fixture, people, rng)
