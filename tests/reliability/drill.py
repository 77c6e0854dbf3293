"""The drill of docs/production.md: a database that is gone comes back from its base backup and the log since.

`make drill` runs it: people write, a base backup is made, people go on writing, the disk is gone; then the document's
commands bring back another one. At most 15 minutes, and at most the last 60 seconds lost. The planted fault is a
restore without the archived log, which must be seen to lose more.
"""

import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.config.services import Redis
from tests.production import compose
from tests.reliability import writers
from tests.reliability.production import PostgreSQL, Production, manage
from tests.reliability.writers import Ledger, People
from tests.servers import identity, postgresql_binaries

pytestmark = [pytest.mark.one_database, pytest.mark.long]

MINUTES, LOST_SECONDS = 15, 60
#: In the document's commands the containers' folders.
ARCHIVE, DATA = "/archive", "/var/lib/postgresql/data"


@pytest.fixture
def production() -> Iterator[Production]:
    with (
        tempfile.TemporaryDirectory(prefix="cm-", ignore_cleanup_errors=True) as folder,
        ExitStack() as running,
    ):
        Path(folder).chmod(0o777)
        redis, postgresql = Redis(), PostgreSQL(Path(folder) / "postgresql", durable=True)
        for server in (redis, postgresql):
            server.start()
            running.callback(server.stop)
        made = Production(postgresql, redis, Path(folder))
        running.callback(made.stop)
        made.start("web")
        made.answer()
        yield made


class Commands:
    """The document's, with this test's folders in place of the containers'."""

    def __init__(self, postgresql: PostgreSQL) -> None:
        self.postgresql, self.archive = postgresql, postgresql.folder.parent / "archive"
        self.archive.mkdir()
        self.archive.chmod(0o777)
        self.turn_on, self.base, self.restore = map(self.here, compose.blocks("Point in time"))

    def here(self, block: str) -> str:
        for there, own in ((ARCHIVE, self.archive), (DATA, self.postgresql.folder / "data")):
            block = re.sub(rf"(?<![\w/]){there}\b", str(own), block)
        block = re.sub(r"docker compose (exec -T|run --rm) postgres ", "", block)
        return "\n".join(line for line in block.splitlines() if not line.startswith("docker compose "))

    def empty_disk(self) -> None:
        """All of the database is gone."""
        data = self.postgresql.folder / "data"
        shutil.rmtree(data)
        data.mkdir(mode=0o700)
        if self.postgresql.account:
            shutil.chown(data, self.postgresql.account.pw_uid)

    def run(self, block: str) -> None:
        who = identity(self.postgresql.account)
        path = f"{postgresql_binaries()}:{who['env']['PATH']}"
        environment = {**who.pop("env"), "PATH": path, "PGHOST": "127.0.0.1", "PGPORT": str(self.postgresql.port),
                       "PGDATABASE": "postgres"}  # fmt: skip
        done = subprocess.run(
            ["sh", "-e"],
            input=block,
            text=True,
            capture_output=True,
            check=False,
            env=environment,
            cwd="/",
            **who,
        )
        assert done.returncode == 0, done.stderr


def lost(ledger: Ledger, times: dict[int, float], gone: float, postgresql: PostgreSQL) -> float:
    """How many seconds before the end the oldest acknowledged write was that is not there."""
    there = {row[0] for row in postgresql.rows("SELECT id FROM league_fixture WHERE status = 'confirmed'")}
    return max((gone - times[key] for key in ledger.confirmed - there), default=0.0)


def test_the_drill(production: Production) -> None:
    postgresql = production.postgresql
    commands = Commands(postgresql)
    commands.run(commands.turn_on)
    postgresql.stop()
    postgresql.start()
    matches = writers.league(production.environment, 40)
    people, times = People(production.site, matches[: len(matches) // 8], clients=2), {}
    people.start()
    people.finish()
    commands.run(commands.base)
    of_the_backup = set(commands.archive.glob("0*"))
    later = People(production.site, matches[len(matches) // 8 :], clients=1)
    noted: set[int] = set()
    over = threading.Event()
    later.start()
    begun = time.monotonic()
    while time.monotonic() < begun + 2.5 * LOST_SECONDS and not over.wait(0.2):
        for key in later.ledger.confirmed - noted:
            times[key] = time.monotonic()
            noted.add(key)
    postgresql.kill()
    gone = time.monotonic()
    later.give_up()
    production.kill("web")
    commands.empty_disk()

    commands.run(commands.restore)
    postgresql.start()
    until_writable(postgresql)
    production.redis.stop()
    production.redis.start()
    production.start("web")
    production.answer()
    back = time.monotonic() - gone
    manage(production.environment, "verify")
    verified = time.monotonic() - gone
    ledger = Ledger(confirmed=set(noted))
    seconds = lost(ledger, times, gone, postgresql)
    print(
        f"drill: pages after {back:.0f} s, verified after {verified:.0f} s; "
        f"of {len(noted)} matches since the base backup the last {seconds:.0f} s lost (load {os.getloadavg()[0]:.0f})"
    )
    assert verified < 60 * MINUTES
    assert seconds <= LOST_SECONDS

    # Planted: without the log that was archived since the base backup, all of that time is gone.
    production.kill("web")
    postgresql.stop()
    commands.empty_disk()
    for each in set(commands.archive.glob("0*")) - of_the_backup:
        each.unlink()
    commands.run(commands.restore)
    postgresql.start()
    until_writable(postgresql)
    assert lost(ledger, times, gone, postgresql) > LOST_SECONDS


def until_writable(postgresql: PostgreSQL) -> None:
    """Until the log is read to its end."""
    deadline = time.monotonic() + 60 * MINUTES
    while postgresql.run("SELECT pg_is_in_recovery()"):
        assert time.monotonic() < deadline
        threading.Event().wait(0.2)
