"""A running league of four pairs, and programs that ask for its people."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from league.models import Club, Competition, Fixture, Role, User
from league.people.services import tokens
from tests.league import factories


@dataclass(frozen=True)
class League:
    """A club with a director and a scorer; in its competition the fixture of Home and Away is to be played."""

    club: Club
    competition: Competition
    fixture: Fixture
    home: User
    away: User
    other: User
    scorer: User
    director: User
    stranger: User


@pytest.fixture
def league(db: None) -> League:
    club = factories.club()
    competition = factories.running(club, pairs=4)
    fixture = Fixture.objects.with_pairs().filter(round__number=1).order_by("pk").first()
    elsewhere = Fixture.objects.with_pairs().filter(round__number=1).order_by("pk").last()
    assert fixture is not None
    assert elsewhere is not None
    return League(
        club=club,
        competition=competition,
        fixture=fixture,
        home=factories.account_of(fixture.home.lineup),
        away=factories.account_of(fixture.away.lineup),
        other=factories.account_of(elsewhere.home.lineup),
        scorer=factories.member(club, Role.SCORER),
        director=factories.member(club, Role.DIRECTOR),
        stranger=factories.user(),
    )


@pytest.fixture
def program() -> Callable[..., APIClient]:
    """A program with the person's token, or without any."""

    def made(user: User | None = None) -> APIClient:
        client = APIClient()
        if user is not None:
            _row, text = tokens.make(actor=user, at=datetime.now(tz=UTC))
            client.credentials(HTTP_AUTHORIZATION=f"Token {text}")
        return client

    return made
