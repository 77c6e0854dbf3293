"""The database of every release comes up to date with all that is in it, on both databases."""

import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection as django_connection

RELEASES = Path(__file__).parent / "releases"
#: What no upgrade may change, asked of the database itself: whose match ended how, and who did what.
KEPT = (
    "SELECT round_id, entry_id FROM league_appearance WHERE fixture_id IS NULL ORDER BY round_id, entry_id",
    "SELECT id, actor_name, action FROM league_auditentry ORDER BY id",
    "SELECT id, number, purpose, place FROM games_board ORDER BY id",
    "SELECT id, commitment FROM games_boardset ORDER BY id",
    "SELECT deal_id, number, seat FROM games_action ORDER BY id",
    "SELECT id, name FROM league_player ORDER BY id",
)
#: What a release of before had elsewhere: the question then, and the question now.
SIDES = (
    "FROM league_appearance h JOIN league_appearance a ON a.fixture_id = h.fixture_id "
    'WHERE h."order" = 1 AND a."order" = 2'
)
MOVED = {
    "SELECT id, home_id, away_id FROM league_fixture ORDER BY id": (
        f"SELECT h.fixture_id, h.entry_id, a.entry_id {SIDES} ORDER BY h.fixture_id"
    ),
    "SELECT fixture_id, kind, home_score, away_score FROM league_fixtureresult ORDER BY fixture_id": (
        "SELECT h.fixture_id, CASE WHEN h.outcome = 'played' THEN 'played' "
        "WHEN h.outcome = 'won_by_walkover' THEN 'walkover_home' "
        "WHEN a.outcome = 'won_by_walkover' THEN 'walkover_away' ELSE 'double_forfeit' END, "
        f"COALESCE(h.score, 0), COALESCE(a.score, 0) {SIDES} "
        "AND h.outcome IN ('played', 'won_by_walkover', 'lost_by_walkover') ORDER BY h.fixture_id"
    ),
    "SELECT fixture_id, recorded_at FROM league_fixtureresult ORDER BY fixture_id": (
        "SELECT id, decided_at FROM league_fixture WHERE decided_at IS NOT NULL ORDER BY id"
    ),
    "SELECT match_id, version, home_total, away_total, verdict, entered_by_id FROM games_scoresheet ORDER BY id": (
        "SELECT match_id, version, CAST(totals ->> 0 AS integer), CAST(totals ->> 1 AS integer), verdict, "
        "entered_by_id FROM games_scoresheet ORDER BY id"
    ),
    "SELECT id, state, draw_seed FROM league_competition ORDER BY id": (
        "SELECT competition_id, state, draw_seed FROM league_stage ORDER BY competition_id"
    ),
    "SELECT id, competition_id FROM league_division ORDER BY id": (
        "SELECT d.id, s.competition_id FROM league_division d JOIN league_stage s ON s.id = d.stage_id ORDER BY d.id"
    ),
    "SELECT id, competition_id FROM league_round ORDER BY id": (
        "SELECT r.id, s.competition_id FROM league_round r JOIN league_stage s ON s.id = r.stage_id ORDER BY r.id"
    ),
}
#: A constraint that a table of SQLite has in its own words.
CONDITION = re.compile(
    r'CONSTRAINT "\w+" (?:CHECK \(.*?\)(?=, (?:CONSTRAINT|UNIQUE|FOREIGN|")|\)$)|UNIQUE \([^)]*\))'
)
#: What PostgreSQL says of its structure. Tables that were renamed kept the names of their keys, and a dump writes
#: conditions in other words.
STRUCTURE = (
    """SELECT table_name, column_name, data_type, character_maximum_length, is_nullable
    FROM information_schema.columns WHERE table_schema = 'public'""",
    """SELECT conrelid::regclass, contype, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype <> 'c'""",
    """SELECT conrelid::regclass, conname FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype = 'c'""",
    """SELECT indrelid::regclass, indisunique, indpred IS NULL,
    ARRAY(SELECT pg_get_indexdef(indexrelid, place, true) FROM generate_series(1, indnatts) place)
    FROM pg_index WHERE indrelid::regclass::text !~ 'pg_'""",
    "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
)
#: Where migrations are noted, and keys that were made before Django numbered all rows alike.
DJANGO_S_OWN = {"django_migrations", "auth_group_permissions"}
BEFORE_MOVING = {"0.1.0", "0.2.0"}


def releases(database: str) -> list[str]:
    """The versions of which there is a dump of this kind of database."""
    return sorted(
        path.name.removesuffix(f".{database}.sql.gz") for path in RELEASES.glob(f"*.{database}.sql.gz")
    )


def oldest_and_others(database: str) -> list[Any]:
    """The oldest release passes every migration that there is with content; the others, some of them once more."""
    oldest, *others = releases(database)
    return [oldest, *(pytest.param(each, marks=pytest.mark.thorough) for each in others)]


