"""Keeps the demo's database of a release, for the tests that bring it up to date: one dump from each kind of database.

    python -m tests.upgrades.dump 0.2.0

Made at the commit of the release; the dumps go into `tests/upgrades/releases/`. To the demo come rows that it has not:
a match at an online table in mid-deal, a casual one, a substitute, a draft, a paper with sealed cards, a token.
"""

import argparse
import gzip
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tests import servers

RELEASES = Path(__file__).parent / "releases"
TODAY = "2026-11-22"


def main(arguments: Sequence[str]) -> None:
    """Write both dumps."""
    parser = argparse.ArgumentParser(prog="python -m tests.upgrades.dump", description=__doc__)
    parser.add_argument("version")
    version = parser.parse_args(arguments).version
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "concertmaster.sqlite3"
        fill(f"sqlite:///{file}")
        keep(version, "sqlite", dump_of_sqlite(file))
    with servers.servers(own=False) as (server, _redis):
        name = f"test_concertmaster_dump_{os.getpid()}"
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
            try:
                url = urlunsplit(urlsplit(server.url)._replace(path=f"/{name}"))
                fill(url)
                keep(version, "postgresql", dump_of_postgresql(url))
            finally:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def fill(url: str) -> None:
    """The demo and what it has not, in the empty database of this address."""
    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    for command in (
        ["manage.py", "migrate", "-v0"],
        ["manage.py", "demo", "--today", TODAY],
        ["-m", "tests.upgrades.more"],
        ["manage.py", "verify", "--settle"],
    ):
        subprocess.run([sys.executable, *command], env=environment, check=True)


def dump_of_sqlite(file: Path) -> str:
    """The database as SQL."""
    with sqlite3.connect(file) as connection:
        return "\n".join(connection.iterdump())


def dump_of_postgresql(url: str) -> str:
    """The database as SQL that a driver can execute: no commands of psql, no COPY."""
    command = ["pg_dump", "--no-owner", "--no-privileges", "--rows-per-insert=200", url]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return "\n".join(line for line in text.splitlines() if not line.startswith("\\"))


def keep(version: str, database: str, text: str) -> None:
    """The same text always makes the same file."""
    target = RELEASES / f"{version}.{database}.sql.gz"
    target.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
    print(f"{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
