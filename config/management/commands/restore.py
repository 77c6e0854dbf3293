"""`manage.py restore FILE`: makes the data of a backup those of this installation. See `backup`."""

import sqlite3
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection

from config.management.commands.backup import KEYS, LITE, SERVER, run


class Command(BaseCommand):
    """Into an installation without people, unless it is told to replace them."""

    help = "Makes the data of a backup those of this installation, which must be empty (or --replace)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `backup` wrote")
        parser.add_argument(
            "--replace", action="store_true", help="delete what is here; stop the service first"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if has_people() and not options["replace"]:
            raise CommandError(
                "There are people here already. Stop the service, and add --replace to delete them."
            )
        wanted = LITE if connection.vendor == "sqlite" else SERVER
        with tempfile.TemporaryDirectory() as folder:
            try:
                with tarfile.open(options["file"], "r:") as archive:
                    for member in archive:
                        if member.isfile() and member.name in {LITE, SERVER, *KEYS}:
                            archive.extract(member, folder, filter="data")
            except (OSError, tarfile.TarError) as fault:
                raise CommandError(f"This file is no backup: {fault}") from fault
            found = Path(folder, wanted)
            if not found.is_file():
                raise CommandError(
                    f"There is no {wanted} in this file: it is of another kind of installation."
                )
            if connection.vendor == "sqlite":
                read_from(found)
            else:
                run("pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction",
                    "--dbname", str(connection.settings_dict["NAME"]), str(found))  # fmt: skip
            for name in KEYS:
                key = Path(folder, name)
                if key.is_file():
                    kept = settings.VAR_DIR / name
                    kept.write_bytes(key.read_bytes())
                    kept.chmod(0o600)
        connection.close()
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write("Restored. Start the service, and let `manage.py verify` recompute everything.")


def has_people() -> bool:
    """False also where there are no tables yet."""
    try:
        return bool(get_user_model().objects.exists())
    except DatabaseError:
        return False


def read_from(path: Path) -> None:
    """All or nothing: SQLite writes the copy in one transaction."""
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source:
            faults = source.execute("PRAGMA integrity_check").fetchall()
            if faults != [("ok",)]:
                raise CommandError("The database in this file is damaged.")
            source.backup(connection.connection)
    except sqlite3.DatabaseError as fault:
        raise CommandError(f"The database in this file is damaged: {fault}") from fault
