"""Pages kept for visitors: none has anything of one reader, and what is hidden is gone from all of them in two seconds.

Each test has a control: the same check fails once what it checks is taken out of the server.
"""

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from config.web import kept_pages
from games.boards.services import releases
from league.models import Competition, Player, Role, User
from league.people.services import erasing, public_names
from league.web import changes
from league.words.public_names import Shown
from tests.in_front import ClientInFront
from tests.league import factories
from tests.leaks.event import Event, make_event
from tests.leaks.needles import Haystack
from tests.permissions.walking import Stage, address_of, addresses, set_stage
from tests.scenes import Scene, make_scene

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


class Clock:
    """The time by which pages are kept."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def forget() -> None:
    """All kept pages, in the cache and at hand."""
    caches["pages"].clear()
    kept_pages.at_hand.cache_clear()


@pytest.fixture(autouse=True)
def clock(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Pages are kept, by a clock that stands still."""
    settings.KEEP_PAGES = True
    found = Clock()
    monkeypatch.setattr(kept_pages, "time", found)
    changes.store.cache_clear()
    forget()
    with connection.execute_wrapper(changes.note_writes):
        yield found
    forget()
    changes.store.cache_clear()


@pytest.fixture(autouse=True, params=["django", "in front"])
def way(request: pytest.FixtureRequest, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test twice: asking Django itself, and through the event loop, where kept pages stand in front of it."""
    if request.param == "in front":
        for module in {request.module, sys.modules[__name__]}:
            monkeypatch.setattr(module, "Client", ClientInFront)


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def kept_addresses(stage: Stage) -> Iterator[str]:
    for name, pattern in addresses():
        if name in kept_pages.OWN_QUERY:
            yield address_of(stage, name, pattern)


def test_every_named_page_is_kept_for_visitors() -> None:
    stage, fresh = set_stage(), 0
    for address in kept_addresses(stage):
        answer = Client().get(address)
        if answer.status_code in {200, 204}:
            assert answer.has_header("ETag"), address
            assert re.fullmatch(r"public, max-age=[12], must-revalidate", answer["Cache-Control"]), address
            assert not answer.cookies, address
            fresh += 1
    assert fresh > 15
    assert {name for name, _pattern in addresses()} >= set(kept_pages.OWN_QUERY)


def test_nobody_who_is_logged_in_is_shown_a_kept_page_or_has_theirs_kept() -> None:
    stage = set_stage()
    anna, dora = (stage.scene.users[name] for name in ("anna", "dora"))
    for address in kept_addresses(stage):
        # Before the visitor and after.
        for person, client in ((anna.pk, client_of(anna)), (0, Client()), (dora.pk, client_of(dora))):
            answer = client.get(address)
            if answer.status_code == 200 and "X-Person" in answer:
                assert answer["X-Person"] == str(person), address
                assert answer["Cache-Control"].startswith("public" if person == 0 else "private"), address
                assert answer.has_header("ETag") == (person == 0), address


#: All that a visitor can bring along.
BROUGHT: list[dict[str, Any]] = [
    {
        "headers": {
            "referer": "https://evil.example/",
            "x-forwarded-host": "evil.example",
            "user-agent": "evil",
        }
    },
    {
        "headers": {
            "accept": "application/evil",
            "x-http-method-override": "POST",
            "origin": "https://evil.example",
        }
    },
    {"headers": {"hx-request": "true", "hx-target": "evil"}},
    {"headers": {"cookie": f"theme=evil; csrftoken={'e' * 32}; django_language=evil"}},
    {"query_params": {"evil": "1", "next": "//evil.example", "version": "evil"}},
]


def poisoned(scene: Scene) -> list[dict[str, Any]]:
    """With what somebody can come to a page so that it is in the next visitor's."""
    address, found = scene.competition.get_absolute_url(), []
    for brought in BROUGHT:
        forget()
        Client().get(address, **brought)
        if "evil" in Client().get(address).text:
            found.append(brought)
    return found


def test_nothing_that_a_visitor_brings_along_is_in_anothers_page(scene: Scene) -> None:
    assert poisoned(scene) == []


def test_control_with_the_request_as_it_came_it_would_be(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_pages, "strip", lambda *_asked: None)
    assert poisoned(scene) == [BROUGHT[-1]]


def test_a_page_is_drawn_without_what_was_read_of_the_request_before(scene: Scene) -> None:
    request = RequestFactory(headers={"referer": "evil"}).get("/?evil=1")
    request.COOKIES["evil"] = "1"
    assert request.headers["Referer"] + request.GET["evil"] == "evil1"
    kept_pages.strip(request, "", "en")
    assert not request.GET
    assert not request.COOKIES
    assert "Referer" not in request.headers


def test_languages_hosts_and_schemes_are_apart(scene: Scene, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "other.example"]
    address = scene.competition.get_absolute_url()
    english, german = Client().get(address), Client().get(address, headers={"accept-language": "de"})
    by_cookie = Client()
    by_cookie.cookies["django_language"] = "de"
    assert (english["Content-Language"], german["Content-Language"]) == ("en", "de")
    assert by_cookie.get(address).content == german.content
    assert {"accept-encoding", "accept-language", "cookie"} <= set(english["Vary"].lower().split(", "))
    forget()
    Client().get(address)
    Competition.objects.update(name="Renamed")
    assert "Renamed" not in Client().get(address).text
    for elsewhere in ({"headers": {"host": "other.example"}}, {"secure": True}):
        assert "Renamed" in Client().get(address, **elsewhere).text
    assert Client().get(address, headers={"host": "evil.example"}).status_code == 400


def test_themes_are_the_devices_and_no_part_of_the_page(scene: Scene) -> None:
    address = scene.competition.get_absolute_url()
    dark = Client()
    dark.cookies["theme"] = "dark"
    assert dark.get(address).content == Client().get(address).content


# What is hidden


def hide_competition(scene: Scene) -> None:
    Competition.objects.update(visibility=Competition.Visibility.MEMBERS)


def hide_name(scene: Scene) -> None:
    Player.objects.filter(pk=scene.players[0].pk).update(public_name=Shown.HIDDEN)
    public_names.choose(actor=scene.users["anna"], public_name=Shown.HIDDEN)


def erase(scene: Scene) -> None:
    owner = factories.member(scene.club, Role.OWNER)
    erasing.erase(actor=owner, player=scene.players[0], at=timezone.now())


CHANGES: list[Callable[[Scene], None]] = [hide_competition, hide_name, erase]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_hidden_is_gone_from_every_kept_page_and_every_304(
    scene: Scene, clock: Clock, change: Callable[[Scene], None]
) -> None:
    address = scene.competition.get_absolute_url()
    before = Client().get(address)
    assert "Berg" in before.text
    change(scene)
    clock.now += kept_pages.LONGEST
    after = Client().get(address, headers={"if-none-match": before["ETag"]})
    assert after.status_code in {200, 404}
    assert "Berg" not in after.text


@pytest.mark.parametrize("change", CHANGES)
def test_control_kept_for_longer_it_would_still_be_there(
    scene: Scene, clock: Clock, monkeypatch: pytest.MonkeyPatch, change: Callable[[Scene], None]
) -> None:
    monkeypatch.setattr(kept_pages, "KEPT", 60.0)
    monkeypatch.setattr(kept_pages, "LONGEST", 60.0)
    address = scene.competition.get_absolute_url()
    before = Client().get(address)
    change(scene)
    clock.now += 2
    assert "Berg" in Client().get(address).text
    assert Client().get(address, headers={"if-none-match": before["ETag"]}).status_code == 304


# The embargo


def shown(event: Event, address: str, **more: Any) -> set[str]:
    """What kinds of needles a visitor finds on the page."""
    return {each.kind for each in Haystack(Client().get(address, **more).content).found(event.needles())}


def test_cards_of_a_sealed_board_come_into_no_kept_page_and_open_in_two_seconds(clock: Clock) -> None:
    event = make_event()
    address = event.played.get_absolute_url()
    players = client_of(event.scene.users["iris"])
    for client in (players, Client()):
        client.get(address)
    assert Haystack(players.get(address).content).found(event.needles()), "who played sees their cards"
    assert shown(event, address) == set()
    sealed = Client().get(address)
    releases.release(actor=event.scene.users["dora"], board_set=event.board_set, reason="The round is over")
    assert shown(event, address) == set(), "the control: it is the kept page that is looked at"
    clock.now += kept_pages.LONGEST
    assert "play" in shown(event, address)
    assert Client().get(address, headers={"if-none-match": sealed["ETag"]}).status_code == 200
