"""The look at the versions: in time, however few are connected."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from games.live import watch as watching
from games.live.watch import Beat, Watch

NOW = Beat(version=3, is_logged_in=True, mark=None)
WITHIN = 1.5


class Connection:
    """A connection that counts its beats."""

    table_id, session_key, user_id, session_hash = 7, "", None, ""

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
