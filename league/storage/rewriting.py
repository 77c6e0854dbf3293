"""Rewriting a column of the database, encrypted or under a newer key, without changing what it says.

Tables that only grow are rewritten, too: their guard is off within the transaction that rewrites a batch of rows. How
many rows there were, and a digest of what they said before and after, goes to the log; a difference undoes the batch.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import structlog
from django.db import connection, models, transaction

from league.storage import board_keys
from league.storage.append_only import GUARDS

log = structlog.get_logger(__name__)
BATCH = 500
Stored = str | bytes
Change = Callable[[Any], Stored]


class ChangedInRewritingError(Exception):
    """What was read again is not what was written before."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column and the key of its table, as SQL names them."""

    model: type[models.Model]
    field: Any

    @property
    def table(self) -> str:
        return connection.ops.quote_name(self.model._meta.db_table)

    @property
    def name(self) -> str:
        return connection.ops.quote_name(self.field.column)

    @property
    def key(self) -> str:
        return connection.ops.quote_name(str(self.model._meta.pk.column))

    def batches(self) -> Iterator[list[tuple[Any, Stored]]]:
        """Keys and values of all rows that say something, in the order of their keys."""
        says = f"{self.name} IS NOT NULL"
        if not isinstance(self.field, models.BinaryField):
            says += f" AND {self.name} <> ''"
        # Our own names, and nothing that anybody typed.
        select = f"SELECT {self.key}, {self.name} FROM {self.table} WHERE {says}"  # noqa: S608
        last: list[Any] = []
        while True:
            after = f" AND {self.key} > %s" if last else ""
            with connection.cursor() as cursor:
                cursor.execute(f"{select}{after} ORDER BY {self.key} LIMIT {BATCH}", last)
                rows = [(key, _bytes_of(value)) for key, value in cursor.fetchall()]
            if not rows:
                return
            yield rows
            last = [rows[-1][0]]

    def write(self, key: Any, old: Stored, new: Stored) -> bool:
        """Whether the row was written: not if somebody wrote it meanwhile."""
        update = f"UPDATE {self.table} SET {self.name} = %s WHERE {self.key} = %s AND {self.name} = %s"  # noqa: S608
        with connection.cursor() as cursor:
            cursor.execute(update, [new, key, old])
            return bool(cursor.rowcount)

    def read(self, key: Any) -> Stored:
        """What the row has now."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {self.name} FROM {self.table} WHERE {self.key} = %s", [key])  # noqa: S608
            return _bytes_of(cursor.fetchone()[0])


def _bytes_of(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


@dataclass(slots=True)
class Rewritten:
    """How many rows were rewritten, the keys of those that no key opens, and digests of what the others say."""

    rows: int = 0
    unreadable: list[Any] = field(default_factory=list)
    before: str = ""
    after: str = ""


def encrypt_column(model: type[models.Model], name: str, change: Change | None = None) -> Rewritten:
    """A column that was in the clear until now, for migrations. Nothing happens, and no key is needed, without rows."""
    column = Column(model, model._meta.get_field(name))
    return _rewrite(column, read=lambda text: text, change=change or column.field.encrypted)


def renew_column(model: type[models.Model], name: str) -> Rewritten:
    """A column that is encrypted, brought under the newest key. To do it twice is harmless."""
    column = Column(model, model._meta.get_field(name))
    return _rewrite(column, read=board_keys.decrypt, change=board_keys.reencrypt)


def _rewrite(column: Column, *, read: Change, change: Change) -> Rewritten:
    guard = next((each for each in GUARDS if each.table == column.model._meta.db_table), None)
    done = Rewritten()
    for rows in column.batches():
        changed = list(_changed(rows, change, done))
        if not changed:
            continue
        with transaction.atomic():
            if guard:
                guard.drop(connection)
            for key, old, new in changed:
                if column.write(key, old, new):
                    done.rows += 1
                    done.before = _digest(done.before, read(old))
                    done.after = _digest(done.after, board_keys.decrypt(column.read(key)))
            if done.before != done.after:
                raise ChangedInRewritingError(f"{column.table}.{column.name}")
            if guard:
                guard.create(connection)
    if done.rows or done.unreadable:
        log.info(
            "column_rewritten",
            table=column.model._meta.db_table,
            column=column.field.column,
            rows=done.rows,
            unreadable=len(done.unreadable),
            before=done.before,
            after=done.after,
        )
    return done


def _changed(
    rows: list[tuple[Any, Stored]], change: Change, done: Rewritten
) -> Iterator[tuple[Any, Stored, Stored]]:
    for key, old in rows:
        try:
            new = change(old)
        except board_keys.NoKey:
            raise
        except board_keys.Unreadable:
            done.unreadable.append(key)
            continue
        if new != old:
            yield key, old, new


def _digest(so_far: str, value: Stored) -> str:
    """Nobody can try the values out on it: the key is in it. JSON may have been filled up with spaces."""
    text = value if isinstance(value, str) else hashlib.sha256(value).hexdigest()
    return board_keys.digests(so_far + text.rstrip(" "))[0]
