"""Which tables a page was read from, and whether any of them has been written since.

Every statement of every process passes here, so no service has to say what it changes, and none can forget to. A table
gets another version once what was written is committed; a page that was read before then has the former.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

#: Of each table its version; None while nothing has been written to it for an hour.
Versions = Mapping[str, str | None]
AN_HOUR = 3600
WORD = re.compile(r"\b[a-z]+_\w+")
ONLY_READS = re.compile(r"\s*(SELECT|EXPLAIN|DECLARE)\b", re.IGNORECASE)


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


def versions(asked: Iterable[str]) -> Versions:
    """Of these tables, as they are now."""
    keys = {f"table:{name}": name for name in asked}
    return dict.fromkeys(keys.values()) | {keys[key]: it for key, it in store().get_many(list(keys)).items()}


class Changed:
    """Gives tables other versions; called once what was written to them is committed."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = set(names)

    def __call__(self) -> None:
        """One version for all of them."""
        now = uuid4().hex
        store().set_many({f"table:{name}": now for name in self.names}, timeout=AN_HOUR)


def note_writes(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Around each statement: if it may write, its tables change with the transaction, or at once without one."""
    done = execute(sql, params, many, context)
    names = frozenset() if ONLY_READS.match(sql) else named_in(sql)
    if names:
        waiting = connection.run_on_commit[-1:] if connection.in_atomic_block else []
        for entry in waiting:
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


@contextmanager
def reading() -> Iterator[set[str]]:
    """Collects the tables that are read, or written, within."""
    found: set[str] = set()

    def noting(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        found.update(named_in(sql))
        return execute(sql, *more)

    with connection.execute_wrapper(noting):
        yield found
