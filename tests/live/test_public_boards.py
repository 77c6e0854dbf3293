"""A match whose cards are public is not played with them: not opened, and not gone on with."""

import pytest
from django.test import Client
from django.urls import reverse

from games.boards.services import boards
from games.models import Board, Table
from games.tables.queries.lists import online_step
from games.tables.services import opening, seats
from league.errors import Conflict
from league.fixtures.services import fixtures
from tests.games.boards import board, duplicate_scene, play, sealed
from tests.live.tables import PEOPLE, START
from tests.scenes import Scene

pytestmark = pytest.mark.django_db


def walkover_and_back(scene: Scene, *, is_played_elsewhere: bool) -> None:
    """The first match is given away and taken back; meanwhile the other table has perhaps played its boards."""
    dora = scene.users["dora"]
    fixtures.award_walkover(
        actor=dora, fixture=scene.fixture, losing=[scene.fixture.away], reason="Nobody came"
    )
    if is_played_elsewhere:
        play(scene, scene.fixtures[1])
    fixtures.restore(actor=dora, fixture=scene.fixture, reason="They came after all")


@pytest.fixture
def scene() -> Scene:
    made = duplicate_scene()
    sealed(made)
    return made


def test_a_walkover_taken_back_is_not_played_with_public_cards(scene: Scene) -> None:
    walkover_and_back(scene, is_played_elsewhere=True)
    assert not Board.objects.filter(released_at=None, plays__fixture=scene.fixture).exists()

    with pytest.raises(Conflict) as refusal:
        opening.open_match(actor=scene.users["anna"], fixture=scene.fixture)

    assert refusal.value.code == "cards_public"
    assert "director" in refusal.value.message
    assert not Table.objects.exists()


def test_the_match_page_says_why_instead_of_offering_a_table(scene: Scene) -> None:
    walkover_and_back(scene, is_played_elsewhere=True)
    client = Client()
    client.force_login(scene.users["anna"])

    page = client.get(scene.fixture.get_absolute_url()).content.decode()

    assert "already public" in page
    assert reverse("match_table", args=[scene.fixture.pk]) not in page
    assert online_step(visitor=scene.users["dora"], fixture=scene.fixture) is None, "it is not hers to open"


def test_control_a_walkover_taken_back_in_time_is_played(scene: Scene) -> None:
    walkover_and_back(scene, is_played_elsewhere=False)
    step = online_step(visitor=scene.users["anna"], fixture=scene.fixture)

    assert step is not None
    assert not step.why_not
    assert opening.open_match(actor=scene.users["anna"], fixture=scene.fixture).pk


@pytest.mark.parametrize("is_shown", [True, False])
def test_a_board_shown_early_is_not_dealt_at_a_table_that_is_open(scene: Scene, *, is_shown: bool) -> None:
    table = opening.open_match(actor=scene.users["anna"], fixture=scene.fixture)
    for seat, name in PEOPLE.items():
        seats.sit(actor=scene.users[name], table_id=table.pk, seat=seat, at=START)
    if is_shown:
        first = Board.objects.get(plays__fixture=scene.fixture, plays__position=1)
        boards.release(
            actor=scene.users["dora"], board_set=first.board_set, board=board(first.board_set, first.number),
            reason="Shown by mistake",
        )  # fmt: skip
    *others, last = PEOPLE.values()
    for name in others:
        seats.ready(actor=scene.users[name], table_id=table.pk, at=START)

    if is_shown:
        with pytest.raises(Conflict) as refusal:
            seats.ready(actor=scene.users[last], table_id=table.pk, at=START)
        assert refusal.value.code == "cards_public"
    else:
        seats.ready(actor=scene.users[last], table_id=table.pk, at=START)
    table.refresh_from_db()
    assert table.state == (Table.State.WAITING if is_shown else Table.State.PLAYING)
