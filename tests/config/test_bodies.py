"""The server keeps no more of a body than any page takes."""

import asyncio
from typing import Any

from config.bodies import Application, Message, Receive, Scope, Send, limited
from config.hostile import BODY_WAS_CUT


async def nowhere(message: Message) -> None:
    """Nobody listens."""


async def call(application: Application, scope: Scope, receive: Receive) -> None:
    """One request, of whose answer nothing is wanted."""
    await application(scope, receive, nowhere)


def receive_through(chunks: list[bytes], *, limit: int) -> tuple[bytes, Scope]:
    """What the application behind the limit is given for these chunks."""
    kept: list[bytes] = []
    scope: Scope = {"type": "http"}
    waiting = iter(chunks)

    async def server() -> Message:
        return {"type": "http.request", "body": next(waiting), "more_body": True}

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        for _ in chunks:
            message: Any = await receive()
            kept.append(message["body"])

    asyncio.run(call(limited(application, limit=limit), scope, server))
    return b"".join(kept), scope


def test_a_body_within_the_limit_arrives_whole() -> None:
    assert receive_through([b"ab", b"cd"], limit=4) == (b"abcd", {"type": "http"})


def test_a_longer_body_is_cut_and_the_page_is_told() -> None:
    body, scope = receive_through([b"ab", b"cd", b"e" * 1000, b"f"], limit=4)

    assert body == b"abcd"
    assert scope[BODY_WAS_CUT] is True
