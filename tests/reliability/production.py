"""A production of the tests' own: PostgreSQL, the site as its proxy asks it, and what it still has to do."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psutil
import psycopg
from django.conf import settings
from kombu import Connection

from tests.config.services import ENVIRONMENT, Process, Redis, command_of, command_of_the_image, until
from tests.production import compose
from tests.servers import ask_postgresql, free_port, identity, new_postgresql, wait_until

#: Mails that wait.
MAILS: LiteralString = "SELECT id FROM league_outboxmessage WHERE sent_at IS NULL"
#: Each division: of which results its table is (-1: it has none yet), and which there are.
TABLES: LiteralString = """
    SELECT division.id, COALESCE(stored.results_version, -1) AS made, competition.results_version AS wanted
    FROM league_division division
    JOIN league_stage stage ON stage.id = division.stage_id
    JOIN league_competition competition ON competition.id = stage.competition_id
    LEFT JOIN league_standingstable stored ON stored.division_id = division.id AND stored.after_round = 0
    WHERE competition.state <> 'draft' AND stage.format <> 'evening'
"""
#: How many tables are older than their results; that, and how many mails wait.
STALE: LiteralString = f"SELECT count(*) FROM ({TABLES}) found WHERE made < wanted"
UNDONE: LiteralString = f"SELECT ({STALE}) + (SELECT count(*) FROM ({MAILS}) waiting)"


USUAL_SHARES = 1024
#: By so much a step of niceness lowers the share.
SHARE_OF_A_STEP = 1.25

#: How the tests' own PostgreSQL is fast: none of it where what was acknowledged must survive.
CARELESS = {"-cfsync=off", "-csynchronous_commit=off", "-cfull_page_writes=off"}


class PostgreSQL:
    """A PostgreSQL of the test's own that can be stopped and started."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.folder = folder
        self.command, self.account = new_postgresql(folder)
        if durable:
            self.command = [part for part in self.command if part not in CARELESS]
        self.port = free_port()
        self.command += ["-clisten_addresses=127.0.0.1", "-p", str(self.port)]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """And wait until it answers."""
        log = (self.folder.parent / f"{self.folder.name}.log").open("ab")
        with log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, cwd=self.folder, start_new_session=True,
                **identity(self.account),
            )  # fmt: skip
        wait_until(lambda: ask_postgresql(self.url)[0] > 0, self.process, self.folder, "PostgreSQL")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """It ends its connections in order (fast)."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()

    def kill(self) -> None:
        """With all its processes, as by a computer that stops: what was only in memory is gone."""
        if self.process is not None:
            # Each of them has a session of its own.
            others = psutil.Process(self.process.pid).children(recursive=True)
            self.process.kill()
            for each in others:
                with suppress(psutil.NoSuchProcess):
                    each.kill()
            self.process.wait()
            psutil.wait_procs(others)

    def fail(self) -> None:
        """As by a failure (immediate): it repairs itself at the next start."""
        self.stop(signal.SIGQUIT)

    @property
    def url(self) -> str:
        """Its address."""
        return f"postgresql://concertmaster@127.0.0.1:{self.port}/postgres"

    def run(self, statement: LiteralString) -> Any:
        """The first value of what this SQL gives, if it gives any."""
        rows = self.rows(statement)
        return rows[0][0] if rows else None

    def rows(self, statement: LiteralString) -> list[Any]:
        """What this SQL gives."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: Any
    text: str

    @property
    def json(self) -> Any:
        """Of a program's answer."""
        return json.loads(self.text)


