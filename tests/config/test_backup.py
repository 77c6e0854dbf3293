"""A backup is of one moment, while people write; what it is restored into has the same rows, and its keys open them."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import threading
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection

from config.management.commands import restore
from league.models import Club

MAKE = """
from league.models import Club
Club.objects.create(name="Riverside Club", slug="riverside")
from django.contrib.auth import get_user_model
get_user_model().objects.create_user("olive@example.org", "x")
"""


def manage(var: Path, *arguments: str, ok: bool = True) -> str:
    """What the command of an embedded installation says."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.embedded", "VAR_DIR": str(var)}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode == 0) == ok, done.stdout + done.stderr
    return done.stdout + done.stderr


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as opened:
        return opened.execute(query).fetchall()


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a club, a person and its keys."""
    var = tmp_path_factory.mktemp("installation") / "var"
    manage(var, "migrate", "--verbosity", "0")
    manage(var, "shell", "--verbosity", "0", "--command", MAKE)
    return var


@pytest.mark.one_database
def test_a_copy_made_while_somebody_writes_is_of_one_moment(installation: Path, tmp_path: Path) -> None:
    """Each transaction of the writer adds two rows: a copy with an odd number would have half of one."""
    stop = threading.Event()
    database = installation / "concertmaster.sqlite3"
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute("CREATE TABLE IF NOT EXISTS written (n INTEGER)")

    def write() -> None:
        with closing(sqlite3.connect(database, timeout=30)) as opened:
            while not stop.is_set():
                with opened:
                    opened.execute("INSERT INTO written VALUES (1)")
                    opened.execute("INSERT INTO written VALUES (2)")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        manage(installation, "backup", str(tmp_path / "one.tar"))
    finally:
        stop.set()
        writer.join()
    with tarfile.open(tmp_path / "one.tar") as archive:
        archive.extractall(tmp_path / "out", filter="data")
    ((count,),) = rows(tmp_path / "out/database.sqlite3", "SELECT count(*) FROM written")
    assert isinstance(count, int)
    assert count > 0
    assert count % 2 == 0
    assert rows(tmp_path / "out/database.sqlite3", "PRAGMA integrity_check") == [("ok",)]
    assert (tmp_path / "one.tar").stat().st_mode & 0o077 == 0


@pytest.mark.one_database
def test_what_was_backed_up_is_restored_with_its_keys(installation: Path, tmp_path: Path) -> None:
    manage(installation, "backup", str(tmp_path / "two.tar"))
    other = tmp_path / "other"
    manage(other, "restore", str(tmp_path / "two.tar"))

    assert rows(other / "concertmaster.sqlite3", "SELECT slug FROM league_club") == [("riverside",)]
    for key in ("secret_key", "board_key"):
        assert (other / key).read_bytes() == (installation / key).read_bytes()
    assert "verified" in manage(other, "verify")
    assert "--replace" in manage(other, "restore", str(tmp_path / "two.tar"), ok=False)


@pytest.mark.one_database
def test_a_file_that_is_no_backup_changes_nothing(installation: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (tmp_path / "nothing").write_text("nothing")
    assert "no backup" in manage(other, "restore", str(tmp_path / "nothing"), ok=False)
    (tmp_path / "database.sqlite3").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with tarfile.open(tmp_path / "damaged.tar", "w") as archive:
        archive.add(tmp_path / "database.sqlite3", "database.sqlite3")
    before = (installation / "secret_key").read_bytes()
    assert "damaged" in manage(installation, "restore", "--replace", str(tmp_path / "damaged.tar"), ok=False)
    assert rows(installation / "concertmaster.sqlite3", "SELECT slug FROM league_club") == [("riverside",)]
    assert (installation / "secret_key").read_bytes() == before


@pytest.mark.one_database
def test_a_backup_takes_no_name_that_is_taken_and_may_leave_the_keys_out(
    installation: Path, tmp_path: Path
) -> None:
    file = tmp_path / "three.tar"
    file.write_text("mine")
    assert "can't be written" in manage(installation, "backup", str(file), ok=False)
    assert file.read_text() == "mine"
    said = manage(installation, "backup", "--without-keys", str(tmp_path / "four.tar"))
    assert "keys are not in it" in said
    with tarfile.open(tmp_path / "four.tar") as archive:
        assert archive.getnames() == ["database.sqlite3"]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_backup_of_postgresql_brings_everything_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = shutil.which("pg_dump")
    said = (
        subprocess.run([dump, "--version"], capture_output=True, text=True, check=True).stdout
        if dump
        else "0"
    )
    connection.ensure_connection()
    if int(re.findall(r"\d+", said)[0]) < connection.connection.info.server_version // 10000:
        pytest.skip("PostgreSQL's client programs aren't here, or older than the server")
    # The tests' tables are made of the models: there is nothing to migrate.
    migrated: list[str] = []
    monkeypatch.setattr(restore, "call_command", lambda name, **_options: migrated.append(name))
    Club.objects.create(name="Riverside Club", slug="riverside")
    call_command("backup", str(tmp_path / "five.tar"), without_keys=True)
    Club.objects.all().delete()
    connection.close()
    call_command("restore", str(tmp_path / "five.tar"))
    assert Club.objects.get().slug == "riverside"
    assert migrated == ["migrate"]

    get_user_model().objects.create_user("olive@example.org", "x")
    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", str(tmp_path / "five.tar"))
