"""The database away, full or read-only: people and programs are told so with 503, and it goes on by itself."""

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.db import InterfaceError, OperationalError, ProgrammingError, close_old_connections, connection
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.test import Client

from config.web.outages import (
    AWAY,
    FULL,
    READ_ONLY,
    Outage,
    outage_of,
)
from league.models import Club, User

PASSWORD = "concerto-13-cards"


def django_s(kind: type[Exception], cause: BaseException) -> Exception:
    """An error as Django passes it on."""
    failure = kind(str(cause))
    failure.__cause__ = cause
    return failure


def postgresql_s(code: str) -> Exception:
    return django_s(OperationalError, psycopg.errors.lookup(code)("no"))


@pytest.mark.parametrize(
    ("code", "outage"),
    [
        ("08006", AWAY),
        ("57P01", AWAY),
        ("57P03", AWAY),
        ("53300", AWAY),
        ("58030", AWAY),
        ("53100", FULL),
        ("25006", READ_ONLY),
        ("40P01", None),
        ("40001", None),
        ("55P03", None),
        ("57014", None),
        ("42P01", None),
    ],
)
def test_what_postgresql_says(code: str, outage: Outage | None) -> None:
    assert outage_of(postgresql_s(code)) is outage


def test_a_postgresql_that_says_nothing_is_away() -> None:
    with pytest.raises(psycopg.OperationalError) as refused:
        psycopg.connect("host=127.0.0.1 port=1 connect_timeout=1")
    assert outage_of(django_s(OperationalError, refused.value)) is AWAY
    assert outage_of(django_s(InterfaceError, psycopg.InterfaceError("the connection is closed"))) is AWAY


@contextmanager
def sqlite_at(path: Path, *, opening: str = "") -> Iterator[DatabaseWrapper]:
    """A connection of Django's to that file."""
    given: dict[str, Any] = {**connection.settings_dict, "ENGINE": "django.db.backends.sqlite3", "NAME": path}
    given["OPTIONS"] = {"init_command": opening} if opening else {}
    made = DatabaseWrapper({**given, "TIME_ZONE": None, "CONN_HEALTH_CHECKS": False}, alias="tried")
    with closing(made):
        yield made


def failure_of(made: DatabaseWrapper, sql: str) -> BaseException:
    with pytest.raises(OperationalError) as failed, made.cursor() as cursor:
        cursor.execute(sql)
    return failed.value


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("opening", "sql", "outage"),
    [
        ("PRAGMA max_page_count = 2", "INSERT INTO t VALUES (zeroblob(100000))", FULL),
        ("PRAGMA query_only = on", "INSERT INTO t VALUES (1)", READ_ONLY),
        ("", "SELECT * FROM nothing", None),
        ("", "this is no SQL", None),
    ],
)
def test_what_sqlite_says(tmp_path: Path, opening: str, sql: str, outage: Outage | None) -> None:
    with closing(sqlite3.connect(tmp_path / "data")) as before:
        before.execute("CREATE TABLE t (x)")
    with sqlite_at(tmp_path / "data", opening=opening) as made:
        assert outage_of(failure_of(made, sql)) is outage


@pytest.mark.django_db
def test_a_file_that_cannot_be_opened_is_an_outage(tmp_path: Path) -> None:
    with sqlite_at(tmp_path / "nowhere" / "data") as made, pytest.raises(OperationalError) as failed:
        made.ensure_connection()
    assert outage_of(failed.value) is AWAY


@pytest.mark.parametrize(
    ("failure", "outage"),
    [
        (OSError(errno.ENOSPC, "no space"), FULL),
        (OSError(errno.EROFS, "read-only"), READ_ONLY),
        (OSError(errno.ENOENT, "no file"), None),
        (ValueError("x"), None),
        (ProgrammingError("x"), None),
        (None, None),
    ],
)
def test_other_failures(failure: BaseException | None, outage: Outage | None) -> None:
    assert outage_of(failure) is outage


def refusing(code: str) -> Callable[..., Any]:
    def refuse(*_: object) -> None:
        raise OperationalError("gone") from psycopg.errors.lookup(code)("gone")

    return refuse


