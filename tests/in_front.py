"""Visitors who come through the event loop, as they do in production: Django's test client by way of ASGI."""

import asyncio
from collections.abc import Awaitable, Callable
from http.cookies import SimpleCookie
from typing import Any

from asgiref.sync import async_to_sync
from asgiref.wsgi import WsgiToAsgi
from django.core.asgi import get_asgi_application
from django.core.handlers.wsgi import WSGIRequest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.http import HttpResponse
from django.test import Client

from config.web.bodies import Message, Receive, Scope, Send, limited, together
from config.web.hostile import largest_request
from config.web.kept_in_front import by_asgi, by_wsgi, with_kept_pages

PATIENCE_SECONDS = 60.0


def in_the_tests_thread(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Whose transaction the answer sees; `by_threads` has others."""
    return [together(get_wsgi_application(), environ, start_response)]


class Front:
    """The service as config/wsgi.py wires it, or as config/asgi.py does; `asked` counts what came as far as Django."""

    def __init__(self, *, asgi: bool = False) -> None:
        self.asked = 0
        self.django: Any = get_asgi_application() if asgi else WsgiToAsgi(in_the_tests_thread)
        whole = limited(self._django, limit=largest_request, seconds=PATIENCE_SECONDS)
        self.application = with_kept_pages(whole, by_asgi if asgi else by_wsgi)

    async def _django(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        await self.django(scope, receive, send)

    def run(self, asking: Callable[..., Awaitable[Any]], *asked: Any) -> Any:
        """In the test's own transaction, which must not be closed with a request."""
        for signal in (request_started, request_finished):
            signal.disconnect(close_old_connections)
        try:
            return async_to_sync(asking)(*asked)
        finally:
            for signal in (request_started, request_finished):
                signal.connect(close_old_connections)

    def visit(self, scope: Scope, body: bytes = b"") -> HttpResponse:
        """One request from a test that is not itself a coroutine."""
        answer: HttpResponse = self.run(self.answer, scope, body)
        return answer

    async def answer(self, scope: Scope, body: bytes = b"") -> HttpResponse:
        """One request, and what is sent for it."""
        sent: list[Message] = []
        bodies = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Message:
            for message in bodies:
                return message
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Message) -> None:
            sent.append(message)

        await self.application(scope, receive, send)
        start, *parts = sent
        answer = HttpResponse(b"".join(part.get("body", b"") for part in parts), status=start["status"])
        del answer["Content-Type"]
        for name, value in start["headers"]:
            if name == b"set-cookie":
                answer.cookies = SimpleCookie({**answer.cookies, **SimpleCookie(value.decode())})
            else:
                answer[name.decode().title()] = value.decode("latin-1")
        return answer


def scope_of(environ: dict[str, Any]) -> Scope:
    """The request of a WSGI environment, as an ASGI server tells it."""
    names = [
        name for name in environ if name.startswith("HTTP_") or name in {"CONTENT_TYPE", "CONTENT_LENGTH"}
    ]
    return {
        "type": "http",
        "http_version": "1.1",
        "method": environ["REQUEST_METHOD"],
        "scheme": environ["wsgi.url_scheme"],
        "path": environ["PATH_INFO"].encode("latin-1").decode(errors="replace"),
        "query_string": environ["QUERY_STRING"].encode("latin-1"),
        "root_path": "",
        "headers": [
            (name.removeprefix("HTTP_").replace("_", "-").lower().encode(), environ[name].encode("latin-1"))
            for name in names
            if environ[name]
        ],
        "server": (environ["SERVER_NAME"], int(environ["SERVER_PORT"])),
        "client": (environ["REMOTE_ADDR"], 50000),
    }


class ClientInFront(Client):
    """A test client that comes to the service through the event loop."""

    def __init__(self, front: Front | None = None, **more: Any) -> None:
        super().__init__(**more)
        self.front = front or Front()
        self.handler: Callable[[dict[str, Any]], HttpResponse] = self._handle  # type: ignore[assignment]

    def _handle(self, environ: dict[str, Any]) -> HttpResponse:
        answer = self.front.visit(scope_of(environ), environ["wsgi.input"].read())
        answer.wsgi_request = WSGIRequest(environ)  # type: ignore[attr-defined]
        return answer
