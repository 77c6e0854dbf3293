"""What all tests share: the choice of tests for each half of the run, and the database as tests need it."""

import gc
import json
import os
import random
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db import connection
from django.template import Context, Template
from django.utils import timezone, translation
from django.utils.safestring import SafeString
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware

from config.celery import app as celery_app
from engine.concerto.commands.compile import compile_parts
from games.models import Table
from games.tables.services import rows
from games.tables.socket import rates
from games.tables.state.facts import memory
from games.tables.state.snapshot import TableSnapshot
from league.storage.append_only import GUARDS
from tests import chance, statements
from tests.lock_order import is_outside, recorded
from tests.thorough import IS_THOROUGH, examples, waiting_for_their_turn

pytest_plugins = ["tests.browser.pages"]

# A gate says the same each time, so that more examples would find nothing new; `make shuffle` looks where it has not
# looked before.
hypothesis_settings.register_profile("steady", derandomize=True, deadline=None, max_examples=examples(80))
hypothesis_settings.register_profile("chance", deadline=None, max_examples=200)
hypothesis_settings.load_profile("steady")

DATABASE_FIXTURES = {
    "db",
    "transactional_db",
    "live_server",
    "django_db_reset_sequences",
    "django_db_serialized_rollback",
}
NEED_SERVERS = {"postgres", "redis"}
# A program's way through the API is tried on both databases, whatever others send.
API = Path(__file__).with_name("api")
# Where the first half notes for the second what there is.
COLLECTED = "collected"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option by which `tests.run` says which half this is."""
    parser.addoption(
        "--half",
        choices=("sqlite", "servers"),
        help="sqlite: all tests but those that mean something on PostgreSQL or Redis only; "
        "servers: these, and of all others that touch a database, but for one_database, those that --sent asks",
    )
    parser.addoption(
        "--sent",
        type=Path,
        help="a folder: where the half sqlite notes what each test sends to the database, and the half servers reads "
        "which tests are enough to send all of it; without it, that half takes them all",
    )
    parser.addoption("--took", type=Path, help="where to write what each file of tests took, in seconds")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a file aside of which the half servers runs nothing: to import all took a tenth of that half."""
    folder = config.getoption("--sent")
    if (
        config.getoption("--half") != "servers"
        or folder is None
        or not collection_path.name.startswith("test_")
    ):
        return None
    files = files_needed(folder)
    return True if files and collection_path.relative_to(config.rootpath).as_posix() not in files else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to the other half, or to `make thorough`; without the option, what has no server here.

    Tests with a browser come last: its driver leaves a running event loop in the thread, which others would trip over.
    """
    items.sort(key=lambda item: (uses_browser(item), item.get_closest_marker("long") is None))
    half = config.getoption("--half")
    has_servers = is_postgresql() and bool(settings.REDIS_URL)
    if half == "servers" and not has_servers:
        raise pytest.UsageError("The half 'servers' needs DATABASE_URL (PostgreSQL) and REDIS_URL.")
    later = left_to_thorough(items, config)
    wanted = [item for item in items if item not in later]
    if half == "servers":
        again = [item for item in wanted if not needs_servers(item) and is_worth_repeating(item)]
        chosen = [item for item in wanted if needs_servers(item)] + enough(again, config.getoption("--sent"))
    elif half == "sqlite" or not has_servers:
        if is_noting(config) and os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0":
            note_for_servers(wanted, config.getoption("--sent"))
        chosen = [item for item in wanted if not needs_servers(item)]
    else:
        chosen = wanted
    left_out = set(items) - set(chosen)
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def pytest_collection_finish() -> None:
    """What thousands of tests are made of stays to the end: to look through it for rubbish took a twelfth of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say to `tests.run` how many seconds each file took, whichever worker had its tests."""
    if (path := config.getoption("--took")) is None:
        return
    took: defaultdict[str, float] = defaultdict(float)
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            took[report.nodeid.partition("::")[0]] += report.duration
    path.write_text(json.dumps(took))


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """In a fresh checkout one process compiles the searches while the others read the tests, and later its reading is
    quick: all of them read and compiled everything, side by side.
    """
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1" and is_for_all_tests(session.config):
        compile_parts(Namespace(part="all"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Whatever is sent to the database meanwhile, is sent by this test."""
    with statements.recorder.during(item.nodeid):
        return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Say to the second half what each test has sent."""
    if is_noting(session.config):
        statements.recorder.write(session.config.getoption("--sent") / f"{os.getpid()}.json")


def is_noting(config: pytest.Config) -> bool:
    """Whether this half notes for the other what its tests send."""
    return config.getoption("--half") == "sqlite" and config.getoption("--sent") is not None


def pytest_unconfigure() -> None:
    """Leave no SQLite file of this process behind, also where a test stopped half-way."""
    if connection.vendor == "sqlite":
        file = Path(connection.settings_dict["NAME"])
        for left in file.parent.glob(f"{file.name}*"):
            left.unlink(missing_ok=True)


def is_postgresql() -> bool:
    """Whether this run's database is PostgreSQL."""
    return connection.vendor == "postgresql"


