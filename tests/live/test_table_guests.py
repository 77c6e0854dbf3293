"""Guests: people without an account who sit down at a casual table by its link."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Action, GuestLink, Table, TableGuest, TableSeat
from games.tables.guest_keys import cookie_of, visitor_at
from games.tables.services import guests, opening, play, requests, seats
from games.tables.socket import rates
from games.tables.state.reader import table_for
from league import policies
from league.actors import Guest
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Membership
from tests.kept_scenes import kept
from tests.live.tables import Laid, match_table, next_move, sent
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@kept
def laid_table(**terms: Any) -> Laid:
    """Iris has opened a casual table and sits North; the other three seats are free."""
    scene = make_scene()
    table = opening.open_casual(
        actor=scene.users["iris"], club=scene.club, terms={"clock_seconds": 0, **terms}, options={"deals": 2}
    )
    seats.sit(actor=scene.users["iris"], table_id=table.pk, seat="N")
    return Laid(scene, table)


def token_of(laid: Laid) -> str:
    """A new link of the host's."""
    return str(guests.renew_link(actor=laid.scene.users["iris"], table_id=laid.table.pk).token)


def admitted(laid: Laid, name: str = "Mia", seat: str = "") -> Guest:
    """Somebody who has sat down by a new link."""
    found: Guest = guests.admit(token=token_of(laid), name=name, seat=seat)[0].visitor
    return found


def a_deal_with(laid: Laid, guest: Guest) -> None:
    """Robots take the other seats, and the first deal begins."""
    for seat in laid.table.places:
        if seat not in laid.facts().seats:
            seats.seat_robot(
                actor=laid.scene.users["iris"], table_id=laid.table.pk, seat=seat, robot="novice"
            )
    seats.ready(actor=laid.scene.users["iris"], table_id=laid.table.pk)
    seats.ready(actor=guest, table_id=laid.table.pk)


def view_of(client: Client, laid: Laid) -> dict[str, Any]:
    """What this browser is told of the table."""
    told: dict[str, Any] = client.get(reverse("table_view", args=[laid.table.pk])).json()["view"]
    return told


def test_from_the_link_to_a_card_without_an_account() -> None:
    laid = laid_table()
    phone = Client()
    door = reverse("guest_link", args=[token_of(laid)])
    assert b"Iris" in phone.get(door).content
    answer = phone.post(door, {"name": " Mia  May", "seat": "E"})
    assert answer.headers["Location"] == laid.table.get_absolute_url()
    cookie = answer.cookies[cookie_of(laid.table.pk)]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    row = TableGuest.objects.get()
    assert (row.name, cookie.value in (row.key or "")) == ("Mia May", False)
    a_deal_with(laid, row.visitor)
    while laid.turn() != "E":
        play.play_robots(table_id=laid.table.pk)
        if laid.turn() == "N":
            facts = laid.facts()
            play.act(
                actor=laid.scene.users["iris"], table_id=laid.table.pk, sent=sent(facts, next_move(facts))
            )

    view = view_of(phone, laid)
    assert view["you"]["seat"] == "E"
    assert [each["name"] for each in view["seats"] if each["is_guest"]] == ["Mia May (guest)"]
    body = {"deal": 1, "number": view["deal"]["next"], "token": next_move(laid.facts()), "key": "k"}
    address = reverse("table_act", args=[laid.table.pk])
    assert phone.post(address, json.dumps(body), content_type="application/json").status_code == 200
    assert phone.post(address, json.dumps(body), content_type="application/json").status_code == 200, (
        "once more"
    )
    assert Action.objects.filter(guest=row).count() == 1
    assert b"csrfmiddlewaretoken" in phone.get(laid.table.get_absolute_url()).content


def test_a_guest_may_do_at_the_table_what_members_do_and_nothing_that_needs_a_name() -> None:
    laid = laid_table()
    mia = admitted(laid)
    a_deal_with(laid, mia)
    requests.pause(actor=mia, table_id=laid.table.pk)
    with pytest.raises(NotAllowed):
        requests.call_director(actor=mia, table_id=laid.table.pk, text="look here")
    for action in ("table.host", "table.close", "table.rule", "table.open_casual", "club.desk"):
        thing = laid.scene.club if action in {"table.open_casual", "club.desk"} else laid.table
        assert not policies.may(mia, action, thing), action
    seats.stand_up(actor=mia, table_id=laid.table.pk)
    assert TableSeat.objects.filter(guest=mia.row, left_at=None).count() == 0


