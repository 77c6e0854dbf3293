"""What people were told is done stays done, once, whatever fails meanwhile; and the rest follows when it is back.

`make reliability` runs it; FULL=1 takes as many matches and kills as docs/reliability.md says. Each test prints
its figures. The planted faults at the end show that the audit would see a loss, a double and a table left behind.
"""

import os
import re
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import psutil
import pytest

from config.celery import app as celery_app
from tests.config.services import Redis, until
from tests.reliability import writers
from tests.reliability.production import ALL, PostgreSQL, Production, manage
from tests.reliability.writers import current_after, made_up_after, writing
from tests.servers import package_folder

pytestmark = [pytest.mark.one_database, pytest.mark.long]

FULL = bool(os.environ.get("FULL"))
PAIRS, CLIENTS = (21, 20) if FULL else (7, 20)
#: So many leagues of so many pairs: 10,200 matches, or 105.
CONFIRMING_LEAGUES, CONFIRMING_PAIRS = (34, 25) if FULL else (1, 15)
KILLS_EACH = 10 if FULL else 1
#: From the return of what was away until everything is as it should be.
CURRENT_SECONDS = 10.0
NO_ROOM = """
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RAISE ''could not extend file'' USING ERRCODE = ''53100''; END';
    CREATE TRIGGER full_disk BEFORE INSERT ON games_scoresheet EXECUTE FUNCTION full_disk()
"""
#: In the package that requirements/servers.txt names.
FAKETIME = "vendor/libfaketime/src/libfaketime.so.1"


@pytest.fixture(scope="module")
def production() -> Iterator[Production]:
    with (
        tempfile.TemporaryDirectory(prefix="cm-", ignore_cleanup_errors=True) as folder,
        ExitStack() as running,
    ):
        Path(folder).chmod(0o755)
        redis, postgresql = Redis(), PostgreSQL(Path(folder) / "postgresql", durable=True)
        for server in (redis, postgresql):
            server.start()
            running.callback(server.stop)
        made = Production(postgresql, redis, Path(folder))
        running.callback(made.stop)
        made.start(*ALL)
        made.wait()
        yield made


pause = threading.Event().wait


def load() -> str:
    """How busy the machine was, for the figures."""
    return f" (load {os.getloadavg()[0]:.0f})"


def redis_emptied(production: Production) -> None:
    production.redis.stop()
    pause(3)
    production.redis.start()


def redis_emptied_twice(production: Production) -> None:
    redis_emptied(production)
    pause(1)
    redis_emptied(production)


def postgresql_killed(production: Production) -> None:
    for again in range(3 if FULL else 2):
        pause(3 * bool(again))
        production.postgresql.kill()
        pause(1)
        production.postgresql.start()


def web_killed(production: Production) -> None:
    for _ in range(3 if FULL else 2):
        production.kill("web")
        production.start("web")
        until(lambda: production.site.status("/healthz") == 200)


def workers_killed(production: Production) -> None:
    names = ("worker", "papers", "robots", "mail", "beat")
    for _ in range(3 if FULL else 1):
        production.kill(*names)
        production.start(*names)
    until(lambda: all(production.processes[name].count("ready") for name in names[:-1]))


def read_only(production: Production) -> None:
    production.postgresql.run("ALTER SYSTEM SET default_transaction_read_only = on")
    production.postgresql.run("SELECT pg_reload_conf()")
    pause(3)
    production.postgresql.run("ALTER SYSTEM RESET default_transaction_read_only")
    production.postgresql.run("SELECT pg_reload_conf()")


def disk_full(production: Production) -> None:
    production.postgresql.run(NO_ROOM)
    pause(3)
    production.postgresql.run("DROP FUNCTION full_disk CASCADE")


TROUBLES: dict[str, Callable[[Production], None]] = {
    each.__name__: each
    for each in (
        redis_emptied, redis_emptied_twice, postgresql_killed, web_killed, workers_killed, read_only, disk_full,
    )
}  # fmt: skip