def needs_servers(item: pytest.Item) -> bool:
    """Whether the test means something on PostgreSQL or Redis only."""
    return any(item.get_closest_marker(name) for name in NEED_SERVERS)


def left_to_thorough(items: list[pytest.Item], config: pytest.Config) -> set[pytest.Item]:
    """What only `make thorough` runs; where all tests are asked for, those too that wait for their turn."""
    if IS_THOROUGH:
        return set()
    waiting = set[str]()
    if is_for_all_tests(config):
        waiting = waiting_for_their_turn(item.nodeid for item in items if not is_main_path(item))
    return {item for item in items if item.nodeid in waiting or item.get_closest_marker("thorough")}


def is_for_all_tests(config: pytest.Config) -> bool:
    """Whether no file or folder was named: who names one is to have all of it."""
    whole = {config.rootpath / folder for folder in config.getini("testpaths")}
    return {Path(config.rootpath, each) for each in config.args} <= {config.rootpath, *whole}


def uses_browser(item: pytest.Item) -> bool:
    """Whether the test starts a browser."""
    return "browser" in getattr(item, "fixturenames", ()) or item.get_closest_marker("browser") is not None


def is_worth_repeating(item: pytest.Item) -> bool:
    """Whether the test may come out otherwise on another database; of those with a browser, only the main paths."""
    if uses_browser(item):
        return is_main_path(item)
    return item.get_closest_marker("one_database") is None and touches_database(item)


def enough(items: list[pytest.Item], folder: Path | None) -> list[pytest.Item]:
    """As many of these as send all that they all send; those of which nothing is known, too."""
    known = statements.read(folder) if folder else {}
    needed = statements.enough({item.nodeid: known[item.nodeid] for item in items if item.nodeid in known})
    return [item for item in items if item.nodeid in needed or item.nodeid not in known or is_main_path(item)]


def note_for_servers(items: list[pytest.Item], folder: Path) -> None:
    """Say to the second half which files it needs in any case, and of which tests it takes as many as are enough."""
    always = {
        item.nodeid.partition("::")[0]
        for item in items
        if needs_servers(item) or (is_main_path(item) and is_worth_repeating(item))
    }
    again = [item.nodeid for item in items if not needs_servers(item) and is_worth_repeating(item)]
    (folder / COLLECTED).write_text(json.dumps([sorted(always), again]))


@cache
def files_needed(folder: Path) -> set[str]:
    """The files of all tests that the second half runs; none if the first has not come so far."""
    if not (folder / COLLECTED).exists():
        return set()
    always, again = json.loads((folder / COLLECTED).read_text())
    known = statements.read(folder)
    needed = statements.enough({name: known[name] for name in again if name in known})
    chosen = [name for name in again if name in needed or name not in known]
    return {*always, *(name.partition("::")[0] for name in chosen)}


def is_main_path(item: pytest.Item) -> bool:
    """Whether the test runs on both databases, whatever others send."""
    return item.get_closest_marker("both_databases") is not None or item.path.parent == API


def touches_database(item: pytest.Item) -> bool:
    """Whether the test may use the database: pytest-django forbids it to all others."""
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASE_FIXTURES)


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    pytestconfig: pytest.Config,
) -> Iterator[None]:
    """Empty the tables between tests that commit past the guards that refuse every deletion, and soon.

    On the class: while a browser test's loop runs, this thread has another connection object.
    """
    with pytest.MonkeyPatch.context() as patch:
        if connection.vendor == "sqlite":
            _empty_without_guards(patch, type(connection.ops))
        elif _is_superuser(django_db_blocker):
            _empty_row_by_row(patch, type(connection.ops))
        with statements.recorder.listening() if is_noting(pytestconfig) else nullcontext():
            yield


def _empty_without_guards(patch: pytest.MonkeyPatch, operations: Any) -> None:
    empty_tables = operations.execute_sql_flush

    def unguarded(self: Any, sql_list: Any) -> None:
        for guard in GUARDS:
            guard.drop(self.connection)
        try:
            empty_tables(self, sql_list)
        finally:
            for guard in GUARDS:
                guard.create(self.connection)

    patch.setattr(operations, "execute_sql_flush", unguarded)


def _is_superuser(blocker: DjangoDbBlocker) -> bool:
    with blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("SELECT usesuper FROM pg_user WHERE usename = current_user")
        return bool(cursor.fetchone()[0])


