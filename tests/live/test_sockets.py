"""Sockets: who is let in, what they are told, and when they end."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import LazySettings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import Client

from config.web.sessions import SessionStore
from games.tables import notify
from games.tables.services import seats
from games.tables.socket import consumers, threads, visitors
from games.tables.socket.heartbeat import watch
from games.tables.socket.threads import in_thread
from league.models import Membership, User
from tests.live.tables import START, Laid, match_table, moves, next_move
from tests.live.windows import Window, cookie_of, run

pytestmark = pytest.mark.usefixtures("lines")


def windows(laid: Laid) -> dict[str, Window]:
    """A window for each of the four."""
    return {seat: Window(laid.table.pk, cookie_of(laid.at(seat)), name=f"w{seat}") for seat in "NESW"}


async def all_open(found: dict[str, Window]) -> None:
    for window in found.values():
        assert await window.open()
        await window.view()


def test_an_action_is_acknowledged_and_seen_by_the_other_three() -> None:
    laid = match_table()
    found, turn = windows(laid), laid.turn()
    token = next_move(laid.facts())

    async def play() -> None:
        await all_open(found)
        await found[turn].send(type="act", key="a1", deal=1, number=0, token=token)
        assert (await found[turn].heard("done"))["key"] == "a1"
        for seat, window in found.items():
            if seat != turn:
                view = await window.view(lambda view: view["deal"]["next"] == 1)
                assert view["deal"]["last"] == {"number": 0, "seat": turn, "token": token}
                assert view["you"]["seat"] == seat
        for window in found.values():
            await window.leave()

    run(play())


@pytest.fixture
def one_line(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadPoolExecutor]:
    """A thread for those who play and those who come."""
    with ThreadPoolExecutor(1) as shared:
        monkeypatch.setattr(threads, "_playing", shared)
        monkeypatch.setattr(threads, "_coming", shared)
        yield shared
        shared.submit(connections.close_all).result()
        monkeypatch.undo()


class Crowd:
    """Thirty windows that come together, as after a restart; the first is held at the door."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.laid = match_table()
        self.seated = Window(self.laid.table.pk, cookie_of(self.laid.at("N")))
        self.coming = [Window(self.laid.table.pk, name=f"n{number}") for number in range(30)]
        self.turns: list[int] = []
        self.is_held, self.may_go_on = threading.Event(), threading.Event()
        self.monkeypatch = monkeypatch

    def held(self, handshakes: Sequence[visitors.Handshake]) -> list[visitors.Caller]:
        """As `callers_of`, a little later."""
        self.turns.append(len(handshakes))
        self.is_held.set()
        self.may_go_on.wait(timeout=10)
        return visitors.callers_of(handshakes)

    async def arrive(self) -> "asyncio.Task[Any]":
        """All are there, and who plays asks for something."""
        assert await self.seated.open()
        await self.seated.view()
        self.monkeypatch.setattr(consumers, "door", threads.Together(self.held))
        for window in self.coming:
            assert await window.open()
        assert await asyncio.to_thread(self.is_held.wait, 10)
        await self.seated.send(type="look", key="k")
        return asyncio.create_task(self.seated.heard("done"))

    async def go_in(self) -> None:
        self.may_go_on.set()
        for window in self.coming:
            await window.view()
        for window in (self.seated, *self.coming):
            await window.leave()


def test_who_plays_does_not_wait_for_all_who_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = Crowd(monkeypatch)

    async def play() -> None:
        await (await crowd.arrive())
        assert crowd.turns == [1]
        await crowd.go_in()
        assert crowd.turns == [1, threads.MOST_TOGETHER, 29 - threads.MOST_TOGETHER]

    run(play())


def test_control_in_one_line_who_plays_waits(
    monkeypatch: pytest.MonkeyPatch, one_line: ThreadPoolExecutor
) -> None:
    crowd = Crowd(monkeypatch)

    async def play() -> None:
        answer = await crowd.arrive()
        while one_line._work_queue.empty():
            await asyncio.sleep(0)
        assert not answer.done()
        await crowd.go_in()
        assert answer.done()

    run(play())


def test_a_window_that_goes_away_at_the_door_takes_nobody_along() -> None:
    laid = match_table()
    first, second = windows(laid)["N"], windows(laid)["E"]

    async def play() -> None:
        assert await first.open()
        assert await second.open()
        await first.leave()
        assert (await second.view())["you"]["seat"] == "E"
        await second.leave()

    run(play())


