"""The demo's small leagues in its further games: four sides each, a round played, one with a sheet to confirm."""

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext

from config.demo import duplicate_league
from config.demo.clock import at_time
from config.demo.people import People
from engine.game import Game, all_games
from games import front
from games.comparisons.services import comparisons
from games.fixture_boards import boards_of
from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league import locks
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws
from league.entries.services import entries
from league.models import Club, Competition, Fixture, Lineup
from league.people.services import lineups

PAIRS = slice(1, 5)
SKILLS = (2, 1)


def build(club: Club, people: People, rng: random.Random, *, first_day: date, at: datetime) -> None:
    """A league in every game for two sides that is offered besides the first."""
    for offered in all_games()[1:]:
        if {len(offered.sides(players)) for players in offered.players} == {2}:
            with at_time(at):
                league = _set_up(club, people, offered, rng, first_day=first_day, at=at)
            _play(league, people, rng)
            comparisons.compute_event(competition_id=league.pk, at=at)


def _set_up(
    club: Club, people: People, offered: Game, rng: random.Random, *, first_day: date, at: datetime
) -> Competition:
    """As a set-up begins with the game's preset: on the same boards at every table, where the game prefers those."""
    director = people["Daniel Quinn"]
    name = gettext(str(offered.name))
    data = Setup(
        name=f"{name} League",
        game=offered.key,
        starts_on=first_day,
        place=club.place,
        rules=dict(offered.preset),
        extra={"boards": {"together": offered.prefers_boards}},
    )
    league = competitions.set_up(actor=director, club=club, data=data)
    entering = _sides(club, offered, people.pairs[1][PAIRS])
    entries.enter_all(actor=director, division=league.stage.divisions.get(), lineups=entering, at=at)
    draws.draw(actor=director, competition=league, order=draws.GIVEN)
    for played in league.stage.rounds.order_by("number") if offered.prefers_boards else ():
        duplicate_league.seal(played, director, rng)
    return competitions.publish(actor=director, competition=league)


def _sides(club: Club, offered: Game, pairs: Sequence[Lineup]) -> list[Lineup]:
    """The pairs, or the first player of each where everybody plays alone."""
    if len(next(iter(offered.sides().values()))) > 1:
        return [*pairs]
    with transaction.atomic():
        return lineups.alone(club=locks.club(club.pk), players=[pair.players[0] for pair in pairs])


def _play(league: Competition, people: People, rng: random.Random) -> None:
    """The first round is confirmed; of the second one sheet waits, and one match is still to be played."""
    fixtures = Fixture.objects.of_competition(league.pk).with_pairs().order_by("round__number", "pk")
    for fixture in fixtures[:3]:
        assert fixture.starts_at is not None  # noqa: S101 - the draw gave it
        if boards_of(fixture):
            content = duplicate_league.played_boards(fixture, rng, SKILLS)
        else:
            content = front.of(league.game).played_match(rng, league.rules, SKILLS)
        with at_time(fixture.starts_at + timedelta(hours=2)):
            sheet = scoresheets.submit(
                actor=people.of_pair(fixture.home.lineup),
                fixture=fixture,
                content=content,
                origin=Scoresheet.Origin.PAGE,
            )
        if fixture.round.number == 1:
            with at_time(fixture.starts_at + timedelta(hours=3)):
                confirming = people.of_pair(fixture.away.lineup)
                scoresheets.confirm(actor=confirming, sheet=sheet, digest=sheet.digest)
