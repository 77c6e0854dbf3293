"""What people tell a director of a sealed deal is not for a director who still has to play its cards."""

from typing import Any

import pytest
from django.test import Client

from games.boards.services import boards
from games.models import Table
from games.tables.queries.items import items
from games.tables.services import opening, requests, seats
from league.models import Membership, Role, User
from tests.games.boards import AGREED, duplicate_scene
from tests.live.tables import START
from tests.scenes import Scene

pytestmark = pytest.mark.django_db

WORDS = "East showed me the ace of hearts"


@pytest.fixture
def scene() -> Scene:
    """Iris calls a director to her match; Chidi is one, and plays the same boards at another table."""
    made = duplicate_scene()
    Membership.objects.filter(user=made.users["chidi"]).update(role=Role.DIRECTOR)
    boards.make(
        actor=made.users["dora"], competition=made.competition, round=made.rounds[0], count=4, delayed=AGREED
    )
    iris = made.users["iris"]
    table = opening.open_match(actor=iris, fixture=made.fixtures[1])
    seat = next(seat for seat, player in table.seating.items() if player == iris.players.get().pk)
    seats.sit(actor=iris, table_id=table.pk, seat=seat, at=START)
    requests.call_director(actor=iris, table_id=table.pk, text=WORDS, at=START)
    return made


def asked_at_the_table(who: User) -> list[dict[str, Any]]:
    client = Client()
    client.force_login(who)
    found: list[dict[str, Any]] = client.get(f"/tables/{Table.objects.get().pk}/view/").json()["view"][
        "requests"
    ]
    return found


def on_the_desk(scene: Scene, who: User) -> str:
    return " ".join(each.why_now for each in items(club=scene.club, user=who, at=START))


def test_a_director_who_still_plays_the_boards_learns_of_the_call_on_the_desk_alone(scene: Scene) -> None:
    chidi = scene.users["chidi"]
    assert asked_at_the_table(chidi) == []
    assert on_the_desk(scene, chidi)
    assert WORDS not in on_the_desk(scene, chidi)


@pytest.mark.parametrize("who", ["dora", "iris"])
def test_a_director_who_does_not_play_and_the_table_read_it(scene: Scene, who: str) -> None:
    assert [each["text"] for each in asked_at_the_table(scene.users[who])] == [WORDS]
    assert (WORDS in on_the_desk(scene, scene.users[who])) == (who == "dora")
