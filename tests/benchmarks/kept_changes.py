"""How soon a change is on a page that many look at, and what is hidden is gone from it: `make kept-changes`.

Starts granian as `make kept-pages` does, and has visitors ask for one page without a pause. Meanwhile another process,
this one, writes to the database, and then asks for the page until the change is there: as somebody who has never seen
the page, and as somebody whose browser asks whether the former one holds.
"""

import argparse
import asyncio
import os
import signal
import time
from collections.abc import Callable
from functools import partial
from statistics import median

import django
from django.apps import apps

from tests.benchmarks.kept_pages import OWN, said, settle, start, visit

# Before any model: this process writes as the service does, and its writes are noted as the service's are.
django.setup()
COMPETITIONS = apps.get_model("league.Competition").objects
ADDRESS = "/clubs/riverside-club/winter-league/"
PAUSE_SECONDS = 0.02


async def fetch(port: int, request: bytes) -> bytes:
    """The whole answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    found = await reader.read()
    writer.close()
    return found


async def until_seen(port: int, request: bytes, is_seen: Callable[[bytes], bool]) -> float:
    """How many seconds it takes until an answer is as wanted."""
    begun = time.perf_counter()
    while not is_seen(await fetch(port, request)):
        await asyncio.sleep(PAUSE_SECONDS)
    return time.perf_counter() - begun


def says(words: bytes, answer: bytes) -> bool:
    """Whether these words are in the answer."""
    return words in answer


def is_status(status: bytes, answer: bytes) -> bool:
    """Whether the answer has this status."""
    return answer.startswith(b"HTTP/1.1 " + status)


def plain(*headers: str) -> bytes:
    """A request for the page as it is, over a connection of its own."""
    return said(ADDRESS, "Connection: close", *headers).replace(b"Accept-Encoding: gzip\r\n", b"")


async def changes(port: int, *, times: int) -> dict[str, list[float]]:
    """Seconds until a new name is there, and until a hidden competition is gone from the page and from every 304."""
    found: dict[str, list[float]] = {"renamed": [], "hidden": [], "hidden from who has it": []}
    [winter] = await asyncio.to_thread(
        list, COMPETITIONS.filter(slug="winter-league", club__slug="riverside-club")
    )
    own = COMPETITIONS.filter(pk=winter.pk)

    async def write(**values: str) -> None:
        await asyncio.to_thread(own.update, **values)

    try:
        for turn in range(times):
            name = f"Winter League {turn}"
            await write(name=name)
            found["renamed"].append(await until_seen(port, plain(), partial(says, name.encode())))
            head = (await fetch(port, plain())).decode().partition("\r\n\r\n")[0]
            etag = next(line for line in head.splitlines() if line.lower().startswith("etag:")).split(": ")[1]
            await write(visibility="members")
            gone = (plain(), plain(f"If-None-Match: {etag}"))
            seconds = await asyncio.gather(
                *(until_seen(port, each, partial(is_status, b"404")) for each in gone)
            )
            found["hidden"].append(seconds[0])
            found["hidden from who has it"].append(seconds[1])
            await write(visibility=winter.visibility)
            await until_seen(port, plain(), partial(is_status, b"200"))
    finally:
        await write(name=winter.name, visibility=winter.visibility)
    return found


async def under_load(port: int, *, visitors: int, times: int) -> tuple[dict[str, list[float]], int]:
    """The same while visitors ask, and how many answers they had."""
    asked: list[float] = []
    end = time.perf_counter() + 3600
    tasks = [asyncio.create_task(visit(port, said(ADDRESS), end, asked, set())) for _ in range(visitors)]
    found = await changes(port, times=times)
    for task in tasks:
        task.cancel()
    return found, len(asked)


def main() -> None:
    """Print for each kind of change how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8463)
    parser.add_argument("--visitors", type=int, default=8)
    parser.add_argument("--times", type=int, default=20)
    options = parser.parse_args()
    server = start("config.wsgi:whole_requests", options.port, OWN)
    try:
        settle(server, options.port)
        begun = time.perf_counter()
        found, answers = asyncio.run(under_load(options.port, visitors=options.visitors, times=options.times))
        seconds = time.perf_counter() - begun
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
    print(f"{answers / seconds:,.0f} answers a second meanwhile\n")
    print("| change | median, s | latest, s |\n|---|---:|---:|")
    for name, each in found.items():
        print(f"| {name} | {median(each):.2f} | {max(each):.2f} |")


if __name__ == "__main__":
    main()
