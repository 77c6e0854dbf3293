"""PostgreSQL goes away and comes back: all of production says so meanwhile, and goes on without a restart.

`make postgres-away` runs it, for it takes three to nine minutes, most of them for the demo; what it depends on is held
by tests/config/test_outages.py. It says how long the first good answers took (docs/production.md).
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.config.services import Process, Redis, command_of, command_of_the_image, until
from tests.reliability.production import ALL, UNDONE, Answer, PostgreSQL, Site, manage
from tests.servers import free_port

pytestmark = [pytest.mark.one_database, pytest.mark.long]

ANNA, OLGA = "anna.berg@example.org", "olga.petrov@example.org"
PAGES = ("/", "/tables/", "/matches/1/")
#: What Celery says of a task that failed.
FAILED = "raised unexpected"
API = "/api/v1/clubs/"
FULL = """
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RAISE ''could not extend file'' USING ERRCODE = ''53100''; END';
    CREATE TRIGGER full_disk BEFORE INSERT ON games_scoresheet EXECUTE FUNCTION full_disk()
"""
#: The demo shows what a mailbox that does not exist looks like.
REFUSED = "SELECT count(*) FROM league_outboxmessage WHERE given_up_at IS NOT NULL"
TOTALS = {"deals": [{"total": {"NS": points, "EW": 20}} for points in (30, 18, 25, 22)]}


@contextmanager
def visitors(site: Site) -> Iterator[None]:
    """Somebody always asks, so at the moment of a stop and of a start, too: never anything but a page or a 503."""
    over = threading.Event()
    wrong: list[tuple[object, ...]] = []

    def visit() -> None:
        while not over.wait(0.02):
            for path in (*PAGES, API):
                try:
                    answer = site.ask(path)
                except OSError as fault:
                    wrong.append((path, repr(fault)))
                    continue
                if answer.status not in {200, 503} or "Traceback" in answer.text:
                    wrong.append((path, answer.status, answer.text[:2000]))

    thread = threading.Thread(target=visit)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    assert wrong == []


def assert_away(site: Site, write: Callable[[], Answer]) -> None:
    """People and programs are told so; nothing of ours shows. Kept pages are shown for up to two seconds more."""
    pages: list[Answer] = []

    def all_say_so() -> bool:
        # The one answer is looked at: while one visitor waits for a new page, the next may still see the kept one.
        pages[:] = [site.ask(path) for path in PAGES]
        return {page.status for page in pages} == {503}

    until(all_say_so)
    for page in pages:
        assert (page.status, page.headers["Retry-After"]) == (503, "30"), page.text
        assert "<h1>" in page.text
        assert "OperationalError" not in page.text
    for told in (site.ask(API), site.ask(API, who=ANNA), write()):
        assert (told.status, told.headers["Retry-After"]) == (503, "30"), told.text
        assert set(told.json) == {"error"}
        assert told.json["error"]["code"] == "unavailable"
    health, ready = site.ask("/healthz"), site.ask("/readyz")
    assert (health.status, health.json["database"]) == (503, False)
    assert ready.status == 503
    assert ready.json["parts"]["database"]["state"] == "away"
    assert ready.json["parts"]["redis"]["state"] == "ok"


def away_and_back(
    site: Site,
    worker: Process,
    stop: Callable[[], None],
    start: Callable[[], None],
    write: Callable[[], Answer],
) -> None:
    """What could not be written during the outage is sent again, with its key, afterwards."""
    failed = worker.count(FAILED)
    stop()
    assert_away(site, write)
    until(lambda: worker.count(FAILED) > failed)
    begun = time.monotonic()
    start()
    answers = time.monotonic()
    until(lambda: {site.status(path) for path in (*PAGES, API, "/healthz")} == {200})
    page = time.monotonic()
    repeated = [write(), write()]
    assert [answer.status for answer in repeated] in ([201, 200], [200, 200]), repeated[0].text
    assert repeated[0].json == repeated[1].json
    until(lambda: is_ready(site))
    ready = time.monotonic()
    print(f"PostgreSQL starts in {answers - begun:.2f} s")
    print(f"after that: pages {page - answers:.2f} s, /readyz {ready - answers:.1f} s")


def full_and_empty(site: Site, postgresql: PostgreSQL, write: Callable[[], Answer]) -> None:
    """No room for a scoresheet, as PostgreSQL says it: pages answer, what is written is refused as a whole."""
    postgresql.run(FULL)
    refused = write()
    assert (refused.status, refused.headers["Retry-After"]) == (503, "30"), refused.text
    assert "no space left" in refused.json["error"]["message"]
    assert {site.status(path) for path in (*PAGES, API, "/healthz")} == {200}
    postgresql.run("DROP FUNCTION full_disk CASCADE")


def is_ready(site: Site) -> bool:
    return site.status("/readyz") == 200


def test_all_of_production_goes_on_when_postgresql_is_back(
    redis: Redis, postgresql: PostgreSQL, tmp_path: Path
) -> None:
    environment = {
        "DATABASE_URL": postgresql.url,
        "REDIS_URL": redis.url,
        "STATIC_ROOT": str(tmp_path / "static"),
        "API_RATE_ANONYMOUS": "100000/min",
    }
    manage(environment, "migrate", "--noinput", "--verbosity", "0")
    manage(environment, "demo")
    refused = postgresql.run(REFUSED)
    manage(environment, "collectstatic", "--noinput", "--verbosity", "0")
    site = Site(free_port())
    with ExitStack() as running:
        started = {"web": command_of_the_image(site.port)}
        started |= {name: command_of(name) for name in ALL if name != "web"}
        processes = {}
        for name, command in started.items():
            processes[name] = Process(command, environment, tmp_path / f"{name}.log")
            running.callback(processes[name].stop)
        until(lambda: is_ready(site))
        site.login(ANNA)
        site.login(OLGA)
        match = next(
            f"/api/v1/matches/{row['id']}/"
            for row in site.ask("/api/v1/fixtures/?mine=true", who=ANNA).json["results"]
            if all(
                site.ask(f"/api/v1/matches/{row['id']}/", who=who).json["may"]["enter"]
                for who in (ANNA, OLGA)
            )
        )
        sheets = f"{match}sheets/"

        def enter() -> Answer:
            return site.ask(sheets, TOTALS, who=ANNA, key="away-1")

        with visitors(site):
            full_and_empty(site, postgresql, enter)
            away_and_back(site, processes["worker"], postgresql.stop, postgresql.start, enter)
        digest = {"digest": enter().json["digest"]}
        assert [each["version"] for each in site.ask(sheets, who=ANNA).json] == [1]

        def confirm() -> Answer:
            return site.ask(f"{sheets}1/confirm/", digest, who=OLGA, key="away-2")

        with visitors(site):
            away_and_back(site, processes["worker"], postgresql.fail, postgresql.start, confirm)
        assert site.ask(match).json["fixture"]["result"]["kind"] == "played"

        # The workers too: what follows from the sheet is done, by processes that were there all the time.
        seconds = until(lambda: postgresql.run(UNDONE) == refused)
        print(f"mails and standings after {seconds:.1f} s")
        until(lambda: is_ready(site))
        assert [each.process.poll() for each in processes.values()] == [None] * len(processes)
