"""The look at the versions: in time, however few are connected, and nobody keeps the others waiting."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError

from games.tables.socket import heartbeat as watching
from games.tables.socket.heartbeat import Beat, Watch

NOW = Beat(version=3, is_logged_in=True, mark=None)
WITHIN = 1.5


class Connection:
    """A connection that counts its beats."""

    table_id = 7
    session_key = session_hash = ""
    user_id: int | None = None
    guest_id: int | None = None

    def __init__(self) -> None:
        self.beats = 0

    async def beat(self, _now: Beat) -> None:
        self.beats += 1


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was slept, without sleeping; every connection is told the same."""
    found: list[float] = []
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        found.append(seconds)
        await sleep(0)

    async def at_once(_work: Any, watched: Iterable[Any]) -> dict[Any, Beat]:
        return dict.fromkeys(watched, NOW)

    monkeypatch.setattr(watching.asyncio, "sleep", noted)
    monkeypatch.setattr(watching, "in_thread", at_once)
    return found


def look(connections: Iterable[Any]) -> Watch:
    """One look at these connections."""
    watch = Watch()
    watch._watched = set(connections)
    asyncio.run(watch.look(within=WITHIN))
    return watch


@pytest.mark.parametrize("many", [1, 2, 19, 20, 21, 55, 800])
def test_a_look_takes_its_time_and_no_more_however_many_are_connected(slept: list[float], many: int) -> None:
    connections = [Connection() for _each in range(many)]
    look(connections)

    assert sum(slept) == pytest.approx(WITHIN)
    assert {each.beats for each in connections} == {1}


@pytest.mark.usefixtures("slept")
def test_not_all_is_read_at_once_and_each_table_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first are told before the last are read."""
    connections = [Connection() for _each in range(1200)]
    for place, each in enumerate(connections):
        each.table_id = place % 300
    read: list[list[int]] = []
    told: list[int] = []

    async def noted(_work: Any, watched: Iterable[Any]) -> dict[Any, Beat]:
        read.append([each.table_id for each in watched])
        told.append(sum(each.beats for each in connections))
        return dict.fromkeys(watched, NOW)

    monkeypatch.setattr(watching, "in_thread", noted)
    look(connections)

    assert [len(part) for part in read] == [500, 500, 200]
    assert told == [0, 500, 1000]
    assert [sorted(part) for part in read] == read
    assert {each.beats for each in connections} == {1}


class Deaf(Connection):
    """A connection whose client does not read: what is sent to it is never taken in, until it listens again."""

    def __init__(self) -> None:
        super().__init__()
        self.listens = asyncio.Event()
        self.begun = 0

    async def beat(self, now: Beat) -> None:
        self.begun += 1
        await self.listens.wait()
        await super().beat(now)


@pytest.mark.usefixtures("slept")
def test_who_does_not_read_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "PATIENCE_SECONDS", 0.01)

    async def looks() -> tuple[list[int], int, int]:
        watch, deaf, others = Watch(), Deaf(), [Connection() for _each in range(30)]
        watch._watched = {deaf, *others}
        for _each in range(3):
            async with asyncio.timeout(5):
                await watch.look(within=WITHIN)
        begun = deaf.begun
        deaf.listens.set()
        await asyncio.gather(*watch._telling)
        await watch.look(within=WITHIN)
        await watch.look(within=WITHIN)
        return [each.beats for each in others], begun, deaf.beats

    beats, begun, heard = asyncio.run(looks())
    assert set(beats) == {5}
    assert begun == 1, "it is not told again and again what it does not take in"
    assert heard == 3, "whoever listens again is told again"


@pytest.mark.parametrize("fault", [OperationalError, InterfaceError])
def test_a_database_that_is_away_does_not_end_the_watch(
    monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    async def away(_work: Any, _watched: Iterable[Any]) -> dict[Any, Beat]:
        raise fault

    monkeypatch.setattr(watching, "in_thread", away)
    connection = Connection()
    look([connection])

    assert connection.beats == 0


@pytest.mark.usefixtures("slept")
def test_a_connection_that_fails_keeps_nobody_waiting() -> None:
    class Broken(Connection):
        async def beat(self, _now: Beat) -> None:
            raise RuntimeError

    others = [Connection() for _each in range(3)]
    watch = look([Broken(), *others])

    assert [each.beats for each in others] == [1, 1, 1]
    assert not watch._telling
