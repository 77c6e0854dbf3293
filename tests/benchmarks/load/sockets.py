"""Tables in the browser in production's way, beside a bare echo socket with as many clients in the same run.

    python -m tests.benchmarks.load.sockets [--tables 500] [--think 8] [--seconds 60]
    python -m tests.benchmarks.load.sockets --robots 100 --tables 50

Of ours: from sent to seen by the other three, memory for each socket. With `--robots` so many tables with one person
and three expert robots each come to those of people, and must leave these, and pages, as they were.
"""

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
from websockets.asyncio.client import connect

from tests.benchmarks.load import production
from tests.config.services import ENVIRONMENT
from tests.reliability.production import Production
from tests.servers import free_port

SEEN, PAGES = "sent to seen by the other three", "pages"
FIGURES = re.compile(r"^(.+): (\d+) \(.*p50 (\d+) ms, p95 (\d+) ms, p99 (\d+) ms", re.MULTILINE)


def play(site: Production, options: argparse.Namespace, *, robots: int = 0) -> dict[str, tuple[int, ...]]:
    """tests.benchmarks.tables_load on that production: count, p50, p95, p99 in milliseconds, by what was measured."""
    told = f"--host localhost --port {site.sockets_port} --tables {options.tables} --think {options.think}"
    told += f" --seconds {options.seconds} --warm {options.warm} --robots {robots} --pages {site.site.port}"
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.tables_load", *told.split()],
        env={**os.environ, **ENVIRONMENT, **site.environment}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    print(done.stdout, flush=True)
    found = {each[0]: tuple(map(int, each[1:])) for each in FIGURES.findall(done.stdout)}
    if SEEN not in found:
        sys.exit("Too few actions for figures: take fewer tables, or longer (--warm, --seconds).")
    return found


def memory(site: Production) -> float:
    """Of the processes for sockets, in KB; not what they share."""
    first = psutil.Process(site.processes["sockets"].process.pid)
    return sum(each.memory_full_info().uss for each in (first, *first.children(recursive=True))) / 1024


@contextmanager
def bare_echo() -> Iterator[int]:
    """The least that a server of sockets does: what comes from one goes to the others of the same path."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "tests.benchmarks.load.echo:application", "--lifespan", "off",
               "--port", str(port), "--log-level", "warning"]  # fmt: skip
    process = subprocess.Popen(command)
    try:
        yield port
    finally:
        process.terminate()
        process.wait()


async def echoed(port: int, options: argparse.Namespace) -> list[float]:
    """Seconds from sent until the third of the others has it, with as many clients who send as often."""
    trips: list[float] = []
    seen: dict[str, int] = {}

    async def listen(line: object) -> None:
        async for text in line:  # type: ignore[attr-defined]
            seen[text] = seen.get(text, 0) + 1
            if seen[text] == 3:
                trips.append(time.perf_counter() - float(text.split()[0]))

    async def sit(table: int) -> None:
        for _try in range(20):
            try:
                line = await connect(f"ws://127.0.0.1:{port}/{table}", compression=None)
                break
            except OSError:
                await asyncio.sleep(0.5)
        listening = asyncio.create_task(listen(line))
        end = time.perf_counter() + options.warm + options.seconds
        while (pause := random.expovariate(1 / (4 * options.think))) < end - time.perf_counter():
            await asyncio.sleep(pause)
            await line.send(f"{time.perf_counter()} {id(line)}")
        await asyncio.sleep(1)
        listening.cancel()
        await line.close()

    await asyncio.gather(*(sit(table) for table in range(options.tables) for _seat in range(4)))
    return trips


def beside_the_echo(options: argparse.Namespace) -> None:
    """Ours, then the bare one."""
    with production.running("web", "sockets", "worker", "beat") as site:
        before, most = memory(site), [0.0]
        over = threading.Event()

        def watch() -> None:
            while not over.wait(1):
                most[0] = max(most[0], memory(site))

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            ours = play(site, options)[SEEN]
        finally:
            over.set()
            watching.join()
        each = (most[0] - before) / (4 * options.tables)
    with bare_echo() as port:
        bare = statistics.quantiles(asyncio.run(echoed(port, options)), n=1000)
    p50, p99 = bare[499] * 1000, bare[989] * 1000
    print(
        f"a bare echo: p50 {p50:.1f} ms, p99 {p99:.1f} ms; ours p50 {ours[1] / p50:.1f}, p99 {ours[3] / p99:.1f} times"
    )
    print(f"memory for each socket: {each:.0f} KB; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def beside_robots(options: argparse.Namespace) -> None:
    """The same people without and with the robots' tables."""
    with production.running("web", "sockets", "worker", "robots", "beat", pages=True) as site:
        without = play(site, options)
        beside = play(site, options, robots=options.robots)
    for what in (SEEN, PAGES):
        p50, p99 = (beside[what][at] / without[what][at] for at in (1, 3))
        print(f"{what}: p50 {p50:.1f}, p99 {p99:.1f} times; load {os.getloadavg()[0]:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--think", type=float, default=8.0, help="seconds before an action, on average")
    parser.add_argument("--warm", type=float, default=150.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--robots", type=int, default=0, help="tables with three expert robots each")
    options = parser.parse_args()
    (beside_robots if options.robots else beside_the_echo)(options)


if __name__ == "__main__":
    main()
