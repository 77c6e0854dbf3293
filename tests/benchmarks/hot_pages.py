"""Pages of who is logged in, beside a bare Django page in the same run, and on a large database: `make hot-pages`.

Starts granian as production does, with the Redis that REDIS_URL names, once for each database given, which are made
beforehand with `manage.py demo` and `manage.py demo --scale 200`. A member of the demo's club asks for each page in
turn. The bare page is served the same way. Processor time is that of the server's processes; the time of an answer
has the database's as well.
"""

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from typing import Any

from tests.benchmarks.kept_pages import load, processor, said, settle, start

#: By a process of its own, since settings hold for one database.
LOOK_UP = "from tests.benchmarks.hot_addresses import look_up; look_up()"


def environment(database: str, folder: str) -> dict[str, str]:
    """Of production, as far as it is not said; its static files collected into a folder of the run."""
    return {
        "SECRET_KEY": "only-for-a-benchmark" * 3,
        "REDIS_URL": "redis://localhost:6379/9",
        "EMAIL_URL": "consolemail://",
        "STATIC_ROOT": folder,
        **os.environ,
        "DATABASE_URL": database,
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "ALLOWED_HOSTS": "localhost",
    }


@contextmanager
def served(application: str, port: int, settings: Mapping[str, str]) -> Iterator[Any]:
    """A server of ours for as long as the block lasts."""
    server = start(application, port, settings)
    try:
        yield server
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def measured(server: Any, port: int, request: bytes, *, seconds: float) -> tuple[float, float]:
    """Milliseconds of processor of one request, and of the clock until it is answered, asked by one visitor."""
    before = processor(server)
    times, statuses = asyncio.run(load(port, request, visitors=1, seconds=seconds))
    assert statuses == {b"200"}, (request, statuses)
    return (processor(server) - before) / len(times) * 1000, median(times) * 1000


def main() -> None:
    """A line for each page: queries, processor time as it is and beside the bare page, time on each database."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8471)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", default="", help="only pages of this name")
    parser.add_argument("databases", nargs="*", default=[os.environ.get("DATABASE_URL", "")])
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        served("tests.benchmarks.bare:application", options.port, {}) as bare,
    ):
        if "STATIC_ROOT" not in os.environ:
            manage("collectstatic", "--noinput", settings=environment(options.databases[0], folder))
        turns = range(options.turns)
        alone = [measured(bare, options.port, said("/"), seconds=options.seconds) for _turn in turns]
        bare_page = median(used for used, _time in alone)
        print(f"The bare page: {bare_page:.2f} ms of processor, {median(t for _u, t in alone):.1f} ms.")
        for number, database in enumerate(options.databases, start=1):
            of_one(environment(database, folder), options, options.port + number, bare_page)


def manage(*command: str, settings: Mapping[str, str]) -> str:
    """What the command of manage.py prints."""
    line = [sys.executable, "manage.py", *command, "-v0"]
    return subprocess.run(line, env=settings, check=True, stdout=subprocess.PIPE, text=True).stdout


def of_one(settings: Mapping[str, str], options: argparse.Namespace, port: int, bare_page: float) -> None:
    """The table of one database."""
    told = manage("shell", "--no-imports", "-c", LOOK_UP, settings=settings)
    found, cookie = json.loads(told.splitlines()[-1])
    name = settings["DATABASE_URL"].rpartition("/")[2]
    print(f"\n| {name} | queries | processor, ms | to the bare page | time, ms |")
    print("|---|---:|---:|---:|---:|")
    with served("config.wsgi:whole_requests", port, settings) as server:
        settle(server, port)
        for name, (address, queries) in found.items():
            if options.only not in name:
                continue
            request = said(address, f"Cookie: {cookie}")
            measured(server, port, request, seconds=options.seconds)
            taken = [
                measured(server, port, request, seconds=options.seconds) for _turn in range(options.turns)
            ]
            used, time = (median(each[part] for each in taken) for part in range(2))
            print(f"| {name} | {queries} | {used:.1f} | {used / bare_page:.1f} | {time:.0f} |", flush=True)


if __name__ == "__main__":
    main()
