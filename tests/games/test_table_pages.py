"""The pages of tables in the browser: who finds which table, the page at a seat and from outside, the match's panel."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Table
from games.tables.queries.lists import TableLists, online_step, table_lists
from games.tables.queries.own import own_tables
from games.tables.services import opening, seats
from league.actors import Visitor
from league.models import Competition, Fixture, Membership, User
from tests.live.tables import Laid, all_ready, match_table, moves, play_deal
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db(transaction=True)

ROLES = ("visitor", "stranger", "anna", "eva", "iris", "dora")


def visitor_of(scene: Scene, name: str) -> Visitor:
    return AnonymousUser() if name == "visitor" else scene.users[name]


def client_of(scene: Scene, name: str) -> Client:
    client = Client()
    if name != "visitor":
        client.force_login(scene.users[name])
    return client


def text_of(client: Client, name: str, *args: Any) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def view_of(page: str) -> dict[str, Any]:
    """The view that the page begins with."""
    begun = page.index(">", page.index('id="table-view"')) + 1
    return dict(json.loads(page[begun : page.index("</script>", begun)]))


def lists_of(scene: Scene, name: str) -> TableLists:
    return table_lists(visitor=visitor_of(scene, name))


def casual(scene: Scene, spectators: str, by: str = "iris") -> Table:
    """A casual table at which nobody sits yet."""
    return opening.open_casual(
        actor=scene.users[by], club=scene.club, terms={"spectators": spectators}, options={"deals": 4}
    )


# --- The list ---------------------------------------------------------------------------------------------------


def test_each_finds_own_tables_and_those_that_may_be_watched() -> None:
    laid = match_table(spectators="members")
    scene = laid.scene
    closed = casual(scene, "nobody")
    public = casual(scene, "everybody")
    practice = opening.practise(actor=scene.users["anna"], club=scene.club, robot="novice")
    names = {laid.table.pk: "match", closed.pk: "closed", public.pk: "public", practice.pk: "practice"}

    def found(role: str) -> tuple[set[str], set[str]]:
        lists = lists_of(scene, role)
        return {names[row.key] for row in lists.own}, {names[row.key] for row in (*lists.wanted, *lists.live)}

    # Members may sit down at a casual table of their club, whoever may watch it.
    assert {role: found(role) for role in ROLES} == {
        "visitor": (set(), {"public"}),
        "stranger": (set(), {"public"}),
        "anna": ({"match", "practice"}, {"closed", "public"}),
        "eva": ({"match"}, {"closed", "public"}),
        "iris": (set(), {"match", "closed", "public"}),
        "dora": (set(), {"match", "closed", "public"}),
    }


def test_the_list_leaves_out_what_is_over_and_tells_how_far_the_others_are() -> None:
    laid = match_table()
    over = casual(laid.scene, "everybody")
    opening.close(actor=laid.scene.users["iris"], table_id=over.pk)
    (row,) = lists_of(laid.scene, "visitor").live

    assert row.key == laid.table.pk
    assert row.is_open
    assert row.free == 0
    assert row.progress.endswith("deal 1")
    assert "Anna Berg" in row.people
    assert "Anna Berg" in text_of(Client(), "table_list")


def test_the_list_costs_the_same_for_one_table_and_for_many() -> None:
    scene = make_scene()
    client = client_of(scene, "anna")
    casual(scene, "members", by="iris")
    client.get(reverse("table_list"))
    with CaptureQueriesContext(connection) as for_one:
        client.get(reverse("table_list"))
    for name in ("iris", "eva", "chidi"):
        for _each in range(3):
            casual(scene, "members", by=name)
    with CaptureQueriesContext(connection) as for_many:
        client.get(reverse("table_list"))
    assert len(for_many) == len(for_one)


def test_the_list_tells_by_itself_what_has_changed() -> None:
    laid = match_table(begun=False)
    client = client_of(laid.scene, "anna")
    address = client.get(reverse("table_list")).context["part"].url
    assert client.get(address).status_code == 204, "control: nothing has happened"
    new = casual(laid.scene, "everybody")
    answer = client.get(address)
    assert answer.status_code == 200
    assert f'href="{new.get_absolute_url()}"' in answer.content.decode()
    assert "csrf" not in answer.content.decode(), "what is opened is not asked for again and again"
    assert client.get(answer["X-Live-Url"]).status_code == 204, "told once"


def test_tables_keep_their_places_in_the_list_whatever_happens_there() -> None:
    scene = make_scene()
    first, second = casual(scene, "everybody"), casual(scene, "everybody")
    assert [row.key for row in lists_of(scene, "visitor").live] == [second.pk, first.pk]
    seats.sit(actor=scene.users["anna"], table_id=first.pk, seat="N")
    assert [row.key for row in lists_of(scene, "visitor").live] == [second.pk, first.pk]


def test_members_are_offered_practice_and_others_are_not() -> None:
    scene = make_scene()
    practise = reverse("practice", args=[scene.club.slug])
    assert practise in text_of(client_of(scene, "anna"), "table_list")
    assert practise not in text_of(client_of(scene, "stranger"), "table_list")
    assert practise not in text_of(Client(), "table_list")


# --- One table --------------------------------------------------------------------------------------------------


def test_the_page_begins_with_the_view_of_who_looks() -> None:
    laid = match_table()
    moves(laid, 6)
    views = {
        role: view_of(text_of(client_of(laid.scene, role), "table", laid.table.pk))
        for role in ("anna", "eva", "iris", "dora", "visitor")
    }

    assert {role: view["you"]["seat"] for role, view in views.items()} == {
        "anna": "N",
        "eva": "E",
        "iris": None,
        "dora": None,
        "visitor": None,
    }
    assert [role for role, view in views.items() if view["deal"]["view"]["mine"]] == ["anna", "eva"]
    assert [role for role, view in views.items() if "roll_back" in view["you"]["may"]] == ["dora"]


def test_a_table_that_may_not_be_watched_is_not_there() -> None:
    laid = match_table(spectators="nobody")
    asked = {
        role: client_of(laid.scene, role).get(reverse("table", args=[laid.table.pk])).status_code
        for role in ROLES
    }
    assert asked == {
        "visitor": 404,
        "stranger": 404,
        "anna": 200,
        "eva": 200,
        "iris": 404,
        "dora": 200,
    }
    for key in (0, 10**9, 10**30):
        assert Client().get(f"/tables/{key}/").status_code == 404, key


# --- The match's panel ------------------------------------------------------------------------------------------


def step_of(scene: Scene, name: str) -> tuple[bool, bool] | None:
    """Whether there is a table to go to, and whether the visitor plays there; None without the panel."""
    step = online_step(visitor=visitor_of(scene, name), fixture=scene.fixture)
    return None if step is None else (step.table is not None, step.plays)


def test_a_match_offers_its_players_to_open_its_table_and_then_leads_everybody_to_it() -> None:
    scene = make_scene()
    assert {role: step_of(scene, role) for role in ROLES} == {
        "visitor": None,
        "stranger": None,
        "anna": (False, True),
        "eva": (False, True),
        "iris": None,
        "dora": None,
    }
    opening.open_match(actor=scene.users["anna"], fixture=scene.fixture)
    assert {role: step_of(scene, role) for role in ROLES} == {
        "visitor": (True, False),
        "stranger": (True, False),
        "anna": (True, True),
        "eva": (True, True),
        "iris": (True, False),
        "dora": (True, False),
    }
    table = Table.objects.get()
    assert reverse("table", args=[table.pk]) in text_of(Client(), "match", scene.fixture.pk)


def test_where_it_is_not_played_online_there_is_nothing_to_open() -> None:
    scene = make_scene()
    opening.set_online(actor=scene.users["dora"], competition=scene.competition, is_open=False, terms={})
    assert step_of(scene, "anna") is None
    assert reverse("match_table", args=[scene.fixture.pk]) not in text_of(
        client_of(scene, "anna"), "match", scene.fixture.pk
    )


def test_a_match_that_is_over_or_whose_competition_rests_is_not_opened() -> None:
    scene = make_scene()
    Competition.objects.filter(pk=scene.competition.pk).update(state=Competition.State.FINISHED)
    assert step_of(scene, "anna") is None
    Competition.objects.filter(pk=scene.competition.pk).update(state=Competition.State.RUNNING)
    assert step_of(scene, "anna") is not None
    Fixture.objects.filter(pk=scene.fixture.pk).update(status=Fixture.Status.WALKOVER)
    assert step_of(scene, "anna") is None


def test_after_the_match_its_page_has_the_result_and_no_panel() -> None:
    laid: Laid = match_table(robots=dict.fromkeys("NES", "novice"))
    while play_deal(laid).state == Table.State.BETWEEN:
        all_ready(laid)
    assert step_of(laid.scene, "luis") is None
    page = text_of(Client(), "match", laid.scene.fixture.pk)
    assert reverse("match_replay", args=[laid.scene.fixture.pk, 1]) in page


def test_who_has_left_the_club_is_not_led_to_its_casual_table() -> None:
    scene = make_scene()
    iris = scene.users["iris"]
    table = casual(scene, "members")
    seats.sit(actor=iris, table_id=table.pk, seat="N")
    assert [row.key for row in lists_of(scene, "iris").own] == [table.pk]
    Membership.objects.filter(user=iris).delete()
    iris = scene.users["iris"] = User.objects.get(pk=iris.pk)
    lists = lists_of(scene, "iris")
    assert (lists.own, lists.live) == ((), ())
    assert list(own_tables(user=iris, at=timezone.now())) == []
    assert client_of(scene, "iris").get(table.get_absolute_url()).status_code == 404


# --- The way there ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["visitor", "anna"])
def test_every_page_leads_to_the_tables(name: str) -> None:
    scene = make_scene()
    table = casual(scene, "everybody")
    link = f'<a href="{reverse("table_list")}"'
    for address, current in (
        ("/", ""),
        (reverse("table_list"), 'aria-current="page"'),
        (table.get_absolute_url(), 'aria-current="true"'),
    ):
        page = client_of(scene, name).get(address).content.decode()
        nav = page[page.index('class="site-nav"') : page.index("</nav>")]
        assert link in nav
        assert ("aria-current" in nav.partition(link)[2]) == bool(current), address
        assert current in nav.partition(link)[2]


def test_a_robot_is_chosen_by_what_it_makes() -> None:
    client = client_of(make_scene(), "anna")
    for language, strength in (("en", "Expert – makes 85% of the best"), ("de", "Experte – 85 % des")):
        page = client.get(reverse("table_list"), headers={"accept-language": language})
        assert strength in page.content.decode()
