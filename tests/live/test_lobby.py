"""The list of all tables as a place to meet, and a match's table that calls its players."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Table, TableSeat
from games.tables.queries.lists import table_lists
from games.tables.services import opening, rows, seats, sweeping
from league.models import Fixture, OutboxMessage
from tests.live.tables import Laid
from tests.live.test_table_guests import laid_table, token_of
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


def client_of(scene: Scene, name: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    return client


def opened(scene: Scene, *, starts_in: timedelta | None = None) -> Laid:
    """Anna has opened the table of her match, which is to begin so much later."""
    if starts_in is not None:
        Fixture.objects.filter(pk=scene.fixture.pk).update(starts_at=timezone.now() + starts_in)
    fixture = Fixture.objects.with_pairs().get(pk=scene.fixture.pk)
    return Laid(scene, opening.open_match(actor=scene.users["anna"], fixture=fixture))


def called() -> list[str]:
    return sorted(OutboxMessage.objects.filter(template="table_called").values_list("to", flat=True))


def addresses(scene: Scene, *names: str) -> list[str]:
    return sorted(scene.users[name].email for name in names)


def test_one_press_joins_a_table_that_looks_for_players() -> None:
    laid = laid_table(clock_seconds=600)
    anna = client_of(laid.scene, "anna")
    (row,) = table_lists(visitor=laid.scene.users["anna"]).wanted
    assert row.terms == "Concerto, 2 deals, 10 minutes a side"
    page = anna.get(reverse("table_list")).content.decode()
    assert "Looking for players" in page
    answer = anna.post(reverse("table_join"), {"table": laid.table.pk})
    assert answer.headers["Location"] == laid.table.get_absolute_url()
    assert laid.facts().seat_of(laid.scene.users["anna"]) == "E"
    assert not table_lists(visitor=laid.scene.users["anna"]).wanted
    anna.post(reverse("table_join"), {"table": laid.table.pk})
    assert TableSeat.objects.filter(user=laid.scene.users["anna"]).count() == 1, "once is enough"


def test_the_host_fills_the_table_with_robots_in_one_press_and_nobody_else_does() -> None:
    laid = laid_table()
    client_of(laid.scene, "anna").post(reverse("table_join"), {"fill": laid.table.pk})
    assert len(laid.facts().seats) == 1
    client_of(laid.scene, "iris").post(reverse("table_join"), {"fill": laid.table.pk})
    assert [holder.robot for holder in laid.facts().seats.values()].count("player") == 3


@pytest.mark.parametrize("sent", ["", "x", "99999999999999999999", "\u0664", "-1"])
def test_what_names_no_table_joins_none(sent: str) -> None:
    scene = make_scene()
    assert client_of(scene, "anna").post(reverse("table_join"), {"table": sent}).status_code == 404


def test_a_visitor_plays_at_once_and_joins_nothing() -> None:
    laid = laid_table()
    page = Client().get(reverse("table_list")).content.decode()
    assert reverse("try_deal", args=["concerto"]) in page
    assert "join-table" not in page
    assert not table_lists(visitor=laid.scene.users["stranger"]).wanted


def test_a_match_calls_its_players_once_and_never_offers_them_to_watch() -> None:
    scene = make_scene()
    laid = opened(scene)
    assert called() == addresses(scene, "chidi", "eva", "luis")
    opening.open_match(actor=scene.users["eva"], fixture=scene.fixture)
    sweeping.sweep(at=timezone.now() + timedelta(minutes=1))
    assert len(called()) == 3

    eva = client_of(scene, "eva")
    for page in (reverse("table_list"), reverse("my"), "/"):
        assert f'href="{laid.table.get_absolute_url()}"' in eva.get(page).content.decode(), page
    page = eva.get(reverse("table_list")).content.decode()
    assert "Your match" in page
    assert "Watch" not in page
    eva.post(reverse("table_join"), {"table": laid.table.pk})
    assert rows.seats_taken(laid.table).popitem()[1].user_id == scene.users["eva"].pk
    assert "table-call" not in eva.get("/").content.decode()
    assert "table-call" not in client_of(scene, "iris").get("/").content.decode()


def test_who_prepares_the_table_early_has_the_others_called_when_the_time_has_come() -> None:
    scene = make_scene()
    laid = opened(scene, starts_in=timedelta(hours=3))
    assert called() == []
    seats.sit(actor=scene.users["luis"], table_id=laid.table.pk, seat="W")
    now = timezone.now()
    sweeping.sweep(at=now + timedelta(minutes=1))
    assert called() == []
    due = Table.objects.get(pk=laid.table.pk).due_at
    assert due is not None
    assert timedelta(hours=2) < due - now < timedelta(hours=3)
    sweeping.sweep(at=now + timedelta(hours=2, minutes=50))
    assert called() == addresses(scene, "anna", "chidi", "eva")
    sweeping.sweep(at=now + timedelta(hours=4))
    assert len(called()) == 3


def test_a_guest_of_a_table_sees_no_more_tables_than_a_visitor() -> None:
    laid = laid_table(spectators="members")
    phone = Client()
    phone.post(reverse("guest_link", args=[token_of(laid)]), {"name": "Mia", "seat": "E"})
    other = opening.open_casual(
        actor=laid.scene.users["iris"], club=laid.scene.club, terms={"spectators": "members"}, options={}
    )
    assert phone.get(laid.table.get_absolute_url()).status_code == 200
    assert phone.get(other.get_absolute_url()).status_code == 404
    assert phone.get(reverse("table_list")).content == Client().get(reverse("table_list")).content
