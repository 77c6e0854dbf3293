"""The Celery worker and its clock inside the web process, instead of containers of their own."""

import logging
import threading
from typing import Any

from celery import Celery
from celery.beat import Service
from celery.platforms import EX_OK
from celery.worker import WorkController, state

logger = logging.getLogger(__name__)

CONCURRENCY = 4
# The clock sleeps in steps of this length, so that it notices within one of them that it should stop.
CLOCK_STEP_SECONDS = 0.5
# A task that still runs may finish; longer than this nobody waits for it after Ctrl-C.
STOP_SECONDS = 20.0
RESTART_SECONDS = 1.0
WAKE = "config.background.wake"


class Background:
    """A worker and a beat in threads of this process; each is started anew when it dies."""

    def __init__(self, app: Celery) -> None:
        self.app = app
        self.stopping = threading.Event()
        self.clock: Service | None = None
        self.threads = [
            threading.Thread(target=self._keep_running, args=(run,), name=name, daemon=True)
            for name, run in (("worker", self._run_worker), ("beat", self._run_clock))
        ]
        app.task(name=WAKE)(wake)

    def start(self) -> None:
        """Start both threads; tasks sent from now on are done."""
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
            pool_cls="threads",
            concurrency=CONCURRENCY,
            loglevel="WARNING",
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        worker.start()

    def _run_clock(self) -> None:
        scheduler = self.app.conf.beat_scheduler
        self.clock = Service(app=self.app, scheduler_cls=scheduler, max_interval=CLOCK_STEP_SECONDS)  # type: ignore[arg-type]
        self.clock.start()


def wake() -> None:
    """Do nothing: the message itself is what wakes the worker."""
