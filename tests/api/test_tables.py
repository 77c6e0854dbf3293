"""Tables for programs: the list, a table from each seat, and play; and no byte that depends on a hidden card."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from engine.deals import Deal
from engine.seats import Seat
from games.models import Action, Table, TableDeal
from games.tables.services import opening, seats
from games.tables.socket import rates
from games.tables.state.cards import cards_of, encrypted
from games.tables.state.facts import line_of, memory
from tests.live.positions import READERS, Position, twin
from tests.live.tables import PEOPLE, START, Laid, match_table, moves, next_move
from tests.scenes import make_scene

# The database refuses to change the log also to a test: rows are committed, and swept away afterwards.
pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/tables/"


def client_of(laid: Laid, who: str) -> APIClient:
    client = APIClient()
    if who:
        client.force_authenticate(laid.scene.users[who])
    return client


def body(laid: Laid, **other: Any) -> dict[str, Any]:
    facts = laid.facts()
    assert facts.deal is not None
    return {"deal": 1, "number": facts.deal.fold.next_number, "token": next_move(facts), **other}


def casual_table() -> Laid:
    """A casual table with four people in its first deal; its cards are the table's own."""
    scene = make_scene()
    table = opening.open_casual(actor=scene.users["anna"], club=scene.club, terms={"helps": True}, options={})
    for seat, who in PEOPLE.items():
        seats.sit(actor=scene.users[who], table_id=table.pk, seat=seat, at=START)
        seats.ready(actor=scene.users[who], table_id=table.pk, at=START)
    return Laid(scene, table)


def test_each_is_told_of_the_tables_that_they_may_see() -> None:
    laid = match_table(spectators="members")
    practice = opening.practise(actor=laid.scene.users["iris"], club=laid.scene.club, robot="novice")
    found = {
        who: [(row["id"], row["mine"]) for row in client_of(laid, who).get(ADDRESS).json()]
        for who in ("", "stranger", "anna", "iris", "dora")
    }
    assert found == {
        "": [],
        "stranger": [],
        "anna": [(laid.table.pk, True)],
        "iris": [(practice.pk, True), (laid.table.pk, False)],
        "dora": [(laid.table.pk, False)],
    }


def test_a_table_is_told_as_the_page_tells_it() -> None:
    laid = match_table()
    moves(laid, 3)
    for who, seat in (("anna", "N"), ("eva", "E"), ("iris", None), ("", None)):
        answer = client_of(laid, who).get(f"{ADDRESS}{laid.table.pk}/").json()
        assert answer["view"]["you"]["seat"] == seat
        assert bool(answer["view"]["deal"]["view"]["mine"]) == (seat is not None)
        again = client_of(laid, who).get(f"{ADDRESS}{laid.table.pk}/", {"since": answer["version"]}).json()
        assert (again["version"], again["view"]) == (answer["version"], None)


def test_a_table_that_may_not_be_watched_is_not_there() -> None:
    laid = match_table(spectators="nobody")
    for who, status in (("anna", 200), ("dora", 200), ("iris", 404), ("stranger", 404), ("", 404)):
        assert client_of(laid, who).get(f"{ADDRESS}{laid.table.pk}/").status_code == status, who
    assert client_of(laid, "anna").get(f"{ADDRESS}{laid.table.pk + 99}/").status_code == 404


def test_an_action_is_played_once_whatever_is_sent_again() -> None:
    laid = match_table()
    turn = laid.turn()
    client, address = client_of(laid, PEOPLE[turn]), f"{ADDRESS}{laid.table.pk}/actions/"
    sent = body(laid)

    first = client.post(address, sent, headers={"Idempotency-Key": "k1"})
    again = client.post(address, sent, headers={"Idempotency-Key": "k1"})

    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["view"]["deal"]["last"] == {"number": 0, "seat": turn, "token": sent["token"]}
    assert Action.objects.count() == 1
    other = client.post(address, {**sent, "token": "-"}, headers={"Idempotency-Key": "k1"})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "key_used")
    stale = client.post(address, sent)
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale")
    assert stale.json()["table"]["view"]["deal"]["next"] == 1, "refused with the table as it is"


def test_refusals_have_the_apis_form() -> None:
    laid = match_table()
    turn = laid.turn()
    other = PEOPLE["NESW"["NESW".index(turn) - 1]]
    address = f"{ADDRESS}{laid.table.pk}/actions/"
    for who, change, status, code in (
        ("", {}, 401, "not_authenticated"),
        ("iris", {}, 403, "no_seat"),
        (other, {}, 409, "not_your_turn"),
        (PEOPLE[turn], {"token": "-"}, 422, "leader-must-play"),
        (PEOPLE[turn], {"token": "zz"}, 422, "action-unknown"),
        (PEOPLE[turn], {"token": ""}, 400, "malformed"),
        (PEOPLE[turn], {"number": "one"}, 400, "malformed"),
    ):
        answer = client_of(laid, who).post(address, body(laid, **change))
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert set(answer.json()["error"]) == {"code", "message", "details"}
    assert not Action.objects.exists()


def test_who_sends_too_much_waits_as_at_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "may_send", lambda _who: False)
    laid = match_table()
    answer = client_of(laid, "anna").post(f"{ADDRESS}{laid.table.pk}/actions/", body(laid))
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "throttled")
    assert client_of(laid, "anna").get(f"{ADDRESS}{laid.table.pk}/").status_code == 200, "looking is free"


# --- No byte of a hidden card -----------------------------------------------------------------------------------


def told(laid: Laid, seat: Seat | None) -> bytes:
    """Everything that a program of that seat, or of somebody who watches, is answered."""
    client = client_of(laid, PEOPLE[seat.letter] if seat else "")
    address = f"{ADDRESS}{laid.table.pk}/"
    answers = [
        client.get(ADDRESS),
        client.get(address),
        client.post(f"{address}actions/", body_of_the_past()),
    ]
    return b"\n".join(answer.content for answer in answers)


def body_of_the_past() -> dict[str, Any]:
    return {"deal": 1, "number": 200, "token": "As"}


def deal_again(laid: Laid, deal: Any) -> None:
    """Puts other cards in the place of the deal's, as if they had been dealt."""
    TableDeal.objects.update(secret=encrypted(laid.facts().offered, str(deal)))
    memory.forget()


@pytest.fixture
def _time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: START + timedelta(minutes=3))


@pytest.mark.usefixtures("_time_stands_still")
@pytest.mark.parametrize("done", [0, 9, 23])
def test_two_deals_that_differ_in_hidden_cards_are_answered_alike(done: int) -> None:
    laid = casual_table()
    moves(laid, done)
    row = TableDeal.objects.get()
    lines = tuple(line_of(each) for each in Action.objects.order_by("number"))
    position = Position(
        Deal.parse(cards_of(row)), next(each for each in Seat if each.letter == row.dealer), lines
    )
    rng = random.Random(done)
    for seat in READERS:
        other = twin(position, seat, rng)
        assert other.deal != position.deal
        deal_again(laid, position.deal)
        before = told(laid, seat)
        deal_again(laid, other.deal)
        assert told(laid, seat) == before, seat
        if seat is not None:
            # Control: whoever's cards these are is told something else.
            others = [
                each for each in Seat if other.deal.hands[each.index] != position.deal.hands[each.index]
            ]
            after = told(laid, others[0])
            deal_again(laid, position.deal)
            assert told(laid, others[0]) != after
    assert Table.objects.get().state == Table.State.PLAYING
