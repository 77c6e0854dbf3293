"""The background worker's application: tasks are found in each app's `tasks` module."""

import os
import sys
from typing import Any

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

app = Celery("concertmaster", task_cls="config.web.contention:PatientTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

#: Queues of long computations, which give way to people who wait for a page or an action.
LONG_WORK = {"thinking", "papers", "analyses"}
NICENESS = 10


@worker_init.connect
def give_way(sender: Any, **_signal: Any) -> None:
    """Lowers the priority of a worker that takes only long work, and of all processes that it starts."""
    if LONG_WORK.issuperset(sender.app.amqp.queues.consume_from) and sys.platform != "win32":
        os.nice(NICENESS)
