"""Partners choose who of them sits at which of their seats, until the first cards are dealt."""

import pytest
from django.test import Client

from games.models import Table
from games.seating import read_seating
from games.tables.seating import seating_at
from games.tables.services import (
    opening,
    results,
    seats,
)
from games.tables.state.seat_view import Reader, view_for
from league.errors import LeagueError
from league.models import AuditEntry, Substitution
from tests.live.tables import START, Laid, match_table

pytestmark = pytest.mark.django_db


def swap(laid: Laid, seat: str, wanted: str = "") -> Table:
    return seats.swap(actor=laid.at(seat), table_id=laid.table.pk, seat=wanted, at=START)


def names(laid: Laid) -> dict[str, str]:
    return {seat: holder.name.split()[0] for seat, holder in laid.facts().seats.items()}


def test_partners_change_seats_and_say_again_that_they_are_ready() -> None:
    laid = match_table(begun=False)
    for seat in "NE":
        seats.ready(actor=laid.at(seat), table_id=laid.table.pk, at=START)
    assert names(laid) == {"N": "Anna", "E": "Eva", "S": "Chidi", "W": "Luis"}

    swap(laid, "S")

    assert names(laid) == {"N": "Chidi", "E": "Eva", "S": "Anna", "W": "Luis"}
    ready = {
        row["seat"]
        for row in view_for(facts=laid.facts(), reader=Reader("E"), at=START)["seats"]
        if row["is_ready"]
    }
    assert ready == {"E"}
    entry = AuditEntry.objects.get(action="table.seats_swapped")
    assert (entry.actor, entry.fixture_id) == (laid.at("S"), laid.scene.fixture.pk)
    table = laid.table.pk
    assert entry.before == {"table": table, "seats": {"S": "Chidi Okafor", "N": "Anna Berg"}}
    assert entry.after == {"table": table, "seats": {"S": "Anna Berg", "N": "Chidi Okafor"}}


def test_asked_for_twice_it_is_done_once() -> None:
    laid = match_table(begun=False)
    for _each in range(2):
        swap(laid, "N", wanted="S")
    assert names(laid)["S"] == "Anna"
    assert AuditEntry.objects.filter(action="table.seats_swapped").count() == 1
    swap(laid, "N")
    assert names(laid)["N"] == "Anna", "back again"


def test_the_sheet_says_who_sat_where() -> None:
    laid = match_table(begun=False)
    anna, chidi = laid.scene.players[:2]
    for seat, wanted in (("", (anna.pk, chidi.pk)), ("N", (chidi.pk, anna.pk))):
        if seat:
            swap(laid, seat)
        content = results.content_of(Table.objects.get(), laid.scene.fixture)
        assert (content["seats"]["N"], content["seats"]["S"]) == wanted
        assert read_seating(laid.scene.fixture, content).faults == ()


def test_a_robot_changes_with_whom_it_plays_for() -> None:
    laid = match_table(begun=False, robots={"N": "player"})
    swap(laid, "S")
    found = laid.facts().seats
    assert (found["S"].robot, found["N"].user) == ("player", laid.at("S").pk)
    seats.sit(actor=laid.at("N"), table_id=laid.table.pk, seat="S", at=START)
    assert laid.facts().seats["S"].name == "Anna Berg"


def test_a_substitute_finds_the_seat_of_whoever_is_away() -> None:
    laid = match_table(begun=False)
    swap(laid, "N")
    anna, tom = laid.scene.players[0], laid.scene.players[3]
    Substitution.objects.create(
        fixture=laid.scene.fixture, entry=laid.scene.entries[0], absent=anna, substitute=tom
    )
    seating = seating_at(Table.objects.get(), laid.scene.fixture)
    assert {seat: str(player) for seat, player in seating.players.items()} == {
        "N": "Chidi Okafor", "E": "Eva Novak", "S": "Tom Marsh", "W": "Luis Reyes",
    }  # fmt: skip


def test_when_cards_are_dealt_it_is_too_late() -> None:
    laid = match_table()
    with pytest.raises(LeagueError) as refusal:
        swap(laid, "N")
    assert refusal.value.code == "too_late"
    assert names(laid)["N"] == "Anna"
    assert "swap" not in view_for(facts=laid.facts(), reader=Reader("N"), at=START)["you"]["may"]


@pytest.mark.parametrize(("who", "seat"), [("iris", ""), ("dora", ""), ("anna", "E"), ("anna", "X")])
def test_nobody_else_swaps_and_nobody_takes_the_opponents_seat(who: str, seat: str) -> None:
    laid = match_table(begun=False)
    with pytest.raises(LeagueError):
        seats.swap(actor=laid.scene.users[who], table_id=laid.table.pk, seat=seat)
    assert names(laid)["N"] == "Anna"


def test_at_a_casual_table_one_just_sits_down_elsewhere() -> None:
    laid = match_table(begun=False)
    iris = laid.scene.users["iris"]
    table = opening.open_casual(actor=iris, club=laid.scene.club, terms={}, options={})
    seats.sit(actor=iris, table_id=table.pk, seat="N")
    with pytest.raises(LeagueError) as refusal:
        seats.swap(actor=iris, table_id=table.pk)
    assert refusal.value.code == "not_a_match"


def test_the_step_is_offered_to_players_and_done_by_its_address() -> None:
    laid = match_table(begun=False)
    may = {
        seat: "swap" in view_for(facts=laid.facts(), reader=Reader(seat), at=START)["you"]["may"]
        for seat in ("N", "E", None)
    }
    assert may == {"N": True, "E": True, None: False}
    client = Client()
    client.force_login(laid.at("E"))

    answer = client.post(f"/tables/{laid.table.pk}/steps/swap/", {"seat": "W"}).json()

    assert answer["view"]["you"]["seat"] == "W"
    assert [row["name"] for row in answer["view"]["seats"]] == [
        "Anna Berg", "Luis Reyes", "Chidi Okafor", "Eva Novak",
    ]  # fmt: skip
