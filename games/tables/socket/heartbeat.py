"""The look at the versions that every process takes every few seconds, for all its connections in a few queries.

It heals a bell that was not heard, ends connections of people who logged out, and finds whose rights may have changed.
"""

import asyncio
from collections.abc import Collection, Coroutine, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import Error
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from games.tables.socket.rights import Roles, Seen, guests_now, tables_now
from games.tables.socket.threads import in_thread
from league.actors import identity_of
from league.models import User

log = structlog.get_logger(__name__)

# So many connections are told at once, over this part of the time between two looks.
AT_ONCE, SPREAD = 20, 0.8
# What concerns so many is read in one go.
READ_AT_ONCE = 500
# Nobody waits longer than this for those who do not read what they are sent.
PATIENCE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Beat:
    """What a connection is told every few seconds."""

    version: int | None
    """The table's; None: it is gone."""
    is_logged_in: bool
    """Whether its person still is, and may still use the account."""
    mark: Hashable
    """What the person's rights hang on."""


class Watched(Protocol):
    """A connection, as the watch knows it."""

    table_id: int
    session_key: str
    user_id: int | None
    guest_id: int | None
    session_hash: str

    def beat(self, now: Beat) -> Coroutine[Any, Any, None]:
        """Told every few seconds."""


class Watch:
    """The connections of this process."""

    def __init__(self) -> None:
        self._watched: set[Watched] = set()
        self._telling: dict[asyncio.Task[None], Watched] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, connection: Watched) -> None:
        """From now on it is told; called on the server's loop."""
        self._watched.add(connection)
        if self._task is None or self._task.done() or self._task.get_loop() is not asyncio.get_running_loop():
            self._task = asyncio.get_running_loop().create_task(self._look_again_and_again())

    def remove(self, connection: Watched) -> None:
        """It is gone; nobody waits for what it was being told."""
        self._watched.discard(connection)
        now = asyncio.current_task()
        for task in [task for task, told in self._telling.items() if told is connection and task is not now]:
            task.cancel()

    def __len__(self) -> int:
        return len(self._watched)

    def windows_of(self, who: str) -> int:
        """How many connections this person has; who it is as league.actors.identity has it."""
        return sum(identity_of(each.user_id, each.guest_id) == who for each in self._watched)

    async def _look_again_and_again(self) -> None:
        while self._watched:
            await asyncio.sleep(settings.LIVE_BEAT_SECONDS * (1 - SPREAD))
            await self.look(within=settings.LIVE_BEAT_SECONDS * SPREAD)

    async def look(self, *, within: float = 0.0) -> None:
        """Tells every connection its table's version; not all at once, so that those who play are not kept waiting.

        Nor is all read at once: those of the same tables together, shortly before they are told.
        """
        watched = sorted(self._watched, key=lambda each: each.table_id)
        for start in range(0, len(watched), READ_AT_ONCE):
            part = watched[start : start + READ_AT_ONCE]
            try:
                beats = await in_thread(beats_of, part)
            except Error as failure:
                # Any fault of a database's: without this task nobody here would be told anything.
                log.warning("tables_not_looked_at", failure=type(failure).__name__)
                return
            await self._tell_all(part, beats, within * len(part) / len(watched))

    async def _tell_all(
        self, watched: Sequence[Watched], beats: Mapping[Watched, Beat], within: float
    ) -> None:
        for start in range(0, len(watched), AT_ONCE):
            await self._tell(watched[start : start + AT_ONCE], beats)
            # The last ones may be few: with one connection this is the whole time, and not twenty times as long.
            await asyncio.sleep(within * min(AT_ONCE, len(watched) - start) / len(watched))

    async def _tell(self, watched: Collection[Watched], beats: Mapping[Watched, Beat]) -> None:
        """Tells them; skips those that are still busy with the last beat, so that nobody waits for them."""
        busy = set(self._telling.values())
        telling = [self._begin(each, beats[each]) for each in watched if each not in busy]
        if telling:
            await asyncio.wait(telling, timeout=PATIENCE_SECONDS)

    def _begin(self, connection: Watched, beat: Beat) -> "asyncio.Task[None]":
        task = asyncio.get_running_loop().create_task(connection.beat(beat))
        self._telling[task] = connection
        task.add_done_callback(self._told)
        return task

    def _told(self, task: "asyncio.Task[None]") -> None:
        self._telling.pop(task, None)
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            log.info("connection_not_told", failure=type(failure).__name__)


def beats_of(watched: Collection[Watched]) -> Mapping[Watched, Beat]:
    """What each of them is to be told; five queries, however many there are, and one more where there are guests."""
    tables = tables_now({each.table_id for each in watched})
    people = User.objects.only("pk", "password", "is_active", "is_superuser")
    users = people.in_bulk({each.user_id for each in watched if each.user_id is not None})
    sessions = _sessions(watched)
    guests = guests_now({each.guest_id for each in watched if each.guest_id is not None})
    roles = Roles(list(users), {seen.club for seen in tables.values()})
    hashes = {key: user.get_session_auth_hash() for key, user in users.items() if user.is_active}
    found = {}
    for each in watched:
        seen, user = tables.get(each.table_id), users.get(each.user_id or 0)
        found[each] = Beat(
            version=seen.version if seen else None,
            is_logged_in=each.user_id is None
            or (
                each.session_key in sessions
                and constant_time_compare(hashes.get(each.user_id, ""), each.session_hash)
            ),
            mark=_mark(each, seen, roles.mark(user, seen.club), guests) if seen else None,
        )
    return found


def _mark(each: Watched, seen: Seen, of_account: Hashable, guests: Collection[int]) -> Hashable:
    return (seen.mark, of_account if each.guest_id is None else each.guest_id in guests)


def _sessions(watched: Collection[Watched]) -> set[str]:
    """The sessions of these connections that are still there."""
    keys = {each.session_key for each in watched if each.user_id is not None}
    there = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(there.values_list("session_key", flat=True))


watch = Watch()
