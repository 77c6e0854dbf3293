"""Hints to the workers, sent when a transaction has been committed. The rows are the promise; a hint may be lost."""

from collections.abc import Callable
from functools import partial

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)


def _send(task: str, keys: tuple[int, ...]) -> None:
    try:
        current_app.signature(task, args=keys).apply_async(retry=False)
    except (OperationalError, OSError) as failure:
        log.warning("hint_not_sent", task=task, keys=keys, failure=str(failure))


def after_commit(task: str, *keys: int) -> None:
    """Asks for a task once the transaction is committed. A broker that is down costs time, never a result."""
    hint: Callable[[], None] = partial(_send, task, keys)
    transaction.on_commit(hint)
