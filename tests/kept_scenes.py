"""Scenes that many tests begin with are built once in a process; the next test gets the same rows and a copy.

    @kept
    def make_scene(*, deals: int = 4) -> Scene: ...

On SQLite, in tests that are a transaction, with nothing there before, clock and encryption as they are. Elsewhere each
test builds its own: PostgreSQL is to see how it is done, and what is committed has consequences.
"""

import pickle
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from itertools import count
from typing import Any, ParamSpec, TypeVar

import pytest
from django.conf import settings
from django.db import connection
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


@dataclass(frozen=True)
class Kept:
    """A scene: its rows by statement, what the function gave, what the next name's number is, and what was sent."""

    rows: list[tuple[str, list[tuple[Any, ...]]]]
    given: bytes
    number: int
    sent: frozenset[str]

    def lay_out(self) -> None:
        """Put it into the database."""
        with connection.cursor() as cursor:
            for sql, rows in self.rows:
                cursor.executemany(sql, rows)
        factories._number = count(self.number)
        statements.recorder.now.keys.update(self.sent)


_scenes: dict[bytes, Kept] = {}


def kept(build: Callable[P, T]) -> Callable[P, T]:
    """Keep what this function builds; by its arguments, and by the keys that it is encrypted with."""

    @wraps(build)
    def built(*args: P.args, **how: P.kwargs) -> T:
        if not is_untouched():
            return build(*args, **how)
        name = f"{build.__module__}.{build.__qualname__}"
        key = pickle.dumps((name, args, how, settings.BOARD_KEYS, settings.SECRET_KEY))
        if key in _scenes:
            _scenes[key].lay_out()
        else:
            # Whichever test comes first: its cards are those of the scene.
            with pytest.MonkeyPatch.context() as patch:
                chance.fix(patch, random.Random(key))
                given = pickle.dumps(build(*args, **how))
            memory.forget()
            number = int(re.findall(r"\d+", repr(factories._number))[0])
            _scenes[key] = Kept(rows_now(), given, number, frozenset(statements.recorder.now.keys))
        again: T = pickle.loads(_scenes[key].given)
        return again

    return built


def is_untouched() -> bool:
    """Whether a scene can be laid out here as it was built elsewhere."""
    return (
        connection.vendor == "sqlite"
        and connection.in_atomic_block
        and timezone.now is NOW
        and board_keys.encrypt is ENCRYPT
        and not Club.objects.exists()
        and not User.objects.exists()
    )


def rows_now() -> list[tuple[str, list[tuple[Any, ...]]]]:
    """All rows of all tables, and how to write them again."""
    found = []
    with connection.cursor() as cursor:
        for table, columns in all_columns():
            # The plus has them given as they are stored.
            cursor.execute(f'SELECT {", ".join(f"+{column}" for column in columns)} FROM "{table}"')
            if rows := cursor.fetchall():
                values = ", ".join(["%s"] * len(columns))
                found.append((f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES ({values})', rows))
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
