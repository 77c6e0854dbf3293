"""What people do at a table besides playing, a match's table, guests, the list of tables, and a pair's agreement."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from games.models import GuestLink, LobbyChoice, Table, TableRequest
from games.tables.services import guests, opening
from league.models import AuditEntry, IdempotencyKey
from tests.live.tables import Laid, match_table
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


def client_of(user: Any) -> APIClient:
    client = APIClient()
    if user is not None:
        client.force_authenticate(user)
    return client


def post(user: Any, address: str, body: Any, key: str = "") -> Any:
    return client_of(user).post(f"/api/v1/{address}", body, format="json", HTTP_IDEMPOTENCY_KEY=key)


def places(answer: Any) -> list[Any]:
    return [each["place"] for each in answer.json()["error"]["details"]]


def step(laid: Laid, who: str, name: str, key: str = "", **more: Any) -> Any:
    user = laid.scene.users[who]
    return post(user, f"tables/{laid.table.pk}/steps/", {"step": name, **more}, key)


def test_a_pause_is_asked_for_and_answered() -> None:
    laid = match_table()
    assert step(laid, "anna", "pause", "one").status_code == 200
    assert step(laid, "anna", "pause", "one").status_code == 200, "the same again"
    asked = TableRequest.objects.get(table=laid.table)
    seen = [each["id"] for each in client_of(laid.scene.users["eva"]).get(
        f"/api/v1/tables/{laid.table.pk}/").json()["view"]["requests"]]  # fmt: skip
    assert seen == [asked.pk]
    assert step(laid, "eva", "answer", request=asked.pk, agrees=True).status_code == 200
    assert step(laid, "iris", "pause").status_code in {403, 404}, "who sits elsewhere"


def test_a_director_is_called_settles_and_closes() -> None:
    laid = match_table()
    assert step(laid, "anna", "director", text="A card fell").status_code == 200
    call = TableRequest.objects.get(table=laid.table)
    assert step(laid, "eva", "settle", request=call.pk, answer="Nothing").status_code == 403
    assert step(laid, "dora", "settle", "done", request=call.pk, answer="It stays").status_code == 200
    assert step(laid, "dora", "settle", request=call.pk, answer="It stays").status_code == 409
    assert step(laid, "dora", "close", reason="They go home").status_code == 200
    assert Table.objects.get(pk=laid.table.pk).state == Table.State.CLOSED


def test_a_step_says_which_field_is_wrong() -> None:
    laid = match_table()
    for body, place in (
        ({}, ["step"]),
        ({"step": "window"}, ["step"]),
        ({"step": "sit"}, ["seat"]),
        ({"step": "pause", "seat": "N"}, ["seat"]),
        ({"step": "answer", "request": -1, "agrees": True}, ["request"]),
        ({"step": "answer", "request": 1, "agrees": "perhaps"}, ["agrees"]),
        ({"step": "roll_back", "to": 10**30, "reason": "A slip"}, ["to"]),
        ({"step": "pause", "colour": "red"}, ["colour"]),
    ):
        answer = post(laid.scene.users["anna"], f"tables/{laid.table.pk}/steps/", body)
        assert (answer.status_code, places(answer)) == (400, [place]), body
    for name, more in (("robot", {"seat": "Q"}), ("phrase", {"phrase": "boo"}), ("report", {"line": 1})):
        assert step(laid, "anna", name, **more).status_code in {403, 409, 422}, name
    assert not IdempotencyKey.objects.exists()


def test_no_step_tells_a_card_of_the_others() -> None:
    laid = match_table()
    hidden = {seat: client_of(laid.at(seat)).get(f"/api/v1/tables/{laid.table.pk}/").json() for seat in "NE"}
    answer = step(laid, "anna", "director", text="Please come").json()
    assert answer["view"]["deal"]["view"] == hidden["N"]["view"]["deal"]["view"]
    assert answer["view"]["deal"]["view"] != hidden["E"]["view"]["deal"]["view"]


def test_the_table_of_a_match_is_opened_once() -> None:
    scene = make_scene()
    address = f"matches/{scene.fixture.pk}/table/"
    opened = post(scene.users["anna"], address, {})
    assert opened.status_code == 200, opened.content
    assert post(scene.users["eva"], address, {}).json()["view"]["table"] == opened.json()["view"]["table"]
    assert Table.objects.filter(fixture=scene.fixture).count() == 1
    assert post(None, address, {}).status_code == 401
    assert post(scene.users["iris"], address, {}).status_code == 403


@pytest.mark.both_databases
def test_the_host_lets_guests_in_and_the_link_is_told_once() -> None:
    scene = make_scene()
    anna, eva = scene.users["anna"], scene.users["eva"]
    table = opening.open_casual(actor=anna, club=scene.club, terms={}, options={})
    here = f"tables/{table.pk}/guests/"
    made = post(anna, here, {"step": "link"}, "a").json()
    token = GuestLink.objects.get(table=table).token
    assert made["link"].endswith(f"/join/{token}/")
    assert post(anna, here, {"step": "link"}, "a").json() == made, "the key makes no second one"
    read = client_of(anna).get(f"/api/v1/{here}").json()
    assert (read["link"], read["has_link"], read["guests"]) == ("", True, [])
    guest, _key = guests.admit(token=token, name="Gus Guest", seat="E")
    assert [each["name"] for each in client_of(anna).get(f"/api/v1/{here}").json()["guests"]] == ["Gus Guest"]
    assert places(post(anna, here, {"step": "remove"})) == [["guest"]]
    gone = post(anna, here, {"step": "remove", "guest": guest.pk}).json()
    assert (gone["guests"], gone["link"] == made["link"]) == ([], False)
    assert post(anna, here, {"step": "remove", "guest": guest.pk}).status_code == 409
    assert post(anna, here, {"step": "close"}).json()["has_link"] is False
    assert post(eva, here, {"step": "link"}).status_code == 403
    assert client_of(eva).get(f"/api/v1/{here}").status_code == 403
    match = match_table_of(scene)
    assert post(anna, f"tables/{match.pk}/guests/", {"step": "link"}).status_code == 404


def match_table_of(scene: Any) -> Table:
    return opening.open_match(actor=scene.users["anna"], fixture=scene.fixture)


def test_choices_for_the_list_of_tables() -> None:
    anna = make_scene().users["anna"]
    address = "/api/v1/tables/choices/"
    assert client_of(anna).get(address).json() == {"shows_presence": False, "wants_calls": False}
    assert post(anna, "tables/choices/", {"wants_calls": True}).json()["wants_calls"] is True
    assert post(anna, "tables/choices/", {"shows_presence": True}).json() == {
        "shows_presence": True,
        "wants_calls": True,
    }
    assert LobbyChoice.objects.get(user=anna).wants_calls
    assert places(post(anna, "tables/choices/", {"wants_calls": "maybe"})) == [["wants_calls"]]
    assert client_of(None).get(address).status_code == 401


def test_partners_write_down_what_they_have_agreed() -> None:
    scene = make_scene()
    anna, eva, pair = scene.users["anna"], scene.users["eva"], scene.entries[0].lineup_id
    address = f"pairs/{pair}/agreement/"
    assert post(anna, address, {"text": "We lead high."}, "x").json() == {"text": "We lead high."}
    assert post(anna, address, {"text": "We lead high."}, "x").status_code == 200
    assert AuditEntry.objects.filter(action="pair.agreed").count() == 1
    assert client_of(eva).get(f"/api/v1/{address}").json() == {"text": "We lead high."}
    assert post(eva, address, {"text": "They lead low."}).status_code == 403
    assert post(None, address, {"text": ""}).status_code == 401
    assert places(post(anna, address, {"text": "x" * 1001})) == [["text"]]
    assert places(post(anna, address, {})) == [["text"]]
    assert post(anna, address, {"text": ""}).json() == {"text": ""}
