"""Many tables at once: people who play by sockets, and how long it takes until the other three see an action.

    DATABASE_URL=... VAR_DIR=... DJANGO_SETTINGS_MODULE=config.settings.embedded \
        python -m tests.benchmarks.tables_load --port 8000 --tables 200 --think 4 --seconds 60

The server runs already, on the same database. Each table has four people of its own, each with a socket; each thinks
for a while (`--think` seconds on average) and then does something legal. A round trip begins when an action is sent and
ends when the last of the other three has been told. `--guests 50` adds 50 tables with four guests each,
who came by link, and tells their times apart (`make guests-load`). `--pages PORT` has a player read pages there
meanwhile, four a second.
"""

import asyncio
import json
import os
import random
import statistics
import threading
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import django
import requests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
django.setup()

from asgiref.sync import sync_to_async  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from websockets.asyncio.client import ClientConnection, connect  # noqa: E402
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402
from websockets.typing import Origin  # noqa: E402

from games.models import Table  # noqa: E402
from games.tables.guest_keys import cookie_of as cookie_of_guest  # noqa: E402
from games.tables.services import guests, opening, seats  # noqa: E402
from league.models import Club, Membership, User  # noqa: E402

SEATS = "NESW"


@dataclass
class Place:
    """A person at a table."""

    table: int
    seat: str
    cookie: str


@dataclass
class Measured:
    """What was seen: seconds from sending to the last of the other three, and to the acknowledgement."""

    trips: list[float] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    deals: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    """Lines that broke, or were not opened, by why."""
    sent: dict[tuple[int, int, int], float] = field(default_factory=dict)
    seen: dict[tuple[int, int, int], int] = field(default_factory=dict)
    bytes: int = 0
    views: int = 0
    delays: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    """How long a player waited for a page."""
    kept: set[str] = field(default_factory=set)
    """The keys of all actions that were acknowledged."""
    first_view: dict[tuple[int, str], float] = field(default_factory=dict)
    """When each seat was told first, since this was emptied."""
    backwards: int = 0
    """Views of an older version than the same line was told before: a fault of the server."""


@dataclass
class Window:
    """What one line was told last, and the place in the deals of the action that it sent last."""

    version: int = 0
    view: dict[str, Any] = field(default_factory=dict)
    acted: tuple[int, int] | None = None


def make(tables: int, *, seats_taken: str = SEATS) -> list[Place]:
    """Tables of a club made for this, everybody seated and logged in."""
    mark = f"{time.time_ns():x}"
    club = Club.objects.create(name="Load", slug=f"load-{mark}")
    names = [(table, seat) for table in range(tables) for seat in seats_taken]
    User.objects.bulk_create(
        User(email=f"load-{mark}-{table}-{seat}@example.org", name=f"{seat} {table}", password="!")
        for table, seat in names
    )
    users = {user.email: user for user in User.objects.filter(email__startswith=f"load-{mark}-")}
    Membership.objects.bulk_create(Membership(user=user, club=club) for user in users.values())
    places = []
    for number in range(tables):
        four = {seat: users[f"load-{mark}-{number}-{seat}@example.org"] for seat in seats_taken}
        terms = {"clock_seconds": 0}
        table = opening.open_casual(actor=four["N"], club=club, terms=terms, options={"deals": 32})
        for seat, user in four.items():
            seats.sit(actor=user, table_id=table.pk, seat=seat)
            places.append(Place(table.pk, seat, cookie_of(user)))
    return places


def make_robots(tables: int) -> list[Place]:
    """As many tables, each with one person and three expert robots."""
    places = make(tables, seats_taken="N")
    for place in places:
        actor = Table.objects.get(pk=place.table).opened_by
        for seat in SEATS[1:]:
            seats.seat_robot(actor=actor, table_id=place.table, seat=seat, robot="expert")
    return places


def make_guests(tables: int) -> list[Place]:
    """As many tables of a club, each with four guests who came by its link."""
    mark = f"{time.time_ns():x}"
    club = Club.objects.create(name="Guests", slug=f"guests-{mark}")
    places = []
    for number in range(tables):
        host = User.objects.create(
            email=f"host-{mark}-{number}@example.org", name=f"Host {number}", password="!"
        )
        Membership.objects.create(user=host, club=club)
        table = opening.open_casual(actor=host, club=club, terms={"clock_seconds": 0}, options={"deals": 32})
        token = guests.renew_link(actor=host, table_id=table.pk).token
        for seat in SEATS:
            _guest, key = guests.admit(token=token, name=f"Visitor {seat}", seat=seat)
            places.append(Place(table.pk, seat, f"{cookie_of_guest(table.pk)}={key}"))
    return places