@pytest.mark.parametrize(
    "name",
    [
        "Iris Lindqvist",
        "LINDQVIST, iris",
        "Dora Director",
        "",
        "  ",
        "M\u0456a",
        "www.example.org",
        "Mi\u200ba",
        "x" * 41,
        "Novice",
    ],
)
def test_names_of_others_and_names_that_are_none_are_refused(name: str) -> None:
    laid = laid_table()
    with pytest.raises(Invalid):
        guests.admit(token=token_of(laid), name=name)
    assert not TableGuest.objects.exists()


def test_two_guests_of_a_table_have_two_names() -> None:
    laid = laid_table()
    admitted(laid, "Mia")
    with pytest.raises(Invalid):
        admitted(laid, "MIA")
    admitted(laid, "Mia B")


def test_a_link_is_random_renewed_and_dead_when_the_table_closes() -> None:
    laid = laid_table()
    first = token_of(laid)
    second = token_of(laid)
    assert len(first) >= 43
    assert GuestLink.objects.get().digest not in {first, second}
    with pytest.raises(NotAllowed):
        guests.admit(token=first, name="Mia")
    assert Client().get(reverse("guest_link", args=[first])).status_code == 404
    guests.admit(token=second, name="Mia")
    guests.close_link(actor=laid.scene.users["iris"], table_id=laid.table.pk)
    with pytest.raises(NotAllowed):
        guests.admit(token=second, name="Max")
    third = token_of(laid)
    opening.close(actor=laid.scene.users["iris"], table_id=laid.table.pk)
    with pytest.raises(NotAllowed):
        guests.admit(token=third, name="Max")


def test_a_removed_guest_loses_seat_key_and_link_at_once() -> None:
    laid = laid_table(spectators="members")
    phone = Client()
    token = token_of(laid)
    phone.post(reverse("guest_link", args=[token]), {"name": "Mia", "seat": "E"})
    a_deal_with(laid, TableGuest.objects.get().visitor)
    assert view_of(phone, laid)["you"]["seat"] == "E"
    guests.remove(
        actor=laid.scene.users["iris"], table_id=laid.table.pk, guest_id=TableGuest.objects.get().pk
    )

    assert "E" not in laid.facts().seats
    assert phone.get(reverse("table_view", args=[laid.table.pk])).status_code == 404
    body = {"seat": "E"}
    assert phone.post(reverse("table_step", args=[laid.table.pk, "sit"]), body).status_code == 404
    with pytest.raises(NotAllowed):
        guests.admit(token=token, name="Mia")
    # By the new link the same person takes the seat again on any device, but no other one in this deal.
    new = GuestLink.objects.get().token
    with pytest.raises(Conflict, match="other cards"):
        guests.admit(token=new, name="Mia", seat="S")
    assert guests.admit(token=new, name="Mia", seat="E")[0].name == "Mia"


def test_a_guest_counts_as_any_other_who_has_just_left() -> None:
    """Somebody who clears their cookies must not see a second hand of the deal."""
    laid = laid_table()
    mia = admitted(laid, seat="E")
    a_deal_with(laid, mia)
    seats.stand_up(actor=mia, table_id=laid.table.pk)
    with pytest.raises(Conflict, match="other cards"):
        admitted(laid, "Max", seat="S")
    assert admitted(laid, "Max", seat="E")


