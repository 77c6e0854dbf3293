"""A league evening of a platform larger than this machine, simulated from the measured time of each job.

    python -m tests.benchmarks.load.growth [--clubs 200 2000 10000]

Each club's matches end around a quarter to ten; then sheets are entered, confirmed and read. Every request and task of
the busiest hour goes through a line before so many processes, as Celery and granian have them; printed is how many it
takes so that 99 of 100 wait no longer than is said. docs/scaling.md has the table, and where each time was measured.
"""

import argparse
import heapq
import random
from collections.abc import Iterator
from dataclasses import dataclass

#: On the busiest evening so many of a hundred clubs play, six tables each, four players at each.
PLAYING, TABLES, PLAYERS = 0.3, 6, 4
#: Of a hundred tables so many play in the browser; a person acts every so many seconds.
IN_BROWSER, THINK_SECONDS = 0.05, 4.0
#: When a match ends: seconds after the beginning of the hour, and how far that is spread.
END, SPREAD = 2700.0, 1500.0


@dataclass(frozen=True)
class Job:
    """Something that a process does for one match: how often, how long it takes there, how long it may wait."""

    name: str
    each: float
    seconds: float
    may_wait: float


JOBS = (
    Job("pages kept for visitors", 60, 0.00105, 0.05),
    Job("pages drawn for a reader", 16, 0.065, 0.25),
    Job("a sheet entered or confirmed", 2, 0.065, 0.5),
    Job("standings of a division", 1, 0.15, 5.0),
    Job("comparison of a board", 4, 0.05, 5.0),
    Job("a mail handed over", 6, 0.3, 120.0),
    Job("an action at a table in the browser", IN_BROWSER * PLAYERS * 3600 / THINK_SECONDS, 0.010, 0.02),
)


def arrivals(job: Job, matches: int, chance: random.Random) -> Iterator[float]:
    """When each piece of that job comes, in seconds of the hour; a tenth of them is enough where there are many."""
    for _ in range(round(job.each * matches)):
        yield min(max(chance.gauss(END, SPREAD / 2), 0.0), 3600.0 + SPREAD)


def wait_of_the_99th(times: list[float], seconds: float, processes: int) -> float:
    """How long that one waits in the line before so many processes."""
    free = [0.0] * processes
    waits = []
    for at in times:
        begins = max(at, heapq.heappop(free))
        waits.append(begins - at)
        heapq.heappush(free, begins + seconds)
    return sorted(waits)[int(0.99 * len(waits))]


def processes_for(job: Job, matches: int, chance: random.Random) -> tuple[int, float, float]:
    """How many it takes, how many come in the busiest minute by the second, and how busy each process is then."""
    share = max(1, round(job.each * matches) // 400_000)
    times = sorted(arrivals(job, matches // share, chance))
    busiest = max(sum(1 for _ in group) for group in minutes(times)) / 60 * share
    processes = max(1, round(busiest * job.seconds / share))
    while wait_of_the_99th(times, job.seconds, processes) > job.may_wait:
        processes += 1
    return processes * share, busiest, busiest * job.seconds / (processes * share)


def minutes(times: list[float]) -> Iterator[list[float]]:
    """The times of each minute."""
    kept: dict[int, list[float]] = {}
    for at in times:
        kept.setdefault(int(at // 60), []).append(at)
    yield from kept.values()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clubs", type=int, nargs="*", default=[200, 2000, 10000])
    options = parser.parse_args()
    chance = random.Random(16)
    for clubs in options.clubs:
        matches = round(clubs * PLAYING * TABLES / 2)
        print(f"{clubs} clubs, {matches} matches that evening")
        for job in JOBS:
            processes, busiest, busy = processes_for(job, matches, chance)
            print(f"| {job.name} | {busiest:.1f}/s | {processes} | {100 * busy:.0f} % |")


if __name__ == "__main__":
    main()
