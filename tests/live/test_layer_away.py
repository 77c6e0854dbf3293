"""Redis stopped and emptied, and back again: play goes on, and everybody is current soon."""

import asyncio
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from channels.layers import channel_layers, get_channel_layer

from games.tables.socket.heartbeat import watch
from games.tables.socket.threads import in_thread
from tests.live.tables import Laid, match_table, next_move
from tests.live.windows import Window, cookie_of, run
from tests.servers import ask_redis, free_port, redis_binary

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("lines")]
START_SECONDS = 20.0


@contextmanager
def redis_at(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """An empty Redis at that port; killed at the end, if not before."""
    options = ["--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"]
    process = subprocess.Popen([redis_binary(), *options], stdout=subprocess.DEVNULL, cwd="/tmp")
    try:
        begun = time.monotonic()
        while not ask_redis(f"redis://127.0.0.1:{port}/0"):
            assert time.monotonic() - begun < START_SECONDS
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def port(settings: Any) -> Iterator[int]:
    """The port of a Redis that the channel layer uses, whether it is there or not."""
    found = free_port()
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "games.tables.socket.layers.GroupsOnlyLayer",
            "CONFIG": {"hosts": [f"redis://127.0.0.1:{found}/0"], "prefix": "test"},
        }
    }
    channel_layers.backends.clear()
    yield found
    channel_layers.backends.clear()


async def act(laid: Laid, found: dict[str, Window], number: int) -> None:
    """Whoever is on turn acts, and is told that it is done."""
    facts = await in_thread(laid.facts)
    assert facts.deal is not None
    turn = facts.deal.fold.turn or ""
    await found[turn].send(type="act", key=f"k{number}", deal=1, number=number, token=next_move(facts))
    assert (await found[turn].heard("done"))["key"] == f"k{number}"


async def all_see(found: dict[str, Window], next_number: int) -> None:
    async with asyncio.timeout(10):
        for window in found.values():
            last = [text for text in window.frames if f'"next":{next_number},' in text]
            if not last:
                await window.view(lambda view: view["deal"]["next"] == next_number)


async def let_go() -> None:
    layer = get_channel_layer()
    assert layer is not None
    await layer.flush()


def test_play_goes_on_while_redis_is_away_and_heals_when_it_returns(port: int) -> None:
    laid = match_table()
    found = {seat: Window(laid.table.pk, cookie_of(laid.at(seat)), name=seat) for seat in "NESW"}

    async def play() -> None:
        with redis_at(port) as server:
            for window in found.values():
                assert await window.open()
                await window.view()
            await act(laid, found, 0)
            await all_see(found, 1)
            server.kill()
            server.wait()
            for number in (1, 2):
                await act(laid, found, number)
            await watch.look()
            await all_see(found, 3)
        with redis_at(port):
            await act(laid, found, 3)
            await watch.look()
            await all_see(found, 4)
        for window in found.values():
            await window.leave()
        await let_go()

    run(play())


def test_a_table_opens_while_redis_is_away(port: int) -> None:
    laid = match_table()
    found = {seat: Window(laid.table.pk, cookie_of(laid.at(seat)), name=seat) for seat in "NESW"}

    async def play() -> None:
        for window in found.values():
            assert await window.open()
            await window.view()
        await act(laid, found, 0)
        await watch.look()
        await all_see(found, 1)
        with redis_at(port):
            await watch.look()
            await act(laid, found, 1)
            # The bell alone: nobody looks any more.
            await all_see(found, 2)
            for window in found.values():
                await window.leave()
            await let_go()

    run(play())


def test_windows_of_one_process_hear_each_other_without_redis(port: int, settings: Any) -> None:
    """Nobody looks: only the bell can tell them."""
    settings.LIVE_BEAT_SECONDS = 3600.0
    laid = match_table()
    found = {seat: Window(laid.table.pk, cookie_of(laid.at(seat)), name=seat) for seat in "NESW"}

    async def play() -> None:
        with redis_at(port):
            for window in found.values():
                assert await window.open()
                await window.view()
        await act(laid, found, 0)
        await all_see(found, 1)
        for window in found.values():
            await window.leave()
        await let_go()

    run(play())


def test_a_bell_of_another_process_is_heard_and_ones_own_only_once(port: int) -> None:
    """The other process is a loop of its own, as in it the layer is another."""
    layer: Any = get_channel_layer()

    async def heard() -> list[tuple[str, int]]:
        with redis_at(port):
            name = await layer.new_channel()
            await layer.group_add("table.1", name)
            await layer.group_send("table.1", {"type": "table.version", "version": 1})
            await asyncio.to_thread(run, from_elsewhere())
            told = [await asyncio.wait_for(layer.receive(name), 10) for _each in range(2)]
            await layer.group_discard("table.1", name)
            await let_go()
            assert layer._get_layer().channels == {}
        return [(each["type"], each["version"]) for each in told]

    async def from_elsewhere() -> None:
        await layer.group_send("table.1", {"type": "table.version", "version": 2})
        await let_go()

    assert run(heard()) == [("table.version", 1), ("table.version", 2)]