def test_no_window_waits_for_a_thread_that_all_of_them_share() -> None:
    """What channels does before each message is done in the thread that is held here."""
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")))
    is_over = threading.Event()

    async def play() -> None:
        assert await window.open()
        await window.view()
        held = asyncio.create_task(sync_to_async(is_over.wait)())
        await asyncio.sleep(0)
        try:
            await window.send(type="look", key="k")
            assert (await window.heard("done"))["key"] == "k"
        finally:
            is_over.set()
            await held
        await window.leave()

    run(play())


def test_a_refused_action_says_why_and_shows_the_table() -> None:
    laid = match_table()
    found, turn = windows(laid), laid.turn()
    other = "NESW"["NESW".index(turn) - 1]

    async def play() -> None:
        await all_open(found)
        for seat, number, token, code in (
            (turn, 0, "-", "leader-must-play"),
            (turn, 5, "-", "stale"),
            (turn, 0, "nonsense", "action-unknown"),
            (other, 0, "-", "not_your_turn"),
        ):
            await found[seat].send(type="act", key="k", deal=1, number=number, token=token)
            refused = await found[seat].heard("refused")
            assert (refused["error"]["code"], refused["key"]) == (code, "k")
            assert (await found[seat].view())["deal"]["next"] == 0
        for window in found.values():
            await window.leave()

    run(play())


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "https://testserver",
        "http://testserver:8001",
        "http://evil.example",
        "http://testserver.evil.example",
    ],
)
def test_a_page_of_another_origin_is_not_let_in(origin: str) -> None:
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")), origin=origin)

    assert run(window.open()) is False


def test_the_port_belongs_to_the_origin(settings: Any) -> None:
    laid = match_table()
    same = Window(laid.table.pk, origin="http://testserver:8001", host="testserver:8001")
    elsewhere = Window(laid.table.pk, origin="http://testserver", host="testserver:8001")
    settings.CSRF_TRUSTED_ORIGINS = ["https://league.example"]
    trusted = Window(laid.table.pk, origin="https://league.example")

    async def knock() -> list[bool]:
        found = [await each.open() for each in (same, elsewhere, trusted)]
        for window in (same, trusted):
            await window.leave()
        return found

    assert run(knock()) == [True, False, True]


def test_a_second_window_takes_over_and_the_first_is_told() -> None:
    laid = match_table()
    cookie, turn = cookie_of(laid.at(laid.turn())), laid.turn()
    first, second = (Window(laid.table.pk, cookie, name=name) for name in ("one", "two"))

    async def open_both() -> tuple[int | None, dict[str, Any]]:
        assert await first.open()
        await first.view()
        assert await second.open()
        view = await second.view()
        code = await first.closed()
        await second.leave()
        return code, view

    code, view = run(open_both())
    assert code == 4001
    assert json.loads(first.frames[-1]) == {"type": "closed", "reason": "taken_over"}
    assert view["you"]["seat"] == turn
    assert view["you"]["has_window"] is True


def test_a_frame_of_more_than_8_kib_ends_the_connection() -> None:
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")))

    async def send() -> int | None:
        assert await window.open()
        await window.send(type="look", key="x" * 8200)
        return await window.closed()

    assert run(send()) == 1009


def test_who_sends_too_much_is_shown_the_door() -> None:
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")))

    async def send() -> int | None:
        assert await window.open()
        for _each in range(60):
            await window.send(type="nothing")
        return await window.closed()

    assert run(send()) == 4008


def test_the_connection_ends_with_the_session() -> None:
    laid = match_table()
    client = Client()
    client.force_login(laid.at("N"))
    window = Window(laid.table.pk, f"sessionid={client.cookies['sessionid'].value}")

    async def log_out() -> int | None:
        assert await window.open()
        await window.view()
        await watch.look()
        assert (await window.heard("beat"))["version"] > 0
        await in_thread(client.logout)
        await watch.look()
        return await window.closed()

    assert run(log_out()) == 4002


