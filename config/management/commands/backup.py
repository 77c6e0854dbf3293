"""`manage.py backup FILE` and `manage.py restore FILE`: all data of the installation as one file, while it is in use.

The file is a tar archive: `database.sqlite3` (a copy by SQLite's own backup, of one moment) or `database.dump` (by
pg_dump), and the keys where the installation keeps them in files. In production they are variables, and not in it.
"""

import os
import sqlite3
import subprocess
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

LITE, SERVER = "database.sqlite3", "database.dump"
KEYS = ("secret_key", "board_key", "push_key")


class Command(BaseCommand):
    """Nobody has to stop the service for it."""

    help = "Writes all data of this installation into one file, while it is in use. `restore` reads it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write; it must not be there yet")
        parser.add_argument(
            "--without-keys", action="store_true", help="leave the keys out: keep them in another place"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        file: Path = options["file"]
        keys = [] if options["without_keys"] else key_files()
        try:
            # Takes no name that is taken, and is for nobody else on this computer.
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as fault:
            raise CommandError(f"The file can't be written: {fault.strerror}.") from fault
        try:
            copy = write(file, keys)
        except BaseException:
            file.unlink()
            raise
        self.stdout.write(f"Written to {file}: {', '.join([copy, *(key.name for key in keys)])}.")
        if not keys:
            self.stdout.write(
                "The keys are not in it. Without BOARD_KEYS no scoresheet can be read: keep them."
            )


def write(file: Path, keys: list[Path]) -> str:
    """The database and the keys into this file, which is empty until all is there; gives the database's name in it."""
    with tempfile.TemporaryDirectory(dir=file.absolute().parent) as folder:
        copy = Path(folder, LITE if connection.vendor == "sqlite" else SERVER)
        if connection.vendor == "sqlite":
            copy_to(copy)
        else:
            run("pg_dump", "--format", "custom", "--file", str(copy))
        whole = Path(folder, "whole")
        with tarfile.open(whole, "w") as archive:
            for each in (copy, *keys):
                archive.add(each, each.name)
        whole.chmod(0o600)
        whole.replace(file)
    return copy.name


def key_files() -> list[Path]:
    """Those that exist; none where they are variables."""
    return [path for path in (settings.VAR_DIR / name for name in KEYS) if path.is_file()]


def copy_to(path: Path) -> None:
    """The database of one moment; who writes meanwhile waits for no more than a page of it."""
    connection.ensure_connection()
    with closing(sqlite3.connect(path)) as target:
        connection.connection.backup(target, pages=1000)
    path.chmod(0o600)


def run(command: str, *arguments: str) -> None:
    """One of PostgreSQL's own programs, on the installation's database."""
    told = connection.settings_dict
    names = {
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGDATABASE": "NAME",
    }
    environment = {name: str(told[key]) for name, key in names.items() if told.get(key)}
    try:
        done = subprocess.run(  # noqa: S603 (PostgreSQL's own program, without a shell)
            [command, *arguments],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as fault:
        raise CommandError(
            f"{command} isn't here: install PostgreSQL's client programs, or call it in the database's container "
            "(docs/production.md)."
        ) from fault
    if done.returncode:
        raise CommandError(f"{command}: {done.stderr.strip()}")
