"""The sockets of the tables: each connection is told that there is a new version, and builds its own seat's view of it.

docs/tables.md has the messages.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Hashable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any

import structlog
from channels.consumer import get_handler_name
from channels.exceptions import ChannelFull
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.urls import re_path
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from games.records.parsing import read_content
from games.tables import notify, steps
from games.tables.guest_keys import columns_of
from games.tables.services import play, seats
from games.tables.socket import origins, rates
from games.tables.socket.heartbeat import Beat, watch
from games.tables.socket.threads import Together, at_the_door, in_thread
from games.tables.socket.visitors import Caller, callers_of, handshake_of
from games.tables.state import facts as reading
from games.tables.state import spectators
from games.tables.state.facts import memory
from games.tables.state.reader import standing_now
from games.tables.state.seat_view import Told, reach_of, view_for
from games.tables.state.snapshot import TableSnapshot
from league.actors import Guest, Sitter, identity
from league.errors import LeagueError, NotAllowed
from league.models import User

log = structlog.get_logger(__name__)

LARGEST_FRAME = 8 * 1024
# Of one person, in this process: windows that were left behind stay for a while.
MOST_WINDOWS = 40
TAKEN_OVER, LOGGED_OUT, SEAT_LOST, NO_TABLE, TOO_MUCH, TOO_BIG = 4001, 4002, 4003, 4004, 4008, 1009
LAYER_IS_AWAY = (RedisError, ChannelFull, OSError, RuntimeError)
door = Together(callers_of)


class LineBrokenError(Exception):
    """The window is gone; what was to be told reaches nobody."""


def _noticing_breaks(send: "Send") -> "Send":
    async def sent(message: Any) -> None:
        try:
            await send(message)
        except Exception as failure:
            # Each server has an error of its own for it.
            raise LineBrokenError from failure

    return sent


class TableSocket(AsyncWebsocketConsumer):
    """One window at one table."""

    session_key = ""
    session_hash = ""
    user_id: int | None = None
    guest_id: int | None = None
    seat: str | None = None
    version = 0
    told = 0
    """The version as this window was told it: see games.tables.state.spectators.version_for."""
    last = ""
    told_of: Told | None = None
    mark: Hashable = None
    chairs: frozenset[int] | None = None
    is_in_group = False
    is_ended = False

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """The whole life of a connection. However it ends, nothing of it stays behind in this process.

        A line can break while the window is being let in, or told something: then no message says that it is gone.
        """
        try:
            with suppress(LineBrokenError):
                await super().__call__(scope, receive, _noticing_breaks(send))
        finally:
            await self._forget()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """A message of the window's or of the bell's.

        channels would look at the database's connections first, in one thread for all windows of the process, and
        all would wait there for each other. Ours lie in games.tables.socket.threads.
        """
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        """Takes the caller in, or not; a second window of the same seat takes it over."""
        self.table_id = int(self.scope["url_route"]["kwargs"]["table"])
        self.bucket = rates.full(time.monotonic())
        if not origins.is_own(self.scope):
            await self.close()
            return
        # At once: after a restart thousands come together, and a handshake that waits is given up and begun once more.
        await self.accept()
        self.caller: Caller = await door.ask(handshake_of(self.scope, self.table_id))
        if self.caller.standing is None:
            await self._end(NO_TABLE, "no_table")
            return
        visitor = self.caller.visitor
        if (who := identity(visitor)) and watch.windows_of(who) >= MOST_WINDOWS:
            await self._end(TOO_MUCH, "too_many")
            return
        self.standing, self.mark = self.caller.standing, self.caller.mark
        self.session_key, self.session_hash = self.caller.session_key, self.caller.session_hash
        notify.loops.use_server(asyncio.get_running_loop())
        self.user_id, self.guest_id = columns_of(visitor).values()
        # Counted before anything is waited for: of many that open at once none slips through.
        watch.add(self)
        await self._join()
        await self.show(await at_the_door(_taken, self.caller, self.table_id))

    async def _forget(self) -> None:
        """The window is gone; the seat stays its holder's."""
        self.is_ended = True
        watch.remove(self)
        if self.is_in_group:
            self.is_in_group = False
            with suppress(*LAYER_IS_AWAY):
                async with asyncio.timeout(notify.PATIENCE_SECONDS):
                    await self.channel_layer.group_discard(notify.group_of(self.table_id), self.channel_name)

    async def _join(self) -> None:
        """Listens to the table's bell; without the channel layer the watch tells, a little later."""
        # Said first: where the line breaks in between, the layer forgets it too.
        self.is_in_group = True
        try:
            async with asyncio.timeout(notify.PATIENCE_SECONDS):
                await self.channel_layer.group_add(notify.group_of(self.table_id), self.channel_name)
        except LAYER_IS_AWAY as failure:
            self.is_in_group = False
            log.warning("bell_not_heard", table=self.table_id, failure=type(failure).__name__)

    async def table_version(self, message: dict[str, Any]) -> None:
        """The bell: the table has changed."""
        await self._catch_up(int(message["version"]))

    async def beat(self, now: Beat) -> None:
        """Every few seconds: whatever was missed is made good."""
        try:
            await self._beat(now)
        except LineBrokenError:
            await self._forget()

    async def _beat(self, now: Beat) -> None:
        if self.is_ended:
            return
        if not now.is_logged_in:
            await self._end(LOGGED_OUT, "logged_out")
            return
        version = now.version
        if version is None:
            await self._end(NO_TABLE, "no_table")
            return
        if now.mark != self.mark:
            self.mark = now.mark
            if not await self._is_let_stay(version):
                return
        if not self.is_in_group:
            await self._join()
        facts = await self._at_least(version)
        told = spectators.version_for(facts, self.standing.reader(facts).seat)
        await self._tell({"type": "beat", "version": told, "now": timezone.now().isoformat()})
        await self._catch_up(version)
        if self.seat is None:
            await self._show_if_behind(facts)

    async def _show_if_behind(self, facts: TableSnapshot) -> None:
        """Somebody who is told later sees more as time goes by; others have seen this version."""
        if spectators.is_behind(facts, self.standing.reader(facts).seat):
            await self.show(facts)

    async def _catch_up(self, version: int) -> None:
        if version <= self.version or self.is_ended:
            return
        await self.show(await self._at_least(version))

    async def _at_least(self, version: int) -> TableSnapshot:
        """The table at this version or later; in a thread only where it has to be read."""
        facts = memory.find(self.table_id, version)
        if facts is None:
            facts = await in_thread(reading.at_least, self.table_id, version)
        return facts

    async def show(self, facts: TableSnapshot) -> None:
        """Tells the table as this window may see it, unless it has been told just that, or something newer."""
        if facts.version < self.version:
            # Read before what was told last: who sits by now did not sit then, and loses nothing.
            return
        if self.chairs is not None and facts.chairs != self.chairs and not self.is_ended:
            await self._find_standing()
            if facts.version < self.version:
                return
        self.chairs = facts.chairs
        reader = self.standing.reader(facts, self.caller.window)
        if await self._is_over(facts, reader.seat):
            return
        self.version, self.seat = facts.version, reader.seat
        with translation.override(self.caller.language):
            view = view_for(facts=facts, reader=reader, at=timezone.now(), since=self.told_of)
        self.told, self.told_of = view["version"], reach_of(view)
        text = json.dumps({"type": "view", "version": self.told, "view": view}, separators=(",", ":"))
        if text != self.last:
            self.last = text
            await self.send(text_data=text)

    async def _is_let_stay(self, version: int) -> bool:
        """Whether the connection goes on with the rights that the caller has by now; it is sent the table again."""
        await self._find_standing()
        await self.show(await self._at_least(version))
        return not self.is_ended

    async def _find_standing(self) -> None:
        """What the caller may do here by now; whom the table is not for any more is shown the door."""
        standing = await in_thread(standing_now, self.caller.visitor, self.table_id)
        if standing is None:
            await self._end(NO_TABLE, "no_table")
        else:
            self.standing = standing

    async def _is_over(self, facts: TableSnapshot, seat: str | None) -> bool:
        """Whether another window plays the seat now, or somebody else."""
        if self.is_ended:
            return True
        if self.seat is not None and seat is None:
            await self._end(SEAT_LOST, "seat_lost")
            return True
        window = facts.seats[seat].window if seat else ""
        if window and window != self.caller.window and self.version and facts.version > self.version:
            await self._end(TAKEN_OVER, "taken_over")
            return True
        return False

    async def _end(self, code: int, reason: str) -> None:
        """Says why, and closes."""
        self.is_ended = True
        watch.remove(self)
        await self._tell({"type": "closed", "reason": reason})
        await self.close(code)

    async def _tell(self, message: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(message, separators=(",", ":")))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """A message of the page."""
        if self.is_ended:
            return
        if bytes_data is not None or text_data is None or len(text_data.encode()) > LARGEST_FRAME:
            await self._end(TOO_BIG, "too_big")
            return
        if not _may_send(self):
            await self._end(TOO_MUCH, "too_many")
            return
        try:
            message = read_content(text_data)
        except ValueError:
            message = None
        if isinstance(message, dict):
            await self._answer(message)

    async def _answer(self, message: dict[str, Any]) -> None:
        """Does what was asked; answered after the commit, or with the reason why not."""
        key = steps.text(message, "key")[: play.LONGEST_KEY]
        asked = {"act": self._act, "step": self._step, "look": self._look}
        work = asked.get(steps.text(message, "type"))
        if work is None:
            return
        try:
            await work(message)
        except LeagueError as error:
            refused = {"code": error.code, "message": error.message}
            await self._tell({"type": "refused", "key": key, "error": refused, "version": self.told})
            await self._look({})
        else:
            await self._tell({"type": "done", "key": key, "version": self.told})

    async def _act(self, message: dict[str, Any]) -> None:
        sent = steps.sent_of({**message, "window": self.caller.window})
        self.standing.check_plays()
        facts = await in_thread(_in_words_of, self.caller, play.act, table_id=self.table_id, sent=sent)
        await self.show(facts)

    async def _step(self, message: dict[str, Any]) -> None:
        step = steps.STEPS.get(steps.text(message, "step"))
        if step is None:
            await self._look({})
            return
        body = {**message, "window": self.caller.window}
        self.last = ""
        await self.show(
            await at_the_door(_in_words_of, self.caller, partial(_stepped, step, self.table_id, body))
        )

    async def _look(self, _message: dict[str, Any]) -> None:
        """The table as it is, once more: the page has lost count."""
        self.last = ""
        await self.show(await in_thread(reading.current, self.table_id))


