"""The web process killed while tables are in play: whether an acknowledged action is lost, and when all seats are back.

    DATABASE_URL=... VAR_DIR=... python -m tests.benchmarks.tables_killed --port 8000 --tables 50

It starts the server itself, with `manage.py serve`, kills it without a word (SIGKILL) and starts it again.
"""

import asyncio
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from asgiref.sync import sync_to_async

from tests.benchmarks import tables_load
from tests.benchmarks.tables_load import Measured, Place

# The settings are ready only when tables_load has been imported.
from django.conf import settings  # isort: skip
from games.models import Action  # isort: skip

PATIENCE_SECONDS = 120.0


def start(port: int) -> subprocess.Popen[bytes]:
    """The server, not yet listening perhaps."""
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--no-demo"]
    return subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL)


async def until(holds: Callable[[], bool], what: str) -> float:
    """How long it took, in seconds."""
    begun = time.perf_counter()
    while not holds():
        if time.perf_counter() - begun > PATIENCE_SECONDS:
            raise SystemExit(f"Waited too long: {what}")
        await asyncio.sleep(0.05)
    return time.perf_counter() - begun


async def listening(options: Namespace) -> float:
    """How long it took until the server answered: it takes its port before it is ready."""
    begun = time.perf_counter()
    asked = f"GET /healthz HTTP/1.0\r\nHost: {options.host}\r\n\r\n".encode()
    while time.perf_counter() - begun < PATIENCE_SECONDS:
        try:
            reader, writer = await asyncio.open_connection(options.host, options.port)
            writer.write(asked)
            answer = await reader.read(12)
            writer.close()
        except OSError:
            answer = b""
        if answer.startswith(b"HTTP/"):
            return time.perf_counter() - begun
        await asyncio.sleep(0.05)
    raise SystemExit("The server does not start.")


def lost(kept: set[str]) -> set[str]:
    """Acknowledged keys without a row."""
    return kept - set(Action.objects.exclude(key="").values_list("key", flat=True))


async def run(options: Namespace) -> None:
    server = start(options.port)
    measured, stop = Measured(), asyncio.Event()
    try:
        await listening(options)
        places: list[Place] = await sync_to_async(tables_load.make)(options.tables)
        people = [asyncio.create_task(tables_load.play(each, options, measured, stop)) for each in places]
        await until(lambda: len(measured.first_view) == len(places), "all seats told once")
        await asyncio.sleep(options.seconds)
        broken = measured.lost.total() + len(places)
        server.kill()
        server.wait()
        killed = time.perf_counter()
        # What the killed server had sent is read first: nobody is back by that.
        await until(lambda: measured.lost.total() >= broken, "all lines broken")
        kept = set(measured.kept)
        measured.first_view.clear()
        server = start(options.port)
        await listening(options)
        up = time.perf_counter() - killed
        await until(lambda: len(measured.first_view) == len(places), "all seats back")
        told = sorted(measured.first_view.values())
        back, most = told[-1] - killed, told[int(0.95 * len(told)) - 1] - killed
        print(f"{len(kept)} actions acknowledged before; lost: {len(await sync_to_async(lost)(kept))}")
        print(f"listening again after {up:.1f} s; all {len(places)} seats told after {back:.1f} s")
        print(f"95 % of the seats told {most - up:.1f} s after it listened again")
        await asyncio.sleep(options.seconds)
        print(f"acknowledged after: {len(measured.kept) - len(kept)}; refused: {measured.refused}")
        print(f"lost in all: {len(await sync_to_async(lost)(measured.kept))}")
        stop.set()
        await asyncio.gather(*people, return_exceptions=True)
        missing = await sync_to_async(lost)({*measured.kept, "an action that nobody kept"})
        print(f"planted: an acknowledged action taken away is {'seen' if missing else 'not seen'}")
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--think", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=10.0)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
