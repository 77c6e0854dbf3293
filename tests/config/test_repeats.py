"""A request that comes again while it is being answered gets that answer, and only that of the very same request."""

import asyncio
from typing import Any

import pytest

from config.web.bodies import Application, Message, Receive, Scope, Send
from config.web.repeats import LONGEST, answered_once

pytestmark = pytest.mark.anyio
HEADERS = {
    b"idempotency-key": b"k", b"authorization": b"Bearer a", b"content-length": b"2", b"x-request-id": b"1",
}  # fmt: skip
OTHERS = [
    {"headers": {b"idempotency-key": b"l"}},
    {"headers": {b"authorization": b"Bearer b"}},
    {"headers": {b"cookie": b"sessionid=c"}},
    {"headers": {b"accept-language": b"de"}},
    {"path": "/other/"},
    {"query": b"a=b"},
    {"method": "PUT"},
    {"body": b"{ "},
    {"client": ("10.0.0.9", 1)},
]


class Site:
    """Counts what it is asked, and answers when it is let go."""

    def __init__(self, status: int = 201, breaks_off: tuple[int, ...] = ()) -> None:
        self.asked = 0
        self.status = status
        self.breaks_off = breaks_off
        self.is_free = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        number = self.asked
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message["body"], message["more_body"]
        await self.is_free.wait()
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        if number in self.breaks_off:
            raise ConnectionError
        await send({"type": "http.response.body", "body": b"%d %s" % (number, body)})


async def ask(
    application: Application,
    *,
    headers: dict[bytes, bytes] | None = None,
    body: bytes = b"{}",
    client: tuple[str, int] = ("10.0.0.1", 1),
    **line: Any,
) -> tuple[int, bytes]:
    sent: list[Message] = []
    scope = {
        "type": "http", "method": line.get("method", "POST"), "path": line.get("path", "/"), "client": client,
        "query_string": line.get("query", b""), "headers": list({**HEADERS, **(headers or {})}.items()),
    }  # fmt: skip

    # As granian gives a body: its end comes as a piece of its own.
    pieces = iter([(body[:1], True), (body[1:], True), (b"", False)])

    async def receive() -> Message:
        piece, more = next(pieces)
        return {"type": "http.request", "body": piece, "more_body": more}

    async def send(message: Message) -> None:
        sent.append(message)

    await application(scope, receive, send)
    return sent[0]["status"], sent[1]["body"]


async def at_once(site: Site, *asked: dict[str, Any]) -> list[Any]:
    application = answered_once(site)
    tasks = [asyncio.create_task(ask(application, **each)) for each in asked]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    site.is_free.set()
    return list(await asyncio.gather(*tasks))


async def test_what_is_sent_three_times_is_asked_once() -> None:
    site = Site()
    repeated = [
        {"headers": {b"x-request-id": b"%d" % number}, "client": ("10.0.0.1", 1000 + number)}
        for number in range(3)
    ]
    assert await at_once(site, *repeated) == [(201, b"1 {}")] * 3
    assert site.asked == 1
    # It is over then: what comes later is asked for, and finds what was stored.
    assert await at_once(site, {}) == [(201, b"2 {}")]


@pytest.mark.parametrize("other", OTHERS)
async def test_another_request_gets_its_own_answer(other: dict[str, Any]) -> None:
    site = Site()
    answers = await at_once(site, {}, other)
    assert site.asked == 2
    assert answers[0] != answers[1]


async def test_a_long_one_is_asked_each_time() -> None:
    site = Site()
    headers = {b"content-length": b"%d" % (LONGEST + 1)}
    await at_once(site, {"headers": headers}, {"headers": headers})
    assert site.asked == 2


async def test_an_error_of_the_server_is_nobody_elses() -> None:
    site = Site(503)
    await at_once(site, {}, {}, {})
    assert site.asked == 3


async def test_who_goes_away_leaves_the_others_to_be_answered() -> None:
    site = Site()
    application = answered_once(site)
    first, second = (asyncio.create_task(ask(application)) for _ in range(2))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    first.cancel()
    site.is_free.set()
    assert await second == (201, b"2 {}")


async def test_half_an_answer_is_not_passed_on() -> None:
    site = Site(breaks_off=(1,))
    application = answered_once(site)
    first, second = (asyncio.create_task(ask(application)) for _ in range(2))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    site.is_free.set()
    with pytest.raises(ConnectionError):
        await first
    assert await second == (201, b"2 {}")
