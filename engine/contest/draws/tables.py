"""Rotations: everybody meets everybody as evenly as possible at tables of three and more.

Entries are numbered from 1. Tables have the size asked for; where the number of entries does not fit, some have one
seat less or one more, if the game allows it, and otherwise some entries sit out, in turn. For s · s entries at tables
of s = 3, 4 or 5 the rounds are those of an affine plane, in which any two meet exactly once. Otherwise each round is
found by a search that exchanges seats as long as that makes the meetings more even, the same for the same numbers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb
from typing import TypeAlias

from engine.contest.draws.round_robin import Round
from engine.errors import ContestError
from engine.text import gettext_noop

_TOO_FEW = gettext_noop("Tables of %(seats)s need at least %(seats)s entries, not %(entries)s.")
#: Multiplication in the field of four elements; its addition is exclusive or.
_TIMES_OF_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
#: How many draws a search compares, and how many seatings for each round of one: fewer with more entries.
_DRAWS, _SEATINGS = 300, 480


Seating: TypeAlias = tuple[tuple[int, ...], ...]
Meetings: TypeAlias = list[list[int]]


@dataclass(frozen=True, slots=True)
class TableRound:
    """One round: its number from 1, who sits at each table in order, and who sits out."""

    number: int
    tables: Seating
    byes: tuple[int, ...]

    @classmethod
    def of_two(cls, drawn: Round) -> TableRound:
        """A round of matches of two; at each table the one at home comes first."""
        tables = tuple((pairing.home, pairing.away) for pairing in drawn.pairings)
        return cls(drawn.number, tables, () if drawn.bye is None else (drawn.bye,))


def sizes_of_tables(entries: int, seats: int, allowed: Collection[int]) -> tuple[int, ...]:
    """The tables of a round, the largest first: of so many seats, of one less or more where the number needs it.

    Those without a seat sit out. Raises ContestError where there are fewer entries than the smallest table needs.
    """
    fewest = min(allowed)
    if entries < fewest:
        raise ContestError("too-few", _TOO_FEW, seats=fewest, entries=entries)
    for other in (seats - 1, seats + 1):
        if other not in allowed:
            continue
        for full in range(entries // seats, -1, -1):
            if (entries - full * seats) % other == 0:
                many = (entries - full * seats) // other
                return tuple(sorted([seats] * full + [other] * many, reverse=True))
    if entries < seats:
        return (max(size for size in allowed if size <= entries),)
    return (seats,) * (entries // seats)


@lru_cache(maxsize=64)
def rotations(
    entries: int, seats: int, *, allowed: tuple[int, ...] = (), meetings: int = 1
) -> tuple[TableRound, ...]:
    """Rounds in which any two meet as nearly as possible so many times.

    There are as many rounds as give everybody a seat beside everybody else so often, if all came out even. `allowed`
    are the sizes that tables can have; none stands for tables of `seats` alone.
    """
    sizes = sizes_of_tables(entries, seats, allowed or (seats,))
    slots = sum(comb(size, 2) for size in sizes)
    rounds = -(-meetings * comb(entries, 2) // slots)
    if entries == seats * seats and seats in {3, 4, 5}:
        plane = tuple(_plane(seats))
        return tuple(_in_order([plane[number % len(plane)] for number in range(rounds)], entries))
    # The same numbers are to give the same draw.
    rng = random.Random(f"{entries}:{sizes}:{rounds}")  # noqa: S311
    draws = (_searched(entries, sizes, rounds, rng) for _ in range(max(2, _DRAWS // entries)))
    return tuple(_in_order(min(draws, key=lambda draw: _unevenness(draw, entries)), entries))


def _plane(size: int) -> Iterator[Seating]:
    """The parallel classes of the affine plane of this order, as tables."""
    line = range(size)

    def at(slope: int, x: int, start: int) -> int:
        return _TIMES_OF_FOUR[slope][x] ^ start if size == 4 else (slope * x + start) % size

    for slope in line:
        yield tuple(tuple(x * size + at(slope, x, start) + 1 for x in line) for start in line)
    yield tuple(tuple(x * size + y + 1 for y in line) for x in line)


def _unevenness(draw: Sequence[Seating], entries: int) -> tuple[int, int]:
    """By how much the meetings of any two differ at most, and the sum of their squares."""
    met = Counter(pair for seating in draw for table in seating for pair in combinations(sorted(table), 2))
    fewest = 0 if len(met) < comb(entries, 2) else min(met.values())
    return max(met.values()) - fewest, sum(times * times for times in met.values())


def _searched(entries: int, sizes: Sequence[int], rounds: int, rng: random.Random) -> list[Seating]:
    """One draw, each round of it the most even that some tries find after those before."""
    drawn: list[Seating] = []
    met = [[0] * (entries + 1) for _ in range(entries + 1)]
    played = [0] * (entries + 1)
    for _ in range(rounds):
        # Who has sat out most often plays.
        order = sorted(range(1, entries + 1), key=lambda entry: (played[entry], rng.random()))
        playing = order[: sum(sizes)]
        tries = (_seating(playing, sizes, met, rng) for _ in range(max(2, _SEATINGS // entries)))
        found = min(tries, key=lambda seating: _cost(seating, met))
        for entry in playing:
            played[entry] += 1
        for table in found:
            for one, two in permutations(table, 2):
                met[one][two] += 1
        drawn.append(found)
    return drawn


def _cost(seating: Seating, met: Meetings) -> int:
    return sum(met[one][two] for table in seating for one, two in combinations(table, 2))


def _seating(playing: Sequence[int], sizes: Sequence[int], met: Meetings, rng: random.Random) -> Seating:
    """One seating, in which no exchange of two seats makes the meetings more even."""
    shuffled = sorted(playing, key=lambda _: rng.random())
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    tables = [shuffled[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    # How often each entry has met those at each table.
    load = {entry: [sum(met[entry][other] for other in table) for table in tables] for entry in playing}
    while _exchange(tables, load, met):
        pass
    return tuple(map(tuple, tables))


def _exchange(tables: list[list[int]], load: dict[int, list[int]], met: Meetings) -> bool:
    """Exchange seats wherever that makes the meetings more even; whether there was such a place."""
    has_changed = False
    for here, there in combinations(range(len(tables)), 2):
        for seat, other in product(range(len(tables[here])), range(len(tables[there]))):
            one, two = tables[here][seat], tables[there][other]
            before = load[one][here] + load[two][there]
            after = load[one][there] + load[two][here] - 2 * met[one][two]
            if after < before:
                tables[here][seat], tables[there][other] = two, one
                for entry, loads in load.items():
                    change = met[entry][two] - met[entry][one]
                    loads[here] += change
                    loads[there] -= change
                has_changed = True
    return has_changed


def _in_order(rounds: Sequence[Seating], entries: int) -> Iterator[TableRound]:
    """The rounds, at each table first who has been first least often."""
    first: Counter[int] = Counter()
    for number, tables in enumerate(rounds, start=1):
        seated = tuple(
            sorted(tuple(sorted(table, key=lambda entry: (first[entry], entry))) for table in tables)
        )
        first.update(table[0] for table in seated)
        playing = {entry for table in seated for entry in table}
        yield TableRound(number, seated, tuple(e for e in range(1, entries + 1) if e not in playing))
