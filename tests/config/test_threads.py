"""Who reads a page doesn't wait for who writes and waits for another."""

import asyncio
import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.wsgi import WsgiToAsgi

from config.web.bodies import Application, Message
from config.web.threads import LARGEST_IN_MEMORY, TOO_MANY_HEADERS, WRITERS, by_threads

SCOPE = {
    "type": "http", "http_version": "1.1", "path": "/", "query_string": b"", "headers": [], "server": ("a", 80),
}  # fmt: skip
KEY = b"idempotency-key"
#: Long enough for an answer that waits for nobody.
PATIENCE_SECONDS = 5.0


class Site:
    """Each write waits until it is let go; a page comes at once."""

    def __init__(self) -> None:
        self.is_free = threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "POST":
            self.is_free.wait()
        start_response("200 OK", [])
        return [environ["REQUEST_METHOD"].encode()]


async def ask(application: Application, method: str, said: bytes = b"", **changed: Any) -> bytes:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": said, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await application({**SCOPE, **changed, "method": method}, receive, send)
    return b"".join(each.get("body", b"") for each in sent)


@async_to_sync
async def answered_meanwhile(wired: Callable[[Site], Application]) -> tuple[bool, list[bytes]]:
    """Whether a page is there while a write waits; and what the writes get in the end."""
    site = Site()
    application = wired(site)
    writes = [asyncio.create_task(ask(application, "POST")) for _ in range(2)]
    await asyncio.sleep(0.05)
    page = asyncio.create_task(ask(application, "GET"))
    done, _waiting = await asyncio.wait([page], timeout=PATIENCE_SECONDS if wired is by_threads else 0.5)
    site.is_free.set()
    return bool(done), await asyncio.gather(*writes, page)


def test_a_page_does_not_wait_for_writes() -> None:
    assert answered_meanwhile(by_threads) == (True, [b"POST", b"POST", b"GET"])


def test_in_one_thread_it_does() -> None:
    assert answered_meanwhile(WsgiToAsgi) == (False, [b"POST", b"POST", b"GET"])


def test_too_many_headers_of_one_name_are_refused_in_plain_words() -> None:
    assert async_to_sync(ask)(by_threads(Site()), "GET", headers=[(b"x-a", b"1")] * 101) == TOO_MANY_HEADERS


class Counting:
    """Writes wait until they are let go; each gets another number."""

    def __init__(self) -> None:
        self.is_free, self.numbers = threading.Event(), itertools.count(1)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        number = next(self.numbers)
        self.is_free.wait()
        start_response("201 Created", [])
        return [str(number).encode()]


FIRST: dict[str, Any] = {
    "method": "POST",
    "client": ("10.0.0.1", 1),
    "headers": [(KEY, b"enter-1"), (b"cookie", b"a")],
}


@async_to_sync
async def answers_to(*changed: dict[str, Any], said: bytes = b"") -> list[bytes]:
    """Of the first and of others at the same time, each with something changed; and one more when they are answered."""
    site = Counting()
    application = by_threads(site)
    sent = [
        asyncio.create_task(ask(application, **{**FIRST, "said": said, **each})) for each in ({}, *changed)
    ]
    await asyncio.sleep(0.05)
    site.is_free.set()
    return [*await asyncio.gather(*sent), await ask(application, **FIRST, said=said)]


def test_what_is_sent_again_before_it_is_answered_gets_that_answer() -> None:
    with_id = {"headers": [*FIRST["headers"], (b"x-request-id", b"2")]}
    by_another_line = {"client": ("10.0.0.1", 2)}
    many: list[dict[str, Any]] = [{}] * WRITERS  # would take every thread
    assert answers_to(with_id, by_another_line, *many) == [b"1"] * (3 + WRITERS) + [b"2"]


@pytest.mark.parametrize(
    "changed",
    [
        {"headers": [(KEY, b"enter-2"), (b"cookie", b"a")]},
        {"headers": [(KEY, b"enter-1"), (b"cookie", b"b")]},
        {"headers": [*FIRST["headers"], (b"authorization", b"Bearer b")]},
        {"headers": [*FIRST["headers"], (b"accept-language", b"de")]},
        {"method": "PUT"},
        {"path": "/other/"},
        {"query_string": b"a=b"},
        {"client": ("10.0.0.2", 1)},
        {"said": b"other"},
    ],
)
def test_only_the_very_same_request_gets_it(changed) -> None:
    assert sorted(answers_to(changed)) == [b"1", b"2", b"3"]


def test_without_a_key_or_with_a_long_body_each_is_asked_for_itself() -> None:
    keyless: dict[str, Any] = {"headers": []}
    assert sorted(answers_to(keyless, keyless)) == [b"1", b"2", b"3", b"4"]
    assert sorted(answers_to({}, said=b"a" * (LARGEST_IN_MEMORY + 1))) == [b"1", b"2", b"3"]
