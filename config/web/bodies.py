"""How much of a request the ASGI server keeps, and how long it waits for it: nobody's body holds up another page."""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from config.web.hostile import BODY_WAS_CUT

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

TOO_SLOW = b"The rest of your request did not arrive in time. Please try again.\n"


class BodyMissingError(Exception):
    """The rest of a body will not come: its sender was too slow, or has gone."""


def limited(application: Application, *, limit: Callable[[str], int], seconds: float) -> Application:
    """The application, given at most so many bytes of a body as `limit` allows its path, and told (`BODY_WAS_CUT`)
    when there were more.

    Django itself would write a body of any length to the disk before a page could refuse it. A body that has not
    arrived after `seconds` is answered with 408. Headers with an underscore are dropped: in a WSGI environment
    `X_Forwarded_For` would be the proxy's `X-Forwarded-For`.
    """

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        if "headers" in scope:
            scope["headers"] = [pair for pair in scope["headers"] if b"_" not in pair[0]]
        body = Body(scope, receive, limit=limit(scope.get("path", "")), ends=time.monotonic() + seconds)

        try:
            await application(scope, body.receive, send)
        except BodyMissingError:
            await refuse_slow(send)

    return wrapped


class Body:
    """One request's body on its way in."""

    def __init__(self, scope: Scope, receive: Receive, *, limit: int, ends: float) -> None:
        self.scope = scope
        self.receive_more = receive
        self.limit = limit
        self.ends = ends
        self.arrived = 0
        self.is_whole = False

    async def receive(self) -> Message:
        """The server's next message; raises BodyMissingError for a body that does not come."""
        if self.is_whole:
            return await self.receive_more()
        try:
            message = await asyncio.wait_for(self.receive_more(), max(0.0, self.ends - time.monotonic()))
        except TimeoutError:
            raise BodyMissingError from None
        if message["type"] != "http.request":
            raise BodyMissingError
        self.is_whole = not message.get("more_body", False)
        self.arrived += len(message.get("body", b""))
        if self.arrived > self.limit:
            self.scope[BODY_WAS_CUT] = True
            message = {**message, "body": b""}
        return message


async def refuse_slow(send: Send) -> None:
    """A 408, after which the connection is of no more use."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 408, "headers": headers})
    await send({"type": "http.response.body", "body": TOO_SLOW})


def together(application: Callable[..., Any], environ: dict[str, Any], start: Callable[..., Any]) -> bytes:
    """The WSGI application's answer in one piece, and closed where it can be, as WSGI asks."""
    answer = application(environ, start)
    try:
        return b"".join(answer)
    finally:
        if hasattr(answer, "close"):
            answer.close()
