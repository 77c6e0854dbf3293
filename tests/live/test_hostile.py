"""Whatever is sent through a socket or to a table's address, nothing breaks."""

import json
from typing import Any

import pytest

from games.tables.queries.items import items
from games.tables.services import requests
from tests.live.tables import START, match_table
from tests.live.windows import Window, cookie_of, run

pytestmark = pytest.mark.usefixtures("lines")
ODD: tuple[Any, ...] = (
    None,
    [],
    5,
    "x",
    {"type": 5},
    {"type": "act"},
    {"type": "act", "deal": True, "number": 0, "token": "As"},
    {"type": "act", "deal": 1, "number": 0, "token": "\x00", "key": "\x00"},
    {"type": "act", "deal": 1, "number": 0, "token": "As", "key": "k" * 65},
    {"type": "act", "deal": 1, "number": 2**70, "token": {"a": []}},
    {"type": "step"},
    {"type": "step", "step": "roll_back", "to": 3, "reason": "\ud800"},
    {"type": "step", "step": "__class__"},
    {"type": "step", "step": "answer", "request": 10**9, "agrees": {}},
    {"type": "step", "step": "sit", "seat": ["N"]},
    {"type": "step", "step": "robot", "seat": "X", "robot": "Z"},
)


def test_odd_messages_are_passed_over_or_refused() -> None:
    laid = match_table()
    window = Window(laid.table.pk, cookie_of(laid.at("N")), name="%00%ff<>")

    async def send() -> None:
        assert await window.open()
        await window.view()
        for message in ODD:
            await window.socket.send_input({"type": "websocket.receive", "text": json.dumps(message)})
        await window.socket.send_input({"type": "websocket.receive", "text": "{"})
        await window.socket.send_input({"type": "websocket.receive", "text": "[" * 5000})
        await window.send(type="look", key="last")
        while (await window.heard("done"))["key"] != "last":
            pass
        await window.leave()

    run(send())


def test_there_is_no_socket_elsewhere() -> None:
    laid = match_table()
    nowhere, gone = Window(laid.table.pk), Window(10**9)
    nowhere.socket.scope["path"] = "/tables/socket/"

    async def knock() -> tuple[bool, int | None]:
        found = await nowhere.open()
        assert await gone.open()
        return found, await gone.closed()

    assert run(knock()) == (False, 4004)


def test_a_call_for_a_director_stands_on_the_desk() -> None:
    laid = match_table()
    requests.call_director(actor=laid.at("N"), table_id=laid.table.pk, text="A card was shown.")
    dora = laid.scene.users["dora"]
    found = list(items(club=laid.scene.club, user=dora, at=START))

    assert [(each.group, each.url) for each in found] == [("decide", f"/tables/{laid.table.pk}/")]
    assert "A card was shown." in found[0].why_now
    assert list(items(club=laid.scene.club, user=laid.at("N"), at=START)) == []
