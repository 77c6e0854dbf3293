"""What a large duplicate event takes, 300 tables and 28 boards: all at once, after one result, and to be read.

`make event-time` prints the table of docs/performance.md for SQLite; with DATABASE_URL and REDIS_URL set and
`ARGS=--half=servers`, for PostgreSQL. Ordinary runs leave this file alone.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from os import sysconf
from pathlib import Path
from random import Random
from subprocess import Popen
from time import perf_counter, process_time

import pytest
from celery import Celery
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.comparisons.services import comparisons, verification
from games.models import Board, Comparison, Duplicate, EventRanking
from tests.concurrency.test_real_worker import prefix, sender, until, worker  # noqa: F401 - fixtures
from tests.games.events import AT, Event, make_event, play_all

TABLES, ROUNDS, BOARDS = 300, 7, 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("method", Duplicate.Way.values)
def test_a_large_event(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    event = large(method)
    board, key = event.boards[0], event.competition.pk
    with capsys.disabled():
        print(
            f"\n\n| {connection.vendor}, {method} | queries | processor | by the clock |\n|---|---:|---:|---:|"
        )
        measure("everything", lambda: comparisons.compute_event(competition_id=key, at=AT))
        measure("a board's figures", lambda: comparisons.compute(board_id=board.pk, at=AT), changed=board)
        measure("the rankings", lambda: comparisons.rank(competition_id=key, at=AT), changed=board)
        measure(
            "verification",
            lambda: list(verification.differences(competition=event.competition)),
        )
    assert Comparison.objects.count() == ROUNDS * BOARDS
    assert EventRanking.objects.count() == ROUNDS + 1


@pytest.mark.django_db(transaction=True)
def test_its_pages(capsys: pytest.CaptureFixture[str]) -> None:
    event = large(Duplicate.Way.MATCHPOINTS)
    comparisons.compute_event(competition_id=event.competition.pk, at=AT)
    words, board = [event.competition.club.slug, event.competition.slug], event.boards[0]
    pages = {
        "per board": reverse("board", args=[board.board_set_id, board.number]),
        "the ranking": reverse("event_ranking", args=words),
        "the field": reverse("event_field", args=words),
        "a scorecard": reverse("scorecard", args=[*words, event.entries[0].pk]),
    }
    client = Client()
    with capsys.disabled():
        print(
            f"\n\n| {connection.vendor}, pages | queries | processor | by the clock |\n|---|---:|---:|---:|"
        )
        for name, address in pages.items():
            assert client.get(address).status_code == 200
            measure(name, partial(client.get, address))


@pytest.mark.redis
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_one_changed_result(
    sender: Celery,  # noqa: F811 - the fixture
    worker: Popen[bytes],  # noqa: F811 - the fixture
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """From the commit of a match of four boards until a worker of its own process has stored all that follows."""
    event = large(Duplicate.Way.MATCHPOINTS)
    comparisons.compute_event(competition_id=event.competition.pk, at=AT)
    boards = event.boards[:BOARDS]
    log = tmp_path / "worker.log"
    with sender.connection_for_write(url=settings.REDIS_URL) as messages:

        def hint(task: str, key: int) -> None:
            sender.send_task(f"games.tasks.{task}", args=[key], connection=messages)

        for number in range(6):
            Board.objects.filter(pk__in=[board.pk for board in boards]).update(
                results_version=F("results_version") + 1
            )
            Duplicate.objects.update(results_version=F("results_version") + 1)
            clock, used = perf_counter(), processor_of(worker.pid)
            for board in boards:
                hint("compare_board", board.pk)
            hint("rank_event", event.competition.pk)
            until(lambda: not Duplicate.objects.stale().exists(), worker, log)
            assert not Board.objects.stale().exists()
            with capsys.disabled():
                start = "" if number else " (and the start of the worker)"
                took, used = perf_counter() - clock, processor_of(worker.pid) - used
                print(f"\n{BOARDS} boards to every figure{start}: {took:.2f} s, {used:.2f} s of the worker")


def processor_of(pid: int) -> float:
    """The processor time of a process and its children, in seconds."""
    used = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if str(pid) in {stat.parent.name, fields[1]}:
                used += int(fields[11]) + int(fields[12])
    return used / sysconf("SC_CLK_TCK")


def large(method: str) -> Event:
    """Everybody has played every board of the round."""
    chance = Random(28)
    event = make_event(tables=TABLES, boards=BOARDS, rounds=ROUNDS, method=method)
    play_all(
        (fixture, [(chance.randint(0, 120), chance.randint(0, 120)) for _ in range(BOARDS)])
        for fixture in event.fixtures
    )
    return event


def measure(name: str, work: Callable[[], object], changed: Board | None = None) -> None:
    """A line of the table, after a result of a board has changed; queries are those of a second run."""
    change(changed)
    clock, processor = perf_counter(), process_time()
    work()
    took, used = perf_counter() - clock, process_time() - processor
    change(changed)
    with CaptureQueriesContext(connection) as queries:
        work()
    print(f"| {name} | {len(queries)} | {used:.2f} s | {took:.2f} s |")


def change(board: Board | None) -> None:
    """What a changed result says, without a message to the workers."""
    if board is not None:
        Board.objects.filter(pk=board.pk).update(results_version=F("results_version") + 1)
        Duplicate.objects.update(results_version=F("results_version") + 1)
