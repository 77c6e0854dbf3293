"""The ladder of the demo: eight pairs, with matches played, a challenge declined, one to play and one to answer."""

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
from league.standings import ladders
from league.zones import at_local

LASTS = timedelta(days=40)
#: On which day who challenges whom, by their numbers in the first order.
PLAYED = ((2, 5, 3), (4, 8, 6), (16, 3, 2), (18, 7, 4))

#: On which day the lowest who may challenges the highest whom they may, and what is answered.
ANSWERED = ((30, "decline"), (36, "accept"), (38, ""))


def build(club: Club, people: People, rng: random.Random, *, today: date) -> None:
    """Sets it up and lets it run for some weeks."""
    director, first_day = people["Daniel Quinn"], today - LASTS
    begins = at_local(first_day, time(9), club.time_zone)
    data = Setup(
        name="Ladder", starts_on=first_day, format="ladder", place=club.place, ladder={"idle_days": 60}
    )
    with at_time(begins) as at:
        made = competitions.set_up(actor=director, club=club, data=data)
        lineups = [*people.pairs[0][:4], *people.pairs[1][:4]]
        entries.enter_all(actor=director, division=made.stage.divisions.get(), lineups=lineups, at=at)
        draws.draw(actor=director, competition=made, order=draws.GIVEN)
        competitions.publish(actor=director, competition=made)
    numbered = {entry.number: entry for entry in made.entries.with_pairs()}
    for day, by, to in PLAYED:
        _play(people, rng, numbered[by], numbered[to], begins + timedelta(days=day))
    for day, answer in ANSWERED:
        when = begins + timedelta(days=day)
        _challenge(people, *_who_may(made, when), when, answer)


def _who_may(made: Competition, when: datetime) -> tuple[Entry, Entry]:
    """Who may challenge whom, as the matches so far have it."""
    ladder = ladders.of_division(made.stage.divisions.get())
    assert ladder is not None  # noqa: S101 - it was just set up
    standing = ladders.standing(ladder, ladders.day_of(ladder, when))
    listed = list(made.entries.with_pairs().order_by("number"))
    return next((by, to) for by in reversed(listed) for to in listed if standing.refusal(by, to) is None)


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
