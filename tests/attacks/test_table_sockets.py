"""Hostile windows at a table: floods over many sockets, stale news, messages after the end, strange cookies."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from games.tables.services import opening
from games.tables.socket import consumers, rates
from games.tables.socket.heartbeat import watch
from games.tables.socket.threads import let_go
from games.tables.state import facts as reading
from tests.live.tables import match_table
from tests.live.windows import Window, cookie_of, run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _afresh(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nobody looks by himself, nobody has sent anything; the threads' connections are closed at the end."""
    settings.LIVE_BEAT_SECONDS = 3600.0
    # Nor does time help: however slow the machine, thirty messages are the most.
    monkeypatch.setattr(rates, "PER_SECOND", 0.0)
    reading.memory.forget()
    rates.forget()
    # What earlier tests have left open is nobody's here.
    monkeypatch.setattr(watch, "_watched", set())
    yield
    let_go()


async def told_until_closed(window: Window) -> list[dict[str, Any]]:
    """All that comes until the server closes."""
    await window.closed()
    return [json.loads(frame) for frame in window.frames]


def test_many_sockets_of_one_person_may_not_send_more_than_one() -> None:
    laid = match_table()
    cookie = cookie_of(laid.scene.users["iris"])
    windows = [Window(laid.table.pk, cookie, name=f"w{number}") for number in range(4)]

    async def flood() -> list[int | None]:
        for window in windows:
            assert await window.open()
        for window in windows[:3]:
            for _each in range(10):
                await window.send(type="step", step="ready", key="k")
                await window.heard("refused")
        await windows[3].send(type="look", key="too much")
        return [await windows[3].closed()]

    assert run(flood()) == [4008]


def test_nobody_opens_windows_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "MOST_WINDOWS", 2)
    laid = match_table()
    cookie = cookie_of(laid.scene.users["iris"])
    windows = [Window(laid.table.pk, cookie, name=f"w{number}") for number in range(4)]
    other = Window(laid.table.pk, cookie_of(laid.at("N")))

    async def knock() -> int | None:
        for window in windows[:2]:
            assert await window.open()
            await window.view()
        assert await windows[2].open()
        code = await windows[2].closed()
        assert await other.open()
        await other.view()
        await windows[0].leave()
        assert await windows[3].open()
        await windows[3].view()
        for window in (other, windows[1], windows[3]):
            await window.leave()
        return code

    assert run(knock()) == 4008


def test_what_is_sent_after_the_end_is_not_answered() -> None:
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")))

    async def flood() -> list[dict[str, Any]]:
        assert await window.open()
        for _each in range(60):
            await window.send(type="nothing")
        found = await told_until_closed(window)
        assert await window.socket.receive_nothing(timeout=0.1), (
            "a server refuses whoever speaks after the end"
        )
        return found

    assert [each["type"] for each in run(flood())].count("closed") == 1


def test_a_key_is_given_back_no_longer_than_keys_are() -> None:
    """Else a small frame makes a large answer: six bytes for two."""
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")))

    async def ask() -> int:
        assert await window.open()
        await window.send(type="step", step="phrase", key="Ж" * 900)
        refused = await window.heard("refused")
        await window.leave()
        return len(refused["key"])

    assert run(ask()) <= 64


def test_news_that_comes_late_takes_no_seat_away() -> None:
    scene = match_table(begun=False).scene
    iris = scene.users["iris"]
    table = opening.open_casual(actor=scene.users["dora"], club=scene.club, terms={}, options={})
    window = Window(table.pk, cookie_of(iris), name="late")
    before = reading.current(table.pk)

    async def sit_and_hear_old_news() -> bool:
        assert await window.open()
        await window.view()
        await window.send(type="step", step="sit", seat="N", key="s")
        await window.view(lambda view: view["you"]["seat"] == "N")
        await window.heard("done")
        while not await window.socket.receive_nothing(timeout=0.05):
            await window.heard("view")
        (connection,) = [each for each in watch._watched if each.caller.window == "late"]  # type: ignore[attr-defined]
        await connection.show(before)  # type: ignore[attr-defined]
        is_quiet = await window.socket.receive_nothing(timeout=0.05)
        await window.leave()
        return is_quiet

    assert run(sit_and_hear_old_news())


STRANGE = ('foo[bar]={"x":1}; %s', "%s; \x7f=1; a", 'state={"a": [1, 2]}; %s', "=; ; x; %s")


@pytest.mark.parametrize("cookies", STRANGE)
def test_a_cookie_of_another_program_makes_nobody_a_stranger(cookies: str) -> None:
    laid = match_table()
    window = Window(laid.table.pk, cookies % cookie_of(laid.at("N")))

    async def look() -> Any:
        assert await window.open()
        view = await window.view()
        await window.leave()
        return view["you"]["seat"]

    assert run(look()) == "N"


@pytest.mark.parametrize(
    "key", [r'"\000\000\000\000\000\000\000\000"', "é" * 32, "x" * 3000, '"' + r"\377" * 9 + '"']
)
def test_a_session_that_cannot_be_is_nobodys(key: str) -> None:
    laid = match_table()
    window = Window(laid.table.pk, f"sessionid={key}")

    async def look() -> Any:
        assert await window.open()
        view = await window.view()
        await window.leave()
        return view["you"]["seat"]

    assert run(look()) is None
