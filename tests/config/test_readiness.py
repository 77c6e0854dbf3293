"""Monitors learn which part is not at work, however it fails; owners read it on a page."""

import socket
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from celery import Celery
from django.conf import settings as configured
from django.core.cache import cache
from django.db import OperationalError
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from django.utils import timezone

from config.background import MAIL, Background
from config.celery import app as celery_app
from config.operating import readiness
from league.models import Club, Membership, OutboxMessage, Role, SweepFailure, User
from tests.heartbeats import WORKERS, all_at_work
from tests.servers import free_port

PATIENCE_SECONDS = 10.0
EMBEDDED = {"database", "mail_queue", *WORKERS}


@pytest.fixture(autouse=True)
def embedded(settings: Any) -> Iterator[None]:
    """No Redis, and nothing heard of."""
    settings.REDIS_URL = ""
    cache.clear()
    yield
    cache.clear()


def states(client: Client) -> dict[str, str]:
    answer = client.get("/readyz").json()
    return {name: part["state"] for name, part in answer["parts"].items()}


# What is asked for


@pytest.mark.django_db(transaction=True)
def test_it_is_ready_when_every_part_is_at_work(client: Client) -> None:
    all_at_work()
    answer = client.get("/readyz")

    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
    assert set(answer.json()["parts"]) == EMBEDDED
    assert all(part.keys() == {"state", "age"} for part in answer.json()["parts"].values())
    assert answer["Cache-Control"].endswith("private")
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("missing", WORKERS)
def test_a_part_that_was_never_heard_of_is_named(client: Client, missing: str) -> None:
    all_at_work()
    cache.delete(f"heartbeat:{missing}")
    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert states(client) == dict.fromkeys(EMBEDDED, "ok") | {missing: "unknown"}
    assert answer.json()["parts"][missing]["age"] is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("late", WORKERS)
def test_a_part_that_stopped_is_late_and_its_age_is_told(client: Client, late: str) -> None:
    all_at_work()
    age = readiness.PATIENCE[late] + timedelta(seconds=100)
    cache.set(f"heartbeat:{late}", timezone.now() - age)
    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert states(client) == dict.fromkeys(EMBEDDED, "ok") | {late: "late"}
    assert answer.json()["parts"][late]["age"] >= age.total_seconds()