def test_who_hosts_when_the_host_leaves() -> None:
    laid = laid_table()
    iris, anna, eva = (laid.scene.users[name] for name in ("iris", "anna", "eva"))
    for who, seat in ((anna, "E"), (eva, "S")):
        seats.sit(actor=who, table_id=laid.table.pk, seat=seat)

    def hosts() -> set[str]:
        table = Table.objects.get(pk=laid.table.pk)
        return {name for name, user in laid.scene.users.items() if policies.may(user, "table.host", table)}

    assert hosts() == {"iris", "dora", "olive"}
    seats.stand_up(actor=iris, table_id=laid.table.pk)
    assert hosts() == {"iris", "anna", "dora", "olive"}
    Membership.objects.filter(user=iris).delete()
    policies.forget_roles(iris)
    assert hosts() == {"anna", "dora", "olive"}
    opening.close(actor=anna, table_id=laid.table.pk)


def test_no_link_leads_to_a_match() -> None:
    laid = match_table()
    for name in ("anna", "dora", "olive"):
        with pytest.raises(Conflict, match="casual"):
            guests.renew_link(actor=laid.scene.users[name], table_id=laid.table.pk)
    row = TableGuest.objects.create(table=laid.table, name="Mia", key="k", came_at=timezone.now())
    assert not policies.may(row.visitor, "table.sit", laid.table), "were there one nevertheless"
    with pytest.raises(NotAllowed):
        seats.sit(actor=row.visitor, table_id=laid.table.pk, seat="N")


def test_a_key_opens_one_table_for_a_day_longer() -> None:
    laid = laid_table(spectators="nobody")
    guest, key = guests.admit(token=token_of(laid), name="Mia")
    other = opening.open_casual(
        actor=laid.scene.users["iris"], club=laid.scene.club, terms={"spectators": "nobody"}, options={}
    )
    stranger = laid.scene.users["stranger"]

    def comes(table: Table) -> bool:
        visitor = visitor_at(table.pk, stranger, {cookie_of(table.pk): key})
        return table_for(visitor, table.pk) is not None

    assert (comes(laid.table), comes(other)) == (True, False)
    opening.close(actor=laid.scene.users["iris"], table_id=laid.table.pk)
    assert comes(laid.table)
    late = timezone.now() + timedelta(hours=25)
    assert guests.purge(at=late) == 1
    guest.refresh_from_db()
    assert (guest.name, guest.key, str(guest)) == ("", None, "Guest")
    assert not comes(laid.table)


def test_who_is_logged_in_as_a_member_is_no_guest_with_the_same_browser() -> None:
    laid = laid_table()
    _guest, key = guests.admit(token=token_of(laid), name="Mia")
    cookies = {cookie_of(laid.table.pk): key}
    anna, stranger = laid.scene.users["anna"], laid.scene.users["stranger"]
    assert visitor_at(laid.table.pk, anna, cookies) == anna
    assert isinstance(visitor_at(laid.table.pk, stranger, cookies), Guest)
    assert visitor_at(laid.table.pk, anna, {cookie_of(laid.table.pk): "guessed"}) == anna


def test_a_table_takes_so_many_guests_and_an_address_so_many_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PER_SECOND", 0.0)
    laid = laid_table()
    now = timezone.now()
    TableGuest.objects.bulk_create(
        TableGuest(table=laid.table, name=f"G{number}", key=str(number), came_at=now)
        for number in range(guests.MOST_GUESTS)
    )
    with pytest.raises(Conflict, match="as many guests"):
        admitted(laid)
    answers = [Client().get(reverse("guest_link", args=["guess"])).status_code for _each in range(40)]
    assert answers[0] == 404
    assert answers[-1] == 429


def test_the_hosts_page_shows_the_code_and_removes_a_guest() -> None:
    laid = laid_table()
    client = Client()
    client.force_login(laid.scene.users["iris"])
    address = reverse("table_guests", args=[laid.table.pk])
    assert b"<svg" not in client.get(address).content
    client.post(address, {"link": "new"})
    page = client.get(address).content.decode()
    assert GuestLink.objects.get().token in page
    assert 'class="qr"' in page
    guest, _key = guests.admit(token=GuestLink.objects.get().token, name="Mia", seat="E")
    assert "Mia (guest)" in client.get(address).content.decode()
    client.post(address, {"remove": str(guest.pk)})
    guest.refresh_from_db()
    assert guest.removed_at is not None
    other = Client()
    other.force_login(laid.scene.users["anna"])
    assert other.get(address).status_code == 403
