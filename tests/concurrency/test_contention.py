"""What the database gives up for another's sake is done once more, and then told as "please try again"."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg.errors
import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DataError, OperationalError, connection, transaction
from django.test import Client
from django.utils import timezone

from games.models import Scoresheet, Table
from games.scoresheets.services import matches
from games.tables.services import opening
from games.tables.socket import threads
from league.background.contention import Busy, is_contention, once_more
from league.models import ApiToken, AuditEntry, Club, ImportBatch, StandingsTable, User
from league.people.services import tokens
from league.tasks import compute_standings
from tests.concurrency.test_lock_order import correct_and_leave, match_first
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db
TRAIL = 'INSERT INTO "league_auditentry"'
CLUB = "/clubs/riverside/desk/club/"


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def locked() -> sqlite3.OperationalError:
    """What SQLite raises where another writer does not end."""
    failure = sqlite3.OperationalError("database is locked")
    failure.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return failure


CAUSES = [
    pytest.param(psycopg.errors.DeadlockDetected("deadlock detected"), id="deadlock"),
    pytest.param(psycopg.errors.SerializationFailure("could not serialize access"), id="serialization"),
    pytest.param(locked(), id="sqlite"),
]


@contextmanager
def given_up(cause: Exception, *, times: int, at: str = TRAIL) -> Iterator[list[str]]:
    """The database gives up this thread's statements that begin so, so many times; notes each."""
    seen: list[str] = []

    def refuse(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith(at):
            return execute(sql, params, many, context)
        seen.append(sql)
        if len(seen) > times:
            return execute(sql, params, many, context)
        raise OperationalError(str(cause)) from cause

    with connection.execute_wrapper(refuse):
        yield seen


def owner(scene: Scene, client: Client) -> Client:
    client.force_login(scene.users["olive"])
    return client


def rename(client: Client) -> Any:
    return client.post(CLUB, {"name": "Hill Club", "time_zone": "Europe/Dublin"})


@pytest.mark.parametrize("cause", CAUSES)
def test_a_page_s_write_is_done_once_more(scene: Scene, client: Client, cause: Exception) -> None:
    with given_up(cause, times=1) as seen:
        answer = rename(owner(scene, client))

    assert (answer.status_code, len(seen)) == (302, 2)
    assert Club.objects.get().name == "Hill Club"
    assert AuditEntry.objects.filter(action="club.edited").count() == 1


@pytest.mark.parametrize("cause", CAUSES)
def test_what_is_given_up_twice_is_told_and_nothing_is_written(
    scene: Scene, client: Client, cause: Exception
) -> None:
    with given_up(cause, times=2) as seen:
        answer = rename(owner(scene, client))

    assert (answer.status_code, answer["Retry-After"], len(seen)) == (503, "2", 2)
    assert "Please try again" in answer.content.decode()
    assert Club.objects.get().name == "Riverside Club"


def test_a_file_is_read_from_its_beginning_again(scene: Scene, client: Client) -> None:
    upload = SimpleUploadedFile("people.csv", b"name;email\nZed Zwart;zed@example.org\n")
    with given_up(psycopg.errors.DeadlockDetected(), times=1, at='INSERT INTO "league_importbatch"') as seen:
        owner(scene, client).post("/clubs/riverside/desk/import/", {"kind": "players", "file": upload})

    assert len(seen) == 2
    assert [row["values"]["name"] for row in ImportBatch.objects.get().rows] == ["Zed Zwart"]


def test_another_fault_of_the_database_is_not_hidden(scene: Scene, client: Client) -> None:
    with pytest.raises(OperationalError), given_up(psycopg.errors.DiskFull("no space"), times=1) as seen:
        rename(owner(scene, client))

    assert len(seen) == 1
    assert not is_contention(DataError("no cause"))


@pytest.mark.django_db(transaction=True)
def test_nothing_is_done_twice_after_a_commit() -> None:
    club, done = make_scene().club, []

    def work() -> None:
        done.append(1)
        with transaction.atomic():
            Club.objects.filter(pk=club.pk).update(place="Ulm")
        raise OperationalError from psycopg.errors.DeadlockDetected()

    with pytest.raises(Busy):
        once_more(work)
    assert len(done) == 1


@pytest.mark.django_db(transaction=True)
def test_what_was_rolled_back_is_done_again() -> None:
    club, done = make_scene().club, []

    def work() -> int:
        done.append(1)
        with transaction.atomic():
            Club.objects.filter(pk=club.pk).update(place="Ulm")
            if len(done) == 1:
                raise OperationalError from psycopg.errors.SerializationFailure()
        return len(done)

    assert once_more(work) == 2
    assert Club.objects.get().place == "Ulm"


@pytest.mark.django_db(transaction=True)
def test_a_program_s_first_write_in_ten_minutes_is_done_once_more() -> None:
    """To note when its token was used last is no part of what it asks for."""
    scene = make_scene()
    _token, text = tokens.make(actor=scene.users["anna"], at=timezone.now())
    address = f"/api/v1/matches/{scene.fixture.pk}/sheets/"
    with given_up(psycopg.errors.DeadlockDetected(), times=1) as seen:
        answer = Client().post(
            address,
            totals_sheet(*[(30, 20)] * 4),
            content_type="application/json",
            headers={"Authorization": f"Token {text}"},
        )

    assert answer.status_code == 201, answer.content
    assert len(seen) > 1
    assert Scoresheet.objects.count() == 1
    assert ApiToken.objects.get().last_used_at is not None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("at", ['UPDATE "league_user"', 'INSERT INTO "django_session"'])
def test_a_login_is_done_once_more(at: str, client: Client) -> None:
    anna = make_scene().users["anna"]
    EmailAddress.objects.create(user=anna, email=anna.email, verified=True, primary=True)
    with given_up(psycopg.errors.DeadlockDetected(), times=1, at=at) as seen:
        answer = log_in(client, anna)

    assert (answer.status_code, len(seen)) == (302, 2)
    assert client.get("/my/").status_code == 200
    assert Session.objects.count() == 1

    with given_up(psycopg.errors.DeadlockDetected(), times=2, at=at) as seen:
        answer = log_in(Client(), anna)
    assert (answer.status_code, answer["Retry-After"], len(seen)) == (503, "2", 2)
    assert Session.objects.count() == 1


def log_in(client: Client, person: User) -> Any:
    return client.post("/accounts/login/", {"login": person.email, "password": "concerto-13-cards"})


SESSION = 'UPDATE "django_session"'


def reauthenticated(client: Client) -> Any:
    """A page that changes its session."""
    anna = make_scene().users["anna"]
    client.force_login(anna)
    client.raise_request_exception = False
    return lambda: client.post("/accounts/reauthenticate/", {"password": "concerto-13-cards"})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("cause", CAUSES)
def test_a_session_that_could_not_be_kept_is_kept_once_more(client: Client, cause: Exception) -> None:
    ask = reauthenticated(client)
    with given_up(cause, times=2, at=SESSION) as seen:
        refused = ask()
    assert (refused.status_code, refused["Retry-After"], len(seen)) == (503, "2", 2)

    with given_up(cause, times=1, at=SESSION) as seen:
        assert (ask().status_code, len(seen)) == (302, 2)


@pytest.mark.parametrize("code", ["53100", "25006", "57P01"])
def test_a_session_that_cannot_be_kept_is_no_logout(client: Client, code: str) -> None:
    """A disk that is full, a database that may only be read, or is stopped."""
    ask = reauthenticated(client)
    with given_up(psycopg.errors.lookup(code)(), times=1, at=SESSION):
        refused = ask()
    assert (refused.status_code, refused["Retry-After"]) == (503, "30")


def test_control_a_session_that_is_gone_is_a_logout(client: Client) -> None:
    ask = reauthenticated(client)

    def log_out_elsewhere(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith(SESSION):
            execute('DELETE FROM "django_session"', None, *rest[1:])
        return execute(sql, *rest)

    with connection.execute_wrapper(log_out_elsewhere):
        assert ask().status_code == 400


def test_a_socket_s_caller_is_told(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.connections, "all", lambda **_which: [])  # the test's own stays open

    def work() -> Table:
        return opening.open_casual(actor=scene.users["anna"], club=scene.club, terms={}, options={})

    opened = 'INSERT INTO "games_table"'
    with given_up(psycopg.errors.DeadlockDetected(), times=2, at=opened), pytest.raises(Busy) as refusal:
        threads._done(work)
    with given_up(psycopg.errors.DeadlockDetected(), times=1, at=opened):
        table = threads._done(work)

    assert refusal.value.code == "busy"
    assert Table.objects.get() == table


def test_a_task_is_done_once_more(scene: Scene) -> None:
    with given_up(
        psycopg.errors.DeadlockDetected(), times=1, at='INSERT INTO "league_standingstable"'
    ) as seen:
        compute_standings.delay(scene.competition.pk)

    assert len(seen) > 1
    assert StandingsTable.objects.filter(division=scene.division).exists()


def test_sqlite_names_the_reason_by_a_number(tmp_path: Path) -> None:
    """As `is_contention` reads it: two writers, and the second may not wait."""
    with (
        closing(sqlite3.connect(tmp_path / "two")) as first,
        closing(sqlite3.connect(tmp_path / "two", timeout=0)) as second,
    ):
        first.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked") as raised:
            second.execute("BEGIN IMMEDIATE")

    failure = OperationalError()
    failure.__cause__ = raised.value
    assert is_contention(failure)


@pytest.mark.postgres
@pytest.mark.breaks_lock_order
@pytest.mark.django_db(transaction=True)
def test_a_real_deadlock_ends_well_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the control of the lock order, but each is done as a request is."""
    outcomes = correct_and_leave(monkeypatch, match_first, by=once_more)

    assert not any(isinstance(each, OperationalError) for each in outcomes), outcomes
    assert matches.lock is match_first
