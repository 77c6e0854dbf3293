"""What the database gives up for another transaction's sake: done once more, then told as "please try again".

One lock order (docs/locking.md) makes a deadlock unlikely, not impossible: the database locks what we do not see, and
on SQLite a writer may wait too long.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import structlog
from django.db import DatabaseError, connection, transaction
from django.utils.translation import gettext as _

from league.errors import Conflict

log = structlog.get_logger(__name__)
T = TypeVar("T")
#: serialization_failure, deadlock_detected, lock_not_available.
SQL_STATES = frozenset({"40001", "40P01", "55P03"})
SQLITE_CODES = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_is_note = ContextVar("is_note", default=False)
_WRITE = re.compile(r"\s*(?:INSERT|UPDATE|DELETE)\b", re.IGNORECASE)


class Busy(Conflict):
    """Somebody else changes the same rows at this moment. Nothing was written; the same again will probably do."""

    code = "busy"

    def __init__(self) -> None:
        super().__init__(
            _("Someone else is changing the same thing at this moment. Nothing was saved. Please try again.")
        )


def is_contention(failure: BaseException) -> bool:
    """Whether the database ended the transaction only because of another one."""
    cause = failure.__cause__
    if not isinstance(failure, DatabaseError) or cause is None:
        return False
    code = getattr(cause, "sqlite_errorcode", None)
    return getattr(cause, "sqlstate", None) in SQL_STATES or (
        code is not None and code & 0xFF in SQLITE_CODES
    )


@contextmanager
def note() -> Iterator[None]:
    """What is written here counts for no attempt: to write it twice harms nothing."""
    before = _is_note.set(True)
    try:
        yield
    finally:
        _is_note.reset(before)


class Attempt:
    """Watches the statements of a thread's connection: whether anything was committed since it began."""

    def __init__(self) -> None:
        self.has_committed = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Passes a statement on; a change that a transaction holds counts as soon as it is committed."""
        done = execute(sql, params, many, context)
        if _WRITE.match(sql) and not _is_note.get():
            if not connection.in_atomic_block:
                self.has_committed = True
            elif all(each[1] != self._committed for each in connection.run_on_commit):
                transaction.on_commit(self._committed)
        return done

    def _committed(self) -> None:
        self.has_committed = True


def once_more(work: Callable[[], T]) -> T:
    """What the work gives; done a second time where it was given up before it had committed anything. Raises Busy."""
    attempt = Attempt()
    try:
        with connection.execute_wrapper(attempt):
            return work()
    except DatabaseError as failure:
        if not is_contention(failure):
            raise
        log.warning("given_up", again=not attempt.has_committed, failure=type(failure.__cause__).__name__)
        if attempt.has_committed:
            raise Busy from failure
    try:
        return work()
    except DatabaseError as failure:
        if not is_contention(failure):
            raise
        log.warning("given_up", again=False, failure=type(failure.__cause__).__name__)
        raise Busy from failure
