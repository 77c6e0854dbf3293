"""Convention cards for programs: the usual one, a pair's own, versions, and every refusal."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from engine.concerto.signals.systems import PARLETT, SHORT
from games.models import ConventionCard
from league.models import Competition
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


def client_of(scene: Scene, who: str) -> APIClient:
    client = APIClient()
    if who:
        client.force_authenticate(scene.users[who])
    return client


def address(scene: Scene) -> str:
    return f"/api/v1/pairs/{scene.entries[0].lineup_id}/convention-card/concerto/"


def send(scene: Scene, who: str, content: Any, *, after: Any = 0, key: str = "") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return client_of(scene, who).post(
        address(scene), {"after": after, "content": content}, format="json", headers=headers
    )


def test_the_card_is_read_and_written_version_by_version() -> None:
    scene = make_scene()
    before = client_of(scene, "").get(address(scene)).json()
    assert (before["version"], before["newest"], before["made_at"]) == (0, 0, None)
    assert before["content"] == PARLETT.as_json()

    answer = send(scene, "anna", SHORT.as_json(), key="once")
    assert answer.status_code == 201
    assert (answer.json()["version"], answer.json()["content"]) == (1, SHORT.as_json())
    again = send(scene, "anna", SHORT.as_json(), key="once")
    assert (again.status_code, again.json()) == (200, answer.json())
    other = send(scene, "anna", PARLETT.as_json(), key="once")
    assert other.status_code == 409

    assert send(scene, "chidi", {**SHORT.as_json(), "name": "Two"}, after=1).status_code == 201
    newest = client_of(scene, "").get(address(scene)).json()
    assert (newest["version"], newest["content"]["name"]) == (2, "Two")
    first = client_of(scene, "").get(address(scene), {"version": 1}).json()
    assert (first["version"], first["newest"], first["content"]) == (1, 2, SHORT.as_json())
    for unknown in ("3", "0", "-1", "x", "²", "9" * 40):
        assert client_of(scene, "").get(address(scene), {"version": unknown}).status_code == 404, unknown


def test_a_stale_number_is_a_conflict() -> None:
    scene = make_scene()
    send(scene, "anna", SHORT.as_json())
    answer = send(scene, "chidi", PARLETT.as_json())
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "stale")
    assert ConventionCard.objects.count() == 1


def test_every_fault_is_told_with_its_place() -> None:
    scene = make_scene()
    card = {
        "name": "",
        "checklist": {"strong": ["fours", "sixes"], "weak": []},
        "ways": [{"holding": "fours", "suits": "same", "ranks": "same", "between": 5}],
    }
    answer = send(scene, "anna", card)
    assert answer.status_code == 422
    assert [each["place"] for each in answer.json()["error"]["details"]] == [
        ["name"], ["checklist", "strong", 1], ["ways", 0, "between"],
    ]  # fmt: skip
    odd: list[Any] = [None, [], "x", 5, {"name": ["x"]}, {"ways": [{}] * 51}, {"name": "a\u202eb"}]
    for hostile in odd:
        assert send(scene, "anna", hostile).status_code in {400, 422}, hostile
    for after in (-1, 2**15, "x", None, 1.5):
        assert send(scene, "anna", SHORT.as_json(), after=after).status_code in {400, 422}, after
    assert not ConventionCard.objects.exists()


def test_who_may_read_and_write_it() -> None:
    scene = make_scene()
    for who, status in (("", 401), ("stranger", 403), ("eva", 403), ("dora", 201)):
        assert send(scene, who, SHORT.as_json()).status_code == status, who
    Competition.objects.update(visibility=Competition.Visibility.MEMBERS)
    assert client_of(scene, "").get(address(scene)).status_code == 404
    assert client_of(scene, "eva").get(address(scene)).status_code == 200
    other = address(scene).replace("concerto", "nothing")
    assert client_of(scene, "anna").get(other).status_code == 404
