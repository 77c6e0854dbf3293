"""Kept pages, their 304s and pages of who is logged in, beside a bare Django page in the same run: `make kept-pages`.

Starts granian as production does, with the PostgreSQL and Redis that DATABASE_URL and REDIS_URL name (the demo is in
the database), and a bare Django beside it; asks each in turn, over connections that stay open. Requests come from a
process of their own on the same cores. Processor time is that of the server's processes.
"""

import argparse
import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from tests.config.services import until

ROOT = Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
OWN = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "ALLOWED_HOSTS": "localhost",
    "LOG_LEVEL": "ERROR",
}
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
COMMAND = "granian --interface asginl --host 127.0.0.1 --no-ws --workers 2 --log-level warning --port"


class Visitor(asyncio.Protocol):
    """One who asks again and again, over one connection: with little work, since the server has the same cores."""

    def __init__(self, request: bytes, end: float, times: list[float], statuses: set[bytes]) -> None:
        self.request, self.end, self.times, self.statuses = request, end, times, statuses
        self.done = asyncio.get_running_loop().create_future()
        self.arrived = b""
        self.begun = 0.0

    def connection_made(self, transport: Any) -> None:
        """Ask for the first time."""
        self.transport = transport
        self._ask()

    def _ask(self) -> None:
        self.begun = time.perf_counter()
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Ask again once the answer is whole, until the end."""
        self.arrived += data
        head, found, body = self.arrived.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if not found or (length and len(body) < int(length[1]) and not head.startswith(b"HTTP/1.1 304")):
            return
        now = time.perf_counter()
        self.times.append(now - self.begun)
        self.statuses.add(head[9:12])
        self.arrived = b""
        if now < self.end:
            self._ask()
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end, or a fault of the server."""
        if exc or self.arrived or time.perf_counter() < self.end:
            self.done.set_exception(exc or EOFError())
        else:
            self.done.set_result(None)


async def visit(port: int, request: bytes, end: float, times: list[float], statuses: set[bytes]) -> None:
    """One visitor, until the end."""
    loop = asyncio.get_running_loop()
    _transport, visitor = await loop.create_connection(
        lambda: Visitor(request, end, times, statuses), "127.0.0.1", port
    )
    await visitor.done


async def load(port: int, request: bytes, *, visitors: int, seconds: float) -> tuple[list[float], set[bytes]]:
    """How long each request took, and the statuses of the answers."""
    times: list[float] = []
    statuses: set[bytes] = set()
    end = time.perf_counter() + seconds
    await asyncio.gather(*(visit(port, request, end, times, statuses) for _ in range(visitors)))
    return times, statuses


def processor(server: subprocess.Popen[bytes]) -> float:
    """Seconds that the server and its workers have worked."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    stats = [
        Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in (server.pid, *children)
    ]
    return sum(int(each[11]) + int(each[12]) for each in stats) / TICKS


def start(application: str, port: int, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """And wait until it answers."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    found = subprocess.Popen(
        [*COMMAND.split(), str(port), application],
        cwd=ROOT,
        env={**os.environ, **environment, "PATH": path},
        start_new_session=True,
    )
    until(lambda: answers(port))
    return found


def answers(port: int) -> bool:
    """Whether anybody is there yet."""
    try:
        asyncio.run(load(port, said("/"), visitors=1, seconds=0.01))
    except (OSError, EOFError):
        return False
    return True


def settle(server: subprocess.Popen[bytes], port: int) -> None:
    """Wait until each worker has drawn its first pages and warmed its robots up."""
    asyncio.run(load(port, said("/"), visitors=8, seconds=1))
    worked = -1.0
    while (now := processor(server)) - worked > 0.05:
        worked = now
        time.sleep(0.5)


def said(address: str, *headers: str) -> bytes:
    """The request as it goes over the line, by HTTPS at a proxy."""
    lines = (
        f"GET {address} HTTP/1.1",
        "Host: localhost",
        "X-Forwarded-Proto: https",
        "Accept-Encoding: gzip",
        *headers,
    )
    return "\r\n".join([*lines, "", ""]).encode()


def etag_of(port: int, address: str) -> str:
    """The page's own, as a header of who has it."""

    async def asked() -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said(address))
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        writer.close()
        found = [line.partition(": ")[2] for line in head.split("\r\n") if line.lower().startswith("etag:")]
        return found[0] if found else ""

    return asyncio.run(asked())


def main() -> None:
    """Print one line for each address and kind of asking: medians of several turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8461)
    parser.add_argument("--visitors", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument(
        "addresses", nargs="*", default=["/", "/clubs/riverside-club/winter-league/", "/matches/1/"]
    )
    options = parser.parse_args()
    servers = {
        options.port: start("config.wsgi:whole_requests", options.port, OWN),
        options.port + 1: start("tests.benchmarks.bare:application", options.port + 1, {}),
    }
    kinds = [("the bare page", options.port + 1, said("/"))]
    for address in options.addresses:
        kinds.append((f"{address}, kept", options.port, said(address)))
        known = f"If-None-Match: {etag_of(options.port, address)}"
        kinds.append((f"{address}, 304", options.port, said(address, known)))
        kinds.append((f"{address}, drawn", options.port, said(address, "Authorization: none")))
    for port, server in servers.items():
        settle(server, port)
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name, _port, _request in kinds}
    try:
        for _turn in range(options.turns):
            for name, port, request in kinds:
                before = processor(servers[port])
                times, statuses = asyncio.run(
                    load(port, request, visitors=options.visitors, seconds=options.seconds)
                )
                used = processor(servers[port]) - before
                assert statuses <= {b"200", b"304"}, (name, statuses)
                ordered = sorted(times)
                found[name].append(
                    (
                        len(times) / options.seconds,
                        ordered[int(len(times) * 0.99)] * 1000,
                        used / len(times) * 1000,
                    )
                )
    finally:
        for server in servers.values():
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
    print(
        "| page | requests a second | to the bare page | p99, ms | processor, ms |\n|---|---:|---:|---:|---:|"
    )
    bare = median(each[0] for each in found["the bare page"])
    for name, turns in found.items():
        rate, late, used = (median(each[part] for each in turns) for part in range(3))
        print(f"| {name} | {rate:,.0f} | {rate / bare:.2f} | {late:.0f} | {used:.2f} |")


if __name__ == "__main__":
    main()
