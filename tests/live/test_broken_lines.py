"""Lines that break at every moment: nothing of a connection that is gone stays behind in the process."""

import asyncio
import json
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import structlog
import uvicorn
from channels.layers import get_channel_layer

from config.asgi import application
from games.tables.notify import group_of
from games.tables.socket import consumers, threads
from games.tables.socket.heartbeat import watch
from tests.live.tables import match_table
from tests.live.windows import OWN, Window, cookie_of, run

pytestmark = pytest.mark.usefixtures("lines")
#: More messages than a window is sent in these tests.
MOST_MESSAGES = 8
PATIENCE_SECONDS = 20.0


@pytest.fixture(autouse=True)
def _alone(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks by himself, and nothing is left of earlier tests."""
    settings.LIVE_BEAT_SECONDS = 3600.0
    monkeypatch.setattr(watch, "_watched", set())


def kept(table: int) -> tuple[int, int]:
    """How many connections this process still tells: the watch, and the table's bell."""
    layer: Any = get_channel_layer()
    groups = layer.groups if hasattr(layer, "groups") else layer._get_layer().groups
    return len(watch), sum(len(found) for name, found in groups.items() if group_of(table) in name)


class Line:
    """A line as a server sees it. After so many messages to the window it is broken: to send is an error."""

    def __init__(self, table: int, cookie: str, *, breaks_after: int) -> None:
        headers = {"host": "testserver", "origin": OWN, "cookie": cookie}
        self.scope = {
            "type": "websocket",
            "path": f"/tables/{table}/socket/",
            "query_string": b"window=w",
            "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
            "subprotocols": [],
        }
        self.breaks_after, self.sent = breaks_after, 0
        self.coming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.told = asyncio.Event()

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if self.sent >= self.breaks_after:
            raise ConnectionResetError
        self.sent += 1
        if '"view"' in message.get("text", ""):
            self.told.set()

    def says(self, **message: Any) -> None:
        self.coming.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def live(self) -> None:
        """Until the server's side ends it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await application(self.scope, self.coming.get, self.send)


@pytest.mark.parametrize("breaks_after", range(MOST_MESSAGES))
def test_a_line_that_breaks_while_it_is_told_something_is_forgotten(breaks_after: int) -> None:
    laid = match_table()
    cookie = cookie_of(laid.at("N"))

    async def life() -> int:
        line = Line(laid.table.pk, cookie, breaks_after=breaks_after)
        line.coming.put_nowait({"type": "websocket.connect"})
        for number in range(3):
            line.says(type="look", key=f"k{number}")
        line.says(type="step", step="nothing", key="s")
        line.coming.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await line.live()
        return line.sent

    assert run(life()) <= breaks_after
    assert kept(laid.table.pk) == (0, 0)


@pytest.mark.parametrize("ends_at", range(3))
def test_a_server_that_ends_a_connection_at_any_moment_leaves_nothing(
    ends_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = match_table()
    cookie, asked = cookie_of(laid.at("N")), Counter[str]()
    in_threads = threads._in

    async def cut_off(*work: Any) -> Any:
        asked["times"] += 1
        if asked["times"] > ends_at:
            raise asyncio.CancelledError
        return await in_threads(*work)

    async def life() -> None:
        line = Line(laid.table.pk, cookie, breaks_after=MOST_MESSAGES)
        line.coming.put_nowait({"type": "websocket.connect"})
        line.says(type="look", key="k")
        with suppress(asyncio.CancelledError):
            await line.live()

    monkeypatch.setattr(threads, "_in", cut_off)
    run(life())
    assert asked["times"] == ends_at + 1
    assert kept(laid.table.pk) == (0, 0)


def test_a_line_that_is_found_broken_is_told_once_and_never_again() -> None:
    laid = match_table()
    cookie = cookie_of(laid.at("N"))

    async def looks() -> tuple[tuple[int, int], list[Any]]:
        line = Line(laid.table.pk, cookie, breaks_after=MOST_MESSAGES)
        line.coming.put_nowait({"type": "websocket.connect"})
        life = asyncio.create_task(line.live())
        await asyncio.wait_for(line.told.wait(), PATIENCE_SECONDS)
        assert kept(laid.table.pk) == (1, 1)
        line.breaks_after = 0
        with structlog.testing.capture_logs() as logs:
            for _each in range(3):
                await watch.look()
        found = kept(laid.table.pk)
        # A server says that it is over some time later, or never.
        line.coming.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await life
        return found, logs

    found, logs = run(looks())
    assert found == (0, 0)
    assert logs == []


def test_what_a_window_that_does_not_read_was_being_told_ends_with_it() -> None:
    laid = match_table()
    cookie = cookie_of(laid.at("N"))

    async def leaves() -> int:
        line = Line(laid.table.pk, cookie, breaks_after=MOST_MESSAGES)
        line.coming.put_nowait({"type": "websocket.connect"})
        life = asyncio.create_task(line.live())
        await asyncio.wait_for(line.told.wait(), PATIENCE_SECONDS)
        never, begun = asyncio.Event(), asyncio.Event()

        async def full(_message: Any) -> None:
            begun.set()
            await never.wait()

        next(iter(watch._watched)).base_send = full  # type: ignore[attr-defined]
        look = asyncio.create_task(watch.look())
        await asyncio.wait_for(begun.wait(), PATIENCE_SECONDS)
        line.coming.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await life
        await look
        await asyncio.sleep(0)
        return len(watch._telling)

    assert run(leaves()) == 0
    assert kept(laid.table.pk) == (0, 0)


# The same with the server of production, and lines of the operating system.


@contextmanager
def server() -> Iterator[tuple[uvicorn.Server, int]]:
    """uvicorn at a port of its own, as production runs it for sockets."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        found = uvicorn.Server(uvicorn.Config(application, lifespan="off", log_config=None))
        thread = threading.Thread(target=found.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        wait_for(lambda: found.started)
        try:
            yield found, listening.getsockname()[1]
        finally:
            found.should_exit = True
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive()


def wait_for(is_so: Any) -> None:
    """Waits until it is so; a minute that never comes fails the test."""
    begun = time.monotonic()
    while not is_so():
        assert time.monotonic() - begun < PATIENCE_SECONDS
        time.sleep(0.01)


def break_off(port: int, table: int, cookie: str, moment: int) -> None:
    """A line that is reset: within the handshake, just after it is asked for, once it is granted, in its first view."""
    asked = (
        f"GET /tables/{table}/socket/?window=w{moment} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Origin: http://127.0.0.1:{port}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
    line.sendall(asked[:60] if moment == 0 else asked)
    if moment >= 2:
        assert line.recv(12) == b"HTTP/1.1 101"
    if moment >= 3:
        told = b""
        while b'"view"' not in told:
            more = line.recv(4096)
            assert more, "the server ended the line"
            told += more
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def test_sixty_lines_that_break_off_are_all_forgotten_by_a_real_server(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "testserver"]
    monkeypatch.setattr(consumers, "MOST_WINDOWS", 10)
    laid = match_table()
    cookie = cookie_of(laid.at("N"))

    with server() as (running, port):
        state = running.server_state

        def forgets_all() -> None:
            wait_for(lambda: not state.connections and not state.tasks)
            wait_for(lambda: kept(laid.table.pk) == (0, 0))

        for number in range(60):
            break_off(port, laid.table.pk, cookie, number % 4)
            if number % 8 == 7:
                # No more at a time than a person may have: else some are refused for good reason.
                forgets_all()
        forgets_all()

    async def comes_later() -> None:
        window = Window(laid.table.pk, cookie)
        assert await window.open()
        await window.view()
        await window.leave()

    run(comes_later())
    assert kept(laid.table.pk) == (0, 0)