def _may_send(window: TableSocket) -> bool:
    """Whether not too much was sent lately: by this window, and by this person from all windows and pages."""
    who = identity(window.caller.visitor)
    return window.bucket.take(time.monotonic()) and (not who or rates.may_send(who))


def _taken(caller: Caller, table_id: int) -> TableSnapshot:
    """The table, whose seat the caller, if it is theirs, plays from this window from now on."""
    facts, visitor = reading.current(table_id), caller.visitor
    seat = facts.seat_of(visitor)
    # Those who come back after a restart play from the window that they had.
    if isinstance(visitor, User | Guest) and seat and facts.seats[seat].window != caller.window:
        seats.take_window(actor=visitor, table_id=table_id, window=caller.window)
        facts = reading.current(table_id)
    return facts


def _stepped(
    step: Callable[[Sitter, int, dict[str, Any]], None], table_id: int, body: dict[str, Any], actor: Sitter
) -> TableSnapshot:
    """The table after this step."""
    step(actor, table_id, body)
    return reading.current(table_id)


def _in_words_of(caller: Caller, work: Callable[..., Any], **keys: Any) -> Any:
    """The work, done as this caller, its refusals in the caller's language."""
    with translation.override(caller.language):
        if not isinstance(caller.visitor, User | Guest):
            raise NotAllowed(_("Please log in first."), code="not_logged_in")
        return work(actor=caller.visitor, **keys) if keys else work(caller.visitor)


Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

_routes = URLRouter([re_path(r"^tables/(?P<table>[0-9]{1,15})/socket/$", TableSocket.as_asgi())])


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """All sockets of the site; at any other address there is none."""
    try:
        await _routes(scope, receive, send)
    except ValueError as fault:
        if not str(fault).startswith("No route found"):
            raise
        await send({"type": "websocket.close"})
