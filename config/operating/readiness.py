"""Which parts of the service are there, and how long ago each was heard of.

The clock (beat) sends a heartbeat into each queue, and the worker that takes it notes the time in the cache: one
process in the embedded way to run, Redis in production. So a part that is late is one that does no work, not one that
merely runs.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery.signals import after_task_publish
from django.conf import settings
from django.core.cache import cache
from django.db import Error, connection
from django.db.models import Max
from django.utils import timezone
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from league.models import OutboxMessage

OK, LATE, AWAY, UNKNOWN = "ok", "late", "away", "unknown"
HEARTBEAT = "config.tasks.heartbeat"
#: When a part is late that beats every 15 s (CELERY_BEAT_SCHEDULE). Workers may be at long tasks, all of them.
PATIENCE = {**dict.fromkeys(settings.WORKERS, timedelta(minutes=5)), "beat": timedelta(minutes=1)}
MAILS_WAIT = timedelta(minutes=15)
# A monitor is answered even where the database, or Redis, takes the question and says nothing.
DATABASE_SECONDS = 3.0
REDIS_SECONDS = 1.0

# One: where the database hangs, only this thread waits for it, however often somebody asks.
_asker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="readiness")


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the service: its state, and when it was last heard of (of the mail queue: since when a mail waits)."""

    name: str
    state: str
    at: datetime | None = None


def parts() -> list[Component]:
    """All of them, by the connection of the process that asks."""
    return [*_of_the_database(), *_of_the_workers()]


def parts_in_time() -> list[Component]:
    """All of them, also where the database does not answer."""
    asked = _asker.submit(_with_a_connection_of_its_own)
    try:
        found = asked.result(DATABASE_SECONDS)
    except (Error, TimeoutError):
        asked.cancel()
        found = [Component("database", AWAY), Component("mail_queue", UNKNOWN)]
    return [*found, *_of_the_workers()]


def note(name: str) -> None:
    """This part is at work now."""
    cache.set(_key(name), timezone.now(), timeout=None)


@after_task_publish.connect(sender=HEARTBEAT)
def note_the_clock(**_sent: Any) -> None:
    """Nobody but the clock sends heartbeats, and this is called where they are sent."""
    note("beat")


def _with_a_connection_of_its_own() -> list[Component]:
    try:
        return _of_the_database()
    finally:
        connection.close()


def _of_the_database() -> list[Component]:
    at = timezone.now()
    queue = mail_queue(at=at)
    return [Component("database", OK, at), queue]


def mail_queue(*, at: datetime) -> Component:
    """Late where a mail waits, and no other was handed over since it was written: a bad address alone stops nothing."""
    # What is put off until somebody's quiet hours are over waits for no mail server.
    put_off = {"attempts": 0, "next_try_at__gt": at - MAILS_WAIT}
    waiting = OutboxMessage.objects.waiting().exclude(**put_off)
    oldest = waiting.order_by("made_at").values_list("made_at", flat=True).first()
    stuck = waiting.filter(made_at__lte=at - MAILS_WAIT).aggregate(last=Max("made_at"))["last"]
    is_late = stuck is not None and not OutboxMessage.objects.filter(sent_at__gte=stuck).exists()
    return Component("mail_queue", LATE if is_late else OK, oldest)


def _of_the_workers() -> list[Component]:
    if not settings.REDIS_URL:
        return _by_heartbeat()
    if _redis_answers():
        return [Component("redis", OK, timezone.now()), *_by_heartbeat()]
    return [Component("redis", AWAY), *(Component(name, UNKNOWN) for name in PATIENCE)]


def _redis_answers() -> bool:
    """Asked on a line of its own, for the cache takes a Redis that is away for one that has forgotten."""
    once = Retry(NoBackoff(), 0)
    client = Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=REDIS_SECONDS, socket_timeout=REDIS_SECONDS, retry=once
    )
    try:
        return bool(client.ping())
    except RedisError:
        return False
    finally:
        client.close()


def _by_heartbeat() -> list[Component]:
    at = timezone.now()
    noted = cache.get_many([_key(name) for name in PATIENCE])
    return [_heard_of(name, noted.get(_key(name)), at) for name in PATIENCE]


def _heard_of(name: str, last: datetime | None, at: datetime) -> Component:
    if last is None:
        return Component(name, UNKNOWN)
    return Component(name, OK if at - last <= PATIENCE[name] else LATE, last)


def _key(name: str) -> str:
    return f"heartbeat:{name}"
