"""Prints how long the best play of random sides takes: median, mean, 99th percentile and the worst.

python -m tests.benchmarks.best_play_figures [--sides 10000] [--seed 1]

Processor time of one call of ``frontier`` for each side. The first call, which loads numba, comes before.
"""

import argparse
import random
import sys
import time
from statistics import mean, median

from engine.cards import CardSet
from engine.concerto.best_play.par import frontier
from engine.deals import Deal
from engine.seats import Seat


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sides", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    sides = [(deal[Seat.N], deal[Seat.S]) for deal in (Deal.random(rng) for _ in range(arguments.sides))]
    first, _ = measured(*sides[0])
    found = [measured(*side) for side in sides]
    times = sorted(taken for taken, _ in found)
    print(
        f"first call {first:.2f} s; {len(sides)} sides, best total {mean(best for _, best in found):.1f} on average"
    )
    print(
        f"median {1e6 * median(times):.0f} µs, mean {1e6 * mean(times):.0f} µs, "
        f"99 % below {1e3 * times[len(times) * 99 // 100]:.2f} ms, worst {1e3 * times[-1]:.1f} ms"
    )
    return 0


def measured(one: CardSet, other: CardSet) -> tuple[float, int]:
    """The seconds, and the best total."""
    start = time.process_time()
    points = frontier(one, other)
    return time.process_time() - start, points[0].points


if __name__ == "__main__":
    sys.exit(main())
