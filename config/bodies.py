"""How much of a request the ASGI server keeps: the rest is thrown away as it arrives."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from config.hostile import BODY_WAS_CUT

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def limited(application: Application, *, limit: int) -> Application:
    """The application, given at most `limit` bytes of a body and told (`BODY_WAS_CUT`) when there were more.

    Django itself would write a body of any length to the disk before a page could refuse it.
    """

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        arrived = 0

        async def receive_limited() -> Message:
            nonlocal arrived
            message = await receive()
            if message["type"] == "http.request":
                arrived += len(message.get("body", b""))
                if arrived > limit:
                    scope[BODY_WAS_CUT] = True
                    message = {**message, "body": b""}
            return message

        await application(scope, receive_limited, send)

    return wrapped
