"""Who reads a page doesn't wait for who writes and waits for another."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from typing import Any

from asgiref.sync import async_to_sync
from asgiref.wsgi import WsgiToAsgi

from config.web.bodies import Application, Message
from config.web.threads import by_threads

SCOPE = {
    "type": "http", "http_version": "1.1", "path": "/", "query_string": b"", "headers": [], "server": ("a", 80),
}  # fmt: skip
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


async def ask(application: Application, method: str) -> bytes:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await application({**SCOPE, "method": method}, receive, send)
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
