"""A Celery worker in a process of its own, with the production settings, on a real Redis and PostgreSQL."""

import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from celery import Celery
from django.conf import settings
from django.db import connection

from config.celery import app as celery_app
from league.models import Competition, StandingsTable
from tests.scenes import make_scene

pytestmark = [pytest.mark.redis, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PATIENCE_SECONDS = 60.0


@pytest.fixture
def prefix() -> Iterator[str]:
    """What all keys of this test begin with on a Redis that others may use too; they are gone afterwards."""
    made = f"concertmaster-test-{uuid.uuid4()}"
    yield made
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for key in client.scan_iter(f"{made}*"):
            client.delete(key)


@pytest.fixture
def worker(prefix: str, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker that reads this test's database; stopped in order at the end."""
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": "only-for-the-tests",
        "BOARD_KEYS": settings.BOARD_KEYS[0],
        "ALLOWED_HOSTS": "localhost",
        "EMAIL_URL": "dummymail://",
        "DATABASE_URL": address.geturl(),
        "REDIS_URL": settings.REDIS_URL,
        "REDIS_KEY_PREFIX": prefix,
    }
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "1"]
    with (tmp_path / "worker.log").open("wb") as log:
        started = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, stdout=log, stderr=log)
        yield started
        started.terminate()
        assert started.wait(PATIENCE_SECONDS) == 0


@pytest.fixture
def sender(prefix: str, monkeypatch: pytest.MonkeyPatch) -> Celery:
    """Our application, sending real messages through this test's part of Redis."""
    monkeypatch.setitem(celery_app.conf, "task_always_eager", False)
    monkeypatch.setitem(celery_app.conf, "broker_transport_options", {"global_keyprefix": f"{prefix}:"})
    return celery_app


def until(holds: Callable[[], bool], worker: subprocess.Popen[bytes], log: Path) -> None:
    """Ask again and again; a worker that ended shows its own words."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        if worker.poll() is not None or time.monotonic() > deadline:
            pytest.fail(log.read_text(errors="replace")[-3000:])
        time.sleep(0.05)


@pytest.mark.parametrize("task", ["compute_standings", "sweep_standings"])
def test_the_worker_brings_the_tables_up_to_date(
    task: str, sender: Celery, worker: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    """By the message that a result sends, and by beat's round when that message was lost."""
    scene = make_scene()
    Competition.objects.filter(pk=scene.competition.pk).update(results_version=3)
    arguments = [scene.competition.pk] if task == "compute_standings" else []

    with sender.connection_for_write(url=settings.REDIS_URL) as messages:
        sender.send_task(f"league.tasks.{task}", args=arguments, connection=messages)

    tables = StandingsTable.objects.filter(division=scene.division, results_version=3)
    until(tables.exists, worker, tmp_path / "worker.log")
