"""Which row locks each transaction takes, and whether in the order of docs/locking.md: asked in every test."""

import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import local
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.signals import post_save
from django.db.transaction import Atomic

from games import locks as games_locks
from games.models import BoardSet, Match
from league import locks
from league.models import Competition, Division, Fixture

Kind = type[Model]
RANK: dict[Kind, int] = {kind: rank for rank, kind in enumerate(games_locks.ORDER)}
LAST = len(RANK)
#: Whoever locks one of these holds its competition.
UNDER_COMPETITION: frozenset[Kind] = frozenset({Fixture, Match, BoardSet})
#: Whoever holds the competition may go from a match to the next, and down again: nobody locks two of these without it.
GUARDED: frozenset[Kind] = frozenset({*UNDER_COMPETITION, Division, *games_locks.ORDER[-2:-1]})
WRITE = re.compile(r'(?:UPDATE|DELETE FROM) "(\w+)"')
BY_TABLE: dict[str, Kind] = {kind._meta.db_table: kind for kind in RANK}


@dataclass
class Held:
    """The rows that one transaction has locked so far, and what was wrong with that."""

    rows: dict[Kind, set[Any]] = field(default_factory=dict)
    #: Nobody else sees a row before the transaction that made it ends, so nobody waits for it.
    made: set[tuple[Kind, Any]] = field(default_factory=set)
    taken: list[str] = field(default_factory=list)

    def lock(self, kind: Kind, keys: set[Any]) -> Iterator[str]:
        """Notes a lock; gives what is wrong with it. To lock what is locked already is never wrong."""
        new = {key for key in keys - self.rows.get(kind, set()) if (kind, key) not in self.made}
        if not new:
            return
        self.taken.append(kind.__name__)
        if kind in UNDER_COMPETITION and Competition not in self.rows:
            yield f"{kind.__name__} without its competition"
        yield from self._out_of_order(kind)
        if kind in self.rows and kind in RANK and not (kind in GUARDED and Competition in self.rows):
            yield f"a second {kind.__name__} after the first"
        self.rows.setdefault(kind, set()).update(new)

    def write(self, kind: Kind) -> Iterator[str]:
        """Says what is wrong with a change of rows of this kind, which locks them as well."""
        if kind not in self.rows and not (kind in GUARDED and Competition in self.rows):
            yield from (f"{each} (a change)" for each in self._out_of_order(kind))

    def _out_of_order(self, kind: Kind) -> Iterator[str]:
        free = GUARDED if kind in GUARDED and Competition in self.rows else frozenset()
        rank = RANK.get(kind, LAST)
        later = [each.__name__ for each in self.rows if RANK.get(each, LAST) > rank and each not in free]
        if later:
            yield f"{kind.__name__} after {', '.join(later)}"


class Recorder:
    """Watches one test: the locks of every transaction, in all its threads."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.orders: list[list[str]] = []
        self._now = local()

    @property
    def held(self) -> Held:
        """What this thread's transaction holds."""
        if not hasattr(self._now, "held"):
            self._now.held = Held()
        held: Held = self._now.held
        return held

    def begin(self) -> None:
        """A new transaction of this thread."""
        self._now.held = Held()
        self.orders.append(self.held.taken)

    def makes(self, sender: Kind, instance: Model, *, created: bool = False, **_more: Any) -> None:
        """A row was saved."""
        if created and not is_outside():
            self.held.made.add((sender, instance.pk))

    def took(self, rows: list[Model], kind: Kind) -> None:
        """These rows were locked."""
        self._blame(self.held.lock(kind, {row.pk for row in rows}))

    def statement(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Looks at a statement that changes rows."""
        found = WRITE.match(sql)
        if found and found[1] in BY_TABLE and not is_outside():
            self._blame(self.held.write(BY_TABLE[found[1]]))
        return execute(sql, params, many, context)

    def _blame(self, faults: Iterator[str]) -> None:
        self.faults += [f"{fault}; taken: {', '.join(self.held.taken)}; in {_services()}" for fault in faults]


def _services() -> str:
    """The services that are running, the outermost first."""
    frames = [frame for frame in traceback.extract_stack() if "/services/" in frame.filename]
    return " > ".join(f"{Path(frame.filename).stem}.{frame.name}" for frame in frames)


def is_outside() -> bool:
    """Whether no transaction of a service has begun: a test may be one itself."""
    return all(getattr(block, "_from_testcase", False) for block in connection.atomic_blocks)


@contextmanager
def recorded() -> Iterator[Recorder]:
    """Records every lock of all threads, and every change of rows of this one."""
    recorder = Recorder()
    enter = Atomic.__enter__

    def noting(take: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
        def noted(rows: QuerySet[Any], **how: Any) -> list[Any]:
            found = take(rows, **how)
            recorder.took(found, rows.model)
            return found

        return noted

    def beginning(self: Atomic) -> None:
        if is_outside():
            recorder.begin()
        enter(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(locks, "take", noting(locks.take))
        patch.setattr(locks, "lease", noting(locks.lease))
        patch.setattr(Atomic, "__enter__", beginning)
        post_save.connect(recorder.makes)
        try:
            with connection.execute_wrapper(recorder.statement):
                yield recorder
        finally:
            post_save.disconnect(recorder.makes)
