"""A table that is over says so in its own words, and leads on."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import F
from django.template.loader import render_to_string
from django.test import Client

from games.models import Table
from games.tables.queries.end import again, end_words
from games.tables.services import opening, seats
from games.tables.state.facts import current
from games.tables.state.reader import standing_of
from games.tables.state.seat_view import steps
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
TERMS = {
    "clock_seconds": 1200,
    "on_timeout": "director",
    "absence_seconds": 90,
    "robots": False,
    "helps": True,
    "single_press": True,
    "spectators": "members",
    "delay_seconds": 30,
}


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def tables(scene: Scene) -> dict[str, Table]:
    anna = scene.users["anna"]
    return {
        "match": opening.open_match(actor=anna, fixture=scene.fixture),
        "casual": opening.open_casual(actor=anna, club=scene.club, terms=TERMS, options={"deals": 6}),
        "practice": opening.practise(actor=anna, club=scene.club, robot="expert"),
    }


def test_only_a_match_ends_as_a_match(scene: Scene) -> None:
    said = {kind: end_words(table)["match_over"] for kind, table in tables(scene).items()}
    assert "match" in said["match"]
    assert not any("match" in said[kind] for kind in ("casual", "practice"))
    assert len(set(said.values())) == 3


def test_the_page_of_a_table_has_its_own_words(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.users["anna"])
    for table in tables(scene).values():
        page = client.get(table.get_absolute_url())
        assert page.context["words"]["match_over"] == end_words(table)["match_over"]


def test_a_table_is_closed_by_who_may_and_while_it_is_in_use(scene: Scene) -> None:
    table = tables(scene)["casual"]
    seats.sit(actor=scene.users["eva"], table_id=table.pk, seat="E")

    def offered() -> list[str]:
        facts = current(table.pk)
        return [
            name
            for name in ("anna", "eva", "iris", "dora")
            if "close" in steps(facts, standing_of(scene.users[name], table).reader(facts))
        ]

    assert offered() == ["anna", "eva", "dora"], "who opened it, who hosts it meanwhile, and a director"
    seats.sit(actor=scene.users["anna"], table_id=table.pk, seat="N")
    assert offered() == ["anna", "dora"], "not whoever sits there"
    Table.objects.filter(pk=table.pk).update(state=Table.State.FINISHED, version=F("version") + 1)
    assert offered() == []


def test_the_page_says_what_comes_of_an_absence_at_this_table(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.users["anna"])
    found = tables(scene)
    asked = {
        kind: client.get(found[kind].get_absolute_url()).context["words"]["sure"]["absence"]
        for kind in ("match", "casual")
    }
    assert "A robot will take the seat" in asked["match"]
    assert "A director will be called" in asked["casual"], "the terms have no robots"


@pytest.mark.parametrize("kind", ["casual", "practice"])
def test_another_table_like_this_one_is_a_press_away(scene: Scene, kind: str) -> None:
    anna, before = scene.users["anna"], tables(scene)[kind]
    next_one = again(table=before, visitor=anna)
    assert next_one is not None
    client = Client()
    client.force_login(anna)

    opened = client.post(next_one.action, next_one.fields, headers={"accept": "application/json"}).json()

    table = Table.objects.get(pk=opened["table"])
    assert table.pk != before.pk
    assert (table.kind, table.options, table.terms()) == (before.kind, before.options, before.terms())
    robots = [list(each.seats.order_by("seat").values_list("robot", flat=True)) for each in (table, before)]
    assert robots[0] == robots[1]
    shown = render_to_string("games/_table_after.html", {"again": next_one})
    assert next_one.action in shown
    assert all(f'name="{name}" value="{value}"' in shown for name, value in next_one.fields.items())


def test_a_match_has_no_other_and_strangers_open_none(scene: Scene) -> None:
    found = tables(scene)
    assert again(table=found["match"], visitor=scene.users["anna"]) is None
    for visitor in (AnonymousUser(), scene.users["stranger"]):
        assert again(table=found["casual"], visitor=visitor) is None
        assert "form" not in render_to_string("games/_table_after.html", {"again": None})
