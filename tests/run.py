"""Runs the tests twice: all on SQLite, then what sends all their statements once more to PostgreSQL and Redis.

    python -m tests.run [--servers any|own] [--everything] [-- pytest's arguments]

`--servers own` starts throw-away servers even where others could be used (see `tests.servers`). With `--everything` the
second half takes all tests that touch a database, also those that send nothing new to it (see `tests.statements`).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests import chromium, servers

NOTHING_CHOSEN = 5
INTERRUPTED = 2
SEED = 1
SLOWEST = 15
#: A test that hangs fails after so long, with what each thread was at; the others go on.
LONGEST_SECONDS = 900
WORKERS = min(os.cpu_count() or 1, 4)
# In pytest's order and words, and how it says one of them.
OUTCOMES = ("failed", "passed", "skipped", "xfailed", "xpassed", "warnings", "errors")
OUTCOME = re.compile(r"(\d+) (failed|passed|skipped|xfailed|xpassed|warning|error)")


@dataclass(frozen=True)
class Half:
    """One run of pytest: where it ran, how it ended, the line that sums it up, and the seconds of each file."""

    name: str
    code: int
    summary: str
    took: Counter[str] = field(default_factory=Counter)

    @property
    def counts(self) -> Counter[str]:
        """How many tests had which outcome."""
        found = {word: int(number) for number, word in OUTCOME.findall(self.summary)}
        return Counter({word: found.get(word.removesuffix("s"), 0) for word in OUTCOMES})


def main(arguments: Sequence[str]) -> int:
    """Run both halves and print how they went; 0 when neither failed."""
    parser = argparse.ArgumentParser(prog="make test", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--servers", choices=("any", "own"), default="any")
    parser.add_argument("--everything", action="store_true")
    parser.add_argument("rest", nargs="*")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        halves = run_both(options.rest, own=options.servers == "own", everything=options.everything)
    except (servers.NoServerError, chromium.NoBrowserError) as fault:
        print(f"\nThe tests cannot run: {fault}", file=sys.stderr)
        return 1
    return report(halves, seconds=time.monotonic() - started)


def run_both(rest: Sequence[str], *, own: bool, everything: bool) -> list[Half]:
    """Both halves, one after the other; what cannot be had is said before the first starts.

    The first has the same order and the same chance in every run; the second another for each version of the files.
    """
    if not rest or "browser" in " ".join(rest):
        chromium.find_or_install()
    with servers.servers(own=own) as (database, broker), tempfile.TemporaryDirectory() as folder:
        sent = [] if everything else [f"--sent={folder}"]
        kept = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}
        }
        plain = {"TURN": str(seed_of_this_version()), **kept}
        halves = [run("SQLite", ["--half=sqlite", *sent, *order(rest, seed=SEED), *rest], plain)]
        if halves[0].code != INTERRUPTED:
            named = {"DATABASE_URL": database.url, "REDIS_URL": broker.url}
            name = f"{database.description}, {broker.description}"
            shuffled = order(rest, seed=seed_of_this_version())
            halves.append(run(name, ["--half=servers", *sent, *shuffled, *rest], {**plain, **named}))
        return halves


def run(name: str, arguments: Sequence[str], environment: Mapping[str, str]) -> Half:
    """Run pytest with its output passed on as it comes, and keep the last line of it."""
    print(f"\n--- Tests on {name}", flush=True)
    hanging = [f"-ofaulthandler_timeout={LONGEST_SECONDS}", "-ofaulthandler_exit_on_timeout=true"]
    command = [sys.executable, "-m", "pytest", *hanging, *workers(arguments), *arguments]
    if sys.stdout.isatty():
        command.append("--color=yes")
    summary = ""
    with tempfile.TemporaryDirectory() as folder:
        took = Path(folder) / "took.json"
        command.append(f"--took={took}")
        with subprocess.Popen(
            command, env={**chance_of_sets(arguments), **environment}, stdout=subprocess.PIPE, text=True
        ) as process:
            for line in process.stdout or ():
                print(line, end="", flush=True)
                summary = line.strip() or summary
        seconds = json.loads(took.read_text()) if took.exists() else {}
    return Half(name, process.returncode, summary, Counter(seconds))


def workers(arguments: Sequence[str]) -> list[str]:
    """Spread the tests over the processors, unless the arguments say otherwise."""
    chosen = any(argument.startswith("-n") or argument in {"no:xdist", "--pdb"} for argument in arguments)
    return [] if chosen else [f"-n{WORKERS}"]


def seed_of_this_version() -> int:
    """A seed that the committed files decide: every change is tried in another order, and any run can be repeated."""
    found = subprocess.run(["git", "rev-parse", "HEAD^{tree}"], capture_output=True, text=True, check=False)
    return int(found.stdout[:8], 16) if found.returncode == 0 else int(time.time())


def order(arguments: Sequence[str], *, seed: int) -> list[str]:
    """The mixed order and the chance of this seed, unless the arguments say otherwise."""
    chosen = any("randomly" in argument for argument in arguments)
    return [] if chosen else [f"--randomly-seed={seed}"]


def chance_of_sets(arguments: Sequence[str]) -> dict[str, str]:
    """Sets have a chance of their own: the seed of the tests decides it, so that a run can be repeated."""
    seeds = [argument.partition("=")[2] for argument in arguments if argument.startswith("--randomly-seed=")]
    return {"PYTHONHASHSEED": str(int(seeds[-1]) % 2**32)} if seeds and seeds[-1].isdigit() else {}


def report(halves: Sequence[Half], *, seconds: float) -> int:
    """Print a line for each half and pytest's kind of summary for both together; the exit code."""
    ran = [half for half in halves if half.code != NOTHING_CHOSEN]
    took = sum((half.took for half in ran), Counter[str]()).most_common(SLOWEST)
    print(f"\nThe slowest {len(took)} files, in seconds of one process:" if took else "")
    for file, seconds_of_file in took:
        print(f"{seconds_of_file:8.1f}  {file}")
    print()
    for half in halves:
        print(
            f"{half.name}: {half.summary.strip('= ') if half in ran else 'no test of this choice runs here'}"
        )
    if len(ran) == 2:
        print("(Tests that send a database nothing, or nothing new, ran once, in the first half.)")
    totals = sum((half.counts for half in ran), Counter[str]())
    words = ", ".join(f"{totals[word]} {word}" for word in OUTCOMES if totals[word]) or "no tests ran"
    print(f"{f' {words} in {seconds:.2f}s ':=^80}")
    return 0 if ran and all(half.code == 0 for half in ran) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
