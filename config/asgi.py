"""The ASGI entry point: pages with a limit on what a request may weigh, and the server's start and stop."""

import asyncio
import gc
import sys
from collections.abc import Callable
from importlib import import_module

from django.conf import settings
from django.core.asgi import get_asgi_application

from config.background import Background
from config.celery import app as celery_app
from config.web.bodies import (
    Application,
    Receive,
    Scope,
    Send,
    limited,
)
from config.web.hostile import largest_request
from engine.thinking import think_apart


def with_background(application: Application) -> Application:
    """The application, with the background worker running from the server's start to its stop."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await live(receive, send, Background(celery_app))
        else:
            await application(scope, receive, send)

    return wrapped


async def live(receive: Receive, send: Send, background: Background) -> None:
    """Start and stop the background as the server's lifespan messages say, and warm the robots up later."""
    await receive()
    think_apart()
    warm_up_later()
    background.start()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await asyncio.to_thread(background.stop)
    await send({"type": "lifespan.shutdown.complete"})


def with_sockets(application: Application, sockets: Application) -> Application:
    """The application for pages, the other for sockets."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            with SOCKETS.track_inprogress():
                await sockets(scope, receive, send)
        else:
            await application(scope, receive, send)

    return wrapped


# To look through all that lives holds everybody up for as long as a hundred actions take, and finds next to nothing:
# it is done after ten thousand new objects instead of 700, and what is there from the start is not looked at (below).
gc.set_threshold(10_000)
# A thread that computes gives way after a millisecond, and not five: who plays waits for it at each statement.
sys.setswitchinterval(0.001)
pages: Application = get_asgi_application()  # type: ignore[assignment]
# By name, since it needs the models, which exist only now.
SOCKETS = import_module("config.operating.observing").SOCKETS
tables: Application = import_module("games.tables.socket.consumers").application
warm_up_later: Callable[[], None] = import_module("games.tables.services.practice").warm_up_later
kept_in_front = import_module("config.web.kept_in_front")
whole_requests = kept_in_front.with_kept_pages(
    limited(pages, limit=largest_request, seconds=settings.REQUEST_BODY_SECONDS),
    kept_in_front.by_asgi,
)
application = with_sockets(whole_requests, tables)
embedded = with_background(application)
gc.freeze()