@pytest.mark.parametrize("trouble", TROUBLES)
def test_nothing_acknowledged_is_lost_or_doubled(production: Production, trouble: str) -> None:
    matches = writers.league(production.environment, PAIRS)
    with writing(production.site, matches, clients=CLIENTS) as people:
        until(lambda: len(people.ledger.confirmed) >= 3)
        TROUBLES[trouble](production)
        back, done = time.monotonic(), len(people.ledger.confirmed)
        made_up = made_up_after(production.postgresql)
    written = time.monotonic() - back
    current = current_after(production.postgresql)

    lost, doubled = people.ledger.audit(production.postgresql)
    print(
        f"{trouble}: {len(people.ledger.confirmed)} matches, {done} of them before the end of the trouble, "
        f"which was made up for {made_up:.1f} s after it, and the rest written after {written:.1f} s; "
        f"lost {lost}, doubled {doubled}; all current {current:.1f} s after the last write{load()}"
    )
    assert len(people.ledger.confirmed) == len(matches)
    assert (lost, doubled) == (0, 0)
    assert people.ledger.unexpected == []
    assert max(made_up, current) < CURRENT_SECONDS


def test_two_confirm_at_once(production: Production) -> None:
    """Both players of a pair, each with a key of their own: one confirmation, and the other is told of it."""
    matches = [
        match
        for _league in range(CONFIRMING_LEAGUES)
        for match in writers.league(production.environment, CONFIRMING_PAIRS)
    ]
    with writing(production.site, matches, clients=8, confirm_with=2) as people:
        pass
    lost, doubled = people.ledger.audit(production.postgresql)
    print(f"two confirm at once: {len(matches)} times; lost {lost}, doubled {doubled}")
    assert len(people.ledger.confirmed) == len(matches)
    assert (lost, doubled) == (0, 0)
    assert {text for _status, text in people.ledger.unexpected if "sheet_settled" not in text} == set()
    assert current_after(production.postgresql) < CURRENT_SECONDS


def test_a_second_beat_changes_nothing(production: Production) -> None:
    second = Production.__new__(Production)
    vars(second).update({**vars(production), "processes": {}})
    second.start("beat")
    try:
        matches = writers.league(production.environment, PAIRS)
        with writing(production.site, matches, clients=CLIENTS) as people:
            pass
        current = current_after(production.postgresql)
    finally:
        second.stop()
    lost, doubled = people.ledger.audit(production.postgresql)
    print(
        f"beat twice: {len(matches)} matches; lost {lost}, doubled {doubled}; current after {current:.1f} s{load()}"
    )
    assert (lost, doubled) == (0, 0)
    assert current < CURRENT_SECONDS


@pytest.mark.parametrize("shift", ["+2h", "-2h"])
def test_a_clock_that_is_two_hours_off(production: Production, shift: str) -> None:
    library = package_folder("libfaketime")
    assert library is not None, "This needs libfaketime: make setup"
    wrong = {"LD_PRELOAD": str(library / FAKETIME), "FAKETIME": shift, "DONT_FAKE_MONOTONIC": "1"}
    names = ("worker", "mail", "beat")
    production.kill(*names)
    production.start(*names, **wrong)
    try:
        matches = writers.league(production.environment, PAIRS)
        with writing(production.site, matches, clients=CLIENTS) as people:
            pass
        current = current_after(production.postgresql)
    finally:
        production.kill(*names)
        production.start(*names)
    lost, doubled = people.ledger.audit(production.postgresql)
    print(
        f"clock {shift}: {len(matches)} matches; lost {lost}, doubled {doubled}; current after {current:.1f} s{load()}"
    )
    assert (lost, doubled) == (0, 0)


#: Tasks that take a key, with the row that the league of the writers has; of the others the key leads nowhere.
QUEUES = {"results": "worker", "mail": "mail", "papers": "papers", "analyses": "papers", "thinking": "robots"}


