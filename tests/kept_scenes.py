"""Scenes that many tests begin with are built once in a process; the next test gets the same rows and a copy.

    @kept
    def make_scene(*, deals: int = 4) -> Scene: ...

On SQLite, in tests that are a transaction, clock and encryption as they are; with nothing there before, or nothing but
a kept scene to which nobody has done anything since: `play(scene, fixture)` after `make_scene()` is kept as well, by
what it is called with. Elsewhere each test builds its own: PostgreSQL is to see how it is done, and what is committed
has consequences.
"""

import pickle
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from functools import cache, wraps
from hashlib import blake2b
from itertools import count
from typing import Any, NamedTuple, ParamSpec, TypeVar

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import Model
from django.utils import timezone

from games.tables.state.facts import memory
from league.models import Club, User
from league.storage import board_keys
from tests import chance, statements
from tests.league import factories

P = ParamSpec("P")
T = TypeVar("T")
NOW, ENCRYPT = timezone.now, board_keys.encrypt
NOT_OF_TESTS = {"django_migrations", "django_content_type", "auth_permission"}


#: By the statement that writes a table's rows, its rows as they are stored; of each the first value is its rowid.
Rows = dict[str, list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Kept:
    """A scene: its rows, what the function gave, what the next name's number is, and what was sent.

    `written` and `removed` are how its rows differ from those of the scene that it follows; `path` names the functions
    that built them all, and the key what they were called with, too.
    """

    key: bytes
    path: bytes
    rows: Rows
    written: Rows
    removed: list[tuple[str, list[tuple[Any, ...]]]]
    given: bytes
    number: int
    sent: frozenset[str]

    def lay_out(self) -> None:
        """Put it into the database."""
        with connection.cursor() as cursor:
            for sql, rows in (*self.removed, *self.written.items()):
                cursor.executemany(sql, rows)
        factories._number = count(self.number)
        statements.recorder.now.keys.update(self.sent)


class Standing(NamedTuple):
    """What stands in the database: of which test, after how many changes, and which scene."""

    test: statements.Sent
    changes: int
    scene: Kept


NOTHING = Kept(b"", b"", {}, {}, [], b"", 0, frozenset())
_scenes: dict[bytes, Kept] = {}
_standing: list[Standing] = []


def kept(build: Callable[P, T]) -> Callable[P, T]:
    """Keep what this function builds; by its arguments, and by the keys that it is encrypted with.

    What it changes of its arguments is changed in the same way where the scene is laid out.
    """

    @wraps(build)
    def built(*args: P.args, **how: P.kwargs) -> T:
        before = scene_now()
        if before is None:
            return build(*args, **how)
        name = f"{build.__module__}.{build.__qualname__}"
        key = pickle.dumps((name, args, how, settings.BOARD_KEYS, settings.SECRET_KEY))
        path = before.path + name.encode() if before.path else key
        if before.key:
            key = blake2b(before.key + str(number_now()).encode() + key).digest()
        if key in _scenes:
            _scenes[key].lay_out()
            memory.forget()
        else:
            # Whichever test comes first: its cards are those of the scene.
            with pytest.MonkeyPatch.context() as patch:
                chance.fix(patch, random.Random(path))
                given = pickle.dumps((build(*args, **how), args, how))
            memory.forget()
            _scenes[key] = _difference(key, path, before, given)
        scene = _scenes[key]
        again, *changed = pickle.loads(scene.given)
        for mine, theirs in zip((*args, *how.values()), (*changed[0], *changed[1].values()), strict=True):
            if hasattr(mine, "__dict__") and (isinstance(mine, Model) or is_dataclass(mine)):
                vars(mine).update(vars(theirs))
        _standing[:] = [Standing(statements.recorder.now, changes_now(), scene)]
        result: T = again
        return result

    return built


def _difference(key: bytes, path: bytes, before: Kept, given: bytes) -> Kept:
    """The scene that stands in the database, as what it has more or otherwise than the one before."""
    rows = rows_now()
    written, removed = {}, []
    for sql, found in rows.items():
        known = set(before.rows.get(sql, ()))
        if new := [row for row in found if row not in known]:
            written[sql] = new
    for sql, found in before.rows.items():
        if gone := {row[0] for row in found} - {row[0] for row in rows.get(sql, ())}:
            table = re.findall(r'INTO "(\w+)"', sql)[0]
            removed.append((f'DELETE FROM "{table}" WHERE rowid = %s', [(each,) for each in gone]))
    sent = frozenset(statements.recorder.now.keys)
    return Kept(key, path, rows, written, removed, given, number_now(), sent)


def scene_now() -> Kept | None:
    """The scene that stands in the database as it was laid out, or nothing; none if a test has done more."""
    if (
        connection.vendor != "sqlite"
        or not connection.in_atomic_block
        or timezone.now is not NOW
        or board_keys.encrypt is not ENCRYPT
    ):
        return None
    if not Club.objects.exists() and not User.objects.exists():
        return NOTHING
    for test, changes, scene in _standing:
        if test is statements.recorder.now and changes == changes_now():
            return scene
    return None


def changes_now() -> int:
    """How many rows this connection has changed so far."""
    changes: int = connection.connection.total_changes
    return changes


def number_now() -> int:
    """The number of the next name."""
    return int(re.findall(r"\d+", repr(factories._number))[0])


def rows_now() -> Rows:
    """All rows of all tables, and how to write them again."""
    found = {}
    with connection.cursor() as cursor:
        for table, columns in all_columns():
            # The plus has them given as they are stored.
            cursor.execute(f'SELECT rowid, {", ".join(f"+{column}" for column in columns)} FROM "{table}"')
            if rows := cursor.fetchall():
                values = ", ".join(["%s"] * (len(columns) + 1))
                names = ", ".join(columns)
                found[f'INSERT OR REPLACE INTO "{table}" (rowid, {names}) VALUES ({values})'] = rows
    return found


@cache
def all_columns() -> list[tuple[str, list[str]]]:
    """Each table with its columns, quoted."""
    with connection.cursor() as cursor:
        return [
            (
                table,
                [f'"{each.name}"' for each in connection.introspection.get_table_description(cursor, table)],
            )
            for table in connection.introspection.django_table_names()
            if table not in NOT_OF_TESTS
        ]
