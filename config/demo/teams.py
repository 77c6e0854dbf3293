"""The Team League of the demo: a round that is over; of the second a room is played, and a line-up is awaited."""

import random
from datetime import date, datetime, time, timedelta

from config.demo.clock import at_time
from config.demo.duplicate_league import played_boards, seal
from config.demo.people import People
from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws
from league.fixtures.services import fixtures
from league.manage.services import setups
from league.models import Club, Competition, Entry, Fixture
from league.teams.services import line_ups
from league.teams.services.line_ups import Pairs
from league.zones import at_local

#: The captain first. Olga Petrov still has to name hers for the second round.
TEAMS = (
    "Otters: Olga Petrov, Kenji Sato, Eva Novak, Luis Reyes, Tom Marsh",
    "Herons: Aoife Byrne, Declan Walsh, Marta Kowalska, Piotr Zielinski",
    "Swans: Rui Silva, Grace Wong, Gwen Hughes, Mei Tan, Femi Adeyemi",
    "Coots: Ingrid Dahl, Henrik Moe, Paolo Ricci, Giulia Conti, Nadia Rahman, Arjun Mehta",
)
SKILLS = (2, 1, 3, 1)
DAYS_BETWEEN = 14
SINCE, COMES_IN = timedelta(days=2), timedelta(days=3)
"""Since when the second round is played, and when its last match is to come."""


def build(club: Club, people: People, rng: random.Random, *, today: date) -> Competition:
    """Four teams, who meet once each."""
    first_day = today - SINCE - timedelta(days=DAYS_BETWEEN)
    with at_time(at_local(first_day - timedelta(days=12), time(20), club.time_zone)) as founded:
        league = _set_up(club, people, rng, first_day=first_day, at=founded)
    for match in _matches(league, 1):
        for entry in match.entries:
            _name(people, match, entry, before=_start(match))
        for room in match.rooms.with_pairs():
            _play(room, people, rng, at=_start(match) + timedelta(hours=2))
    early, awaited = sorted(_matches(league, 2), key=lambda match: _is_of(match, "Otters"))
    with at_time(_start(early) - timedelta(days=3)) as agreed:
        when = at_local(today + COMES_IN, time(19), club.time_zone)
        fixtures.arrange(actor=people["Daniel Quinn"], fixture=awaited, starts_at=when)
    for entry in early.entries:
        _name(people, early, entry, before=_start(early))
    _play(early.rooms.with_pairs()[0], people, rng, at=_start(early) + timedelta(hours=2))
    other = next(entry for entry in awaited.entries if str(entry) != "Otters")
    _name(people, awaited, other, before=agreed)
    return league


def _set_up(club: Club, people: People, rng: random.Random, *, first_day: date, at: datetime) -> Competition:
    director = people["Daniel Quinn"]
    data = Setup(
        name="Team League",
        starts_on=first_day,
        days_between_rounds=DAYS_BETWEEN,
        place=club.place,
        team_method="imps",
        rules={"deals": 4},
    )
    league = competitions.set_up(actor=director, club=club, data=data)
    division, typed = league.stage.divisions.get(), "\n".join(TEAMS)
    setups.enter(actor=director, division=division, chosen=(), typed=typed, at=at)
    draws.draw(actor=director, competition=league, order=draws.GIVEN)
    for played in league.stage.rounds.order_by("number"):
        seal(played, director, rng)
    return competitions.publish(actor=director, competition=league)


def _matches(league: Competition, number: int) -> list[Fixture]:
    return list(Fixture.objects.of_competition(league.pk).with_pairs().filter(round__number=number))


def _is_of(match: Fixture, team: str) -> bool:
    return any(str(entry) == team for entry in match.entries)


def _name(people: People, match: Fixture, entry: Entry, *, before: datetime) -> None:
    """The captain sends the first four, in the order of the team."""
    one, two, three, four = entry.lineup.players[:4]
    with at_time(before - timedelta(days=1)) as at:
        line_ups.name(
            actor=people[str(entry.lineup.captain)],
            fixture=match,
            entry=entry,
            pairs=Pairs((one, two), (three, four)),
            at=at,
        )


def _play(room: Fixture, people: People, rng: random.Random, *, at: datetime) -> None:
    """A room with its result: North-South enter it, East-West confirm it."""
    first, second = room.entries
    skill = (SKILLS[first.pk % len(SKILLS)], SKILLS[second.pk % len(SKILLS)])
    content = played_boards(room, rng, skill)
    with at_time(at + timedelta(minutes=rng.randint(0, 40))):
        sheet = scoresheets.submit(
            actor=people.of_pair(first.lineup), fixture=room, content=content, origin=Scoresheet.Origin.PAGE
        )
    with at_time(sheet.entered_at + timedelta(minutes=20)):
        scoresheets.confirm(actor=people.of_pair(second.lineup), sheet=sheet, digest=sheet.digest)


def _start(fixture: Fixture) -> datetime:
    assert fixture.starts_at is not None  # noqa: S101 - the draw gave it
    return fixture.starts_at