@pytest.mark.django_db(transaction=True)
def test_the_database_refuses(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    all_at_work()

    def refuse(**_asked: object) -> None:
        raise OperationalError("password of somebody at 10.0.0.7")

    monkeypatch.setattr(readiness, "mail_queue", refuse)
    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert states(client) == dict.fromkeys(WORKERS, "ok") | {"database": "away", "mail_queue": "unknown"}
    assert b"somebody" not in answer.content


@pytest.mark.django_db(transaction=True)
def test_a_database_that_hangs_holds_one_thread_and_no_answer(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_at_work()
    go_on, asked = threading.Event(), threading.Semaphore(0)

    def hang(**_asked: object) -> readiness.Component:
        asked.release()
        go_on.wait(PATIENCE_SECONDS)
        return readiness.Component("mail_queue", readiness.OK)

    with monkeypatch.context() as patched:
        patched.setattr(readiness, "DATABASE_SECONDS", 0.01)
        patched.setattr(readiness, "mail_queue", hang)
        answers = [client.get("/readyz").status_code for _ in range(3)]
        assert asked.acquire(timeout=PATIENCE_SECONDS)
        go_on.set()

    assert answers == [503] * 3
    assert client.get("/readyz").status_code == 200
    assert not asked.acquire(blocking=False), "only the first question was put"


@pytest.mark.django_db(transaction=True)
def test_redis_away_is_told_and_nobody_s_word_is_taken_for_the_workers(client: Client, settings: Any) -> None:
    all_at_work()
    settings.REDIS_URL = f"redis://:secret@127.0.0.1:{free_port()}/0"
    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert states(client) == {"database": "ok", "mail_queue": "ok", "redis": "away"} | dict.fromkeys(
        WORKERS, "unknown"
    )
    assert b"secret" not in answer.content


@pytest.mark.django_db(transaction=True)
def test_a_redis_that_hangs_is_away(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "REDIS_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        assert states(client)["redis"] == "away"


# Heartbeats


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Celery:
    """Our application as it is, with a clock that beats at once and nothing else to do."""
    beats = {
        name: {**entry, "schedule": 0.05}
        for name, entry in celery_app.conf.beat_schedule.items()
        if entry["task"] == readiness.HEARTBEAT
    }
    monkeypatch.setitem(celery_app.conf, "task_always_eager", False)
    monkeypatch.setitem(celery_app.conf, "broker_transport_options", {"polling_interval": 0.02})
    monkeypatch.setitem(celery_app.conf, "beat_schedule", beats)
    return celery_app


def test_one_heartbeat_goes_into_each_queue_and_expires_before_the_next() -> None:
    beats = [e for e in celery_app.conf.beat_schedule.values() if e["task"] == readiness.HEARTBEAT]
    queues = {beat["args"][0]: beat["options"]["queue"] for beat in beats}

    assert queues == configured.WORKERS
    assert all(beat["options"]["expires"] <= beat["schedule"] for beat in beats)
    assert all(
        beat["schedule"] * 3 < each.total_seconds() for beat in beats for each in readiness.PATIENCE.values()
    )


def test_the_embedded_service_beats_by_itself(app: Celery, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: dict[str, threading.Event] = {name: threading.Event() for name in WORKERS}
    note = readiness.note

    def watched(name: str) -> None:
        note(name)
        noted[name].set()

    monkeypatch.setattr(readiness, "note", watched)
    background = Background(app)
    background.start()
    try:
        assert all(event.wait(PATIENCE_SECONDS) for event in noted.values())
    finally:
        background.stop()
    assert [part.state for part in readiness._by_heartbeat()] == ["ok"] * len(WORKERS)


def test_only_heartbeats_tell_of_the_clock(app: Celery) -> None:
    app.send_task("league.tasks.deliver_outbox")
    assert cache.get("heartbeat:beat") is None
    app.send_task(readiness.HEARTBEAT, args=["worker"])
    assert cache.get("heartbeat:beat") is not None
    assert cache.get("heartbeat:worker") is None, "sent is not taken"
    with app.connection_for_write() as connection:
        app.amqp.queues["results"](connection.default_channel).purge()
        app.amqp.queues[MAIL](connection.default_channel).purge()


# The mail queue


def mail(minutes_ago: int, **values: Any) -> OutboxMessage:
    made = OutboxMessage.objects.create(to="a@example.org", template="x", **values)
    OutboxMessage.objects.filter(pk=made.pk).update(made_at=timezone.now() - timedelta(minutes=minutes_ago))
    return made


@pytest.mark.django_db
def test_the_mail_queue_is_late_when_a_mail_waits_and_none_was_handed_over_since() -> None:
    at = timezone.now()
    assert readiness.mail_queue(at=at) == readiness.Component("mail_queue", "ok", None)

    mail(120, sent_at=at - timedelta(minutes=100))
    mail(60, given_up_at=at)
    mail(10)
    assert readiness.mail_queue(at=at).state == "ok", "it may wait a little"

    oldest = mail(20)
    oldest.refresh_from_db()
    assert readiness.mail_queue(at=at) == readiness.Component("mail_queue", "late", oldest.made_at)

    mail(5, sent_at=at)
    assert readiness.mail_queue(at=at).state == "ok", "one address is at fault, not the mail server"


# The page


@pytest.fixture
def owner() -> User:
    person = User.objects.create_user("olive@example.org", "x")
    club = Club.objects.create(name="Riverside Club", slug="riverside")
    Membership.objects.create(user=person, club=club, role=Role.OWNER)
    return person


@pytest.mark.django_db
@pytest.mark.one_database
def test_an_owner_reads_states_and_nothing_of_what_the_site_runs_on(client: Client, owner: User) -> None:
    all_at_work()
    cache.delete("heartbeat:beat")
    SweepFailure.objects.create(
        work="papers", key=1, failures=1, fault="KeyError", first_at=timezone.now(), next_at=timezone.now()
    )
    client.force_login(owner)
    page = client.get("/status/").text

    assert page.count(">working<") == len(EMBEDDED) - 1
    assert page.count("not seen") == 1
    assert "Nothing starts on time" in page
    assert not any(word in page for word in ("KeyError", "Version", "disk space", 'href="/mails/"'))
    assert 'href="/status/"' in client.get("/").text


@pytest.mark.django_db
@pytest.mark.one_database
def test_a_part_that_is_away_does_not_play_away_in_german(client: Client, owner: User, settings: Any) -> None:
    all_at_work()
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    client.force_login(owner)
    page = client.get("/status/", headers={"Accept-Language": "de"}).text

    assert page.count("nicht erreichbar") == 1
    assert "auswärts" not in page


@pytest.mark.django_db
@pytest.mark.one_database
def test_who_runs_the_site_reads_all(client: Client) -> None:
    SweepFailure.objects.bulk_create(
        SweepFailure(
            work="papers",
            key=key,
            failures=1,
            fault="KeyError",
            first_at=timezone.now(),
            next_at=timezone.now(),
        )
        for key in (1, 2)
    )
    mail(30, given_up_at=timezone.now())
    client.force_login(User.objects.create_superuser("root@example.org", "x"))
    page = client.get("/status/").text

    assert "KeyError" in page
    assert "2 rows, the first since" in page
    assert '<a href="/mails/">1</a>' in page
    assert "Free disk space" in page
    assert "0 competitions" in page
    assert 'href="/status/"' in client.get("/").text


@pytest.mark.django_db
@pytest.mark.one_database
def test_a_migration_that_is_missing_is_named(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.MIGRATION_MODULES = {}  # the tests' own tables are made of the models
    applied = MigrationLoader(None).disk_migrations
    monkeypatch.setattr(
        "django.db.migrations.recorder.MigrationRecorder.applied_migrations", lambda _recorder: dict(applied)
    )
    client.force_login(User.objects.create_superuser("root@example.org", "x"))
    assert "league.0001_initial" not in client.get("/status/").text
    applied.clear()
    assert "<code>league.0001_initial</code>" in client.get("/status/").text


@pytest.mark.django_db
@pytest.mark.one_database
def test_nobody_else_is_shown_the_page_or_the_way_to_it(client: Client, owner: User) -> None:
    Membership.objects.filter(user=owner).update(role=Role.DIRECTOR)
    client.force_login(owner)

    assert client.get("/status/").status_code == 403
    assert "/status/" not in client.get("/").text