def _empty_row_by_row(patch: pytest.MonkeyPatch, operations: Any) -> None:
    """TRUNCATE makes new files for a hundred tables, most of them empty before: that takes longer than most tests."""
    truncating = operations.sql_flush

    def deleting(self: Any, style: Any, tables: Any, *, reset_sequences: bool = False, **options: Any) -> Any:
        if reset_sequences or not tables:
            return truncating(self, style, tables, reset_sequences=reset_sequences, **options)
        return [
            "SET LOCAL session_replication_role = replica",  # without guards and foreign keys
            *(f"DELETE FROM {self.quote_name(table)}" for table in tables),
        ]

    patch.setattr(operations, "sql_flush", deleting)


@pytest.fixture(scope="session", autouse=True)
def _the_list_of_static_files_is_made_once() -> Iterator[None]:
    """Every client of every test starts the middleware again, which looks at each file: a tenth of the whole run."""
    make_list = WhiteNoiseMiddleware.add_files_from_finders
    made: dict[type, Any] = {}

    def once(self: WhiteNoiseMiddleware) -> None:
        if type(self) not in made:
            make_list(self)
            made[type(self)] = self.files
        self.files = made[type(self)]

    WhiteNoiseMiddleware.add_files_from_finders = once
    yield
    WhiteNoiseMiddleware.add_files_from_finders = make_list


@pytest.fixture(scope="session", autouse=True)
def _only_whole_pages_are_noted(django_test_environment: None) -> Iterator[None]:
    """For `answer.context` Django copies all variables for each part of a page: up to a twentieth of a test."""
    noting = vars(Template)["_render"]

    def rendered(self: Template, context: Context) -> SafeString:
        return noting(self, context) if context.template is self else self.nodelist.render(context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", rendered)
        yield


@pytest.fixture(autouse=True)
def _locks_are_taken_in_order(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every service that a test calls locks from the club down to the table (docs/locking.md)."""
    if not touches_database(request.node):
        yield
        return
    with recorded() as recorder:
        yield
    if request.node.get_closest_marker("breaks_lock_order") is None:
        assert recorder.faults == []


@pytest.fixture(autouse=True)
def _tables_are_remembered_as_after_a_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test's own transaction holds is never committed: each action would read its table's whole log again.

    Of the test before nothing is remembered: where time stands still, its table looks like this one's, and all ask
    from one address.
    """
    memory.forget()
    rates.forget()
    write, change = rows.writing, rows.changed
    fresh: list[TableSnapshot] = []

    def changed(table: Table, *fields: str, facts: TableSnapshot | None = None, **how: Any) -> None:
        change(table, *fields, facts=facts, **how)
        fresh.extend([facts] if facts else [])

    @contextmanager
    def writing() -> Iterator[None]:
        fresh.clear()
        with write():
            yield
        if connection.in_atomic_block and is_outside():
            for facts in fresh:
                memory.keep(facts)

    monkeypatch.setattr(rows, "writing", writing)
    monkeypatch.setattr(rows, "changed", changed)


@pytest.fixture(scope="session", autouse=True)
def _tasks_are_found() -> None:
    """A worker would have found them itself. Once: it has Django check all models, a fifth of a whole run."""
    celery_app.loader.import_default_modules()


@pytest.fixture(autouse=True)
def _tasks_know_their_place() -> None:
    """Tasks run on the spot in every test, whatever an earlier one changed."""
    celery_app.conf.task_always_eager = True


@pytest.fixture(autouse=True)
def _the_site_s_own_language_and_time() -> None:
    """Each test begins in English and in UTC: a request in another language leaves its thread in that language."""
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(autouse=True)
def _the_same_cards_in_every_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test seals its boards with keys of its own, and draws lots, alike in every run.

    Cards by chance make a test fail once in a thousand runs, for a holding nobody will see again.
    """
    chance.fix(monkeypatch, random.Random(request.node.nodeid))


@pytest.fixture(autouse=True)
def _the_same_words_in_every_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test names its people from 1 on, and its pages carry the same keys and tokens as in every other run.

    How many tests a process has run before decided which name came first, and a figure that was not to be on a page
    stood in a token by chance.
    """
    source = random.Random(f"words of {request.node.nodeid}")
    monkeypatch.setattr("tests.league.factories._number", count(1))
    monkeypatch.setattr(
        "django.middleware.csrf.get_random_string",
        lambda length, allowed_chars: "".join(source.choices(allowed_chars, k=length)),
    )
    for name in ("league.web.keeping", "games.scoresheets.views.scoresheets"):
        monkeypatch.setattr(f"{name}.uuid4", lambda: UUID(int=source.getrandbits(128), version=4))
