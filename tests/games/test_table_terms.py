"""How a competition is played online, what the desk is told of tables, and what waits for whoever sits at one."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.game import all_games
from games.models import OnlinePlay, Table, TableRequest
from games.options import port_of
from games.tables.forms import CasualTableForm
from games.tables.queries.items import items
from games.tables.queries.own import own_tables
from games.tables.services import opening
from league.errors import Invalid
from league.models import AuditEntry
from tests.live.tables import Laid, match_table, moves
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db(transaction=True)

TERMS = {
    "is_open": "on",
    "clock_seconds": "600",
    "on_timeout": "director",
    "absence_seconds": "90",
    "robots": "on",
    "spectators": "members",
    "delay_seconds": "30",
    "robot": "player",
    "most_robot_hands": "6",
    "compares_robots": "on",
}


def address_of(scene: Scene) -> str:
    return reverse("desk_online", args=[scene.club.slug, scene.competition.slug])


def client_of(scene: Scene, name: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    return client


# --- The terms --------------------------------------------------------------------------------------------------


def test_a_director_sets_the_terms_and_the_next_table_has_them() -> None:
    scene = make_scene()
    dora = client_of(scene, "dora")
    manage = reverse("competition_manage", args=[scene.club.slug, scene.competition.slug])
    assert address_of(scene) in dora.get(manage).content.decode()
    answer = dora.post(address_of(scene), TERMS)
    assert (answer.status_code, answer["Location"]) == (302, address_of(scene))

    table = opening.open_match(actor=scene.users["anna"], fixture=scene.fixture)
    assert table.terms() == {
        "clock_seconds": 600,
        "on_timeout": "director",
        "absence_seconds": 90,
        "robots": True,
        "robot": "player",
        "most_robot_hands": 6,
        "helps": False,
        "single_press": False,
        "spectators": "members",
        "delay_seconds": 30,
    }
    entry = AuditEntry.objects.get(action="competition.online")
    assert entry.actor_name == "Dora Director"


def test_a_table_that_is_open_keeps_its_terms_and_the_page_says_so() -> None:
    scene = make_scene()
    table = opening.open_match(actor=scene.users["anna"], fixture=scene.fixture)
    dora = client_of(scene, "dora")
    assert "keep their settings" in dora.get(address_of(scene)).content.decode()
    dora.post(address_of(scene), TERMS)
    assert Table.objects.get(pk=table.pk).clock_seconds == table.clock_seconds == 900


@pytest.mark.parametrize(
    "wrong",
    [
        {"clock_seconds": "-1"},
        {"clock_seconds": "9" * 30},
        {"on_timeout": "nobody"},
        {"spectators": ""},
        {"absence_seconds": "29"},
        {"absence_seconds": ""},
    ],
)
def test_what_cannot_be_is_told_beside_its_field_and_nothing_is_kept(wrong: dict[str, str]) -> None:
    scene = make_scene()
    answer = client_of(scene, "dora").post(address_of(scene), TERMS | wrong)
    assert answer.status_code == 422
    assert next(iter(wrong)) in answer.context["form"].errors
    assert not OnlinePlay.objects.exists()


def test_a_match_gives_a_player_half_a_minute_whoever_asks() -> None:
    scene = make_scene()

    def asked(seconds: int) -> None:
        opening.set_online(
            actor=scene.users["dora"],
            competition=scene.competition,
            is_open=True,
            terms={"absence_seconds": seconds},
        )

    for seconds in (0, 29):
        with pytest.raises(Invalid, match="at least 30 seconds"):
            asked(seconds)
    assert not OnlinePlay.objects.exists()
    asked(30)
    assert OnlinePlay.objects.get().absence_seconds == 30


def test_terms_from_before_that_was_so_are_lengthened_and_what_is_over_stays() -> None:
    scene = make_scene()
    OnlinePlay.objects.create(competition=scene.competition, absence_seconds=5)
    tables = {}
    for fixture, state in zip(scene.fixtures, ("playing", "finished"), strict=False):
        tables[state] = opening.open_match(actor=scene.users["dora"], fixture=fixture).pk
        Table.objects.filter(pk=tables[state]).update(absence_seconds=5, state=state)
    casual = opening.open_casual(actor=scene.users["anna"], club=scene.club, terms={}, options={})
    Table.objects.filter(pk=casual.pk).update(absence_seconds=5)
    import_module("games.migrations.0019_half_a_minute").give_half_a_minute(apps, None)

    assert OnlinePlay.objects.get().absence_seconds == 30
    left = dict(Table.objects.values_list("pk", "absence_seconds"))
    assert left == {tables["playing"]: 30, tables["finished"]: 5, casual.pk: 5}


@pytest.mark.parametrize("name", ["sam", "anna", "stranger"])
def test_others_do_not_set_terms(name: str) -> None:
    scene = make_scene()
    assert client_of(scene, name).post(address_of(scene), TERMS).status_code == 403
    assert not OnlinePlay.objects.exists()


# --- The desk ---------------------------------------------------------------------------------------------------


def call(laid: Laid) -> None:
    step = reverse("table_step", args=[laid.table.pk, "director"])
    client = client_of(laid.scene, "anna")
    assert client.post(step, {"text": "A card is missing"}).status_code == 200


def test_a_call_stands_on_the_desk_with_the_tables_state_until_it_is_settled() -> None:
    laid = match_table()
    moves(laid, 3)
    scene = laid.scene
    call(laid)
    (found,) = items(club=scene.club, user=scene.users["dora"], at=timezone.now())
    page = client_of(scene, "dora").get(reverse("desk", args=[scene.club.slug])).content.decode()

    assert found.why_now == "Deal 1, in play. A card is missing"
    assert [url for _label, url in found.steps] == [laid.table.get_absolute_url()]
    assert found.why_now in page
    assert laid.table.get_absolute_url() in page
    assert list(items(club=scene.club, user=scene.users["anna"], at=timezone.now())) == []

    request = TableRequest.objects.get(kind=TableRequest.Kind.DIRECTOR)
    step = reverse("table_step", args=[laid.table.pk, "settle"])
    client_of(scene, "dora").post(step, {"request": request.pk, "answer": "Found it"})
    assert list(items(club=scene.club, user=scene.users["dora"], at=timezone.now())) == []


# --- One's own --------------------------------------------------------------------------------------------------


def test_an_own_table_waits_on_the_persons_page_while_it_is_open() -> None:
    laid = match_table()
    scene = laid.scene
    events = {
        name: list(own_tables(user=scene.users[name], at=timezone.now())) for name in ("anna", "iris", "dora")
    }
    page = client_of(scene, "anna").get(reverse("my")).content.decode()

    assert {name: len(found) for name, found in events.items()} == {"anna": 1, "iris": 0, "dora": 0}
    assert events["anna"][0].url == laid.table.get_absolute_url()
    assert "Your table is waiting" in page
    assert laid.table.get_absolute_url() in page
    opening.close(actor=scene.users["dora"], table_id=laid.table.pk, reason="The hall closes")
    assert list(own_tables(user=scene.users["anna"], at=timezone.now())) == []


def test_own_tables_cost_the_same_for_one_and_for_several(django_assert_num_queries: Any) -> None:
    scene = make_scene()
    anna = scene.users["anna"]
    opening.practise(actor=anna, club=scene.club, robot="novice")
    with django_assert_num_queries(3):
        assert len(list(own_tables(user=anna, at=timezone.now()))) == 1
    for _each in range(3):
        opening.practise(actor=anna, club=scene.club, robot="novice")
    with django_assert_num_queries(3):
        assert len(list(own_tables(user=anna, at=timezone.now()))) == 3


def test_the_clubs_page_leads_to_the_tables() -> None:
    scene = make_scene()
    page = Client().get(reverse("club", args=[scene.club.slug])).content.decode()
    assert reverse("table_list") in page


def test_a_casual_table_begins_with_the_preset_of_its_game() -> None:
    scene = make_scene()
    iris = client_of(scene, "iris")
    opener: dict[str, Any] = {"actor": scene.users["iris"], "club": scene.club, "terms": {}}
    for offered in all_games():
        form = CasualTableForm(initial={"game": offered.key})
        fields = {name: form[name].value() for name in form.fields}
        sent = {
            name: "on" if value is True else value
            for name, value in fields.items()
            if value not in ("", None) and value is not False
        }
        answer = iris.post(reverse("casual_table", args=[scene.club.slug]), sent)
        asked = {option.name: fields[f"rules_{option.name}"] for option in form.options}
        usual = port_of(offered).read_options({**asked, **offered.preset})
        by_page = Table.objects.latest("pk")
        assert answer.status_code == 302
        assert (by_page.game, by_page.options) == (offered.key, usual)
        by_api = opening.open_casual(**opener, options={}, game_key=offered.key)
        assert by_api.options == usual
        Table.objects.update(state=Table.State.CLOSED, finished_at=timezone.now())


@pytest.mark.parametrize(
    ("given", "length"),
    [({}, (4, 0)), ({"deals": 2}, (2, 0)), ({"target": 500}, (0, 500)), ({"semi_clean": True}, (4, 0))],
)
def test_a_length_takes_the_place_of_the_presets(given: dict[str, Any], length: tuple[int, int]) -> None:
    scene = make_scene()
    table = opening.open_casual(
        actor=scene.users["iris"], club=scene.club, terms={}, options=given, game_key="burraco"
    )
    assert (table.options["deals"], table.options["target"]) == length
