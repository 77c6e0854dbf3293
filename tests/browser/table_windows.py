"""Windows at a table without a server of sockets: the test's own process answers, at once and in order.

What a window sends is done by the services that the sockets use, and what it is told is built by the one place that
builds it: only the line between is another.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, WebSocketRoute, expect

from games.models import Table
from games.tables import steps
from games.tables.services import play
from games.tables.state import facts as reading
from games.tables.state.reader import standing_of
from games.tables.state.seat_view import view_for
from league.errors import LeagueError
from league.models import User

# Keeps all that readers of the screen are told, though the page lets go of it; and no version until one is drawn.
LISTEN = """() => {
  document.getElementById('table').dataset.version = '';
  window.heard = [];
  const keep = (changes) => changes.forEach((each) => each.addedNodes.forEach((one) => heard.push(one.textContent)));
  new MutationObserver(keep).observe(document.querySelector('[data-log]'), {childList: true});
}"""


@dataclass
class Window:
    """Somebody's window at a table."""

    page: Page
    table: int
    user: User | None = None
    is_down: bool = False
    pace: str = "off"
    told: tuple[int, int] | None = None
    sockets: list[WebSocketRoute] = field(default_factory=list)

    def open(self) -> "Window":
        """The page of the table, and an ear for what it tells."""
        self.page.add_init_script(f"localStorage.setItem('table:pace', '{self.pace}')")
        self.page.route_web_socket(lambda address: "/tables/" in address, self._answer)
        self.page.goto(f"/tables/{self.table}/")
        self.page.locator("#table").wait_for()
        self.page.evaluate(LISTEN)
        # The line may have opened before; until it has, what the page shows will be drawn once more.
        if self.sockets:
            self._tell_table()
        expect(self.page.locator("#table")).not_to_have_attribute("data-version", "")
        return self

    def beat(self) -> None:
        """The line is alive: a page that has heard nothing for ten seconds begins again."""
        self._tell(type="beat", version=0)

    def heard(self) -> list[str]:
        """What was told since the last time, a line each."""
        lines: list[str] = self.page.evaluate("heard.splice(0)")
        return lines

    def tell(self) -> None:
        """Somebody else has done something: the page is told, and shows it when it is time."""
        self._tell_table()

    def show(self) -> None:
        """The same, and it is shown: the table as it is now."""
        version = self._tell_table()
        expect(self.page.locator("#table")).to_have_attribute("data-version", str(version))

    def _tell_table(self) -> int:
        """The table as it is now; gives its version."""
        facts = reading.current(self.table)
        standing = standing_of(self.user, Table.objects.with_match().get(pk=self.table))  # type: ignore[arg-type]
        view = view_for(facts=facts, reader=standing.reader(facts, "w"), at=timezone.now(), since=self.told)
        self.told = (facts.deal.number, facts.deal.fold.next_number) if facts.deal else None
        self._tell(type="view", version=facts.version, view=view)
        return facts.version

    def _tell(self, **message: Any) -> None:
        self.sockets[-1].send(json.dumps(message))

    def _answer(self, socket: WebSocketRoute) -> None:
        if self.is_down:
            socket.close()
            return
        self.sockets.append(socket)
        socket.on_message(lambda text: self._hear(json.loads(text)))
        self._tell_table()

    def _hear(self, message: Mapping[str, Any]) -> None:
        try:
            self._do(message)
        except LeagueError as error:
            refused = {"code": error.code, "message": error.message}
            self._tell(type="refused", key=message["key"], error=refused, version=0)
        else:
            self._tell(type="done", key=message["key"], version=0)
        self._tell_table()

    def _do(self, message: Mapping[str, Any]) -> None:
        assert self.user is not None
        if message["type"] == "act":
            play.act(actor=self.user, table_id=self.table, sent=steps.sent_of({**message, "window": ""}))
        elif message["type"] == "step":
            steps.STEPS[message["step"]](self.user, self.table, message)
        play.play_robots(table_id=self.table)
