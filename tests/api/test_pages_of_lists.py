"""Lists that go on from a row: nothing is left out and nothing comes twice, whatever is added meanwhile."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from league.api.filters import KeysetPages
from league.clubs.services import clubs
from league.models import Club, Fixture, JoinRequest, Notice, Player
from league.notices import events
from league.people.services import joining
from tests.league import factories

TOLD = {"player": "A", "club": "B", "path": "/my/", "name": "A", "club_name": ""}


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KeysetPages, "page_size", 2)


def pages(client: Any, address: str) -> Iterator[dict[str, Any]]:
    """Each page, by the links to the next."""
    following: str | None = address
    while following:
        answer = client.get(following)
        assert answer.status_code == 200, answer.json()
        yield answer.json()
        following = answer.json()["next"]


def keys(page: dict[str, Any]) -> list[int]:
    return [each["id"] for each in page["results"]]


LISTS = [
    "clubs/", "clubs/{club}/honours/", "competitions/", "fixtures/", "notices/", "mails/",
    *(f"clubs/{{club}}/{each}/" for each in ("players", "pairs", "members", "trail", "missing-results")),
    *(f"clubs/{{club}}/{each}/" for each in ("merges", "imports", "invitations", "join-requests")),
]  # fmt: skip


@pytest.mark.parametrize("list_of", LISTS)
def test_each_list_is_whole_forwards_and_backwards(league, program, list_of):
    for name in ("B", "A", "C"):
        invited = factories.player(league.club, name)
        joining.make_slips(
            actor=factories.DIRECTOR, club=league.club, players=[invited.pk], at=timezone.now()
        )
        JoinRequest.objects.create(club=league.club, user=factories.user(), made_at=timezone.now())
        factories.competition(factories.club(f"{name} Club"))
    Fixture.objects.filter(pk=league.fixture.pk).update(starts_at=timezone.now() - timedelta(days=400))
    for _each in range(3):
        Notice.objects.create(
            user=league.director, event=events.LINKED_YOU.key, context=TOLD, made_at=timezone.now()
        )
    address = f"/api/v1/{list_of.format(club=league.club.slug)}"
    client = program(factories.member(league.club, "owner", factories.user(is_superuser=True)))
    client = program(league.director) if list_of == "notices/" else client
    found = list(pages(client, address))
    whole = client.get(address, {"page": 1}).json()
    assert {page["count"] for page in found} == {whole["count"]}
    numbered = [client.get(address, {"page": 1 + each}).json()["results"] for each in range(len(found))]
    assert [page["results"] for page in found] == numbered
    assert found[0]["previous"] is None
    back, place = found[-1], len(found) - 1
    while back["previous"]:
        back, place = client.get(back["previous"]).json(), place - 1
        assert back["results"] == found[place]["results"]
    assert place == 0


@pytest.mark.parametrize("name", ["Aaron First", "Zoe Last", "Player"])
def test_who_is_added_meanwhile_moves_nobody(league, program, name):
    club = factories.club("Elsewhere")
    director = factories.member(club, "director")
    there = {factories.player(club, f"Player {each % 3}").pk for each in range(7)}
    seen = []
    for page in pages(program(director), f"/api/v1/clubs/{club.slug}/players/"):
        seen += keys(page)
        factories.player(club, f"{name} {len(seen)}") if len(seen) < 8 else None
    assert len(seen) == len(set(seen))
    assert there <= set(seen)


def test_a_row_that_is_gone_is_no_end(league, program):
    club = factories.club("Elsewhere")
    client = program(factories.member(club, "director"))
    there = [factories.player(club, f"Player {each}").pk for each in range(6)]
    first = client.get(f"/api/v1/clubs/{club.slug}/players/").json()
    Player.objects.filter(pk__in=keys(first)).delete()
    assert keys(client.get(first["next"]).json()) == there[2:4]


def test_matches_without_a_date_come_last_and_once(league, program):
    rows = list(Fixture.objects.order_by("pk").values_list("pk", flat=True))
    for number, pk in enumerate(rows):
        at = None if number % 2 else timezone.now() + timedelta(days=number)
        Fixture.objects.filter(pk=pk).update(starts_at=at)
    seen = [key for page in pages(program(), "/api/v1/fixtures/") for key in keys(page)]
    assert sorted(seen) == rows
    assert seen == list(Fixture.objects.in_order().values_list("pk", flat=True))


def test_the_trail_goes_on_while_it_grows(league, program):
    def change(number):
        club = league.club
        clubs.edit(
            actor=factories.DIRECTOR,
            club=club,
            name=club.name,
            time_zone=club.time_zone,
            place=f"Hall {number}",
        )

    client, address = program(league.director), f"/api/v1/clubs/{league.club.slug}/trail/"
    for number in range(5):
        factories.player(league.club)
        change(number)
    there = [each for page in pages(client, address) for each in page["results"]]
    assert len(there) >= 5
    seen = []
    for page in pages(client, address):
        seen += page["results"]
        change(len(seen) + 10)
    assert seen == there


@pytest.mark.parametrize("cursor", ["", "x", "gAAAAABm", "é" * 40, "A" * 3000])
def test_a_place_that_nobody_gave(league, program, cursor):
    assert program().get("/api/v1/clubs/", {"cursor": cursor}).status_code == 404


def test_a_place_of_another_list(league, program):
    club, director = league.club, league.director
    for name in ("A", "B", "C"):
        factories.player(club, name)
        factories.club(name)
    client = program(director)
    given = [
        client.get(f"/api/v1/{each}").json()["next"].partition("cursor=")[2].partition("&")[0]
        for each in ("clubs/", "fixtures/", f"clubs/{club.slug}/players/")
    ]
    answers = {
        (list_of, client.get(f"/api/v1/{list_of.format(club=club.slug)}?cursor={each}").status_code)
        for list_of in LISTS
        for each in given
    }
    its_own = {(list_of, 200) for list_of in ("clubs/", "fixtures/", "clubs/{club}/players/")}
    assert its_own <= answers
    assert {code for _list, code in answers - its_own} <= {403, 404}


def test_a_place_tells_no_name(league, program):
    Club.objects.all().update(name="Secret Name")
    for _each in range(3):
        factories.club("Secret Name")
    found = program().get("/api/v1/clubs/").json()["next"]
    assert "Secret" not in found
    assert "U2VjcmV0" not in found
