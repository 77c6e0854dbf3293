"""Kept pages in the event loop: what is answered there, what is Django's, and that nobody waits for somebody slow."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.cache import caches
from django.http import HttpResponse
from django.test import Client, RequestFactory
from prometheus_client import REGISTRY

from config.web import kept_in_front, kept_pages
from config.web.bodies import Message, Scope
from config.web.kept_in_front import HEADERS, KeptPagesInFront, with_kept_pages
from league.models import Club, Competition
from league.web import changes
from tests.in_front import ClientInFront, Front, scope_of
from tests.leaks.test_kept_pages import Clock, client_of, clock, forget, scene
from tests.scenes import Scene

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

__all__ = ["clock", "scene"]


@pytest.fixture(params=["wsgi", "asgi"])
def front(request: pytest.FixtureRequest, clock: Clock) -> Front:
    """The event loop as in production, and as in one process for all."""
    return Front(asgi=request.param == "asgi")


@pytest.fixture
def visitor(front: Front) -> Client:
    return ClientInFront(front)


@pytest.fixture
def address(scene: Scene) -> str:
    return f"{scene.competition.get_absolute_url()}"


def is_asked(front: Front, client: Client, address: str, method: str = "get", **more: Any) -> bool:
    """Whether the request comes as far as Django."""
    before = front.asked
    getattr(client, method)(address, **more)
    return front.asked > before


ALIKE: list[tuple[str, dict[str, str]]] = [
    ("get", {}),
    ("get", {"accept-encoding": "gzip"}),
    ("get", {"if-none-match": "ETAG"}),
    ("get", {"if-none-match": '"other", ETAG'}),
    ("get", {"if-none-match": "*"}),
    ("get", {"if-none-match": '"other"', "x-request-id": "abcdef-123456"}),
    ("head", {}),
    ("head", {"if-none-match": "ETAG"}),
]


@pytest.mark.parametrize(("method", "headers"), ALIKE)
def test_the_answer_is_djangos(
    front: Front, visitor: Client, address: str, method: str, headers: Mapping[str, str]
) -> None:
    etag = visitor.get(address)["ETag"]
    sent = {name: value.replace("ETAG", etag) for name, value in headers.items()}
    asked = front.asked
    ours = getattr(visitor, method)(address, headers=sent)
    assert front.asked == asked
    theirs = getattr(Client(), method)(address, headers=sent)
    given = [answer.headers.pop("X-Request-ID")[1] for answer in (ours, theirs)]
    assert (given[0] == given[1]) is ("x-request-id" in headers)
    assert re.fullmatch("[0-9a-f]{32}|abcdef-123456", given[0])
    assert {name.title(): value for name, value in ours.items()} == {
        name.title(): value for name, value in theirs.items()
    }
    assert (ours.status_code, ours.content) == (theirs.status_code, theirs.content)


def test_it_is_counted_as_the_page_that_it_is(front: Front, visitor: Client, address: str) -> None:
    def counted(status: str) -> float:
        labels = {"view": "competition", "status": status}
        return REGISTRY.get_sample_value("concertmaster_requests_total", labels) or 0

    visitor.get(address)
    before = counted("200"), counted("304")
    assert not is_asked(front, visitor, address)
    assert not is_asked(front, visitor, address, headers={"if-none-match": "*"})
    assert (counted("200"), counted("304")) == (before[0] + 1, before[1] + 1)


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("post", {}),
        ("get", {"headers": {"hx-request": "true"}}),
        ("get", {"headers": {"authorization": "Token x"}}),
        ("get", {"headers": {"if-match": '"x"'}}),
        ("get", {"headers": {"cookie": "sessionid=x"}}),
        ("get", {"headers": {"cookie": "theme=dark; messages=x"}}),
        ("get", {"headers": {"cookie": "table-guest-7=x"}}),
        ("get", {"headers": {"content-length": "7"}}),
        ("get", {"headers": {"transfer-encoding": "chunked"}}),
        ("get", {"headers": {"host": "evil.example"}}),
        ("get", {"headers": {"host": "localhost"}}),
        ("get", {"headers": {"accept-language": "de"}}),
    ],
)
def test_every_other_request_is_djangos(
    front: Front, visitor: Client, address: str, method: str, more: dict[str, Any]
) -> None:
    visitor.get(address)
    assert is_asked(front, visitor, address, method, **more)
    assert not is_asked(front, visitor, address, headers={"cookie": "theme=dark; csrftoken=x"})


def test_an_unknown_host_is_refused_also_once_it_has_been_asked_for(
    front: Front, visitor: Client, address: str
) -> None:
    for host in ("evil.example", "testserver", "evil.example", "testserver:1\x00", "a" * 3000):
        answer = visitor.get(address, headers={"host": host})
        assert answer.status_code == (200 if host == "testserver" else 400), host


@pytest.mark.parametrize(("name", "is_it"), [("x-forwarded-proto", True), ("x_forwarded_proto", False)])
def test_the_scheme_is_the_proxys_word(
    settings: Any, clock: Clock, address: str, name: str, is_it: bool
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    front = Front()
    scope = scope_of(RequestFactory().get(address).environ)
    secure = {**scope, "headers": [*scope["headers"], (name.encode(), b"https")]}
    front.visit(dict(scope))
    Competition.objects.update(name="Renamed")
    assert ("Renamed" in front.visit(dict(secure)).text) is is_it, "a page of its own"
    assert "Renamed" not in front.visit(dict(scope)).text


ODD: list[dict[str, Any]] = [
    {"query_string": "ä".encode()},
    {"query_string": b"&".join(b"page=1" for _ in range(3000))},
    {"headers": [(b"host", b"testserver"), *[(b"accept-language", b"de")] * 101]},
    {"headers": [(b"host", b"testserver"), (b"accept-language", b"\xff" * 300)]},
    {"headers": [(b"host", b"testserver"), (b"cookie", b"\xff=\x00; =; a")]},
    {"headers": [(b"host", b"\xff")]},
    {"path": "/clubs/\x00/"},
    {"path": "/clubs/\udcff/"},
    {"path": "/clubs/" + "a/" * 5000},
    {"path": ""},
]


@pytest.mark.parametrize("odd", ODD)
def test_what_cannot_be_read_is_for_django_to_refuse(front: Front, odd: dict[str, Any]) -> None:
    key = KeptPagesInFront(front.django, kept_in_front.by_wsgi)._key
    scope = {**scope_of(RequestFactory().get("/clubs/").environ), "headers": [(b"host", b"testserver")]}
    assert key(dict(scope))
    assert isinstance(key({**scope, **odd}), str)


def test_the_key_is_made_of_nothing_else_than_what_the_front_looks_at(address: str) -> None:
    class Noting(dict[str, Any]):
        def __getitem__(self, name: str) -> Any:
            read.add(name)
            return super().__getitem__(name)

        def __contains__(self, name: object) -> bool:
            read.add(str(name))
            return super().__contains__(name)

        def get(self, name: str, other: Any = None) -> Any:
            read.add(name)
            return super().get(name, other)

    read: set[str] = set(kept_pages.OTHER_WAYS)
    request = RequestFactory().get(f"{address}?page=2")
    request.META = Noting(request.META)
    assert kept_pages.wanted(request)
    named = {
        name.removeprefix("HTTP_").lower().replace("_", "-").encode() for name in read if "HTTP_" in name
    }
    assert named
    assert named <= HEADERS


def test_without_kept_pages_there_is_nothing_in_front(settings: Any, front: Front) -> None:
    assert isinstance(with_kept_pages(front.django, kept_in_front.by_wsgi), KeptPagesInFront)
    settings.KEEP_PAGES = False
    assert with_kept_pages(front.django, kept_in_front.by_wsgi) is front.django


# Many at once


def at_once(front: Front, address: str, *, visitors: int) -> list[HttpResponse]:
    """What so many visitors are answered who come together."""

    async def ask() -> list[HttpResponse]:
        scope = scope_of(RequestFactory().get(address).environ)
        return await asyncio.gather(*(front.answer(dict(scope)) for _ in range(visitors)))

    return front.run(ask)


def test_of_many_who_come_together_one_asks_django(front: Front, address: str, clock: Clock) -> None:
    for step in (0.0, kept_pages.LONGEST, 3 * kept_pages.LONGEST):
        clock.now += step
        before = front.asked
        answers = at_once(front, address, visitors=12)
        assert {answer.status_code for answer in answers} == {200}
        assert front.asked == before + 1
    clock.now += kept_pages.KEPT
    assert {answer.status_code for answer in at_once(front, address, visitors=12)} == {200}
    assert front.asked == before + 1, "it holds: nobody need ask"


def test_control_if_nobody_knew_of_the_others_each_would(front: Front, address: str) -> None:
    class Forgetful(dict[str, asyncio.Event]):
        def __contains__(self, key: object) -> bool:
            return False

    front.application.drawing = Forgetful()  # type: ignore[attr-defined]
    at_once(front, address, visitors=12)
    assert front.asked == 12


def test_of_a_page_that_is_not_kept_everybody_asks_django(front: Front) -> None:
    answers = at_once(front, "/clubs/nowhere/", visitors=5)
    assert [answer.status_code for answer in answers] == [404] * 5
    assert not front.application.drawing  # type: ignore[attr-defined]


def test_who_reads_slowly_or_breaks_keeps_nobody_waiting(front: Front, address: str) -> None:
    async def never(_message: Message) -> None:
        await asyncio.Event().wait()

    async def body() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def ask() -> HttpResponse:
        scope: Scope = scope_of(RequestFactory().get(address).environ)
        slow = asyncio.ensure_future(front.application(dict(scope), body, never))
        while not front.asked:
            await asyncio.sleep(0)
        answer = await front.answer(dict(scope))
        slow.cancel()
        return answer

    assert front.run(ask).status_code == 200
    assert not front.application.drawing  # type: ignore[attr-defined]


def test_who_asks_of_a_page_that_another_draws_for_long_asks_django(
    front: Front, visitor: Client, address: str, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(kept_in_front, "LONGEST", 0.01)
    visitor.get(address)
    clock.now += kept_pages.AT_MOST
    [key] = kept_pages.at_hand()
    front.application.drawing[key] = asyncio.Event()  # type: ignore[attr-defined]
    assert is_asked(front, visitor, address)


def test_while_another_process_draws_it_django_is_asked_now_and_then(
    front: Front, visitor: Client, address: str, clock: Clock
) -> None:
    visitor.get(address)
    [key] = kept_pages.at_hand()
    assert caches["pages"].add(f"{key}:drawn", 1)
    clock.now += kept_pages.LONGEST
    asked = []
    for _ in range(4):
        asked += [is_asked(front, visitor, address), is_asked(front, visitor, address)]
        clock.now += kept_pages.ANOTHER_DRAWS
    assert asked == [True, False] * 4
    clock.now += kept_pages.LONGEST
    Club.objects.update(name="Renamed Club")
    changes.Changed(frozenset({"league_club"}))()
    assert "Renamed Club" in visitor.get(address).text, "what holds no longer is shown to nobody"


def test_while_it_is_drawn_slowly_here_others_see_it_as_long_as_it_holds(
    front: Front, visitor: Client, address: str, clock: Clock
) -> None:
    visitor.get(address)
    [key] = kept_pages.at_hand()
    front.application.drawing[key] = asyncio.Event()  # type: ignore[attr-defined]
    for _ in range(4):
        clock.now += kept_pages.AT_MOST / 5
        assert not is_asked(front, visitor, address)
    Club.objects.update(name="Renamed Club")
    changes.Changed(frozenset({"league_club"}))()
    clock.now += kept_pages.KEPT
    assert not is_asked(front, visitor, address), "a second later it may still be seen"
    front.application.drawing[key].set()  # type: ignore[attr-defined]
    clock.now += kept_pages.KEPT
    assert "Renamed Club" in visitor.get(address).text


# Two seconds, and nobody else's page


def test_a_change_is_there_in_two_seconds(front: Front, visitor: Client, address: str, clock: Clock) -> None:
    etag = visitor.get(address)["ETag"]
    Club.objects.update(name="Renamed Club")
    for step in (0.0, kept_pages.KEPT / 2, kept_pages.KEPT / 2 - 0.001):
        clock.now += step
        assert visitor.get(address, headers={"if-none-match": etag}).status_code == 304
    clock.now += kept_pages.KEPT + 0.001
    assert "Renamed Club" in visitor.get(address, headers={"if-none-match": etag}).text


def test_readers_and_visitors_in_turn(front: Front, address: str, scene: Scene) -> None:
    anna, dora = (scene.users[name] for name in ("anna", "dora"))
    for _ in range(2):
        for person in (None, anna, None, dora):
            client = ClientInFront(front)
            if person:
                client.cookies = client_of(person).cookies
            answer = client.get(address)
            assert answer["X-Person"] == str(person.pk if person else 0)
            assert answer.has_header("ETag") is (person is None)


def apart(front: Front, address: str) -> bool:
    """Whether each gets their own language."""
    forget()
    client = ClientInFront(front)
    told = [
        client.get(address, headers={"accept-language": each})["Content-Language"]
        for each in ("de", "en", "de")
    ]
    return told == ["de", "en", "de"]


def test_languages_are_apart(front: Front, address: str) -> None:
    assert apart(front, address)


def test_control_without_the_header_they_would_not_be(
    clock: Clock, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_in_front, "HEADERS", HEADERS - {b"accept-language"})
    assert not apart(Front(), address)
