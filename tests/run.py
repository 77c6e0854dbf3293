"""Runs the tests twice: all on SQLite, then whatever touches the database once more on PostgreSQL and Redis.

    python -m tests.run [--servers any|own] [-- pytest's arguments]

`--servers own` starts throw-away servers even where others could be used (see `tests.servers`).
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests import chromium, servers

NOTHING_CHOSEN = 5
INTERRUPTED = 2
SEED = 1
WORKERS = min(os.cpu_count() or 1, 4)
# In pytest's order and words, and how it says one of them.
OUTCOMES = ("failed", "passed", "skipped", "xfailed", "xpassed", "warnings", "errors", "rerun")
OUTCOME = re.compile(r"(\d+) (failed|passed|skipped|xfailed|xpassed|warning|error|rerun)")


@dataclass(frozen=True)
class Half:
    """One run of pytest: where it ran, how it ended, and the line that sums it up."""

    name: str
    code: int
    summary: str

    @property
    def counts(self) -> Counter[str]:
        """How many tests had which outcome."""
        found = {word: int(number) for number, word in OUTCOME.findall(self.summary)}
        return Counter({word: found.get(word.removesuffix("s"), 0) for word in OUTCOMES})


def main(arguments: Sequence[str]) -> int:
    """Run both halves and print how they went; 0 when neither failed."""
    parser = argparse.ArgumentParser(prog="make test", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--servers", choices=("any", "own"), default="any")
    parser.add_argument("rest", nargs="*")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        halves = run_both(options.rest, own=options.servers == "own")
    except (servers.NoServerError, chromium.NoBrowserError) as fault:
        print(f"\nThe tests cannot run: {fault}", file=sys.stderr)
        return 1
    return report(halves, seconds=time.monotonic() - started)


def run_both(rest: Sequence[str], *, own: bool) -> list[Half]:
    """Both halves, one after the other; what cannot be had is said before the first starts."""
    if not rest or "browser" in " ".join(rest):
        chromium.find_or_install()
    with servers.servers(own=own) as (database, broker):
        plain = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}
        }
        halves = [run("SQLite", ["--half=sqlite", *rest], plain)]
        if halves[0].code != INTERRUPTED:
            named = {"DATABASE_URL": database.url, "REDIS_URL": broker.url}
            name = f"{database.description}, {broker.description}"
            halves.append(run(name, ["--half=servers", *rest], {**plain, **named}))
        return halves


def run(name: str, arguments: Sequence[str], environment: Mapping[str, str]) -> Half:
    """Run pytest with its output passed on as it comes, and keep the last line of it."""
    print(f"\n--- Tests on {name}", flush=True)
    command = [sys.executable, "-m", "pytest", *workers(arguments), *order(arguments), *arguments]
    if sys.stdout.isatty():
        command.append("--color=yes")
    summary = ""
    steady = {"PYTHONHASHSEED": str(SEED)} if order(arguments) else {}
    with subprocess.Popen(
        command, env={**steady, **environment}, stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            summary = line.strip() or summary
    return Half(name, process.returncode, summary)


def workers(arguments: Sequence[str]) -> list[str]:
    """Spread the tests over the processors, unless the arguments say otherwise."""
    chosen = any(argument.startswith("-n") or argument in {"no:xdist", "--pdb"} for argument in arguments)
    return [] if chosen else [f"-n{WORKERS}"]


def order(arguments: Sequence[str]) -> list[str]:
    """The same mixed order and the same chance in every run, unless the arguments say otherwise.

    Sets keep one order as well: `run` sees to the chance of their own.
    """
    chosen = any("randomly" in argument for argument in arguments)
    return [] if chosen else [f"--randomly-seed={SEED}"]


def report(halves: Sequence[Half], *, seconds: float) -> int:
    """Print a line for each half and pytest's kind of summary for both together; the exit code."""
    ran = [half for half in halves if half.code != NOTHING_CHOSEN]
    print()
    for half in halves:
        print(
            f"{half.name}: {half.summary.strip('= ') if half in ran else 'no test of this choice runs here'}"
        )
    if len(ran) == 2:
        print("(Tests that never touch a database ran once, in the first half.)")
    totals = sum((half.counts for half in ran), Counter[str]())
    words = ", ".join(f"{totals[word]} {word}" for word in OUTCOMES if totals[word]) or "no tests ran"
    print(f"{f' {words} in {seconds:.2f}s ':=^80}")
    return 0 if ran and all(half.code == 0 for half in ran) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