PAGES = ("/", "/my/", "/clubs/1/", "/accounts/login/", "/admin/", "/players/1/")


@pytest.mark.django_db
@pytest.mark.parametrize("code", ["57P01", "53100", "25006"])
def test_pages_and_programs_are_told_and_it_goes_on(code: str) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    with connection.execute_wrapper(refusing(code)):
        pages = [client.get(path) for path in PAGES]
        pages += [client.post("/clubs/new/", {"name": "Ours"}), client.post("/accounts/logout/")]
        told = [client.get("/api/v1/clubs/"), client.post("/api/v1/token/", "{}", "application/json")]

    assert [page.status_code for page in pages + told] == [503] * 10
    assert all("Retry-After" in page and "<h1>" in page.content.decode() for page in pages)
    assert [answer.json()["error"]["code"] for answer in told] == ["unavailable"] * 2
    assert client.get("/my/").status_code == 200


@pytest.mark.one_database
@pytest.mark.django_db(transaction=True)
def test_a_disk_of_the_embedded_way_that_is_full(settings: Any) -> None:
    """SQLite takes the whole transaction back, whatever blocks are open."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    given = {"name": "Ours", "time_zone": "Europe/London"}
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE ballast (x)")
        cursor.execute(
            "CREATE TRIGGER heavy AFTER INSERT ON league_club "
            "BEGIN INSERT INTO ballast VALUES (zeroblob(1000000)); END"
        )
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
    try:
        refused = client.post("/clubs/new/", given)
        seen = client.get("/my/")
        assert (refused.status_code, seen.status_code) == (503, 200)
        assert "no space left" in refused.content.decode()
        assert not Club.objects.exists()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1000000000")
            cursor.execute("DROP TRIGGER heavy")
            cursor.execute("DROP TABLE ballast")
    assert client.post("/clubs/new/", given).status_code == 302
    assert Club.objects.get().name == "Ours"


@pytest.mark.django_db
def test_a_visitor_who_logs_in_meanwhile_is_told() -> None:
    client = Client(raise_request_exception=False)
    with connection.execute_wrapper(refusing("57P01")):
        answer = client.post("/accounts/login/", {"login": "a@example.org", "password": "x"})
        german = client.get("/clubs/1/", headers={"accept-language": "de"})

    assert (answer.status_code, german.status_code) == (503, 503)
    assert 'lang="de"' in german.content.decode()


@pytest.mark.django_db
def test_control_a_fault_of_ours_stays_one() -> None:
    client = Client(raise_request_exception=False)
    with connection.execute_wrapper(refusing("42P01")):
        assert client.get("/clubs/1/").status_code == 500


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_connection_that_the_server_ended_is_made_again(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        ours = cursor.fetchone()[0]
    address = connection.get_connection_params()
    address = {name: address[name] for name in ("dbname", "user", "host", "port") if address.get(name)}
    with psycopg.connect(**address, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [ours])
    client.raise_request_exception = False
    assert client.get("/clubs/1/").status_code == 503
    close_old_connections()  # as every request's end does
    assert client.get("/clubs/1/").status_code == 404


@pytest.mark.django_db
def test_a_superuser_made_on_the_computer_logs_in_without_a_mail(
    settings: Any, mailoutbox: list[Any]
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    assert django_settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory"
    User.objects.create_superuser("Root@example.org", PASSWORD)
    client = Client()
    answer = client.post("/accounts/login/", {"login": "root@example.org", "password": PASSWORD})

    assert answer.status_code == 302
    assert answer["Location"] == "/my/"
    assert mailoutbox == []


@pytest.mark.django_db
def test_nobody_else_s_address_counts_without_a_mail(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    User.objects.create_user("ann@example.org", PASSWORD)
    client = Client()
    answer = client.post("/accounts/login/", {"login": "ann@example.org", "password": PASSWORD})

    assert answer["Location"] == "/accounts/confirm-email/"
    assert "_auth_user_id" not in client.session
