"""Telling the sockets that a table has changed: its key and its version, and nothing else.

A lost message costs a few seconds: every connection compares versions now and then anyway.
"""

import asyncio
import os
import threading
from functools import partial
from typing import Any

import structlog
from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

EVENT = "table.version"
# Nobody waits longer for a channel layer that says nothing.
PATIENCE_SECONDS = 2.0


def group_of(table_id: int) -> str:
    """Names the connections of a table in the channel layer."""
    return f"table.{table_id}"


class Loops:
    """The event loop that bells are rung on: the server's own, or in a process without one, a thread's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: asyncio.AbstractEventLoop | None = None
        self._own: asyncio.AbstractEventLoop | None = None
        self._process = 0

    def use_server(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on bells are rung on the loop that serves the sockets."""
        self._server = loop

    def loop(self) -> asyncio.AbstractEventLoop:
        """A loop that runs."""
        server = self._server
        if server is not None and server.is_running():
            return server
        with self._lock:
            # After a fork the parent's thread is not there any more.
            if self._own is None or self._process != os.getpid():
                self._own, self._process = asyncio.new_event_loop(), os.getpid()
                threading.Thread(target=self._own.run_forever, name="notify", daemon=True).start()
            return self._own


loops = Loops()


def after_commit(table_id: int, version: int) -> None:
    """Rings when the transaction is committed."""
    transaction.on_commit(partial(ring, table_id, version))


def ring(table_id: int, version: int) -> None:
    """Says that the table is at this version; waits for nobody, and never fails."""
    layer = get_channel_layer()
    if layer is None:
        return
    message = {"type": EVENT, "table": table_id, "version": version}
    # From any thread: the in-memory layer belongs to its loop, and a new loop for each message is slow.
    asyncio.run_coroutine_threadsafe(_send(layer, table_id, message), loops.loop())


async def _send(layer: Any, table_id: int, message: dict[str, Any]) -> None:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await layer.group_send(group_of(table_id), message)
    except (RedisError, ChannelFull, OSError, RuntimeError) as failure:
        # The next look at the versions heals it.
        log.warning("bell_not_rung", table=table_id, failure=type(failure).__name__)
