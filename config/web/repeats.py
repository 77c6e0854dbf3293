"""A request that is sent again while it is being answered gets that answer, too: phones that hear nothing send again.

It takes no thread and no connection meanwhile, which it would only have to wait.
"""

import asyncio
import hashlib

from config.web.bodies import Application, Message, Receive, Scope, Send

Answer = list[Message] | None
#: What a repetition has of its own.
ITS_OWN = {b"x-request-id"}
#: Bodies of more bytes, such as photos, are not kept for it.
LONGEST = 100_000
SERVER_ERROR = 500


def answered_once(application: Application) -> Application:
    """The application, asked once for all who send the same at the same time, with one key and the same credentials.

    Each process sees to its own; across processes the database does (`league.idempotency`). Where the first gets an
    error of the server, or goes away, the others are answered for themselves.
    """
    running: dict[bytes, asyncio.Future[Answer]] = {}

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_repeatable(scope):
            await application(scope, receive, send)
            return
        # A server may give even a short body in two pieces, the second of them empty.
        pieces = [await receive()]
        while pieces[-1].get("more_body"):
            pieces.append(await receive())
        name = _name(scope, b"".join(each.get("body", b"") for each in pieces))
        if name in running:
            answer = await asyncio.shield(running[name])
            for message in answer or ():
                await send(message)
            if answer:
                return
        first = running[name] = asyncio.get_running_loop().create_future()
        sent: list[Message] = []

        async def send_on(message: Message) -> None:
            sent.append(message)
            await send(message)

        try:
            await application(scope, _from(pieces, receive), send_on)
        finally:
            if running.get(name) is first:
                del running[name]
            # One that broke off after its headers is no answer.
            is_whole = len(sent) > 1 and not sent[-1].get("more_body") and sent[0]["status"] < SERVER_ERROR
            first.set_result(sent if is_whole else None)

    return wrapped


def _is_repeatable(scope: Scope) -> bool:
    """Whether it has a key, and a body of a known length that is short."""
    headers = dict(scope.get("headers", ()))
    length = headers.get(b"content-length", b"")
    return b"idempotency-key" in headers and length.isdigit() and int(length) <= LONGEST


def _name(scope: Scope, body: bytes) -> bytes:
    """The same for the same request: to one address, with the same headers and body."""
    headers = sorted(pair for pair in scope["headers"] if pair[0] not in ITS_OWN)
    asked = (
        scope["method"],
        scope["path"],
        scope["query_string"],
        # Its address without the port, which every connection has another of.
        (scope.get("client") or ("",))[0],
        headers,
        body,
    )
    return hashlib.sha256(repr(asked).encode()).digest()


def _from(read: list[Message], receive: Receive) -> Receive:
    """The messages again, from the first that was read."""
    left = iter(read)

    async def again() -> Message:
        return next(left, None) or await receive()

    return again
