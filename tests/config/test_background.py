"""The worker and the clock inside the web process."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from celery import Celery

from config.background import CONCURRENCY, MAIL, ONE_BY_ONE, Background
from config.celery import app as celery_app

# Far more than is needed: only a failure waits as long as this.
PATIENCE_SECONDS = 10.0
# A process that has loaded nothing yet, and no thread of which has begun.
NEW_PROCESS = """
import django
django.setup()
from config.celery import app
from config.background import Background
Background._keep_running = lambda self, run: None
Background(app).start()
print("league.tasks.deliver_outbox" in app.tasks)
"""
# Whether a worker of these queues lowers its priority by so much, as far as it can be lowered.
WORKER = """
import os
import sys
from celery.apps.worker import Worker
from config.celery import app

before = os.nice(0)
Worker(app=app, queues=sys.argv[1], pool_cls="solo")
print(os.nice(0) == min(before + int(sys.argv[2]), 19))
"""
# The clock of an embedded installation at this moment: the tasks of the night that it sends before it waits.
CLOCK = """
import sys
from datetime import datetime
from celery.beat import Service
from celery.signals import before_task_publish
from config.celery import app

now = datetime.fromisoformat(sys.argv[1])
app.now = lambda: now
def note(sender, **_sent):
    if sender in ("league.tasks.purge", "games.tasks.verify_everything"):
        print(sender)
before_task_publish.connect(note)
clock = Service(app=app, scheduler_cls=app.conf.beat_scheduler)
while clock.scheduler.tick() == 0:
    pass
clock.sync()
"""


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Celery:
    """Our application, sending real messages, with nothing scheduled."""
    monkeypatch.setitem(celery_app.conf, "task_always_eager", False)
    monkeypatch.setitem(celery_app.conf, "broker_transport_options", {"polling_interval": 0.02})
    monkeypatch.setitem(celery_app.conf, "beat_schedule", {})
    return celery_app


def task(app: Celery, name: str) -> threading.Event:
    """A task of that name; the event is set when it ran."""
    ran = threading.Event()

    @app.task(name=name)
    def run() -> None:
        ran.set()

    return ran


def test_a_sent_task_and_a_scheduled_task_are_done(app: Celery) -> None:
    sent, scheduled = task(app, "sent"), task(app, "scheduled")
    app.conf.beat_schedule["often"] = {"task": "scheduled", "schedule": 0.1}
    background = Background(app)
    background.start()
    try:
        app.send_task("sent")
        assert sent.wait(PATIENCE_SECONDS)
        assert scheduled.wait(PATIENCE_SECONDS)
    finally:
        background.stop()


@pytest.mark.one_database
def test_a_computer_that_is_on_in_the_evening_does_what_was_to_be_done_at_night(tmp_path: Path) -> None:
    environment = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.embedded", "VAR_DIR": str(tmp_path),
    }  # fmt: skip

    def sent(at: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", CLOCK, f"{at}+00:00"],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return set(done.stdout.split())

    nightly = {"league.tasks.purge", "games.tasks.verify_everything"}
    assert sent("2026-11-20T19:00") == set(), "nothing was missed yet"
    assert sent("2026-11-21T19:00") == nightly
    assert sent("2026-11-21T21:00") == set(), "once a night is enough"
    assert sent("2026-11-27T19:00") == nightly


@pytest.mark.parametrize("queue", ONE_BY_ONE)
def test_mails_that_hang_and_robots_that_think_keep_nothing_else_waiting(app: Celery, queue: str) -> None:
    """As many sendings as there are threads for all else, and none of them comes to an end."""
    hanging, go_on = threading.Semaphore(0), threading.Event()
    done = task(app, f"beside {queue}")

    @app.task(name=f"hanging in {queue}")
    def hang() -> None:
        hanging.release()
        go_on.wait(PATIENCE_SECONDS)

    background = Background(app)
    background.start()
    try:
        for _ in range(CONCURRENCY + 1):
            app.send_task(hang.name, queue=queue)
        assert hanging.acquire(timeout=PATIENCE_SECONDS)
        app.send_task(f"beside {queue}")
        assert done.wait(PATIENCE_SECONDS)
        assert not go_on.is_set()
        assert not hanging.acquire(blocking=False), "one after the other"
    finally:
        go_on.set()
        background.stop()


@pytest.mark.parametrize("queue", ONE_BY_ONE)
def test_what_fails_delays_nothing_behind_it_and_its_connection_is_given_up(
    app: Celery, queue: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = threading.Semaphore(0)
    monkeypatch.setattr("config.background.close_old_connections", closed.release)
    monkeypatch.setattr("config.background.RESTART_SECONDS", 10 * PATIENCE_SECONDS)
    done = task(app, f"behind failures in {queue}")

    @app.task(name=f"failing in {queue}")
    def fail() -> None:
        raise ConnectionError

    background = Background(app)
    background.start()
    try:
        for name in (fail.name, "unknown", f"behind failures in {queue}"):
            app.send_task(name, queue=queue)
        assert done.wait(PATIENCE_SECONDS)
        for _ in range(2):
            assert closed.acquire(timeout=PATIENCE_SECONDS)
    finally:
        background.stop()


def test_a_mail_that_waits_at_the_start_finds_its_task() -> None:
    """The sender of mails may be faster than the worker, which loads the tasks as well."""
    ended = subprocess.run([sys.executable, "-c", NEW_PROCESS], capture_output=True, text=True, check=False)
    assert ended.stdout.strip() == "True", ended.stderr


def test_mails_are_sent_by_the_worker_of_their_own() -> None:
    routed = celery_app.amqp.router.route({}, "league.tasks.deliver_outbox")
    assert routed["queue"].name == MAIL


def test_stopping_lets_a_task_finish_and_takes_little_time(app: Celery) -> None:
    started, may_finish, finished = threading.Event(), threading.Event(), threading.Event()

    @app.task(name="slow")
    def slow() -> None:
        started.set()
        may_finish.wait(PATIENCE_SECONDS)
        finished.set()

    background = Background(app)
    background.start()
    app.send_task("slow")
    assert started.wait(PATIENCE_SECONDS)
    threading.Timer(0.2, may_finish.set).start()

    before = time.monotonic()
    background.stop()

    assert finished.is_set()
    assert time.monotonic() - before < 5


def test_a_worker_that_fails_is_started_again(app: Celery, monkeypatch: pytest.MonkeyPatch) -> None:
    done = task(app, "done")
    background = Background(app)
    run, failures = background._run_worker, iter([RuntimeError("the first time")])

    def fail_once() -> None:
        for failure in failures:
            raise failure
        run()

    monkeypatch.setattr("config.background.RESTART_SECONDS", 0.01)
    background.threads[0] = threading.Thread(
        target=background._keep_running, args=(fail_once,), name="worker", daemon=True
    )
    background.start()
    try:
        app.send_task("done")
        assert done.wait(PATIENCE_SECONDS)
    finally:
        background.stop()


@pytest.mark.parametrize(
    ("queues", "niceness"),
    [("thinking", "10"), ("papers,analyses", "10"), ("results", "0"), ("results,thinking", "0")],
)
def test_a_worker_that_only_computes_for_long_gives_way_to_all_others(queues: str, niceness: str) -> None:
    """In a process of its own: a priority that was lowered stays so."""
    ended = subprocess.run(
        [sys.executable, "-c", WORKER, queues, niceness], capture_output=True, text=True, check=False
    )
    assert ended.stdout.strip() == "True", ended.stderr
