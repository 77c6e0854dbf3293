"""What an operator sees: figures, the id of a request in all that it causes, and faults without their contents."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
import sentry_sdk
import structlog
import yaml
from django.conf import settings as configured
from django.test import Client
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from config.background import Background
from config.celery import app as celery_app
from config.operating import faults, observing
from league.models import Competition
from tests.deployment import REQUIRED
from tests.heartbeats import all_at_work
from tests.scenes import make_scene

OPERATIONS = Path(configured.BASE_DIR, "docs/operations")
TOKEN = "only-for-the-tests"
PATIENCE_SECONDS = 30.0
pytestmark = pytest.mark.one_database


@pytest.fixture
def scraped(client: Client, settings: Any) -> Any:
    """Reads the figures: the name and labels of each with its value."""
    settings.METRICS_TOKEN = TOKEN

    def read() -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(answer.text)
            for sample in family.samples
        }

    return read


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("token", "given"), [("", ""), ("", "Bearer "), (TOKEN, ""), (TOKEN, "Bearer x"), (TOKEN, "é")]
)
def test_there_is_no_such_address_for_who_does_not_know_the_token(
    client: Client, settings: Any, token: str, given: str
) -> None:
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers={"Authorization": given}).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_figures_tell_of_pages_parts_and_what_is_stale(client: Client, scraped: Any) -> None:
    all_at_work()
    scene = make_scene()
    client.get("/")
    before = scraped()
    client.get("/")
    client.get("/nowhere/at/all/")
    Competition.objects.filter(pk=scene.competition.pk).update(results_version=7)
    after = scraped()

    def rose(name: str, **labels: str) -> float:
        key = (name, tuple(sorted(labels.items())))
        return after.get(key, 0) - before.get(key, 0)

    assert rose("concertmaster_requests_total", view="home", status="200") == 1
    assert rose("concertmaster_requests_total", view="none", status="404") == 1
    assert rose("concertmaster_request_seconds_count", view="home") == 1
    assert after["concertmaster_part_up", (("part", "database"),)] == 1
    assert after["concertmaster_stale", (("what", "standings"),)] == 1
    assert not any("riverside" in str(key).lower() for key in after)


@pytest.mark.django_db(transaction=True)
def test_each_figure_of_the_dashboard_the_rules_and_the_page_exists(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    told = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    families = {family.name for family in text_string_to_metric_families(told)}
    ending = re.compile("_(total|bucket|sum|count|created)$")
    known = families | {each.name for each in REGISTRY.collect()}
    for file in OPERATIONS.iterdir():
        named = set(re.findall(r"concertmaster_[a-z_]+", file.read_text(encoding="utf-8")))
        assert named, file
        assert {ending.sub("", each) for each in named} <= known, file
    rules = yaml.safe_load((OPERATIONS / "alerts.yml").read_text(encoding="utf-8"))["groups"][0]["rules"]
    page = (OPERATIONS / "README.md").read_text(encoding="utf-8")
    assert not [rule["alert"] for rule in rules if f"`{rule['alert']}`" not in page]
    assert json.loads((OPERATIONS / "dashboard.json").read_text(encoding="utf-8"))["panels"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "is_kept"),
    [("f00-BA12", True), ("", False), ("short", False), ("a b c d e f", False), ("x" * 65, False)],
)
def test_an_answer_has_the_id_of_its_request(client: Client, given: str, is_kept: bool) -> None:
    said = client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"]
    assert (said == given) == is_kept
    assert observing.USUAL_ID.fullmatch(said)


def test_a_task_knows_its_request_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a real message and a real worker."""
    monkeypatch.setitem(celery_app.conf, "task_always_eager", False)
    monkeypatch.setitem(celery_app.conf, "broker_transport_options", {"polling_interval": 0.02})
    monkeypatch.setitem(celery_app.conf, "beat_schedule", {})
    seen: Queue[dict[str, Any]] = Queue()

    @celery_app.task(name="tests.look")
    def look() -> None:
        seen.put(structlog.contextvars.get_contextvars())

    background = Background(celery_app)
    background.start()
    try:
        with structlog.contextvars.bound_contextvars(request_id="abcdefgh"):
            celery_app.send_task("tests.look")
        assert seen.get(timeout=PATIENCE_SECONDS) == {"request_id": "abcdefgh", "task": "tests.look"}
        for _each in range(8):
            celery_app.send_task("tests.look")
            assert seen.get(timeout=PATIENCE_SECONDS) == {"task": "tests.look"}
    finally:
        background.stop()
    done = ("concertmaster_tasks_total", {"task": "tests.look", "state": "SUCCESS"})
    assert REGISTRY.get_sample_value(*done) == 9


def test_processes_add_their_figures_up(tmp_path: Path) -> None:
    """Two that ended, and the one that is asked."""
    environment = {
        **os.environ,
        **REQUIRED,
        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path),
        "METRICS_TOKEN": TOKEN,
    }

    def run(lines: str) -> str:
        code = f"import django; django.setup(); from config.operating import observing\n{lines}"
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    count = "observing.TASKS.labels('x', 'SUCCESS').inc()"
    run(count)
    run(f"{count}; observing.SOCKETS.inc(); import os; os._exit(0)")
    assert {socket.gethostname() in file.name for file in tmp_path.iterdir()} == {True}
    ask = """
observing.Asked.collect = lambda self: []
from django.test import RequestFactory
request = RequestFactory().get('/metrics', headers={'Authorization': 'Bearer only-for-the-tests'})
print(observing.metrics(request).content.decode())
"""
    told = run(ask)
    assert 'concertmaster_tasks_total{state="SUCCESS",task="x"} 2.0' in told
    assert "concertmaster_sockets 0.0" in told, "that of a process that is gone is closed"


def test_a_fault_is_told_without_a_word_of_what_it_holds() -> None:
    """The control: the same fault, sent as the library would, says it."""
    card = "QhQd-secret"

    def told(**options: Any) -> str:
        sent: list[Any] = []

        class Kept(sentry_sdk.Transport):
            def capture_envelope(self, envelope: Any) -> None:
                sent.append(envelope)

        faults.report_faults("https://key@faults.example.org/1", transport=Kept, **options)
        try:
            hand = [card]
            try:
                raise ValueError(f"can't play {card}")
            except ValueError as fault:
                sentry_sdk.capture_exception(fault)
            assert hand
            sentry_sdk.get_client().flush()
        finally:
            sentry_sdk.init()
        assert len(sent) == 1
        return json.dumps([item.payload.json for item in sent[0].items], default=str)

    said = told()
    assert "ValueError" in said
    assert "test_observing" in said
    assert card not in said
    assert card in told(before_send=None)
