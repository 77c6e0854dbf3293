"""The server keeps no more of a body than any page takes."""

import asyncio
from typing import Any

from config.web.bodies import (
    Application,
    Message,
    Receive,
    Scope,
    Send,
    limited,
    together,
)
from config.web.hostile import BODY_WAS_CUT

# Longer than any of these tests takes.
SECONDS = 60.0


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

    asyncio.run(call(limited(application, limit=lambda _path: limit, seconds=SECONDS), scope, server))
    return b"".join(kept), scope


def test_a_body_within_the_limit_arrives_whole() -> None:
    assert receive_through([b"ab", b"cd"], limit=4) == (b"abcd", {"type": "http"})


def test_a_longer_body_is_cut_and_the_page_is_told() -> None:
    body, scope = receive_through([b"ab", b"cd", b"e" * 1000, b"f"], limit=4)

    assert body == b"abcd"
    assert scope[BODY_WAS_CUT] is True


def ask(server: Receive, *, seconds: float) -> tuple[list[Any], Scope]:
    """What is sent for a request whose body comes as `server` gives it, by an application that reads all of it."""
    sent: list[Any] = []
    scope: Scope = {"type": "http", "headers": [(b"x-real", b"1"), (b"x_real", b"2")]}

    async def application(_scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200})

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(_asked(limited(application, limit=lambda _path: 100, seconds=seconds), scope, server, send))
    return sent, scope


async def _asked(application: Application, scope: Scope, receive: Receive, send: Send) -> None:
    await application(scope, receive, send)


async def never() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


async def gone() -> Message:
    return {"type": "http.disconnect"}


async def at_once() -> Message:
    return {"type": "http.request", "body": b"x"}


def test_a_body_that_does_not_come_is_given_up() -> None:
    assert ask(never, seconds=0)[0][0]["status"] == 408


def test_a_sender_who_has_gone_is_no_fault_of_ours() -> None:
    assert ask(gone, seconds=SECONDS)[0][0]["status"] == 408


def test_a_body_that_is_here_is_answered_however_long_the_page_takes() -> None:
    assert ask(at_once, seconds=SECONDS)[0] == [{"type": "http.response.start", "status": 200}]


def test_a_header_with_an_underscore_cannot_pass_for_another() -> None:
    assert ask(at_once, seconds=SECONDS)[1]["headers"] == [(b"x-real", b"1")]


def test_an_answer_is_given_in_one_piece_and_closed() -> None:
    closed: list[bool] = []

    class Answer(list[bytes]):
        def close(self) -> None:
            closed.append(True)

    assert together(lambda *_: Answer([b"a", b"b"]), {}, print) == b"ab"
    assert closed == [True]
