"""A robot partner's reasons at a table: for its partner alone, never in a match, and without any hidden card."""

import json
import random
from dataclasses import replace
from itertools import islice

import pytest
from django.test import Client
from django.urls import reverse

from engine.seats import Seat
from games.models import Table
from games.tables.services import opening, play
from games.tables.socket import rates
from games.tables.state.replays import reasons_of
from games.tables.state.seat_view import Reader, explains
from league.errors import NotAllowed
from tests.live.positions import facts_of, positions, twin
from tests.live.tables import match_table
from tests.scenes import make_scene


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PER_SECOND", 1e9)


def ask(client: Client, table: Table, seat: str) -> tuple[int, dict[str, object]]:
    answer = client.get(reverse("table_reasons", args=[table.pk, seat]))
    return answer.status_code, json.loads(answer.content) if answer[
        "Content-Type"
    ] == "application/json" else {}


@pytest.mark.django_db(transaction=True)
def test_at_practice_the_partner_explains_itself_and_nobody_else_does() -> None:
    scene = make_scene()
    table = opening.practise(actor=scene.users["anna"], club=scene.club, robot="novice")
    client = Client()
    client.force_login(scene.users["anna"])
    assert client.post(reverse("table_step", args=[table.pk, "ready"])).status_code == 200
    view = client.get(reverse("table_view", args=[table.pk])).json()["view"]
    own = view["you"]["seat"]
    partner = {"N": "S", "S": "N", "E": "W", "W": "E"}[own]
    assert not any(row["explains"] for row in view["seats"]), "it has done nothing yet"
    assert ask(client, table, partner) == (200, {"reasons": []})
    deal = view["deal"]
    fields = {"deal": deal["number"], "number": deal["next"], "token": deal["view"]["legal"][0], "key": "k"}
    assert client.post(reverse("table_act", args=[table.pk]), fields).status_code == 200
    play.play_robots(table_id=table.pk)
    after = client.get(reverse("table_view", args=[table.pk])).json()["view"]
    assert [row["seat"] for row in after["seats"] if row["explains"]] == [partner]
    said = ask(client, table, partner)
    assert said == (
        200,
        {"reasons": ["It passes because it plays by its own cards alone, and leaves the rest to you."]},
    )
    opponent = next(row["seat"] for row in view["seats"] if row["seat"] not in {own, partner})
    for seat, status in ((opponent, 403), (own, 403), ("X", 404)):
        assert ask(client, table, seat)[0] == status


@pytest.mark.django_db(transaction=True)
def test_in_a_match_nobody_is_told_anything() -> None:
    laid = match_table()
    client = Client()
    client.force_login(laid.at("N"))
    status, answer = ask(client, laid.table, "S")
    assert (status, answer["error"]["code"]) == (409, "no_help_in_match")  # type: ignore[index]


def test_a_table_without_help_has_no_reasons() -> None:
    position = next(positions(random.Random(3)))
    for helps in (True, False):
        facts = replace(facts_of(position, helps=helps), fixture=None)
        assert explains(facts, Reader(seat="N"), "S") is helps
    with pytest.raises(NotAllowed):
        reasons_of(facts, Reader(seat="N"), "S")


def test_reasons_do_not_depend_on_a_card_that_the_asker_cannot_see() -> None:
    rng = random.Random(12)
    told = differ = 0
    for position in islice(positions(rng), 300):
        other = twin(position, Seat.N, rng)
        said = [
            reasons_of(replace(facts_of(each, helps=True), fixture=None), Reader(seat="N"), "S")
            for each in (position, other)
        ]
        assert said[0] == said[1]
        told, differ = told + bool(said[0]), differ + (position != other)
    assert min(told, differ) > 200, "control: there was something to tell, of other cards"
