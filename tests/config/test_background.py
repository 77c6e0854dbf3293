"""The worker and the clock inside the web process."""

import threading
import time

import pytest
from celery import Celery

from config.background import Background
from config.celery import app as celery_app

# Far more than is needed: only a failure waits as long as this.
PATIENCE_SECONDS = 10.0


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
