"""The Celery worker and its clock inside the web process, instead of containers of their own."""

import logging
import threading
from contextlib import suppress
from functools import partial
from typing import Any

from celery import Celery
from celery.beat import Service
from celery.platforms import EX_OK
from celery.worker import WorkController, state
from django.conf import settings
from django.db import close_old_connections

logger = logging.getLogger(__name__)

CONCURRENCY = 4
MAIL = "mail"
#: Queues that have a thread of their own: a mail server that hangs, or a robot, keeps nothing else waiting.
ONE_BY_ONE = (MAIL, "thinking")
# The clock sleeps in steps of this length, so that it notices within one of them that it should stop.
CLOCK_STEP_SECONDS = 0.5
# A task that still runs may finish; longer than this nobody waits for it after Ctrl-C.
STOP_SECONDS = 20.0
RESTART_SECONDS = 1.0
WAKE = "config.background.wake"


class Background:
    """A worker, others for mails and robots, and a beat in threads of this process; each is restarted when it dies."""

    def __init__(self, app: Celery) -> None:
        self.app = app
        self.stopping = threading.Event()
        self.clock: Service | None = None
        self.threads = [
            threading.Thread(target=self._keep_running, args=(run,), name=name, daemon=True)
            for name, run in (
                ("worker", self._run_worker),
                *((name, partial(self._run_one_by_one, name)) for name in ONE_BY_ONE),
                ("beat", self._run_clock),
            )
        ]
        app.task(name=WAKE)(wake)

    def start(self) -> None:
        """Start the threads; tasks sent from now on are done."""
        # A worker loads them itself, but a mail may be waiting before it has.
        self.app.loader.import_default_modules()
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        """Start no more tasks, and return when those that run have finished."""
        self.stopping.set()
        if self.clock is not None:
            self.clock.stop()
        state.should_stop = EX_OK  # type: ignore[assignment]
        # Without messages the worker looks only every two seconds whether it should stop; and having seen
        # that it should, it waits for one more.
        for _ in range(2):
            self.app.send_task(WAKE)
        for thread in self.threads:
            thread.join(STOP_SECONDS)
        state.should_stop = None

    def _keep_running(self, run: Any) -> None:
        while not self.stopping.is_set():
            try:
                run()
            except Exception:  # whatever it was, the site must get its worker back
                logger.exception("The background %s failed", threading.current_thread().name)
            if not self.stopping.wait(RESTART_SECONDS):
                logger.error("The background %s ended and is started again", threading.current_thread().name)

    def _run_worker(self) -> None:
        worker = WorkController(
            app=self.app,
            queues=[queue for queue in settings.WORKERS.values() if queue not in ONE_BY_ONE],
            pool_cls="threads",
            concurrency=CONCURRENCY,
            loglevel="WARNING",
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        worker.start()

    def _run_one_by_one(self, name: str) -> None:
        with (
            self.app.connection_for_read() as connection,
            connection.SimpleQueue(self.app.amqp.queues[name]) as queue,  # type: ignore[arg-type]  # as kombu takes it
        ):
            while not self.stopping.is_set():
                with suppress(queue.Empty):
                    message = queue.get(timeout=CLOCK_STEP_SECONDS)
                    message.ack()
                    self._do(message)

    def _do(self, message: Any) -> None:
        try:
            args, named, _embedded = message.payload
            self.app.tasks[message.headers["task"]](*args, **named)
        except Exception:  # whatever it was, those that wait behind it are done at once
            logger.exception("A background task failed: %s", message.headers.get("task"))
        finally:
            close_old_connections()  # one that broke, too: the next task is to have another

    def _run_clock(self) -> None:
        scheduler = self.app.conf.beat_scheduler
        self.clock = Service(app=self.app, scheduler_cls=scheduler, max_interval=CLOCK_STEP_SECONDS)  # type: ignore[arg-type]
        self.clock.start()


def wake() -> None:
    """Do nothing: the message itself is what wakes the worker."""
