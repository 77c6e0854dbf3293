"""The demo's season, half played: results, sheets that wait, a dispute, a postponement, a withdrawal."""

import random
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import chain, repeat

from config.demo.clock import at_time
from config.demo.people import People
from games import front
from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.competitions.services.divisions import DivisionPlan
from league.draws.services import draws
from league.entries.services import adjustments, entries, withdrawals
from league.entries.services.late_entries import Way
from league.fixtures.services import fixtures
from league.models import Club, Competition, Entry, Fixture, Lineup, User

ROUNDS_PLAYED = 4
STORIES = ("disputed", "confirmed", "postponed", "waiting")
SKILLS = (1, 3, 2, 3, 1, 2, 2, 1)


def set_up(club: Club, people: People, *, first_day: date, at: datetime) -> Competition:
    """The Winter League with two divisions and a ranking with handicap, drawn in the order of entry, and published."""
    director = people["Daniel Quinn"]
    data = Setup(
        name="Winter League",
        starts_on=first_day,
        divisions=(DivisionPlan("First Division", relegated=2), DivisionPlan("Second Division", promoted=2)),
        place="The Boathouse, Mill Lane",
        extra={"handicap": {"share": 50}},
    )
    competition = competitions.set_up(actor=director, club=club, data=data)
    for division, pairs in zip(competition.stage.divisions.order_by("level"), people.pairs, strict=True):
        for pair in pairs:
            entries.enter(actor=director, division=division, lineup=pair, at=at)
    draws.draw(actor=director, competition=competition, order=draws.GIVEN)
    return competitions.publish(actor=director, competition=competition)


def play(competition: Competition, people: People, rng: random.Random, newcomers: Lineup) -> None:
    """Plays the rounds that are past, and leaves the last of them as such a week really looks."""
    stories = chain(STORIES, repeat("confirmed"))
    for number in range(1, ROUNDS_PLAYED + 1):
        for fixture in _fixtures(competition, number):
            if number == ROUNDS_PLAYED:
                _last_week(fixture, people, rng, stories)
            else:
                play_and_confirm(fixture, people, rng)
        if number == 2:
            _replace(competition, people, newcomers)
            _penalty(competition, people)


def _fixtures(competition: Competition, number: int) -> list[Fixture]:
    found = Fixture.objects.with_pairs().filter(round__stage__competition=competition, round__number=number)
    return list(found.unplayed().order_by("division__level", "pk"))


def _last_week(fixture: Fixture, people: People, rng: random.Random, stories: Iterator[str]) -> None:
    """In the current round each match has its own story: what may wait for somebody, waits."""
    pairs = (fixture.home.lineup, fixture.away.lineup)
    if people.pairs[0][0] in pairs:
        return  # Anna Berg's: she enters it as soon as somebody logs in as her.
    if people.pairs[0][-1] in pairs:
        waiting = people.pairs[0][-1]  # Rui Silva's: it waits to be confirmed.
        _submit(fixture, people, rng, by=pairs[1] if pairs[0] == waiting else pairs[0])
        return
    match next(stories):
        case "disputed":
            sheet = _submit(fixture, people, rng)
            with at_time(sheet.entered_at + timedelta(hours=2)):
                reason = "Deal 2: we wrote down a flush for us in hand 4, not two pair. Please look again."
                scoresheets.reject(actor=people.of_pair(pairs[1]), sheet=sheet, reason=reason)
        case "postponed":
            with at_time(_start(fixture) - timedelta(days=2)):
                ill = people.of_pair(pairs[0])
                fixtures.postpone(actor=ill, fixture=fixture, reason="Both of us have the flu.")
        case "waiting":
            _submit(fixture, people, rng)
        case _:
            play_and_confirm(fixture, people, rng)


def play_and_confirm(fixture: Fixture, people: People, rng: random.Random) -> None:
    """A match with its result, as its pairs enter and confirm it."""
    sheet = _submit(fixture, people, rng)
    with at_time(sheet.entered_at + timedelta(hours=rng.randint(1, 20))):
        confirming = people.of_pair(fixture.away.lineup)
        if sheet.entered_by_id == confirming.pk:
            confirming = people.of_pair(fixture.home.lineup)
        scoresheets.confirm(actor=confirming, sheet=sheet, digest=sheet.digest)


def _submit(fixture: Fixture, people: People, rng: random.Random, by: Lineup | None = None) -> Scoresheet:
    competition = fixture.round.competition
    content = front.of(competition.game).played_match(
        rng, competition.rules, (_skill(fixture.home), _skill(fixture.away))
    )
    entered: User = people.of_pair(by or fixture.home.lineup)
    with at_time(_start(fixture) + timedelta(hours=2, minutes=rng.randint(0, 50))):
        return scoresheets.submit(
            actor=entered, fixture=fixture, content=content, origin=Scoresheet.Origin.PAGE
        )


def _start(fixture: Fixture) -> datetime:
    assert fixture.starts_at is not None  # noqa: S101 - the draw gave it
    return fixture.starts_at


def _skill(entry: Entry) -> int:
    """Fixed for each pair, by its number in the draw."""
    return SKILLS[entry.number % len(SKILLS)]


def _replace(competition: Competition, people: People, newcomers: Lineup) -> None:
    """A pair withdraws, and another takes over its matches that were still to be played."""
    director = people["Daniel Quinn"]
    leaving = competition.entries.with_pairs().get(lineup=people.pairs[1][-1])
    with at_time(_after_round(competition, 2)) as at:
        left = withdrawals.withdraw(
            actor=director, entry=leaving, reason="They have moved to another town.", at=at
        )
        division, way = left.division, Way(replaces=left)
        entries.enter(actor=director, division=division, lineup=newcomers, at=at, way=way)


def _penalty(competition: Competition, people: People) -> None:
    late = competition.entries.with_pairs().get(lineup=people.pairs[0][4])
    with at_time(_after_round(competition, 2)):
        adjustments.adjust(
            actor=people["Daniel Quinn"],
            entry=late,
            points="-1",
            reason="Forty minutes late in round 2",
            round_number=2,
        )


def _after_round(competition: Competition, number: int) -> datetime:
    return competition.stage.rounds.get(number=number).closes_at - timedelta(hours=6)
