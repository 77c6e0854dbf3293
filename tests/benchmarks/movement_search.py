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
only. Many short tries find more than few long ones: in three seconds, tries of 10,000 flips came to the best figure of
the Web of 20 tables and 11 rounds four times, tries of a million never.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numba
import numpy as np

from engine.contest.movements.found import FILE, Found
from engine.contest.movements.howell import MOST_TABLES, howell
from engine.contest.movements.movement import Movement
from engine.contest.movements.pivots import BASES, appendix, appendix_bases, rover
from engine.contest.movements.three_quarter import HESITATIONS, THREE_QUARTERS, moving
from engine.contest.movements.web import lengths, web

MOST_STEPS = 3_000
FLIPS = (10_000, 10_000, 100_000)
FLIPS_AT_ONCE = 1_000_000
#: A short try of a start this much less even than the best of all may still become the most even.
PROMISING = Fraction(5, 4)
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
        return found if self._go(tables, found, set()) else None

    def _go(self, left: list[Table], found: Start, offsets: set[int]) -> bool:
        if not left:
            return True
        self.steps += 1
        options = {table: list(self._options(table, found, offsets)) for table in left}
        table = min(left, key=lambda each: len(options[each]))
        self.rng.shuffle(options[table])
        for boards in options[table]:
            if self.steps > MOST_STEPS:
                return False
            own = {(boards - pair) % self.circle for pair in table}
            found[table] = boards
            if self._go([each for each in left if each != table], found, offsets | own):
                return True
            del found[table]
        return False

    def _options(self, table: Table, found: Start, offsets: set[int]) -> Iterator[int]:
        taken = list(found.values())
        doubled = len(taken) - len(set(taken))
        for boards in range(self.circle):
            is_free = boards not in taken or doubled < self.shared
            if is_free and offsets.isdisjoint({(boards - pair) % self.circle for pair in table}):
                yield boards


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


@numba.njit(cache=True)
def _anneal(cells, ways, compared, flips, tries):
    """Turns tables round, one at a time, so that the sum of the squares of `compared` becomes small.

    Begins anew for each of `tries`; gives the tables turned round of the best, and how many came to as much.
    """
    pairs, best, reached = ways.shape[1], 1, 0
    kept = np.zeros(len(cells), dtype=np.bool_)
    for _ in range(tries):
        way, figures, change = ways.copy(), compared.copy(), 0
        least, turned = 0, np.zeros(len(cells), dtype=np.bool_)
        lowest = turned.copy()
        for step in range(flips):
            warmth = 60.0 * (1.0 - step / flips) ** 2 + 0.01
            cell = np.random.randint(len(cells))
            one, other, boards = cells[cell]
            others, sign = way[boards], way[boards, one]
            others[one] = others[other] = 0
            total, played = 0, 0
            for pair in range(pairs):
                total += others[pair] * (figures[other, pair] - figures[one, pair])
                played += others[pair] * others[pair]
            delta = 4 * sign * total + 8 * played
            if delta > 0 and delta > -warmth * np.log(np.random.random()):
                others[one], others[other] = sign, -sign
                continue
            for pair in range(pairs):
                if others[pair] != 0:
                    figures[one, pair] -= 2 * sign * others[pair]
                    figures[other, pair] += 2 * sign * others[pair]
                    figures[pair, one], figures[pair, other] = figures[one, pair], figures[other, pair]
            others[one], others[other] = -sign, sign
            turned[cell] = not turned[cell]
            change += delta
            if change < least:
                least, lowest[:] = change, turned
        if least < best:
            best, reached, kept[:] = least, 0, lowest
        reached += least == best
    return kept, reached


def directions(movement: Movement, flips: int, tries: int):
    """Which tables are to be turned round in which rounds, as a list for each round; and how often that was found."""
    cells = np.array([
        (at.first - 1, at.second - 1, at.boards - 1) for tables in movement.rounds for at in tables
    ])  # fmt: skip
    ways = np.zeros((movement.sets, movement.pairs), dtype=np.int32)
    for first, second, boards in cells:
        ways[boards, first], ways[boards, second] = 1, -1
    compared = np.zeros((movement.pairs, movement.pairs), dtype=np.int32)
    for (one, other), figure in movement.comparisons().items():
        compared[one - 1, other - 1] = compared[other - 1, one - 1] = int(figure)
    kept, reached = _anneal(cells, ways, compared, flips, tries)
    return kept.reshape(len(movement.rounds), -1), reached


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


def with_directions(plain: Movement, start: str, rng: random.Random, at_once: int) -> Try:
    """Tries of so many flips in all."""
    flips = rng.choice(FLIPS)
    found, reached = directions(plain, flips, max(at_once // flips, 1))
    turned = _text_of_turned(found)
    rows = [[int(sign, 36) for sign in row if sign != "-"] for row in turned.split()]
    return plain.turned(rows).balance(), f"{start} | {turned}", reached


def tries_of_moving(tables: int, circle: int, rng: random.Random) -> Iterator[Try]:
    """Starts with their directions, on and on; those that a short try finds promising get a longer one."""
    least: Fraction | None = None
    while (start := start_of(tables, circle, rng)) is not None:
        text = _text_of_start(start)
        plain = moving(
            "search", Found(tuple((_one_up(t), boards + 1) for t, boards in start.items()), NONE * circle)
        )
        short = with_directions(plain, text, rng, FLIPS[0])
        yield short
        least = min(short[0], least or short[0])
        if short[0] <= least * PROMISING:
            yield with_directions(plain, text, rng, FLIPS_AT_ONCE // 4)


def _one_up(table: Table) -> Table:
    return tuple(pair + 1 for pair in table)


def tries_of_turned(plain: Movement, rng: random.Random) -> Iterator[Try]:
    """Directions for a movement, on and on."""
    while True:
        yield with_directions(plain, "", rng, FLIPS_AT_ONCE)


Key = tuple[str, int, int]


def searches(what: str, rng: random.Random) -> Iterator[tuple[Key, Iterator[Try]]]:
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
        for figure, end, reached in due[key]:
            if figure < balance:
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
    parser.add_argument("--again", type=int, default=1000)
    parser.add_argument("--only", default="", help="a part of the name, such as web")
    chosen = parser.parse_args()
    for what in chosen.what:
        if what.isdecimal():
            print(f"    {what}: {tuple(howell_start(int(what), random.Random(2026)))},")
    if kinds := [what for what in chosen.what if what in {"moving", "turned"}]:
        improve(kinds, chosen)


if __name__ == "__main__":
    main()