def test_workers_killed_in_every_kind_of_task(
    production: Production, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that has just taken the task, with SIGKILL, while people write; now and then the worker itself."""
    # Sent, and not done here as in other tests.
    monkeypatch.setitem(celery_app.conf, "task_always_eager", False)
    celery_app.loader.import_default_modules()
    kinds = sorted(name for name in celery_app.tasks if name.split(".")[0] in {"config", "league", "games"})
    matches = writers.league(production.environment, PAIRS)
    with writing(production.site, matches, clients=4) as people:
        for kind in kinds * KILLS_EACH:
            # Again where the process that was killed before is not replaced yet.
            until(partial(kill_in, production, kind))
    names = tuple(sorted(set(QUEUES.values())))
    production.kill(*names)
    production.start(*names)
    until(lambda: all(production.processes[name].count("ready") for name in names))
    current = current_after(production.postgresql)
    lost, doubled = people.ledger.audit(production.postgresql)
    print(
        f"workers killed {KILLS_EACH} times in each of {len(kinds)} kinds of task; lost {lost}, doubled {doubled}; "
        f"current after {current:.1f} s"
    )
    assert (lost, doubled) == (0, 0)
    assert current < CURRENT_SECONDS


def kill_in(production: Production, kind: str) -> bool:
    """Sends such a task, and kills the process that has it as soon as the worker took it; whether there was one."""
    queue = celery_app.conf.task_routes.get(kind, {}).get("queue", "results")
    worker = production.processes[QUEUES[queue]]
    taken = f"Task {kind}["
    before = worker.count(taken)
    given = celery_app.tasks[kind].run.__code__
    arguments = (
        ["results"]
        if kind == "config.tasks.heartbeat"
        else [1] * (given.co_argcount or bool(given.co_flags & 4))
    )
    with production.messages() as connection:
        celery_app.send_task(kind, arguments, queue=queue, connection=connection)
    until(lambda: worker.count(taken) > before)
    children = psutil.Process(worker.process.pid).children()
    for child in children:
        child.send_signal(signal.SIGKILL)
    return bool(children)


def test_every_value_is_as_it_was_computed_from_the_results(production: Production) -> None:
    """After all of the above."""
    manage(production.environment, "verify")


# Planted faults: each must be seen.


def test_planted_a_sheet_is_lost_and_a_confirmation_is_there_twice(production: Production) -> None:
    matches = writers.league(production.environment, 3)
    with writing(production.site, matches, clients=3) as people:
        pass
    assert people.ledger.audit(production.postgresql) == (0, 0)
    key = int(matches[0]["key"])
    production.postgresql.run(
        "SET session_replication_role = replica; "
        f"""
        DELETE FROM games_scoresheet WHERE match_id = {key};
        INSERT INTO league_auditentry (at, actor_name, action, fixture_id, summary, reason, before, after)
        SELECT at, actor_name, action, fixture_id, summary, reason, before, after FROM league_auditentry
        WHERE action = 'sheet.confirmed' AND fixture_id = {matches[1]["key"]}"""
    )
    assert people.ledger.audit(production.postgresql) == (1, 1)


def test_planted_without_beat_what_redis_forgot_is_never_made_up_for(production: Production) -> None:
    production.kill("beat", "worker")
    matches = writers.league(production.environment, 3)
    with writing(production.site, matches, clients=3):
        pass
    redis_emptied(production)
    production.start("worker")
    until(lambda: production.processes["worker"].count("ready") > 0)
    assert current_after(production.postgresql, patience=2 * CURRENT_SECONDS) == float("inf")
    production.start("beat")
    assert current_after(production.postgresql) < float("inf")


def test_planted_a_careless_database_loses_what_it_acknowledged(production: Production) -> None:
    """The same kill, with commits that are acknowledged before they are on the disk. The last test: data is lost."""
    postgresql, careful = production.postgresql, list(production.postgresql.command)
    matches = writers.league(production.environment, PAIRS)
    postgresql.stop()
    postgresql.command += ["-csynchronous_commit=off", "-cwal_buffers=64MB"]
    postgresql.start()
    assert postgresql.process is not None
    # These would write a part of it in time: whether they do is chance.
    for each in psutil.Process(postgresql.process.pid).children():
        if re.search("walwriter|background writer", " ".join(each.cmdline())):
            each.suspend()
    with writing(production.site, matches, clients=8) as people:
        until(lambda: len(people.ledger.confirmed) >= 8)
        postgresql.kill()
        people.give_up()
        postgresql.command = careful
        postgresql.start()
    lost, _doubled = people.ledger.audit(postgresql)
    print(f"planted, commits that are not on the disk: lost {lost}")
    assert lost > 0
