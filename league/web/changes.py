"""Which tables a page was read from, and whether any of them has been written since.

Every statement of every process passes here, so no service has to say what it changes, and none can forget to. A table
gets another version once what was written is committed; a page that was read before then has the former.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

#: Of each table its version; None while nothing has been written to it for an hour.
Versions = Mapping[str, str | None]
AN_HOUR = 3600
WORD = re.compile(r"\b[a-z]+_\w+")
SOURCES = ("config", "league", "games", "engine", "templates", "locale", "static")
ONLY_READS = re.compile(r"[\s(]*(SELECT|EXPLAIN|DECLARE)\b", re.IGNORECASE)


@cache
def store() -> BaseCache:
    """The cache of pages and versions, one of the process: `caches` makes one for each request."""
    found: BaseCache = caches.create_connection("pages")
    return found


@cache
def tables() -> frozenset[str]:
    """Of all models."""
    return frozenset(model._meta.db_table for model in apps.get_models(include_auto_created=True))


@lru_cache(maxsize=4096)
def named_in(sql: str) -> frozenset[str]:
    """The tables that a statement names."""
    return tables().intersection(WORD.findall(sql))


def key_of(table: str) -> str:
    """Under which the store has the version of a table."""
    return f"table:{table}"


def versions(asked: Iterable[str]) -> Versions:
    """Of these tables, as they are now."""
    keys = {key_of(name): name for name in asked}
    return dict.fromkeys(keys.values()) | {keys[key]: it for key, it in store().get_many(list(keys)).items()}


@cache
def edition() -> str:
    """A name that changes with every line of the site: a process of the former release keeps what is its own."""
    content = blake2b(digest_size=16)
    for folder in SOURCES:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in {".py", ".html", ".mo", ".css", ".js"}:
                content.update(path.read_bytes())
    return content.hexdigest()


class Changed:
    """Gives tables other versions; called once what was written to them is committed."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = set(names)

    def __call__(self) -> None:
        """One version for all of them."""
        now = uuid4().hex
        store().set_many({key_of(name): now for name in self.names}, timeout=AN_HOUR)


def note_writes(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Around each statement: if it may write, its tables change with the transaction, or at once without one."""
    done = execute(sql, params, many, context)
    names = frozenset() if ONLY_READS.match(sql) else named_in(sql)
    if names:
        for entry in connection.run_on_commit if connection.in_atomic_block else ():
            if isinstance(entry[1], Changed) and entry[0] == set(connection.savepoint_ids):
                entry[1].names |= names
                return done
        transaction.on_commit(Changed(names))
    return done


def watch(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """From now on writes by this connection are noted."""
    if connection.alias == "default" and note_writes not in connection.execute_wrappers:
        # In front: a connection may open within `execute_wrapper`, which takes the last away when it ends.
        connection.execute_wrappers.insert(0, note_writes)


_reading: ContextVar[tuple[set[str], ...]] = ContextVar("reading", default=())


@contextmanager
def reading() -> Iterator[set[str]]:
    """Collects the tables that are read, or written, within; those of what was kept as well."""
    found: set[str] = set()

    def noting(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        found.update(named_in(sql))
        return execute(sql, *more)

    before = _reading.set((*_reading.get(), found))
    try:
        with connection.execute_wrapper(noting):
            yield found
    finally:
        _reading.reset(before)


def note_read(names: Iterable[str]) -> None:
    """What is shown was read from these tables, if not just now."""
    for found in _reading.get():
        found.update(names)


def is_writing() -> bool:
    """Whether this transaction has written what may still be taken back."""
    return connection.in_atomic_block and any(
        isinstance(entry[1], Changed) for entry in connection.run_on_commit
    )
