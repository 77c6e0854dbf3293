"""Browser windows at a table, as far as the server can tell: sockets with a session's cookie."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.test import Client

from config.asgi import application
from league.models import User

OWN = "http://testserver"


def cookie_of(user: User) -> str:
    """The cookie of a new session of this person."""
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


#: After so many beats without it, what is waited for does not come.
MOST_BEATS = 20


class Window:
    """One window; what it is told is kept in `frames`, byte for byte."""

    def __init__(
        self, table: int, cookie: str = "", *, name: str = "w", origin: str = OWN, **headers: str
    ) -> None:
        sent = {"host": "testserver", "origin": origin, "cookie": cookie, **headers}
        scope = {
            "type": "websocket",
            "path": f"/tables/{table}/socket/",
            "query_string": f"window={name}".encode(),
            "headers": [(key.encode(), value.encode()) for key, value in sent.items() if value],
            "subprotocols": [],
        }
        self.socket = ApplicationCommunicator(application, scope)
        self.frames: list[str] = []

    async def open(self) -> bool:
        """Whether it was let in."""
        await self.socket.send_input({"type": "websocket.connect"})
        answer = await self.socket.receive_output(timeout=10)
        return bool(answer["type"] == "websocket.accept")

    async def heard(self, kind: str) -> dict[str, Any]:
        """The next message of that kind; what comes before it is passed over, but for a silence of many beats."""
        beats = 0
        while True:
            assert beats < MOST_BEATS, f"no {kind} came: {self.frames[-MOST_BEATS - 2 :]}"
            output = await self.socket.receive_output(timeout=10)
            assert output["type"] == "websocket.send", output
            text = output["text"]
            self.frames.append(text)
            message: dict[str, Any] = json.loads(text)
            if message["type"] == kind:
                return message
            beats += message["type"] == "beat"

    async def view(self, fits: Callable[[dict[str, Any]], bool] = lambda _view: True) -> dict[str, Any]:
        """The next view that fits."""
        while True:
            view: dict[str, Any] = (await self.heard("view"))["view"]
            if fits(view):
                return view

    async def send(self, **message: Any) -> None:
        await self.socket.send_input({"type": "websocket.receive", "text": json.dumps(message)})

    async def closed(self) -> int | None:
        """The code with which the server closes."""
        while True:
            message = await self.socket.receive_output(timeout=10)
            if message["type"] == "websocket.close":
                code: int | None = message.get("code")
                return code
            self.frames.append(message["text"])

    async def leave(self) -> None:
        await self.socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.socket.wait(timeout=10)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Runs the windows' side of a test on a loop of its own."""
    return asyncio.run(work)
