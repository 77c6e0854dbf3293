"""In which thread a request is answered: pages one after the other in one, which is fastest; writes in a few others.

A write waits for the rows that another write has locked; somebody who reads meanwhile waits for nobody. A write that is
sent again before it is answered gets that answer and takes no thread: phones that hear nothing send again.
"""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from tempfile import SpooledTemporaryFile
from time import perf_counter
from typing import IO, Any

from asgiref.wsgi import WsgiToAsgiInstance

from config.operating.observing import count
from config.web.bodies import Application, Message, Receive, Scope, Send, together
from config.web.kept_pages import address_of

Wsgi = Callable[..., Iterable[bytes]]
Answer = tuple[Message, bytes]
#: Each has a connection to the database of its own.
WRITERS = 4
READING = {"GET", "HEAD", "OPTIONS"}
#: Longer bodies, such as photos, are kept on the disk, and not compared with others.
LARGEST_IN_MEMORY = 65_536
#: What a repetition has of its own.
ITS_OWN = {b"x-request-id"}
TOO_MANY_HEADERS = b"Too many headers of one name.\n"


class InOnePiece(WsgiToAsgiInstance):
    """A request that a thread answers whole.

    asgiref's own has the thread ask the event loop to send each part of an answer: to and fro three times, while other
    threads want their turn as well.
    """

    def answered(self, scope: Scope, body: IO[bytes]) -> Answer:
        """The start of the answer, and all of its body."""
        self.scope = scope
        try:
            environ = self.build_environ(scope, body)
        except ValueError:
            headers = [(b"content-type", b"text/plain; charset=utf-8")]
            return {"type": "http.response.start", "status": 400, "headers": headers}, TOO_MANY_HEADERS
        whole = together(self.wsgi_application, environ, self.start_response)
        return self.response_start, whole


def by_threads(application: Wsgi) -> Application:
    """The WSGI application as one for an event loop."""
    reader, writers = ThreadPoolExecutor(1, "reader"), ThreadPoolExecutor(WRITERS, "writer")
    running: dict[object, asyncio.Future[Answer]] = {}

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        begun, is_whole = perf_counter(), False
        with SpooledTemporaryFile(max_size=LARGEST_IN_MEMORY) as body:
            while not is_whole:
                message = await receive()
                body.write(message.get("body", b""))
                is_whole = not message.get("more_body", False)
            name = _name(scope, body)
            body.seek(0)
            if is_repeated := name in running:
                answer = running[name]
            else:
                threads = reader if scope["method"] in READING else writers
                answering = partial(InOnePiece(application).answered, scope, body)
                running[name] = answer = asyncio.get_running_loop().run_in_executor(
                    threads, partial(copy_context().run, answering)
                )
                answer.add_done_callback(lambda _done: running.pop(name))
            start, whole = await asyncio.shield(answer)
        if is_repeated:
            count(address_of(scope["path"]), start["status"], begun=begun)
        await send(start)
        await send({"type": "http.response.body", "body": whole})

    return wrapped


def _name(scope: Scope, body: IO[bytes]) -> object:
    """The same for the very same request; of one without an idempotency key there is no other."""
    if (
        not any(name == b"idempotency-key" for name, _value in scope["headers"])
        or body.tell() > LARGEST_IN_MEMORY
    ):
        return object()
    body.seek(0)
    headers = tuple(sorted(pair for pair in scope["headers"] if pair[0] not in ITS_OWN))
    # Its address without the port, which every connection has another of.
    sender: Any = (scope.get("client") or ("",))[0]
    return scope["method"], scope["path"], scope["query_string"], sender, headers, body.read()