def cookie_of(user: User) -> str:
    """A new session of that person."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


async def play(place: Place, options: Namespace, measured: Measured, stop: asyncio.Event) -> None:
    """One person: looks, thinks, acts; opens the line again when it breaks."""
    origin = Origin(f"http://{options.host}:{options.port}")
    address = f"ws://{options.host}:{options.port}/tables/{place.table}/socket/?window=w-{place.seat}"
    while not stop.is_set():
        try:
            async with connect(
                address,
                origin=origin,
                additional_headers={"Cookie": place.cookie},
                compression=None,
            ) as line:
                await listen(line, place, options, measured, stop)
        except (ConnectionClosed, InvalidStatus, OSError, TimeoutError, EOFError) as broken:
            measured.lost[f"{type(broken).__name__}: {broken}"[:80]] += 1
            await asyncio.sleep(random.uniform(0.2, 1.0))


async def listen(
    line: ClientConnection, place: Place, options: Namespace, measured: Measured, stop: asyncio.Event
) -> None:
    """What is told at one connection."""
    pending: asyncio.Task[None] | None = None
    window = Window()
    while not stop.is_set():
        try:
            text = await asyncio.wait_for(line.recv(), timeout=1)
        except TimeoutError:
            continue
        message = json.loads(text)
        if message["type"] == "done" and message["key"] in keys:
            measured.kept.add(message["key"])
            measured.acknowledged.append(time.perf_counter() - keys.pop(message["key"]))
        elif message["type"] == "refused":
            code = message["error"]["code"]
            measured.refused[code] = measured.refused.get(code, 0) + 1
            window.acted = None
        elif message["type"] == "view":
            measured.views += 1
            measured.first_view.setdefault((place.table, place.seat), time.perf_counter())
            measured.bytes += len(text)
            measured.backwards += message["version"] < window.version
            window.version, window.view = message["version"], message["view"]
            note(window.view, place, measured)
            if pending is None or pending.done():
                pending = asyncio.create_task(think(line, window, place, options, measured))


keys: dict[str, float] = {}


def note(view: dict[str, Any], place: Place, measured: Measured) -> None:
    """Somebody was told of an action: the third of the others ends its round trip."""
    deal = view["deal"]
    if not deal or not deal.get("last") or deal["last"]["seat"] == place.seat:
        return
    action = (place.table, deal["number"], deal["last"]["number"])
    if action not in measured.sent:
        return
    measured.seen[action] = measured.seen.get(action, 0) + 1
    if measured.seen[action] == 3:
        measured.trips.append(time.perf_counter() - measured.sent.pop(action))


async def think(
    line: ClientConnection, window: Window, place: Place, options: Namespace, measured: Measured
) -> None:
    """Acts, after a while, if there is anything to do: on what was told last, as a page does, and once.

    The same state can be told twice, as when somebody said that they are ready: the second view may come when the
    action is on its way already.
    """
    view = window.view
    if view["state"] in {"waiting", "between"} and "ready" in view["you"]["may"]:
        measured.deals += place.seat == "N"
        await line.send(json.dumps({"type": "step", "step": "ready"}))
        return
    if not _is_asked(window):
        return
    await asyncio.sleep(random.expovariate(1 / options.think) if options.think else 0)
    if not _is_asked(window):
        return
    deal = window.view["deal"]
    window.acted = deal["number"], deal["next"]
    token = random.choice([each for each in deal["view"]["legal"] if each != ">"])
    key = f"{place.table}-{deal['number']}-{deal['next']}-{time.time_ns()}"
    now = time.perf_counter()
    measured.sent[place.table, deal["number"], deal["next"]] = now
    keys[key] = now
    sent = {"type": "act", "key": key, "deal": deal["number"], "number": deal["next"], "token": token}
    with suppress(ConnectionClosed):
        await line.send(json.dumps(sent))


def _is_asked(window: Window) -> bool:
    """Whether it is this seat's turn, and nothing was sent for it yet."""
    deal = window.view["deal"]
    return bool(deal and deal["view"]["legal"]) and (deal["number"], deal["next"]) != window.acted