@dataclass
class Site:
    """The site as its proxy asks it."""

    port: int
    tokens: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, sent: object = None, *, who: str = "", key: str = "", token: str = "") -> Answer:
        """GET, or POST where something is sent."""
        headers = {"Host": "localhost", "X-Forwarded-Proto": "https", "Accept": "text/html, application/json"}
        if token or who:
            headers["Authorization"] = f"Token {token or self.tokens[who]}"
        if key:
            headers["Idempotency-Key"] = key
        data = None
        if sent is not None:
            data, headers["Content-Type"] = json.dumps(sent).encode(), "application/json"
        try:
            with urlopen(
                Request(f"http://127.0.0.1:{self.port}{path}", data, headers), timeout=120
            ) as answer:
                return Answer(answer.status, answer.headers, answer.read().decode())
        except HTTPError as refused:
            with refused:
                return Answer(refused.code, refused.headers, refused.read().decode())

    def login(self, who: str, password: str = "demo-of-the-club") -> None:
        """With a token."""
        made = self.ask("/api/v1/token/", {"email": who, "password": password})
        assert made.status == 201, made.text
        self.tokens[who] = made.json["token"]

    def status(self, path: str) -> int:
        """0 where nobody listens."""
        try:
            return self.ask(path).status
        except OSError:
            return 0


def python(environment: dict[str, str], *command: str) -> str:
    """What it prints, with the settings of production; raises CalledProcessError."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=settings.BASE_DIR, env={**os.environ, **ENVIRONMENT, **environment},
        check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return done.stdout


def manage(environment: dict[str, str], *command: str) -> str:
    return python(environment, "manage.py", *command)


#: As compose names them.
ALL = ("web", "worker", "papers", "robots", "mail", "beat")


def service(name: str) -> dict[str, Any]:
    """As docker-compose.yml has it."""
    services: dict[str, dict[str, Any]] = compose.read(
        settings.BASE_DIR, dict.fromkeys(compose.REQUIRED, "given")
    )["services"]
    return services[name]


def share_processor(pid: int, shares: int) -> None:
    """Gives a process, the first of its session, its container's share of a busy processor.

    Linux shares it among sessions first, so that the niceness of a process in one of its own changes nothing.
    """
    group = Path(f"/proc/{pid}/autogroup")
    if shares != USUAL_SHARES and group.exists():
        group.write_text(str(round(math.log(USUAL_SHARES / shares, SHARE_OF_A_STEP))))


class Production:
    """All processes of it, beside a PostgreSQL and a Redis."""

    def __init__(self, postgresql: PostgreSQL, redis: Redis, folder: Path, *, pages: bool = False) -> None:
        self.postgresql, self.redis, self.folder = postgresql, redis, folder
        self.site, self.sockets_port = Site(free_port()), free_port()
        self.environment = {
            "DATABASE_URL": postgresql.url,
            "REDIS_URL": redis.url,
            "STATIC_ROOT": str(folder / "static"),
            "API_RATE_ANONYMOUS": "100000/min",
            "API_RATE_PERSON": "100000/min",
        }
        self.processes: dict[str, Process] = {}
        manage(self.environment, "migrate", "--verbosity", "0")
        if pages:
            manage(self.environment, "collectstatic", "--noinput", "--verbosity", "0")

    def command(self, name: str) -> list[str]:
        """As the image, or compose, starts it."""
        if name == "web":
            return command_of_the_image(self.site.port)
        if name == "sockets":
            at = f"127.0.0.1 --port {self.sockets_port}"
            return ["sh", "-c", service(name)["command"][-1].replace("0.0.0.0 --port 8001", at)]
        return command_of(name)

    def start(self, *names: str, **environment: str) -> None:
        """Those, with more in their environment; not waited for."""
        for name in names:
            command = self.command(name)
            log = self.folder / f"{name}-{time.monotonic_ns()}.log"
            self.processes[name] = Process(command, {**self.environment, **environment}, log)
            share_processor(self.processes[name].process.pid, service(name).get("cpu_shares", USUAL_SHARES))

    def kill(self, *names: str) -> None:
        """At once, with all that they have started."""
        for name in names:
            process = self.processes.pop(name).process
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def messages(self) -> Connection:
        """To the workers, as a page sends them."""
        prefix = {"global_keyprefix": "concertmaster:", "visibility_timeout": 1800}
        return Connection(self.redis.url, transport_options=prefix)

    def stop(self) -> None:
        for process in self.processes.values():
            process.stop()

    def answer(self) -> float:
        """Until the pages are there; seconds."""
        return until(lambda: self.site.status("/healthz") == 200)

    def wait(self) -> float:
        """Until every part is at work; seconds."""
        return until(lambda: self.site.status("/readyz") == 200)
