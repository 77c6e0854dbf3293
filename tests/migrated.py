"""The tables as all migrations leave them, kept from run to run: to build them takes longer than a hundred tests.

What migrations make of an empty database is always the same: a file on SQLite, and on PostgreSQL what was sent to it.
It is kept the first time, and used as long as no migration, and nothing that migrations use, has changed.
"""

import fcntl
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import django
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management.commands import migrate
from django.db import connection

READING = ("SELECT", "SAVEPOINT", "RELEASE")


@contextmanager
def kept(folder: Path) -> Iterator[None]:
    """Meanwhile `migrate` fills an empty database from what is kept here; other processes wait for the first."""
    build = migrate.Command.handle
    file = folder / f"{connection.vendor}-{version()}"
    make, use = (_make_file, _use_file) if connection.vendor == "sqlite" else (_make_text, _use_text)

    def filled(self: migrate.Command, *args: Any, **options: Any) -> None:
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if file.exists():
                use(file)
                return
            for older in folder.glob(f"{connection.vendor}-*"):
                older.unlink()
            made = folder / f"{connection.vendor}-unfinished"
            make(made, lambda: build(self, *args, **options))
            made.rename(file)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrate.Command, "handle", filled)
        yield


def version() -> str:
    """What stands for all files that decide what the tables are like."""
    digest = blake2b(f"{django.VERSION} {Path(__file__).read_text()}".encode(), digest_size=8)
    for app in apps.get_app_configs():
        used = (
            ("migrations", "models", "storage")
            if Path(app.path).parent == settings.BASE_DIR
            else ("migrations",)
        )
        for file in sorted(each for folder in used for each in Path(app.path, folder).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _make_file(file: Path, build: Callable[[], object]) -> None:
    build()
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)


def _use_file(file: Path) -> None:
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        copy.backup(connection.connection)


def _make_text(file: Path, build: Callable[[], object]) -> None:
    sent: list[str] = []
    operations: Any = connection.ops

    def note(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        if not str(sql).lstrip().startswith(READING) or "setval" in str(sql):
            sent.extend(str(operations.compose_sql(sql, each)) for each in (params if many else [params]))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        build()
    file.write_text("".join(f"{each.rstrip('; ')};\n" for each in sent))


def _use_text(file: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute(file.read_text())
