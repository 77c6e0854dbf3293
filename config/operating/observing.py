"""What an operator sees of the running service: a request's id in all that it causes, and figures for Prometheus.

Figures are counted where something happens, by every process; with PROMETHEUS_MULTIPROC_DIR they share a folder, and
any web process adds them up. What the database and Redis know is asked for when /metrics is read. No figure names a
person, a match or a card.
"""

import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import Token
from typing import Any

import structlog
from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import ResolverMatch
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client import REGISTRY as OF_THIS_PROCESS
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from redis import Redis
from redis.exceptions import RedisError

from config.celery import app as celery_app
from config.operating import readiness
from games.models import Analysis, Board, Duplicate
from league.models import Competition, OutboxMessage, SweepFailure, Verification, WebhookDelivery

REQUEST_ID = "X-Request-ID"
#: What a proxy may call a request.
USUAL_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
#: In seconds.
OF_PAGES = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
OF_TASKS = (0.05, 0.25, 1, 5, 30, 120, 600)
REDIS_SECONDS = 1.0

REQUESTS = Counter(
    "concertmaster_requests", "Requests answered, by the name of the page and the status", ["view", "status"]
)
REQUEST_SECONDS = Histogram(
    "concertmaster_request_seconds", "How long an answer took", ["view"], buckets=OF_PAGES
)
TASKS = Counter("concertmaster_tasks", "Tasks done, by name and how they ended", ["task", "state"])
TASK_SECONDS = Histogram("concertmaster_task_seconds", "How long a task took", ["task"], buckets=OF_TASKS)
SOCKETS = Gauge("concertmaster_sockets", "Open sockets of tables in the browser", multiprocess_mode="livesum")


class Observe:
    """Gives each request an id, counts it and measures it. The first of all middleware: it sees every answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The same answer, with the id."""
        request_id = id_of(request.META.get("HTTP_X_REQUEST_ID", ""))
        begun = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            answer = self.get_response(request)
        count(request.resolver_match, answer.status_code, begun=begun)
        answer[REQUEST_ID] = request_id
        return answer


def id_of(given: str) -> str:
    """The proxy's own where it has the usual form, else a new one: no secret, so the system is not asked for it."""
    return given if USUAL_ID.fullmatch(given) else f"{random.getrandbits(128):032x}"


def count(page: ResolverMatch | None, status: int, *, begun: float) -> None:
    """One more answer; `begun` is by the performance counter."""
    view = (page.view_name if page else "") or "none"
    REQUEST_SECONDS.labels(view).observe(time.perf_counter() - begun)
    REQUESTS.labels(view, str(status)).inc()


_running: dict[str, tuple[float, dict[str, Token[Any]]]] = {}


@before_task_publish.connect
def name_the_request(headers: dict[str, Any] | None = None, **_sent: Any) -> None:
    """A task is told which request it is for."""
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    if headers is not None and request_id:
        headers["request_id"] = request_id


@task_prerun.connect
def begin_task(task_id: str, task: Any, **_sent: Any) -> None:
    """From here on each line of the log names the task and its request."""
    headers = task.request.headers or {}
    named = {"task": task.name, "request_id": task.request.get("request_id") or headers.get("request_id")}
    bound = structlog.contextvars.bind_contextvars(**{name: each for name, each in named.items() if each})
    _running[task_id] = (time.perf_counter(), dict(bound))


@task_postrun.connect
def end_task(task_id: str, task: Any, state: str | None = None, **_sent: Any) -> None:
    """The task is counted and measured."""
    begun, bound = _running.pop(task_id, (None, {}))
    structlog.contextvars.reset_contextvars(**bound)
    if begun is not None:
        TASK_SECONDS.labels(task.name).observe(time.perf_counter() - begun)
        TASKS.labels(task.name, state or "UNKNOWN").inc()


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All figures in Prometheus' form, for who knows METRICS_TOKEN; without one there is no such address."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not constant_time_compare(given, settings.METRICS_TOKEN):
        raise Http404
    registry = CollectorRegistry(auto_describe=False)
    if settings.METRICS_FOLDER:
        MultiProcessCollector(registry, path=settings.METRICS_FOLDER)
        counted = generate_latest(registry)
    else:
        counted = generate_latest(OF_THIS_PROCESS)
    asked = CollectorRegistry()
    asked.register(Asked())
    return HttpResponse(counted + generate_latest(asked), content_type=CONTENT_TYPE_LATEST)


class Asked:
    """What is not counted but stands somewhere: states of parts, lengths of queues, what waits, what is stale."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Each with its figures as they are now."""
        yield from _parts()
        yield _queues()
        try:
            yield from _rows()
        except Error:
            # The part "database" says so.
            return


def _family(name: str, meaning: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    found = GaugeMetricFamily(f"concertmaster_{name}", meaning, labels=[label])
    for key, value in values.items():
        found.add_metric([key], value)
    return found


def _parts() -> Iterator[GaugeMetricFamily]:
    at = timezone.now()
    parts = readiness.parts_in_time()
    working = {part.name: float(part.state == readiness.OK) for part in parts}
    ages = {part.name: max((at - part.at).total_seconds(), 0) for part in parts if part.at}
    yield _family("part_up", "Whether a part of the service is at work, as /readyz says", "part", working)
    yield _family("part_age_seconds", "Since a part was last heard of, or a mail waits", "part", ages)


def _queues() -> GaugeMetricFamily:
    values: dict[str, float] = {}
    if settings.REDIS_URL:
        prefix = celery_app.conf.broker_transport_options.get("global_keyprefix", "")
        client = Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=REDIS_SECONDS, socket_timeout=REDIS_SECONDS
        )
        try:
            values = {queue: float(client.llen(f"{prefix}{queue}")) for queue in settings.WORKERS.values()}
        except RedisError:
            values = {}
        finally:
            client.close()
    return _family("queue_messages", "Tasks that wait in a queue", "queue", values)


def _rows() -> Iterator[GaugeMetricFamily]:
    stale = {
        "standings": Competition.objects.stale().count(),
        "comparisons": Board.objects.stale().count(),
        "rankings": Duplicate.objects.stale().count(),
        "analyses": Analysis.objects.filter(version=0).count(),
    }
    yield _family("stale", "What is older than the results, or not computed yet", "what", stale)
    waiting = {
        "mails": OutboxMessage.objects.waiting().count(),
        "webhooks": WebhookDelivery.objects.filter(sent_at=None, given_up_at=None).count(),
        "given_up_mails": OutboxMessage.objects.given_up().count(),
        "failed_jobs": SweepFailure.objects.count(),
    }
    yield _family("waiting", "Rows that wait for somebody", "what", waiting)
    verified = {
        "wrong": Verification.objects.filter(wrong__gt=0).count(),
        "stale": Verification.objects.filter(stale__gt=0).count(),
    }
    yield _family("verified", "Competitions in which the last verification found something", "what", verified)