def text_of(version: str, database: str) -> str:
    """The dump."""
    return gzip.decompress((RELEASES / f"{version}.{database}.sql.gz").read_bytes()).decode()


def command(url: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of manage.py on this database."""
    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    return subprocess.run(
        [sys.executable, "manage.py", *words], env=environment, capture_output=True, text=True, check=False
    )


def bring_up_to_date(url: str) -> None:
    """Migrate and verify: the stored figures still follow from the facts."""
    migrated = command(url, "migrate", "-v0")
    assert migrated.returncode == 0, migrated.stderr[-2000:]
    verified = command(url, "verify", "--settle")
    assert verified.returncode == 0, verified.stdout[-2000:] + verified.stderr[-2000:]
    assert "5 competitions verified" in verified.stdout


def kept(connection: Any, version: str = "") -> Mapping[str, Any]:
    """What stands in the database of that which must not change; it may be that of an older version."""
    moved = {old: old if version in BEFORE_MOVING else new for old, new in MOVED.items()}
    questions = {question: question for question in KEPT} | moved
    return {
        name: [tuple(row) for row in connection.execute(question).fetchall()]
        for name, question in questions.items()
    }


def structure_of_sqlite(connection: Any) -> set[tuple[Any, ...]]:
    """All columns, conditions, indexes and triggers, in any order: tables that grew have theirs in another."""
    made: list[tuple[str, str, str, str]] = connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    found = set[tuple[Any, ...]]()
    made = [each for each in made if each[1] not in DJANGO_S_OWN]
    for kind, name, table, sql in made:
        if kind != "table":
            found.add((kind, name, table, sql))
            continue
        found |= {
            (name, *column)
            for _place, *column in connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        }
        found |= {
            (name, *key)
            for _id, _place, *key in connection.execute(f'PRAGMA foreign_key_list("{name}")').fetchall()
        }
        found |= {(name, condition) for condition in CONDITION.findall(sql)}
    return found


def structure_of_postgresql(connection: Any) -> set[tuple[Any, ...]]:
    """All columns, keys, conditions, indexes, triggers and functions."""
    found = {
        tuple(map(str, row)) for question in STRUCTURE for row in connection.execute(question).fetchall()
    }
    return {row for row in found if row[0] not in DJANGO_S_OWN}


def test_there_is_a_dump_of_the_first_release() -> None:
    assert "0.1.0" in releases("sqlite")
    assert releases("sqlite") == releases("postgresql")


@pytest.mark.one_database
@pytest.mark.django_db
@pytest.mark.parametrize("version", oldest_and_others("sqlite"))
def test_a_release_on_sqlite_comes_up_to_date(version: str, tmp_path: Path) -> None:
    file = tmp_path / "concertmaster.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(text_of(version, "sqlite"))
        before = kept(connection, version)

    bring_up_to_date(f"sqlite:///{file}")

    assert all(before.values())
    with closing(sqlite3.connect(file)) as connection:
        assert kept(connection) == before
        migrated = structure_of_sqlite(connection)
    django_connection.ensure_connection()
    assert migrated ^ structure_of_sqlite(django_connection.connection) == set()


def test_every_answer_of_the_api_about_the_demo_fits_the_schema(tmp_path: Path) -> None:
    """A director asks each address for each thing that there is, a player and somebody without an account for some."""
    file = tmp_path / "concertmaster.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(text_of(releases("sqlite")[-1], "sqlite"))
    url = f"sqlite:///{file}"
    assert command(url, "migrate", "-v0").returncode == 0

    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    people = ("daniel.quinn@example.org", "anna.berg@example.org")
    asked = subprocess.run(
        [sys.executable, "-m", "tests.upgrades.ask_api", *people],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert asked.returncode == 0, asked.stderr[-2000:]
    told = json.loads(asked.stdout.splitlines()[-1])
    assert told["wrong"] == []
    assert told["answers"]["200"] > 400
    assert set(told["answers"]) <= {"200", "401", "403", "404"}


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The address of a new database on the server of this run."""
    server, name = os.environ["DATABASE_URL"], f"test_concertmaster_upgrade_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize("version", oldest_and_others("postgresql"))
def test_a_release_on_postgresql_comes_up_to_date(version: str, empty_database: str) -> None:
    assert settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(text_of(version, "postgresql"))
    # The dump empties the connection's search path.
    with psycopg.connect(empty_database) as connection:
        before = kept(connection, version)

    bring_up_to_date(empty_database)

    assert all(before.values())
    with psycopg.connect(empty_database) as connection:
        assert kept(connection) == before
        migrated = structure_of_postgresql(connection)
    django_connection.ensure_connection()
    assert migrated ^ structure_of_postgresql(django_connection.connection) == set()
