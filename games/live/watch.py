"""The look at the versions that every process takes every few seconds, for all its connections in a few queries.

It heals a bell that was not heard, and ends connections of people who logged out.
"""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any, Protocol

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from games.live.threads import in_thread
from games.models import Table
from league.models import User

log = structlog.get_logger(__name__)

# So many connections are told at once, over this part of the time between two looks.
AT_ONCE, SPREAD = 20, 0.5


class Watched(Protocol):
    """A connection, as the watch knows it."""

    table_id: int
    session_key: str
    user_id: int | None
    session_hash: str

    async def beat(self, version: int | None, *, is_logged_in: bool) -> None:
        """Told every few seconds: the table's version (None: it is gone), and whether its person is still logged in."""


class Watch:
    """The connections of this process."""

    def __init__(self) -> None:
        self._watched: set[Watched] = set()
        self._task: asyncio.Task[None] | None = None

    def add(self, connection: Watched) -> None:
        """From now on it is told; called on the server's loop."""
        self._watched.add(connection)
        if self._task is None or self._task.done() or self._task.get_loop() is not asyncio.get_running_loop():
            self._task = asyncio.get_running_loop().create_task(self._look_again_and_again())

    def remove(self, connection: Watched) -> None:
        """It is gone."""
        self._watched.discard(connection)

    async def _look_again_and_again(self) -> None:
        while self._watched:
            await asyncio.sleep(settings.LIVE_BEAT_SECONDS * (1 - SPREAD))
            await self.look(within=settings.LIVE_BEAT_SECONDS * SPREAD)

    async def look(self, *, within: float = 0.0) -> None:
        """Tells every connection its table's version; not all at once, so that those who play are not kept waiting."""
        watched = list(self._watched)
        try:
            versions = await in_thread(_versions, {each.table_id for each in watched})
            alive = await in_thread(_alive, watched)
        except DatabaseError as failure:
            log.warning("tables_not_looked_at", failure=type(failure).__name__)
            return
        for start in range(0, len(watched), AT_ONCE):
            await self._tell(watched[start : start + AT_ONCE], versions, alive)
            await asyncio.sleep(within * AT_ONCE / len(watched))

    async def _tell(
        self, watched: Collection[Watched], versions: Mapping[int, int], alive: Collection[Any]
    ) -> None:
        beats = (
            each.beat(versions.get(each.table_id), is_logged_in=each.user_id is None or each in alive)
            for each in watched
        )
        for outcome in await asyncio.gather(*beats, return_exceptions=True):
            if isinstance(outcome, Exception):
                log.info("connection_not_told", failure=type(outcome).__name__)


def _versions(tables: Collection[int]) -> Mapping[int, int]:
    return dict(Table.objects.filter(pk__in=tables).values_list("pk", "version"))


def _alive(watched: Collection[Watched]) -> set[Any]:
    """The connections whose session is still there and whose account may still use it."""
    keys = {each.session_key for each in watched if each.user_id is not None}
    sessions = set(
        Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()).values_list(
            "session_key", flat=True
        )
    )
    people = User.objects.only("pk", "password", "is_active")
    users = people.in_bulk({each.user_id for each in watched if each.user_id is not None})
    hashes = {key: user.get_session_auth_hash() for key, user in users.items() if user.is_active}
    return {
        each
        for each in watched
        if each.session_key in sessions
        and constant_time_compare(hashes.get(each.user_id or 0, ""), each.session_hash)
    }


watch = Watch()