def read_pages(port: int, place: Place, measured: Measured, stop: threading.Event) -> None:
    """A player who looks at pages that are made for each reader."""
    club, table = Club.objects.get(tables=place.table), Table.objects.get(pk=place.table)
    addresses = ("/my/", club.get_absolute_url(), table.get_absolute_url(), "/")
    with requests.Session() as reader:
        reader.headers.update({"Cookie": place.cookie, "Host": "localhost", "X-Forwarded-Proto": "https"})
        for address in cycle(addresses):
            if stop.wait(0.25):
                return
            begun = time.perf_counter()
            reader.get(f"http://127.0.0.1:{port}{address}", timeout=60).raise_for_status()
            measured.pages.append(time.perf_counter() - begun)


async def own_delay(measured: Measured, stop: asyncio.Event) -> None:
    """How much later than asked this very program wakes up: what it adds to every time, by no fault of the server."""
    while not stop.is_set():
        begun = time.perf_counter()
        await asyncio.sleep(0.02)
        measured.delays.append(time.perf_counter() - begun - 0.02)


async def run(options: Namespace) -> tuple[Measured, Measured, Measured]:
    """All tables at once: what was seen at those of members, at those of guests, and at those with robots."""
    places = await sync_to_async(make)(options.tables)
    of_guests = await sync_to_async(make_guests)(options.guests)
    with_robots = await sync_to_async(make_robots)(options.robots)
    print(f"{options.tables} tables, {len(places)} people are seated, and {len(of_guests)} guests")
    both, stop = (Measured(), Measured(), Measured()), asyncio.Event()
    groups = zip((places, of_guests, with_robots), both, strict=True)
    people = [
        asyncio.create_task(play(place, options, measured, stop))
        for group, measured in groups
        for place in group
    ]
    people.append(asyncio.create_task(own_delay(both[0], stop)))
    over = threading.Event()
    reading = (options.pages, places[0], both[0], over)
    if options.pages:
        people.append(asyncio.create_task(asyncio.to_thread(read_pages, *reading)))
    await asyncio.sleep(options.warm)
    for measured in both:
        measured.pages.clear()
        measured.delays.clear()
        measured.trips.clear()
        measured.acknowledged.clear()
    await asyncio.sleep(options.seconds)
    stop.set()
    over.set()
    await asyncio.gather(*people, return_exceptions=True)
    return both


def told(name: str, seconds: Iterable[float], during: float) -> None:
    """The figures of one kind of time."""
    times = sorted(seconds)
    if len(times) < 2:
        print(f"{name}: too few")
        return
    cut = statistics.quantiles(times, n=1000)
    print(
        f"{name}: {len(times)} ({len(times) / during:.0f}/s), p50 {1000 * cut[499]:.0f} ms, "
        f"p95 {1000 * cut[949]:.0f} ms, p99 {1000 * cut[989]:.0f} ms, most {1000 * times[-1]:.0f} ms"
    )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--think", type=float, default=4.0, help="seconds before an action, on average")
    parser.add_argument("--warm", type=float, default=10.0, help="seconds before anything is measured")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--guests", type=int, default=0, help="so many further tables, of four guests each")
    parser.add_argument(
        "--robots", type=int, default=0, help="so many more, of one person and three expert robots"
    )
    parser.add_argument("--pages", type=int, default=0, help="the port where pages are read meanwhile")
    options = parser.parse_args()
    measured, of_guests, with_robots = asyncio.run(run(options))
    told("sent to seen by the other three", measured.trips, options.seconds)
    if options.guests:
        told("the same at the guests' tables", of_guests.trips, options.seconds)
        print(f"guests: refused {of_guests.refused}, lines that broke {dict(of_guests.lost)}")
    if options.robots:
        print(f"tables with robots: {len(with_robots.acknowledged)} actions of people, {with_robots.views} views, "
              f"refused {with_robots.refused}, lines that broke {dict(with_robots.lost)}")  # fmt: skip
    told("sent to acknowledged", measured.acknowledged, options.seconds)
    if options.pages:
        told("pages", measured.pages, options.seconds)
    told("this program's own delay", measured.delays, options.seconds)
    print(f"views {measured.views}, {measured.bytes // max(measured.views, 1)} bytes each")
    print(f"views of an older version than before: {measured.backwards}")
    print(f"refused {measured.refused}, lines that broke {dict(measured.lost)}, deals begun {measured.deals}")
    print(f"tables in play at the end: {Table.objects.filter(state=Table.State.PLAYING).count()}")


if __name__ == "__main__":
    main()
