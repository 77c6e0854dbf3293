"""What every write to a table begins and ends with: its row locked, its version raised, the bell rung."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from types import EllipsisType
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import locks
from games.models import Table, TableRequest, TableSeat
from games.models.tables import OPEN
from games.tables import notify
from games.tables.state.facts import fresh, memory
from games.tables.state.snapshot import TableSnapshot
from league.actors import System
from league.background import announce
from league.errors import Conflict

TABLE = System("table")
# After a change its service has sent a message already: the sweep waits this long.
QUIET = timedelta(seconds=2)
State = Table.State
PLAY_ROBOTS = "games.tasks.play_robots"


_line = threading.RLock()


@contextmanager
def writing() -> Iterator[None]:
    """A transaction that writes.

    SQLite has one writer at a time; the second sleeps a while and tries again, and a third may be quicker
    then. So the threads of this process stand in line before they ask.
    """
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with _line, transaction.atomic():
            yield
    else:
        with transaction.atomic():
            yield


def lock(table_id: int) -> Table:
    """The table as it is now, its row locked until the transaction ends. Raises Table.DoesNotExist."""
    return locks.table(table_id)


def lock_to_deal(table_id: int) -> Table:
    """A table in use, locked after its match: for what may begin the next deal, which names the match's board."""
    return _open(locks.table_of_match(table_id))


def lock_open(table_id: int) -> Table:
    """The same, of a table that is still in use."""
    return _open(lock(table_id))


def _open(table: Table) -> Table:
    if table.state not in OPEN:
        raise Conflict(_("This table is “%(now)s”.") % {"now": table.get_state_display()}, code="table_over")
    return table


def changed(
    table: Table,
    *fields: str,
    facts: TableSnapshot | None = None,
    is_seen: bool = True,
    due_at: datetime | EllipsisType | None = ...,
) -> None:
    """Raises the version, keeps these fields, and tells the sockets on commit.

    What is not `is_seen` by somebody who watches a hidden deal, an action above all, does not raise the version that
    is told to them. `facts` are those of the new version where the caller has them: then nobody in this process reads
    them again. `due_at` is when the sweep looks at the table, where that is known; else it is a moment later.
    """
    _raise_version(table, fields, is_seen=is_seen, due_at=due_at)
    if facts is not None:
        transaction.on_commit(partial(memory.keep, facts))
    notify.after_commit(table.pk, table.version)


def changed_and_read(table: Table, *fields: str, is_seen: bool = True) -> TableSnapshot:
    """The same; gives the facts of the new version, read once for everybody in this process."""
    _raise_version(table, fields, is_seen=is_seen)
    facts = fresh(table.pk)
    transaction.on_commit(partial(memory.keep, facts))
    notify.after_commit(table.pk, table.version)
    return facts


def _raise_version(
    table: Table, fields: tuple[str, ...], *, is_seen: bool, due_at: datetime | EllipsisType | None = ...
) -> None:
    if isinstance(due_at, EllipsisType):
        due_at = None if table.state == State.CLOSED else timezone.now() + QUIET
    table.version += 1
    if is_seen:
        table.seen_version += 1
        table.seen_at = timezone.now()
        fields = (*fields, "seen_version", "seen_at")
    table.due_at = due_at
    table.save(update_fields=["version", "changed_at", "due_at", *fields])


def with_holder(table: Table, row: TableSeat, *, is_seen: bool = True) -> TableSnapshot | None:
    """The facts of the next version where nothing else changes than who holds this seat; for `changed`.

    None where this process does not know those of the version before: who needs them then reads them.
    """
    facts = memory.find(table.pk, table.version, opened_at=table.opened_at)
    if facts is None:
        return None
    holder = replace(facts.seats[row.seat], window=row.window, ready_for=row.ready_for)
    return replace(
        facts,
        version=facts.version + 1,
        seen=facts.seen + is_seen,
        seats={**facts.seats, row.seat: holder},
    )


def hint_robots(table: Table) -> None:
    """A robot may be on turn where a deal is being played: a worker looks, after the commit."""
    if table.state == State.PLAYING:
        announce.after_commit(PLAY_ROBOTS, table.pk)


def seats_taken(table: Table) -> dict[str, TableSeat]:
    """Who holds the seats."""
    held = TableSeat.objects.filter(table=table, left_at__isnull=True).select_related("guest")
    return {row.seat: row for row in held}


def lapse(table: Table, *kinds: str, at: datetime) -> int:
    """What was asked and is no longer to be decided; gives how many."""
    waiting = TableRequest.objects.filter(table=table, kind__in=kinds, state=TableRequest.State.OPEN)
    return int(waiting.update(state=TableRequest.State.LAPSED, ended_at=at))


def request(table: Table, kind: str, *, at: datetime, **fields: Any) -> TableRequest:
    """A new request of somebody at the table."""
    return TableRequest.objects.create(table=table, kind=kind, asked_at=at, **fields)
