"""Searches for movements: starts whose tables follow from one round, and the directions that compare pairs most evenly.

    python -m tests.benchmarks.movement_search howell 9 10
    python -m tests.benchmarks.movement_search moving turned --total 600

`howell` prints the starts that engine/contest/movements/howell.py has. The others keep what is more even than the
movements in engine/contest/movements/found.txt, so that searching again never makes one worse. That file counts the
seconds of one processor that each movement was searched for, and how many tries, each from directions by chance, came
to the figure that is kept: the one searched for least comes first, `--seconds` at a time, until each has had
`--total` or its figure was found `--again` times. It can be stopped at any time.

Howells: the sets at which a pair sits on the first side, counted from its number, are the squares modulo the circle
(a difference set for 19, nearly one for 17). What is left to find is tables that are apart in every round.
`moving` (three-quarter Howells, Hesitation Mitchells): a random start by depth-first search, then its directions by
simulated annealing, as often as time allows. `turned` (Webs, Appendix and Rover Mitchells, barometers): directions
only. How warm annealing begins and how long it goes on decides what it finds: for the Web of 16 tables and 15 rounds
four of five tries of four million flips came to the best figure from a warmth of 30, and next to none from 20 or 50.
So every other try is of the kind that did best so far for this movement, and the others are of any kind.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import or_

import numba
import numpy as np

from engine.contest.movements.found import FILE, Found
from engine.contest.movements.howell import MOST_TABLES, howell
from engine.contest.movements.movement import Movement
from engine.contest.movements.pivots import BASES, appendix, appendix_bases, rover
from engine.contest.movements.three_quarter import HESITATIONS, THREE_QUARTERS, moving
from engine.contest.movements.web import lengths, web

MOST_STEPS = 3_000
FLIPS = (10_000, 100_000, 1_000_000, 4_000_000)
FLIPS_AT_ONCE = 4_000_000
#: How warm annealing begins; too warm or too cold by half costs most of what is found, and it differs by movement.
WARMTHS = (5.0, 8.0, 12.0, 17.0, 23.0, 30.0, 40.0, 55.0, 75.0)
#: A short try of a start this much less even than the best of all may still become the most even.
PROMISING = 1.1
NONE = (frozenset[int](),)
Table = tuple[int, ...]
Start = dict[Table, int]
Try = tuple[Fraction, str, int]  # the balance, the end of the movement's line, how many tries came to it


@dataclass
class _Apart:
    """Gives each table of a first round its set: all apart, but for `shared` tables, and no pair has one twice."""

    circle: int
    shared: int
    rng: random.Random
    steps: int = 0

    def sets(self, tables: list[Table]) -> Start | None:
        found: Start = {}
        return found if self._go(tables, found, 0, 0) else None

    def _go(self, left: list[Table], found: Start, taken: int, offsets: int) -> bool:
        """`taken` are the sets that tables have, `offsets` how far from their numbers pairs have theirs, as bits."""
        if not left:
            return True
        self.steps += 1
        free = (1 << self.circle) - 1
        if len(found) - taken.bit_count() >= self.shared:
            free &= ~taken
        options = {table: free & ~self._met(table, offsets) for table in left}
        table = min(left, key=lambda each: options[each].bit_count())
        chosen = [boards for boards in range(self.circle) if options[table] >> boards & 1]
        self.rng.shuffle(chosen)
        for boards in chosen:
            if self.steps > MOST_STEPS:
                return False
            own = sum(1 << (boards - pair) % self.circle for pair in table)
            found[table] = boards
            rest = [each for each in left if each != table]
            if self._go(rest, found, taken | 1 << boards, offsets | own):
                return True
            del found[table]
        return False

    def _met(self, table: Table, offsets: int) -> int:
        """The sets that some pair of the table has at another."""
        return reduce(or_, (offsets << pair | offsets >> self.circle - pair for pair in table))


def _first_round(tables: int, circle: int, rng: random.Random) -> list[Table]:
    """Who meets in the first round: pairs of those who move, of differences that all differ, and the others alone."""
    wanted = tables - (2 * tables - circle)
    if wanted == 1:  # a Hesitation Mitchell: who comes to the last table stays there for a round
        return [*((pair,) for pair in range(circle - 2)), (circle - 2, circle - 1)]
    while True:
        order = rng.sample(range(circle), circle)
        met: dict[int, Table] = {}
        while len(order) > 1 and len(met) < wanted:
            first = order.pop()
            apart = {second: min((first - second) % circle, (second - first) % circle) for second in order}
            second = next(
                (each for each in order if 2 * apart[each] != circle and apart[each] not in met), None
            )
            if second is None:
                break
            order.remove(second)
            met[apart[second]] = (first, second)
        if len(met) == wanted:
            seated = {pair for table in met.values() for pair in table}
            return [*((pair,) for pair in range(circle) if pair not in seated), *met.values()]


def start_of(tables: int, circle: int, rng: random.Random) -> Start | None:
    """A start for so many tables, of which all but `circle` pairs stay; with tables that share only where it must."""
    is_hesitation = circle == tables + 1
    # With one table of two who move and an odd circle, the sums of pairs and sets never agree if all are apart.
    for shared in (1,) if is_hesitation and circle % 2 else (0, 1):
        for _ in range(60):
            first = _first_round(tables, circle, rng)
            found = _Apart(circle, shared, rng).sets(first)
            if found is not None:
                return {table: found[table] for table in first}
    return None


@numba.njit(cache=True, fastmath=True)
def _anneal(cells, ways, compared, effort, warmest):
    """Turns tables round, one at a time, so that the sum of the squares of `compared` becomes small.

    The effort is the number of flips in a try, and the number of tries. Gives which tables are turned round in the
    best try, by how much its sum is less, and how many tries were as good. Chance is Marsaglia's xorshift: numpy's
    takes as long as the rest of a flip.
    """
    flips, tries = effort
    count, pairs, best, reached = len(cells), ways.shape[1], np.int64(1), 0
    kept = np.zeros(count, dtype=np.bool_)
    always = np.array([8 * (np.abs(ways[boards]).sum() - 2) for boards in cells[:, 2]])
    chance = np.uint64(np.random.randint(1, 2**62))
    for _ in range(tries):
        way, figures, change = ways.copy(), compared.copy(), np.int64(0)
        least, turned = np.int64(0), np.zeros(count, dtype=np.bool_)
        lowest = turned.copy()
        for step in range(flips):
            chance ^= chance << np.uint64(13)
            chance ^= chance >> np.uint64(7)
            chance ^= chance << np.uint64(17)
            cell = np.int64(((chance >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))
            one, other, boards = cells[cell]
            others, of_one, of_other = way[boards], figures[one], figures[other]
            sign, total = others[one], np.int32(0)
            for pair in range(pairs):
                total += others[pair] * (of_other[pair] - of_one[pair])
            # Less what the two themselves have added: between them nothing changes.
            delta = 4 * (sign * total - of_other[one] - of_one[other]) + always[cell]
            if delta > 0:
                warmth = warmest * np.sqrt(1.0 - step / flips)
                if delta > -warmth * np.log(((chance & np.uint64(0xFFFFFFFF)) + np.uint64(1)) / 2.0**32):
                    continue
            others[one] = others[other] = 0
            for pair in range(pairs):
                if others[pair] != 0:
                    of_one[pair] -= 2 * sign * others[pair]
                    of_other[pair] += 2 * sign * others[pair]
                    figures[pair, one], figures[pair, other] = of_one[pair], of_other[pair]
            others[one], others[other] = -sign, sign
            turned[cell] = not turned[cell]
            change += delta
            if change < least:
                least, lowest[:] = change, turned
        if least < best:
            best, reached, kept[:] = least, 0, lowest
        reached += least == best
    return kept, best, reached


def directions(movement: Movement, flips: int, tries: int, warmest: float):
    """Which tables are to be turned round, how uneven it is then, and how often that was found.

    That is `Movement.balance` times the square of the number of comparisons, and found much faster. It holds because
    all sets are played at as many tables here.
    """
    cells = np.array([
        (at.first - 1, at.second - 1, at.boards - 1) for tables in movement.rounds for at in tables
    ])  # fmt: skip
    firsts, seconds, boards = cells.T
    ways = np.zeros((movement.sets, movement.pairs), dtype=np.int32)
    ways[boards, firsts], ways[boards, seconds] = 1, -1
    compared = ways.T @ ways
    np.add.at(compared, (firsts, seconds), len(movement.rounds[0]))
    np.add.at(compared, (seconds, firsts), len(movement.rounds[0]))
    np.fill_diagonal(compared, 0)
    kept, less, reached = _anneal(cells, ways, compared, (flips, tries), warmest)
    count = movement.pairs * (movement.pairs - 1) // 2
    squares, total = int((compared**2).sum()) // 2 + less, int(compared.sum()) // 2
    return kept.reshape(len(movement.rounds), -1), squares * count - total**2, reached


def _text_of_start(start: Start) -> str:
    return " ".join(
        f"{'-'.join(str(pair + 1) for pair in table)}/{boards + 1}" for table, boards in start.items()
    )


def _text_of_turned(turned) -> str:
    return " ".join(
        "".join(np.base_repr(table, 36).lower() for table, is_turned in enumerate(row, start=1) if is_turned)
        or "-"
        for row in turned
    )


@dataclass
class _Annealing:
    """Tries of directions for one kind and size; every other try is warm as those that came to the most even ones."""

    rng: random.Random
    least: float = math.inf
    by_way: dict[tuple[int, float], tuple[int, int]] = field(default_factory=dict)

    def of(
        self, plain: Movement, start: str, lengths: tuple[int, ...], at_once: int
    ) -> tuple[int, Try | None]:
        """Tries of so many flips in all: how uneven the best of them is, and itself unless one was better before."""
        ways = [(flips, warmest) for flips in lengths for warmest in WARMTHS]
        flips, warmest = way = self.rng.choice(ways)
        tried = [each for each in ways if each in self.by_way]
        if tried and self.rng.random() < 0.5:
            flips, warmest = way = min(tried, key=lambda each: self.by_way[each])
        turned, uneven, reached = directions(plain, flips, max(at_once // flips, 1), warmest)
        least, minus_times = self.by_way.get(way, (uneven, 0))
        if uneven <= least:
            self.by_way[way] = (uneven, (minus_times if uneven == least else 0) - reached)
        if uneven > self.least:
            return uneven, None
        self.least = uneven
        text = _text_of_turned(turned)
        rows = [[int(sign, 36) for sign in row if sign != "-"] for row in text.split()]
        return uneven, (plain.turned(rows).balance(), f"{start} | {text}", reached)


def tries_of_moving(tables: int, circle: int, rng: random.Random) -> Iterator[Try | None]:
    """Starts with their directions, on and on; those that a short try finds promising get a longer one."""
    annealing = _Annealing(rng)
    while (start := start_of(tables, circle, rng)) is not None:
        text = _text_of_start(start)
        plain = moving(
            "search", Found(tuple((_one_up(t), boards + 1) for t, boards in start.items()), NONE * circle)
        )
        uneven, found = annealing.of(plain, text, FLIPS[:1], 3 * FLIPS[0])
        yield found
        if uneven <= annealing.least * PROMISING:
            yield annealing.of(plain, text, FLIPS[1:2], 8 * FLIPS[1])[1]


def _one_up(table: Table) -> Table:
    return tuple(pair + 1 for pair in table)


def tries_of_turned(plain: Movement, rng: random.Random) -> Iterator[Try | None]:
    """Directions for a movement, on and on."""
    annealing = _Annealing(rng)
    while True:
        yield annealing.of(plain, "", FLIPS, FLIPS_AT_ONCE)[1]


Key = tuple[str, int, int]


def searches(what: str, rng: random.Random) -> Iterator[tuple[Key, Iterator[Try | None]]]:
    """What there is to search for, with its tries."""
    if what == "moving":
        for name, sizes in (("hesitation", HESITATIONS), ("three-quarter", THREE_QUARTERS)):
            for tables, rounds in sizes:
                yield (name, tables, rounds), tries_of_moving(tables, rounds, rng)
        return
    plain = [
        *(howell(tables).barometer() for tables in range(2, MOST_TABLES + 1)),
        *(rover(tables, turned=False) for tables in BASES),
        *(appendix(tables, base, turned=False) for tables in range(6, 20) for base in appendix_bases(tables)),
        *(web(tables, sets, turned=False) for tables in range(10, 28) for sets in lengths(tables)),
    ]
    for movement in plain:
        name = "barometer" if movement.name == "howell" else movement.name
        yield (name, len(movement.rounds[0]), len(movement.rounds)), tries_of_turned(movement, rng)


def improve(kinds: list[str], chosen: argparse.Namespace) -> None:
    """Searches until each movement has had its time, and keeps what is more even than what is there."""
    rng = random.Random(time.time_ns())
    comments = [line for line in FILE.read_text().splitlines() if line.startswith("#")]
    lines = {
        (name, int(tables), int(rounds)): (Fraction(balance), int(searched), int(again), rest)
        for name, tables, rounds, balance, searched, again, rest in (
            line.split(maxsplit=6) for line in FILE.read_text().splitlines() if line[:1] not in {"", "#"}
        )
    }
    due = {key: tries for what in kinds for key, tries in searches(what, rng) if chosen.only in key[0]}
    while left := [key for key in due if lines[key][1] < chosen.total and lines[key][2] < chosen.again]:
        key = min(left, key=lambda each: lines[each][1])
        balance, searched, again, rest = lines[key]
        begun = time.process_time()
        for found in due[key]:
            figure, end, reached = found or (None, "", 0)
            if figure is not None and figure < balance:
                balance, again, rest = figure, 0, f"| {end}"
            again += reached if figure == balance else 0
            if time.process_time() >= begun + chosen.seconds or again >= chosen.again:
                break
        lines[key] = (balance, searched + round(time.process_time() - begun), again, rest)
        print(*key, float(balance), f"{lines[key][1]} s, found {again} times", flush=True)
        texts = [f"{' '.join(map(str, each))} {' '.join(map(str, lines[each]))}" for each in sorted(lines)]
        FILE.write_text("\n".join([*comments, *texts, ""]))


def howell_start(tables: int, rng: random.Random) -> list[tuple[int, int, int]]:
    """A Howell in which a pair sits on the first side at the squares: by table first pair, second pair, boards."""
    circle = 2 * tables - 1
    squares = {number * number % circle for number in range(1, circle)}
    while True:
        found = _matched(sorted(squares), sorted(set(range(circle)) - squares), circle, rng)
        if found is None:
            continue
        matched, alone = found
        placed = _placed(matched, alone, circle, rng)
        if placed is not None:
            return placed


def _matched(
    squares: list[int], others: list[int], circle: int, rng: random.Random
) -> tuple[list[tuple[int, int]], int] | None:
    """Each square with one of the others, all differences apart; and the one that is left, which meets who stays."""
    rng.shuffle(squares)
    rng.shuffle(others)
    left, used, matched = list(others), set[int](), []
    for square in squares:
        for other in left:
            apart = min((square - other) % circle, (other - square) % circle)
            if apart not in used:
                used.add(apart)
                matched.append((square, other))
                left.remove(other)
                break
        else:
            return None
    return matched, left[0]


def _placed(
    matched: list[tuple[int, int]], alone: int, circle: int, rng: random.Random
) -> list[tuple[int, int, int]] | None:
    """Sets for these offsets from them, so that in the first round everybody has one seat and every table its set."""
    found: list[tuple[int, int, int]] = []

    def go(left: list[tuple[int, int]], sets: set[int], pairs: set[int]) -> bool:
        if not left:
            return True
        for boards in rng.sample(range(circle), circle):
            first, second = (boards - left[0][0]) % circle, (boards - left[0][1]) % circle
            if boards not in sets and not {first, second} & pairs:
                found.append((first, second, boards))
                if go(left[1:], sets | {boards}, pairs | {first, second}):
                    return True
                found.pop()
        return False

    if not go(matched, {alone}, {0}):  # the pair that meets who stays has number 0
        return None
    rows = [(first + 1, second + 1, boards + 1) for first, second, boards in found]
    return [*rows, (circle + 1, 1, alone + 1)]


def main() -> None:
    """Prints what was found, or keeps it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="+", help="howell and numbers of tables; moving; turned")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--total", type=float, default=600)
    parser.add_argument("--again", type=int, default=50)
    parser.add_argument("--only", default="", help="a part of the name, such as web")
    chosen = parser.parse_args()
    for what in chosen.what:
        if what.isdecimal():
            print(f"    {what}: {tuple(howell_start(int(what), random.Random(2026)))},")
    if kinds := [what for what in chosen.what if what in {"moving", "turned"}]:
        improve(kinds, chosen)


if __name__ == "__main__":
    main()
