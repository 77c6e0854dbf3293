"""Rows for tests: plain functions, each making one thing with everything it needs.

    club = factories.club()                              a club in London, without members
    owner = factories.member(club, Role.OWNER)           an account with that role
    anna = factories.player(club, "Anna Berg")           a player; user=... links an account
    pair = factories.pair(club)                          two new players (or `factories.pair(club, anna, ben)`)
    league = factories.competition(club, pairs=6)        a draft with one division of six entered pairs
    league = factories.running(club, pairs=6)            the same, drawn and published
    factories.drawn(league)                              draws and publishes a draft made by `competition`
    factories.result(fixture, 60, 41)                    a confirmed result
    factories.meet(round_, home, away)                   a fixture that no draw has made
    as_user = factories.account_of(pair)                 the account of the pair's first player, made if missing

Names are unique within a test run. DIRECTOR is an actor who may do everything. NOW is long after the default first
round, BEFORE is before it: pass them as the clock.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from itertools import count
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league import formats
from league.actors import System
from league.competitions.services import competitions
from league.draws.services import draws
from league.fixtures.services import fixtures, meetings
from league.models import (
    Appearance,
    Club,
    Competition,
    Division,
    Entry,
    Fixture,
    Lineup,
    Membership,
    Player,
    Role,
    Round,
    Season,
    Stage,
    User,
)
from league.people.services import lineups

DIRECTOR = System("test director")
FIRST_ROUND = date(2026, 9, 7)
BEFORE = datetime(2026, 9, 1, 12, tzinfo=UTC)
NOW = datetime(2027, 6, 1, 12, tzinfo=UTC)

_number = count(1)


def user(email: str = "", name: str = "", **fields: Any) -> User:
    """An account; its password is "password"."""
    number = next(_number)
    return User.objects.create_user(
        email=email or f"person{number}@example.org",
        password="password",
        name=name or f"Person {number}",
        **fields,
    )


def club(name: str = "", **fields: Any) -> Club:
    number = next(_number)
    return Club.objects.create(**{"name": name or f"Club {number}", "slug": f"club-{number}", **fields})


def member(club: Club, role: str = Role.MEMBER, who: User | None = None) -> User:
    """An account that belongs to the club with this role."""
    who = who or user()
    Membership.objects.create(user=who, club=club, role=role)
    return who


def player(club: Club, name: str = "", **fields: Any) -> Player:
    return Player.objects.create(club=club, name=name or f"Player Number{next(_number)}", **fields)


def pair(club: Club, a: Player | None = None, b: Player | None = None, name: str = "") -> Lineup:
    first, second = sorted((a or player(club), b or player(club)), key=lambda each: each.pk)
    return lineups.make(club, [([first.pk, second.pk], name)])[0]


def alone(club: Club) -> Lineup:
    """A player of the club who plays alone."""
    return lineups.make(club, [([player(club).pk], "")])[0]


def account_of(pair: Lineup) -> User:
    """An account that plays in the pair: the first player's, made if there is none."""
    first = pair.players[0]
    if first.user is None:
        first.user = user(name=first.name)
        first.save(update_fields=["user"])
    return first.user


def season(club: Club) -> Season:
    return Season.objects.get_or_create(
        club=club, name="2026/27", defaults={"starts_on": date(2026, 9, 1), "ends_on": date(2027, 8, 31)}
    )[0]


def competition(club: Club, pairs: int = 4, divisions: int = 1, **fields: Any) -> Competition:
    """A draft: round robin 2/1/0 with `pairs` entered pairs in each division, weekly from 7 September 2026, 19:30."""
    number, kind = next(_number), fields.pop("format", formats.SINGLE)
    made = Competition.objects.create(
        **{
            "club": club,
            "season": season(club),
            "game": "concerto",
            "name": f"League {number}",
            "slug": f"league-{number}",
            "starts_on": FIRST_ROUND,
            "play_time": time(19, 30),
            "tie_breaks": list(competitions.TIE_BREAKS),
            **fields,
        }
    )
    made.stage = stage(made, kind)
    for level in range(1, divisions + 1):
        division = Division.objects.create(stage=made.stage, name=f"Division {level}", level=level)
        for _each in range(pairs):
            entry(division)
    return made


def stage(competition: Competition, format_name: str = formats.SINGLE) -> Stage:
    """The only stage of a competition that has none yet."""
    made = Stage(competition=competition, state=competition.state)
    made.choose_format(format_name)
    made.save()
    return made


def entry(division: Division, pair_entered: Lineup | None = None, **fields: Any) -> Entry:
    """A pair entered in a division with the next number, or a player where everyone plays alone; without a draw."""
    club = division.competition.club
    lineup = pair_entered or (alone(club) if division.competition.is_of_individuals else pair(club))
    return Entry.objects.create(
        **{
            "competition": division.competition,
            "division": division,
            "lineup": lineup,
            "number": division.entries.count() + 1,
            **fields,
        }
    )


def running(club: Club, pairs: int = 4, divisions: int = 1, **fields: Any) -> Competition:
    """A competition that is drawn in the order of entry and published."""
    return drawn(competition(club, pairs, divisions, **fields))


def drawn(competition: Competition) -> Competition:
    """Draws a draft in the order of entry and publishes it."""
    draws.draw(actor=DIRECTOR, competition=competition)
    return competitions.publish(actor=DIRECTOR, competition=competition)


def result(fixture: Fixture, home_score: int, away_score: int) -> Fixture:
    """Gives an open fixture a confirmed result."""
    return scored(fixture, (home_score, away_score))


@transaction.atomic
def scored(fixture: Fixture, scores: Sequence[int]) -> Fixture:
    """The same for any number of sides, and for a match that has a result already."""
    found = fixtures.locked(fixture)
    if not found.has_result:
        fixtures.await_confirmation(actor=DIRECTOR, fixture=found)
    return fixtures.record_result(actor=DIRECTOR, fixture=found, scores=scores)


def meet(round_: Round, *entries: Entry, **fields: Any) -> Fixture:
    """A fixture of these sides that no draw has made."""
    planned = Fixture(**{"division": entries[0].division, "round": round_, **fields})
    return meetings.meet([(planned, entries)])[0]


def decided(fixture: Fixture, *outcomes: str, scores: Sequence[int] = ()) -> Fixture:
    """Writes a result as it is, without the service: walkovers by the outcomes of the sides, or what they scored."""
    status = Fixture.Status.WALKOVER if outcomes else Fixture.Status.CONFIRMED
    Fixture.objects.filter(pk=fixture.pk).update(status=status, decided_at=timezone.now())
    for place, side in enumerate(fixture.sides):
        side.outcome = outcomes[place] if outcomes else Appearance.Outcome.PLAYED
        side.score = None if outcomes else scores[place]
        side.rank = None if outcomes else 1 + sum(other > scores[place] for other in scores)
        side.save()
    fixture.refresh_from_db()
    return fixture


def pairings(fixtures: QuerySet[Any]) -> list[tuple[int, ...]]:
    """Who meets whom, by the keys of the entries in the order of the sides."""
    listed = fixtures.prefetch_related("appearances")
    return [tuple(side.entry_id for side in fixture.sides) for fixture in listed]