def _deactivated(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def _with_another_password(user: User) -> None:
    user.set_password("another one")
    user.save()


def _long_ago(_user: User) -> None:
    Session.objects.update(expire_date=START)


def _by_other_means(_user: User) -> None:
    store = SessionStore(Session.objects.get().session_key)
    store[BACKEND_SESSION_KEY] = "a.backend.of.old"
    store.save()


@pytest.mark.parametrize("change", [_deactivated, _with_another_password, _long_ago, _by_other_means])
def test_a_login_that_holds_no_more_is_nobodys(change: Callable[[User], None]) -> None:
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")))
    change(laid.at("N"))

    async def look() -> str | None:
        assert await window.open()
        seat: str | None = (await window.view())["you"]["seat"]
        await window.leave()
        return seat

    assert run(look()) is None


def test_a_login_outlasts_a_new_secret_of_the_site(settings: LazySettings) -> None:
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")))
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "a new one"

    async def look() -> None:
        assert await window.open()
        assert (await window.view())["you"]["seat"] == "N"
        await watch.look()
        await window.heard("beat")
        await window.leave()

    run(look())
    assert Session.objects.count() == 1


@pytest.mark.parametrize(("delay", "again"), [(0, 0), (60, 2)])
def test_only_who_is_behind_is_told_again_while_nothing_happens(delay: int, again: int) -> None:
    laid = match_table(delay_seconds=delay)
    moves(laid, 2)
    window = Window(laid.table.pk)

    async def watched() -> list[str]:
        assert await window.open()
        await window.view()
        with pytest.MonkeyPatch.context() as patch:
            # Another moment, at which somebody who is behind sees nothing yet.
            patch.setattr("games.tables.socket.consumers.timezone.now", lambda: START)
            await watch.look()
        for _each in range(2):
            await watch.look()
        for _each in range(3):
            await window.heard("beat")
        return [json.loads(text)["type"] for text in window.frames]

    assert run(watched()).count("view") == 1 + again


def test_the_connection_ends_when_the_seat_is_lost() -> None:
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")))

    async def stand_up() -> int | None:
        assert await window.open()
        await window.view()
        await in_thread(seats.stand_up, actor=laid.at("N"), table_id=laid.table.pk)
        return await window.closed()

    assert run(stand_up()) == 4003


def test_a_table_for_members_is_none_for_strangers() -> None:
    laid = match_table(spectators="members")
    stranger = Window(laid.table.pk, cookie_of(laid.scene.users["stranger"]))
    iris = Window(laid.table.pk, cookie_of(laid.scene.users["iris"]))
    assert Membership.objects.filter(user=laid.scene.users["iris"]).exists()

    async def knock() -> tuple[int | None, dict[str, Any]]:
        assert await stranger.open()
        assert await iris.open()
        view = await iris.view()
        await iris.leave()
        return await stranger.closed(), view

    code, view = run(knock())
    assert code == 4004
    assert view["deal"]["view"]["mine"] == []
    assert view["you"]["seat"] is None


def test_a_lost_bell_is_healed_by_the_next_look(settings: Any) -> None:
    # Nobody looks by himself, however long the machine takes.
    settings.LIVE_BEAT_SECONDS = 3600.0
    laid = match_table()
    found, turn = windows(laid), laid.turn()
    token = next_move(laid.facts())
    deaf = "NESW"["NESW".index(turn) - 1]

    async def play() -> None:
        await all_open(found)
        layer = get_channel_layer()
        assert layer is not None
        # The bells of those who opened ring late, and whoever hears one is told the table as it is by then.
        while not await found[deaf].socket.receive_nothing(timeout=0.5):
            await found[deaf].view()
        for group in list(layer.groups):
            layer.groups[group].clear()
        await found[turn].send(type="act", key="a1", deal=1, number=0, token=token)
        await found[turn].heard("done")
        while not await found[deaf].socket.receive_nothing(timeout=0.2):
            assert (await found[deaf].view())["deal"]["next"] == 0
        await watch.look()
        assert (await found[deaf].view())["deal"]["next"] == 1
        for window in found.values():
            await window.leave()

    run(play())


def test_the_channel_layer_carries_a_table_and_a_version_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid = match_table()
    found = windows(laid)
    layer = get_channel_layer()
    assert layer is not None
    heard: list[Any] = []
    send = layer.group_send

    async def spy(group: str, message: dict[str, Any]) -> None:
        heard.append((group, dict(message)))
        await send(group, message)

    monkeypatch.setattr(layer, "group_send", spy)

    async def play() -> None:
        await all_open(found)
        for number in range(12):
            facts = await in_thread(laid.facts)
            assert facts.deal is not None
            turn = facts.deal.fold.turn or ""
            await found[turn].send(
                type="act", key=f"k{number}", deal=1, number=number, token=next_move(facts)
            )
            await found[turn].heard("done")
        await asyncio.sleep(0)
        for window in found.values():
            await window.leave()

    run(play())
    assert len(heard) >= 12
    for group, message in heard:
        assert group == notify.group_of(laid.table.pk)
        assert set(message) == {"type", "table", "version"}
        assert message["type"] == "table.version"
        assert message["table"] == laid.table.pk
        assert type(message["version"]) is int
