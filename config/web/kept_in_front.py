"""Kept pages answered by the event loop, before Django is asked (docs/adr/0601-kept-pages.md).

What a page is, whose it is and how long it holds stands in `config.web.kept_pages`; here the request is read as Django
would read it, so that both mean the same page. Django is asked where a page must be drawn, once for all who wait.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from time import perf_counter
from typing import Any

from asgiref.wsgi import WsgiToAsgiInstance
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest

from config.operating.observing import REQUEST_ID, count, id_of
from config.web.bodies import Application, Message, Receive, Scope, Send
from config.web.kept_pages import (
    LONGEST,
    Page,
    address_of,
    answer,
    at_hand,
    found,
    is_due,
    is_fresh,
    is_shown,
    wanted,
)
from league.web import changes

#: Of a request all that decides which page it asks for: nothing else is seen when its key is made.
LINE = ("method", "scheme", "path", "query_string", "root_path", "server", "http_version")
HEADERS = {
    b"accept-language", b"authorization", b"content-length", b"cookie", b"host", b"hx-request", b"if-match",
    b"transfer-encoding", b"x-forwarded-host", b"x-forwarded-port",
}  # fmt: skip
#: What an answer depends on, once the page is known.
ANSWERED = {
    b"accept-encoding": "HTTP_ACCEPT_ENCODING",
    b"if-none-match": "HTTP_IF_NONE_MATCH",
    b"x-request-id": "HTTP_X_REQUEST_ID",
}
#: So many different requests a process knows again, if they are no longer.
MOST_KNOWN, LONGEST_KNOWN = 4096, 1000


def by_asgi(scope: Scope) -> HttpRequest:
    """The request as Django's own handler reads it."""
    return ASGIRequest(scope, BytesIO())


def by_wsgi(scope: Scope) -> HttpRequest:
    """The request as it comes through `WsgiToAsgi`."""
    reading = WsgiToAsgiInstance(None)
    reading.scope = scope
    return WSGIRequest(reading.build_environ(scope, BytesIO()))


class KeptPagesInFront:
    """Answers requests for pages at hand; every other one goes on to the application."""

    def __init__(self, application: Application, reading: Callable[[Scope], HttpRequest]) -> None:
        self.application = application
        self.reading = reading
        secure = settings.SECURE_PROXY_SSL_HEADER or ("",)
        self.seen = HEADERS | {secure[0].removeprefix("HTTP_").replace("_", "-").lower().encode()}
        self.known = lru_cache(maxsize=MOST_KNOWN)(self._key_of)
        # Pages that somebody is checking now, and pages that somebody is having drawn.
        self.asking: dict[str, asyncio.Event] = {}
        self.drawing: dict[str, asyncio.Event] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The page at hand. If it is due, the first renews it; the others wait where they may not see it any more."""
        begun = perf_counter()
        key = self._key(scope)
        if not key:
            await self.application(scope, receive, send)
            return
        page = at_hand().get(key)
        if page is not None and is_due(page) and not is_fresh(page):
            page = await self._as_it_holds(key, page)
        if page is None or is_due(page):
            if key not in self.drawing:
                await self._draw(key, scope, receive, send)
                return
            if page is None or not is_shown(page):
                page = await after(self.drawing[key], key)
        if page is None or not is_shown(page):
            await self.application(scope, receive, send)
        else:
            await say(page, scope, send, begun=begun)

    def _key(self, scope: Scope) -> str:
        """The page's key; empty where none is kept, or the request is for Django to refuse."""
        if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"}:
            return ""
        line = tuple(scope.get(part) for part in LINE)
        headers = tuple(pair for pair in scope["headers"] if pair[0] in self.seen)
        length = len(scope["path"]) + len(scope["query_string"]) + sum(len(value) for _name, value in headers)
        return (self.known if length < LONGEST_KNOWN else self._key_of)(line, headers)

    def _key_of(self, line: tuple[Any, ...], headers: tuple[tuple[bytes, bytes], ...]) -> str:
        scope = {**dict(zip(LINE, line, strict=True)), "headers": headers}
        try:
            request = self.reading(scope)
            asked = wanted(request)
        except (SuspiciousOperation, ValueError):
            return ""
        # While a body is on its way others would wait for it; by HTTP/2 it comes unannounced.
        has_body = "HTTP_TRANSFER_ENCODING" in request.META or request.META.get("CONTENT_LENGTH", "0") != "0"
        return "" if asked is None or has_body or scope["http_version"].startswith("2") else asked.key

    async def _as_it_holds(self, key: str, page: Page) -> Page | None:
        """The page once it was asked for; the former while another visitor asks, as long as it may be shown."""
        if key in self.asking:
            return page if is_shown(page) else await after(self.asking[key], key)
        done = self.asking[key] = asyncio.Event()
        try:
            return await asyncio.to_thread(found, key)
        finally:
            del self.asking[key]
            done.set()

    async def _draw(self, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Have Django answer this visitor; what it draws is at hand afterwards."""
        done = self.drawing[key] = asyncio.Event()

        def end() -> None:
            done.set()
            if self.drawing.get(key) is done:
                del self.drawing[key]

        async def drawn(message: Message) -> None:
            # How fast this visitor reads is nobody else's concern.
            end()
            await send(message)

        try:
            await self.application(scope, receive, drawn)
        finally:
            end()


async def after(done: asyncio.Event, key: str) -> Page | None:
    """What is at hand once the other visitor has done, who may be slow."""
    with suppress(TimeoutError):
        await asyncio.wait_for(done.wait(), LONGEST)
    return at_hand().get(key)


async def say(page: Page, scope: Scope, send: Send, *, begun: float) -> None:
    """Answer with the page, counted and named as any answer."""
    asked = {ANSWERED[name]: value.decode("latin-1") for name, value in scope["headers"] if name in ANSWERED}
    status, said, body = answer(page, asked)
    said[REQUEST_ID] = id_of(asked.get("HTTP_X_REQUEST_ID", ""))
    headers = [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in said.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
    count(address_of(scope["path"]), status, begun=begun)


def with_kept_pages(application: Application, reading: Callable[[Scope], HttpRequest]) -> Application:
    """The application with kept pages in front of it, where pages are kept; `reading` is how it reads a request."""
    if not settings.KEEP_PAGES:
        return application
    # Reads all sources: before anybody waits for it.
    changes.edition()
    return KeptPagesInFront(application, reading)
