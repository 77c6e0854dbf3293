"""What every write to a table begins and ends with: its row locked, its version raised, the bell rung."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from games.live import doorbell
from games.live.facts import memory
from games.live.known import Facts
from games.models import Table, TableRequest, TableSeat
from league.actors import System
from league.errors import Conflict
from league.services import announce

TABLE = System("table")
State = Table.State
OPEN = (State.WAITING, State.PLAYING, State.BETWEEN)
PLAY_ROBOTS = "games.tasks.play_robots"


_line = threading.RLock()


@contextmanager
def writing() -> Iterator[None]:
    """A transaction that writes.

    SQLite has one writer at a time; whoever comes second sleeps a while and tries again, and a third may be quicker
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
    table: Table = Table.objects.select_for_update().get(pk=table_id)
    return table


def lock_open(table_id: int) -> Table:
    """The same, of a table that is still in use."""
    table = lock(table_id)
    if table.state not in OPEN:
        raise Conflict(_("This table is “%(now)s”.") % {"now": table.get_state_display()}, code="table_over")
    return table


def changed(table: Table, *fields: str, facts: Facts | None = None) -> None:
    """Raises the version, keeps these fields, and tells the sockets on commit.

    `facts` are those of the new version where the caller has them: then nobody in this process reads them again.
    """
    table.version += 1
    table.save(update_fields=["version", "changed_at", *fields])
    if facts is not None:
        kept = facts
        transaction.on_commit(lambda: memory.keep(kept))
    doorbell.after_commit(table.pk, table.version)


def hint_robots(table: Table) -> None:
    """A robot may be on turn: a worker looks, after the commit."""
    announce.after_commit(PLAY_ROBOTS, table.pk)


def seats_taken(table: Table) -> dict[str, TableSeat]:
    """Who holds the seats."""
    return {row.seat: row for row in TableSeat.objects.filter(table=table, left_at__isnull=True)}


def lapse(table: Table, *kinds: str, at: datetime) -> int:
    """What was asked and is no longer to be decided; gives how many."""
    waiting = TableRequest.objects.filter(table=table, kind__in=kinds, state=TableRequest.State.OPEN)
    return int(waiting.update(state=TableRequest.State.LAPSED, ended_at=at))


def request(table: Table, kind: str, *, at: datetime, **fields: Any) -> TableRequest:
    """A new request of somebody at the table."""
    return TableRequest.objects.create(table=table, kind=kind, asked_at=at, **fields)
