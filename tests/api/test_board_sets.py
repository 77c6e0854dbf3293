"""Sets of boards by the API: the seal at once, key and deals when all have played."""

import pytest
from rest_framework.test import APIClient

from games.boards.services import boards
from league.models import Competition
from league.storage import board_keys
from tests.games.boards import AGREED, board, duplicate_scene, play, sealed
from tests.scenes import Scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return duplicate_scene()


def _get(address: str, status: int = 200) -> dict:
    answer = APIClient().get(address)
    assert answer.status_code == status
    return answer.json()


def test_a_sealed_set_says_what_is_published_and_no_card(scene: Scene) -> None:
    made = sealed(scene, reserve=1)
    boards.draw_out(actor=scene.users["dora"], board_set=made, kind="files", reason="For the machine")

    found = _get(f"/api/v1/board-sets/{made.pk}/")
    assert found["commitment"] == made.commitment
    assert found["delayed"] == {
        "kind": "agreed-text",
        "source": AGREED.source,
        "on": None,
        "value": AGREED.value,
    }
    assert (found["opened"], found["released_at"], found["round"], found["origin"]) == (
        None,
        None,
        1,
        "dealt",
    )
    assert [(b["number"], b["purpose"], b["dealer"], b["deal"]) for b in found["boards"]] == [
        (1, "original", "N", None),
        (2, "original", "E", None),
        (3, "original", "S", None),
        (4, "original", "W", None),
        (5, "reserve", "N", None),
    ]
    assert [(d["kind"], d["by"], d["reason"]) for d in found["draws"]] == [
        ("files", "Dora Director", "For the machine")
    ]


def test_one_released_board_shows_its_cards_alone(scene: Scene) -> None:
    made = sealed(scene)
    boards.release(actor=scene.users["dora"], board_set=made, board=board(made, 3), reason="Shown")

    found = _get(f"/api/v1/board-sets/{made.pk}/")
    assert [bool(each["deal"]) for each in found["boards"]] == [False, False, True, False]
    assert found["opened"] is None


def test_when_all_have_played_a_program_has_everything_for_the_check(scene: Scene) -> None:
    made = sealed(scene)
    play(scene, scene.fixtures[0])
    play(scene, scene.fixtures[1])

    found = _get(f"/api/v1/board-sets/{made.pk}/")
    assert found["opened"] == board_keys.decrypt(made.secret)
    made.refresh_from_db()
    cards = boards.cards_of(made)
    assert [each["deal"] for each in found["boards"]] == [str(cards[each["id"]]) for each in found["boards"]]


def test_the_list_has_all_sets_by_round_also_those_that_were_discarded(scene: Scene) -> None:
    second, first = sealed(scene, 2), sealed(scene, 1)
    boards.discard(actor=scene.users["dora"], board_set=first, reason="Opened")
    again = sealed(scene, 1)

    found = _get(f"/api/v1/competitions/{scene.competition.pk}/board-sets/")
    assert [each["id"] for each in found["results"]] == [first.pk, again.pk, second.pk]
    assert [bool(each["discarded_at"]) for each in found["results"]] == [True, False, False]


def test_what_one_may_not_know_of_is_not_there(scene: Scene) -> None:
    made = sealed(scene)
    Competition.objects.update(visibility=Competition.Visibility.MEMBERS)

    _get(f"/api/v1/board-sets/{made.pk}/", 404)
    _get(f"/api/v1/competitions/{scene.competition.pk}/board-sets/", 404)
    _get("/api/v1/board-sets/99999999999999999999/", 404)
