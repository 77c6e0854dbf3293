"""The list of tables for programs: opening a casual table, sitting down, leaving, robots."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from games.models import Table, TableSeat
from games.tables.services import calls
from tests.live.test_table_guests import laid_table, token_of
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
TABLES = "/api/v1/tables/"


def client_of(scene: Scene, who: str) -> APIClient:
    client = APIClient()
    if who:
        client.force_authenticate(scene.users[who])
    return client


def post(client: APIClient, path: str, body: Any = None, key: str = "") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(path, body if body is not None else {}, format="json", headers=headers)


def test_from_opening_to_leaving() -> None:
    scene = make_scene()
    anna, eva = client_of(scene, "anna"), client_of(scene, "eva")
    sent = {"options": {"deals": 2}, "terms": {"clock_seconds": 0, "spectators": "members"}}
    path = f"/api/v1/clubs/{scene.club.slug}/tables/"
    answer = post(anna, path, sent, key="one")
    assert answer.status_code == 201
    view = answer.json()["view"]
    assert (view["kind"], view["state"], view["you"]["seat"]) == ("casual", "waiting", None)
    again = post(anna, path, sent, key="one")
    assert again.json()["view"]["table"] == view["table"]
    assert Table.objects.count() == 1
    assert post(anna, path, {}, key="one").status_code == 409, "another request with the same key"

    table = f"{TABLES}{view['table']}/"
    assert post(anna, f"{table}join/", {"seat": "S"}, key="two").json()["view"]["you"]["seat"] == "S"
    assert post(eva, f"{table}join/").json()["view"]["you"]["seat"] == "N"
    assert post(eva, f"{table}join/").json()["view"]["you"]["seat"] == "N", "who sits there stays"
    assert post(eva, f"{table}join/", {"seat": "S"}).status_code == 409
    (row,) = eva.get(TABLES).json()
    assert (row["mine"], row["asking"], row["free"]) == (True, False, 2)
    calls.ask_club(actor=scene.users["anna"], table_id=view["table"])
    assert eva.get(TABLES).json()[0]["asking"]

    assert post(eva, f"{table}leave/", key="three").json()["view"]["you"]["seat"] is None
    assert post(eva, f"{table}leave/", key="three").status_code == 200, "sent again"
    assert post(eva, f"{table}leave/", key="four").status_code == 403, "no seat to leave"
    assert post(eva, f"{table}fill/").status_code == 403, "only the host's"
    seats = post(anna, f"{table}fill/", key="five").json()["view"]["seats"]
    assert [bool(each["robot"]) for each in seats] == [True, True, False, True]


def test_who_may_not_and_what_cannot_be() -> None:
    laid = laid_table(spectators="nobody")
    scene, table = laid.scene, f"{TABLES}{laid.table.pk}/"
    club = f"/api/v1/clubs/{scene.club.slug}/tables/"
    for who, status in (("", 401), ("stranger", 403)):
        assert post(client_of(scene, who), club).status_code == status
    for step in ("join", "leave", "fill"):
        assert post(client_of(scene, ""), f"{table}{step}/").status_code in {401, 404}
        assert post(client_of(scene, "stranger"), f"{table}{step}/").status_code == 404
        assert post(client_of(scene, "anna"), f"{TABLES}99999999/{step}/").status_code == 404
    assert post(client_of(scene, "anna"), "/api/v1/clubs/nowhere/tables/").status_code == 404
    anna = client_of(scene, "anna")
    bodies: tuple[Any, ...] = (
        {"game": "chess"}, {"players": 3}, {"players": -1}, {"players": "x"}, {"options": {"deals": "x"}},
        {"options": {"no_such": 1}}, {"options": []}, {"terms": {"clock_seconds": -1}}, {"terms": 5},
        {"terms": {"spectators": "friends"}}, {"terms": {"delay_seconds": 10**9}}, [], "x",
    )  # fmt: skip
    for body in bodies:
        assert post(anna, club, body).status_code in {400, 422}, body
    assert Table.objects.count() == 1
    for seat in ({"seat": "X"}, {"seat": ["N"]}, {"seat": "NS"}, {"seat": "\x00"}):
        assert post(anna, f"{table}join/", seat).status_code in {400, 422}, seat
    assert post(anna, f"{table}join/", {"seat": "N"}).status_code == 409
    assert post(anna, f"{table}join/", key="k" * 200).status_code == 422
    assert not TableSeat.objects.filter(user=scene.users["anna"]).exists()


def test_a_guests_key_is_no_login_for_programs() -> None:
    laid = laid_table()
    program = Client()
    program.post(f"/join/{token_of(laid)}/", {"name": "Mia", "seat": "E"})
    assert TableSeat.objects.filter(guest__isnull=False).count() == 1
    for step in ("join", "leave", "fill"):
        answer = program.post(f"{TABLES}{laid.table.pk}/{step}/", {}, content_type="application/json")
        assert answer.status_code == 401
    assert TableSeat.objects.filter(guest__isnull=False, left_at=None).count() == 1
