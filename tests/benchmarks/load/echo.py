"""A bare echo socket: what comes from one client goes to the others of the same path. By ASGI alone, no framework."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
lines: defaultdict[str, set[Send]] = defaultdict(set)


async def application(scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    """One connection."""
    await receive()
    await send({"type": "websocket.accept"})
    others = lines[scope["path"]]
    others.add(send)
    while (message := await receive())["type"] == "websocket.receive":
        for other in list(others):
            if other is not send:
                await other({"type": "websocket.send", "text": message["text"]})
    others.discard(send)
