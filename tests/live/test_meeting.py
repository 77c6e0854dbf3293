"""Who is here, for members who want to be seen; and a table that tells the club it looks for players."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.lobby import presence, services
from games.models import LobbyChoice, Table
from games.models.querysets import CALL_LASTS
from games.tables.queries.lists import table_lists
from games.tables.queries.own import calling_table
from games.tables.services import calls, opening, seats
from league.errors import Conflict, NotAllowed
from league.models import Club, Membership, OutboxMessage
from tests.live.tables import Laid
from tests.live.test_lobby import addresses, client_of
from tests.live.test_table_guests import admitted, laid_table
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_was_here() -> None:
    cache.clear()


def wants(scene: Scene, *names: str, **wish: bool) -> None:
    for name in names:
        services.choose(actor=scene.users[name], **{"shows_presence": False, "wants_calls": False, **wish})


def seen_by(scene: Scene, name: str) -> list[str]:
    """Whom this person reads of in the list of tables."""
    user = scene.users[name]
    clubs = table_lists(visitor=user).clubs
    return [each for people in presence.here(user, clubs).values() for each in people]


def calls_to(scene: Scene, name: str) -> str:
    """Where the header of each page leads this person."""
    found = calling_table(scene.users[name])
    return found.url if found else ""


def mailed() -> list[str]:
    return sorted(OutboxMessage.objects.filter(template="table_asks").values_list("to", flat=True))


def ask(laid: Laid, name: str = "iris", **options: Any) -> None:
    calls.ask_club(actor=laid.scene.users[name], table_id=laid.table.pk, **options)


def test_who_wants_it_is_seen_by_members_of_the_same_club_and_nobody_else() -> None:
    scene = make_scene()
    wants(scene, "anna", shows_presence=True)
    for name in ("anna", "eva"):
        client_of(scene, name).get(reverse("table_list"))
    assert seen_by(scene, "eva") == ["Anna Berg"]
    assert seen_by(scene, "anna") == [], "nobody reads of themselves, nor of who does not want it"
    assert seen_by(scene, "stranger") == []
    for client in (Client(), client_of(scene, "stranger")):
        assert "Here now" not in client.get(reverse("table_list")).text
    other = Club.objects.create(name="Hilltop", slug="hilltop")
    Membership.objects.create(user=scene.users["stranger"], club=other)
    assert "Anna" not in client_of(scene, "stranger").get(reverse("table_list")).text
    page = client_of(scene, "eva").get(reverse("table_list_live")).text
    assert "Here now" in page
    assert "Anna Berg" in page
    Membership.objects.filter(user=scene.users["anna"]).delete()
    assert seen_by(scene, "eva") == []


def test_presence_is_no_row_and_ends_by_itself_at_logout_and_when_no_longer_wanted(
    django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = make_scene()
    wants(scene, "anna", shows_presence=True)
    anna, user = client_of(scene, "anna"), scene.users["anna"]

    def is_seen() -> bool:
        return bool(seen_by(scene, "eva"))

    with django_assert_num_queries(1):
        presence.note(user)
    assert is_seen()
    anna.post(reverse("account_logout"))
    assert not is_seen()
    presence.note(user)
    assert is_seen()
    wants(scene, "anna", shows_presence=False)
    assert not is_seen()
    presence.note(user)
    wants(scene, "anna", shows_presence=True)
    assert not is_seen()
    monkeypatch.setattr(presence, "LASTS_SECONDS", 0)
    presence.note(user)
    assert not is_seen()


def test_nothing_is_on_before_somebody_says_so() -> None:
    scene = make_scene()
    anna = client_of(scene, "anna")
    page = anna.get(reverse("table_list")).text
    assert "Show members of my clubs" in page
    assert " checked" not in page[page.index('id="lobby-choices"') :]
    assert not LobbyChoice.objects.exists(), "to look writes nothing"
    for sent in ({"shows_presence": "on"}, {"shows_presence": ["x", "on"], "wants_calls": "no such"}, {}):
        assert anna.post(reverse("lobby_choices"), sent).status_code == 302
    choice = LobbyChoice.objects.get()
    assert (choice.user, choice.shows_presence, choice.wants_calls) == (scene.users["anna"], False, False)


def test_one_press_tells_the_members_who_want_to_know() -> None:
    laid = laid_table()
    scene = laid.scene
    wants(scene, "anna", "eva", "iris", "stranger", wants_calls=True)
    seats.sit(actor=scene.users["tom"], table_id=laid.table.pk, seat="S")
    admitted(laid, "Mia", seat="E")
    answer = client_of(scene, "iris").post(reverse("table_join"), {"ask": laid.table.pk}, follow=True)
    assert "told the members who want to know" in answer.text
    assert mailed() == addresses(scene, "anna", "eva")
    for name, is_told in (("anna", True), ("chidi", False), ("iris", False), ("stranger", False)):
        assert (calls_to(scene, name) == laid.table.get_absolute_url()) is is_told, name
    page = client_of(scene, "anna").get("/").text
    assert "table-call" in page
    assert "A table of your club is looking for players" in page
    assert laid.table.get_absolute_url() in client_of(scene, "anna").get(reverse("my")).text
    assert "1 player wanted" in client_of(scene, "chidi").get(reverse("table_list")).text
    for who in (Client(), client_of(scene, "stranger")):
        assert "table-call" not in who.get("/").text
        assert "player wanted" not in who.get(reverse("table_list")).text


def test_who_sits_down_or_comes_late_is_told_no_more() -> None:
    laid = laid_table()
    scene, now = laid.scene, timezone.now()
    wants(scene, "anna", "eva", wants_calls=True)
    ask(laid, at=now)
    seats.join(actor=scene.users["anna"], table_id=laid.table.pk)
    assert calls_to(scene, "anna") == ""
    assert calls_to(scene, "eva") == laid.table.get_absolute_url()
    assert not Table.objects.asking(scene.users["eva"], at=now + CALL_LASTS).exists()
    seats.fill(actor=scene.users["iris"], table_id=laid.table.pk)
    assert calls_to(scene, "eva") == ""
    assert not [row.is_asking for row in table_lists(visitor=scene.users["eva"]).live if row.is_asking]


def test_a_table_that_asks_stands_first() -> None:
    laid = laid_table()
    scene = laid.scene
    opening.open_casual(actor=scene.users["tom"], club=scene.club, terms={}, options={})
    before = [row.key for row in table_lists(visitor=scene.users["eva"]).wanted]
    assert before[-1] == laid.table.pk
    ask(laid)
    rows = table_lists(visitor=scene.users["eva"]).wanted
    assert [row.key for row in rows] == before[::-1]
    assert [row.is_asking for row in rows] == [True, False]


def test_once_an_hour_for_all_tables_of_a_host() -> None:
    laid = laid_table()
    scene, now = laid.scene, timezone.now()
    wants(scene, "anna", wants_calls=True)
    ask(laid, at=now)
    second = opening.open_casual(actor=scene.users["iris"], club=scene.club, terms={}, options={})
    for table in (laid.table.pk, second.pk):
        with pytest.raises(Conflict, match="less than an hour"):
            calls.ask_club(actor=scene.users["iris"], table_id=table, at=now + CALL_LASTS / 2)
    opening.close(actor=scene.users["iris"], table_id=laid.table.pk)
    with pytest.raises(Conflict, match="less than an hour"):
        calls.ask_club(actor=scene.users["iris"], table_id=second.pk, at=now + CALL_LASTS / 2)
    calls.ask_club(actor=scene.users["iris"], table_id=second.pk, at=now + CALL_LASTS)
    assert len(mailed()) == 2


def test_who_may_ask_and_when() -> None:
    laid = laid_table()
    scene = laid.scene
    seats.sit(actor=scene.users["tom"], table_id=laid.table.pk, seat="S")
    for name in ("tom", "eva", "stranger"):
        with pytest.raises(NotAllowed):
            ask(laid, name)
    hidden = opening.open_casual(
        actor=scene.users["iris"], club=scene.club, terms={"spectators": "nobody"}, options={}
    )
    with pytest.raises(Conflict, match="Nobody may watch"):
        calls.ask_club(actor=scene.users["iris"], table_id=hidden.pk)
    (row,) = (row for row in table_lists(visitor=scene.users["iris"]).own if row.key == laid.table.pk)
    assert row.may_ask
    seats.fill(actor=scene.users["iris"], table_id=laid.table.pk)
    with pytest.raises(Conflict, match="isn’t waiting"):
        ask(laid)
    opening.close(actor=scene.users["iris"], table_id=laid.table.pk)
    with pytest.raises(Conflict):
        ask(laid)
