"""What the tests of the reading pages share: a running league, and visitors who open its pages."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Club, Competition, Entry, Fixture, Lineup, Role, StandingsTable, User
from league.standings.services import standings
from tests.league import factories

Visit = Callable[..., Client]


@dataclass(frozen=True)
class League:
    """A running league of four pairs whose matches are all in the weeks to come."""

    club: Club
    competition: Competition
    anna: User
    director: User

    @property
    def url(self) -> str:
        return self.competition.get_absolute_url()

    @property
    def mine(self) -> Fixture:
        """Anna's match of the first round."""
        return Fixture.objects.with_pairs().of_user(self.anna).order_by("round__number")[0]

    @property
    def own(self) -> Entry:
        return Entry.objects.with_pairs().of_user(self.anna).get()

    @property
    def opponent(self) -> User:
        """An account of the pair that Anna meets in the first round."""
        fixture = self.mine
        other = fixture.away if fixture.home_id == self.own.pk else fixture.home
        return factories.account_of(other.lineup)

    def play(self, *scores: tuple[int, int]) -> None:
        """Gives the first fixtures these results and computes the tables."""
        for fixture, (home, away) in zip(self.open(), scores, strict=False):
            factories.result(fixture, home, away)
        self.compute()

    def open(self) -> list[Fixture]:
        fixtures = Fixture.objects.of_competition(self.competition.pk).unplayed().with_pairs()
        return list(fixtures.order_by("round__number", "pk"))

    def compute(self) -> None:
        standings.compute(competition_id=self.competition.pk, at=timezone.now(), again=True)


def make_league(pairs: int = 4, **fields: Any) -> League:
    """A league that starts next week, its first player's account (Anna's) and a director."""
    club = factories.club(time_zone="Europe/Dublin")
    starts = timezone.now().date() + timedelta(days=7)
    competition = factories.running(club, pairs=pairs, **{"starts_on": starts, **fields})
    StandingsTable.objects.filter(division__stage__competition=competition).delete()
    first = competition.entries.order_by("number").first()
    assert first is not None
    pair = Lineup.objects.with_players().get(pk=first.lineup_id)
    anna = factories.account_of(pair)
    return League(club, competition, anna, factories.member(club, Role.DIRECTOR))


@pytest.fixture
def league(db: None) -> League:
    return make_league()


@pytest.fixture
def visit() -> Visit:
    """Opens the site as somebody, or as a visitor without an account."""

    def as_(user: User | None = None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return as_


def text_of(response: Any) -> str:
    """The page in one line, its characters as people see them."""
    return " ".join(unescape(response.content.decode()).split())


def walked(client: Client, address: str, row: str, meanwhile: Callable[[], object]) -> list[Any]:
    """What the pages of a list show, from link to link; something is written between any two."""
    found, following = [], ""
    while True:
        page = text_of(client.get(f"{address}{following}"))
        found += re.findall(row, page)
        after = re.search(r'href="(\?[^"]*)" rel="next"', page)
        if after is None:
            return found
        following = unescape(after[1])
        meanwhile()
