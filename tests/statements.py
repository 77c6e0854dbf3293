"""What each test of the first half sends to its database, and which tests are enough to send all of it to another.

A statement that PostgreSQL refuses or answers otherwise is refused whichever test sends it. So the second half takes as
many tests as are needed to send the site's statements again, each with the errors that it met: every write, every
lock and every reading that counts, groups or reckons as a whole; of plain readings every table and every condition.
"""

import heapq
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.conf import settings
from django.db import DatabaseError
from django.db.backends.utils import CursorWrapper

OURS = tuple(f"{settings.BASE_DIR / layer}/" for layer in ("league", "games", "config"))
LOCKS = "/locks.py"
#: What differs between two sendings of one statement: how many values, which columns of its tables, which page.
REPEATED = re.compile(r"(\((?:%s(?:, )?)+\)|%s)(?:, \1)+|\((?:%s(?:, )?)+\)")
#: As many values as rows that one statement changes.
CASES = re.compile(r"( WHEN \(\S+ = %s\) THEN %s)\1+")
COLUMN = r'(?:"\w+"|[TUV]\d+)\."\w+"'
COLUMNS = re.compile(rf"{COLUMN}(?: AS \"\w+\"| ASC| DESC)?(?:, {COLUMN}(?: AS \"\w+\"| ASC| DESC)?)*")
NUMBER = re.compile(r"\b([A-Z])?\d+\b")
WITHOUT_CONTENT = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "PRAGMA")
#: A statement of these words alone means the same in every database.
PLAIN = frozenset(
    {
        *(
            "SELECT",
            "COUNT",
            "AS",
            "FROM",
            "INNER",
            "LEFT",
            "OUTER",
            "JOIN",
            "ON",
            "WHERE",
            "AND",
            "OR",
            "NOT",
            "EXISTS",
        ),
        *("IN", "IS", "NULL", "ORDER", "BY", "ASC", "DESC", "LIMIT", "OFFSET"),
    }
)
WORD = re.compile(r'"[^"]*"|([A-Z]{2,})')
PART = re.compile(rf'(?:FROM|JOIN) "\w+"|{COLUMN}\)? ?(?:=|<=|>=|<|>|IN|IS NOT NULL|IS NULL)(?= |\)|$)')


@dataclass
class Sent:
    """What one test sent, and how long it took."""

    seconds: float = 0
    keys: set[str] = field(default_factory=set)


@dataclass
class Recorder:
    """Notes the statements of all threads by the test that is running."""

    tests: dict[str, Sent] = field(default_factory=dict)
    now: Sent = field(default_factory=Sent)
    _keys: dict[tuple[str, bool, str], list[str]] = field(default_factory=dict)

    @contextmanager
    def during(self, name: str) -> Iterator[None]:
        """Count what is sent meanwhile as this test's."""
        self.now = self.tests[name] = Sent()
        started = time.monotonic()
        yield
        self.now.seconds = time.monotonic() - started

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear every statement of this process."""
        with pytest.MonkeyPatch.context() as patch:
            for name in ("execute", "executemany"):
                patch.setattr(CursorWrapper, name, self._noting(getattr(CursorWrapper, name)))
            yield

    def _noting(self, send: Callable[..., Any]) -> Callable[..., Any]:
        def noting(cursor: CursorWrapper, sql: str, params: Any = None) -> Any:
            try:
                answer = send(cursor, sql, params)
            except DatabaseError as fault:
                self._note(sql, type(fault).__name__)
                raise
            self._note(sql, "")
            return answer

        return noting

    def _note(self, sql: str, fault: str) -> None:
        if sql.startswith(WITHOUT_CONTENT) or not (file := sender(sys._getframe(3))):
            return
        what = (sql, file.endswith(LOCKS), fault)
        keys = self._keys.get(what)
        if keys is None:
            keys = [blake2b(each.encode(), digest_size=8).hexdigest() for each in parts(*what)]
            self._keys[what] = keys
        self.now.keys.update(keys)

    def write(self, file: Path) -> None:
        """Keep it for the other half."""
        kept = {name: [sent.seconds, sorted(sent.keys)] for name, sent in self.tests.items()}
        file.write_text(json.dumps(kept))


recorder = Recorder()


def sender(frame: FrameType | None) -> str:
    """The module of the site that has this statement sent; none if the test does, or what clears up after it."""
    while frame is not None and not frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    return frame.f_code.co_filename if frame else ""


def parts(sql: str, locks: bool, fault: str) -> Iterator[str]:
    """What has to be sent for this statement to have been sent."""
    if fault or locks or {word for word in WORD.findall(sql) if word} - PLAIN:
        yield f"{shape(sql)} {locks} {fault}"
    else:
        yield from (NUMBER.sub(r"\1", part) for part in PART.findall(sql))


def shape(sql: str) -> str:
    """The statement without how many values it has, and without the columns that it reads or is sorted by."""
    head, where, tail = REPEATED.sub("(%s)", CASES.sub(r"\1", sql)).partition(" WHERE ")
    tail, order, sorting = tail.rpartition(" ORDER BY ") if " ORDER BY " in tail else (tail, "", "")
    return NUMBER.sub(r"\1", f"{COLUMNS.sub('*', head)}{where}{tail}{order}{COLUMNS.sub('*', sorting)}")


def read(folder: Path) -> dict[str, Sent]:
    """What all workers of the first half wrote."""
    return {
        name: Sent(seconds, set(keys))
        for file in sorted(folder.glob("*.json"))
        for name, (seconds, keys) in json.loads(file.read_text()).items()
    }


def enough(tests: Mapping[str, Sent]) -> set[str]:
    """Tests that together send everything, chosen for sending much that is missing in little time."""
    missing = {key for sent in tests.values() for key in sent.keys}
    waiting = [(-_worth(sent, len(sent.keys)), name) for name, sent in tests.items()]
    heapq.heapify(waiting)
    chosen: set[str] = set()
    while missing:
        _, name = heapq.heappop(waiting)
        worth = -_worth(tests[name], len(tests[name].keys & missing))
        if waiting and worth > waiting[0][0]:
            heapq.heappush(waiting, (worth, name))
        else:
            chosen.add(name)
            missing -= tests[name].keys
    # What was chosen early may have nothing of its own any more: the slowest of those go first.
    senders = Counter(key for name in chosen for key in tests[name].keys)
    for name in sorted(chosen, key=lambda name: -tests[name].seconds):
        if all(senders[key] > 1 for key in tests[name].keys):
            chosen.remove(name)
            senders.subtract(tests[name].keys)
    return chosen


def _worth(sent: Sent, new: int) -> float:
    return new / (sent.seconds + 0.1)
