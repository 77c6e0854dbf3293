"""Those who play in load runs act as a page does, so that what is refused there is the server's doing."""

import asyncio
import json
from argparse import Namespace
from typing import Any, cast

import pytest
from websockets.asyncio.client import ClientConnection

from tests.benchmarks.tables_load import Measured, Place, listen

Message = dict[str, Any]


class Line:
    """A line that tells these messages, one as soon as the one before was looked at, and keeps what is sent."""

    def __init__(self, told: list[Message], stop: asyncio.Event) -> None:
        self.told, self.stop, self.sent = iter(told), stop, list[Message]()

    async def recv(self) -> str:
        for _turn in range(5):
            await asyncio.sleep(0)
        message = next(self.told, None)
        if message is None:
            self.stop.set()
            raise TimeoutError
        return json.dumps(message)

    async def send(self, text: str) -> None:
        self.sent.append(json.loads(text))


def view(version: int, number: int, *, legal: bool) -> Message:
    deal = {"number": 1, "next": number, "view": {"legal": ["pass"] if legal else []}}
    shown = {"state": "playing", "you": {"may": []}, "deal": deal}
    return {"type": "view", "version": version, "view": shown}


def played(*told: Message) -> tuple[list[int], Measured]:
    """The numbers of the actions that were sent, and what was noted."""

    async def run() -> tuple[list[int], Measured]:
        stop, measured = asyncio.Event(), Measured()
        line = Line(list(told), stop)
        options = Namespace(think=0)
        await listen(cast("ClientConnection", line), Place(1, "N", ""), options, measured, stop)
        return [each["number"] for each in line.sent], measured

    return asyncio.run(run())


def test_what_is_told_twice_is_acted_on_once() -> None:
    own, again = view(10, 3, legal=True), view(10, 3, legal=True)
    assert played(own, again, view(11, 4, legal=False), view(14, 7, legal=True))[0] == [3, 7]


@pytest.mark.parametrize("code", ["too_many", "other_window"])
def test_what_was_refused_is_tried_again(code: str) -> None:
    refused = {"type": "refused", "error": {"code": code}}
    assert played(view(10, 3, legal=True), refused, view(10, 3, legal=True))[0] == [3, 3]


def test_a_view_that_is_older_than_the_one_before_is_counted() -> None:
    assert played(view(11, 4, legal=False), view(10, 3, legal=False))[1].backwards == 1
