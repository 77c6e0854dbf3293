"""In which thread a request is answered: pages one after the other in one, which is fastest; writes in a few others.

A write waits for the rows that another write has locked, and one that is sent again waits for the first. Somebody who
reads meanwhile waits for neither.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import sync_to_async
from asgiref.wsgi import WsgiToAsgiInstance

from config.web.bodies import Application, Receive, Scope, Send

Wsgi = Callable[..., Iterable[bytes]]
#: Each has a connection to the database of its own.
WRITERS = 4
READING = {"GET", "HEAD", "OPTIONS"}


class Writing(WsgiToAsgiInstance):
    """One request that may wait for others, in one of the writers' threads."""

    run_wsgi_app: Any = sync_to_async(
        vars(WsgiToAsgiInstance)["run_wsgi_app"].func,
        thread_sensitive=False,
        executor=ThreadPoolExecutor(WRITERS, "writer"),
    )


def by_threads(application: Wsgi) -> Application:
    """The WSGI application as one for an event loop."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        kind = WsgiToAsgiInstance if scope["method"] in READING else Writing
        await kind(application)(scope, receive, send)

    return wrapped
