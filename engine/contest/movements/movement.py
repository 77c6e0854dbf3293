"""Movements: who sits where with which boards, round by round, when one set of boards goes round a room.

Tables, pairs, rounds and sets of boards are numbered from 1. A pair keeps its number all session, whichever
way it sits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, groupby

from engine.errors import ContestError
from engine.text import gettext_noop

_ROUNDS = gettext_noop("This movement has 1 to %(most)s rounds, not %(rounds)s.")
_NO_PAIR = gettext_noop("There’s no pair %(pair)s in this movement. Its pairs are 1 to %(pairs)s.")


@dataclass(frozen=True, slots=True)
class Sitting:
    """One table in one round: the pair on the first side, the pair on the second, and the set of boards they play."""

    table: int
    first: int
    second: int
    boards: int

    def turned(self) -> Sitting:
        """The same table with the pairs' directions exchanged."""
        return replace(self, first=self.second, second=self.first)

    def has(self, pair: int) -> bool:
        """Whether the pair sits here."""
        return pair in {self.first, self.second}


@dataclass(frozen=True, slots=True)
class Movement:
    """A whole session. ``rounds`` holds the tables of each round, in order of their numbers.

    ``pairs`` and ``sets`` say how many there are. A ``phantom`` is a pair that is not there: the pair that
    would meet it sits out.
    """

    name: str
    pairs: int
    sets: int
    rounds: tuple[tuple[Sitting, ...], ...]
    phantom: int | None = None

    def played(self, number: int) -> tuple[Sitting, ...]:
        """The tables of a round at which two pairs meet."""
        return tuple(sitting for sitting in self.rounds[number - 1] if not self._is_missing_at(sitting))

    def sitting_out(self, number: int) -> int | None:
        """The pair that has nobody to play in that round."""
        for sitting in self.rounds[number - 1]:
            if self._is_missing_at(sitting):
                return sitting.second if sitting.first == self.phantom else sitting.first
        return None

    def shared(self, number: int) -> tuple[tuple[int, ...], ...]:
        """The tables that share a set of boards in a round, those of each set together."""
        by_set = sorted(self.played(number), key=lambda sitting: (sitting.boards, sitting.table))
        together = (
            tuple(sitting.table for sitting in group)
            for _, group in groupby(by_set, key=lambda sitting: sitting.boards)
        )
        return tuple(tables for tables in together if len(tables) > 1)

    def is_one_field(self) -> bool:
        """Whether some pair sits both ways, so that all are compared in one ranking."""
        sittings = [sitting for tables in self.rounds for sitting in tables]
        return not {sitting.first for sitting in sittings}.isdisjoint(sitting.second for sitting in sittings)

    def with_rounds(self, rounds: int) -> Movement:
        """The first so many rounds. Raises ContestError when there are not as many."""
        if not 1 <= rounds <= len(self.rounds):
            raise ContestError("rounds", _ROUNDS, rounds=rounds, most=len(self.rounds))
        return replace(self, rounds=self.rounds[:rounds])

    def without(self, pair: int) -> Movement:
        """The movement with this pair missing. Raises ContestError when there is no such pair."""
        if not 1 <= pair <= self.pairs:
            raise ContestError("pair", _NO_PAIR, pair=pair, pairs=self.pairs)
        return replace(self, phantom=pair)

    def arrow_switched(self, rounds: int = 1) -> Movement:
        """The last so many rounds with all directions exchanged, so that two fields become one."""
        kept = len(self.rounds) - rounds
        if not 0 <= kept <= len(self.rounds):
            raise ContestError("rounds", _ROUNDS, rounds=rounds, most=len(self.rounds))
        turned = tuple(tuple(sitting.turned() for sitting in tables) for tables in self.rounds[kept:])
        return replace(self, rounds=(*self.rounds[:kept], *turned))

    def comparisons(self) -> dict[tuple[int, int], int]:
        """For each two pairs, how strongly they are compared: the sets played the same way less those opposite.

        A meeting counts as the opposite of all others' results on that set. In a perfectly balanced movement the
        figure is the same for any two.
        """
        ways = self._ways()
        weight = len(self.rounds[0]) - 1
        met = {frozenset((sitting.first, sitting.second)) for tables in self.rounds for sitting in tables}
        return {
            (one, other): sum(ways[one][boards] * ways[other].get(boards, 0) for boards in ways[one])
            - (weight - 1) * (frozenset((one, other)) in met)
            for one, other in combinations(range(1, self.pairs + 1), 2)
        }

    def balance(self) -> Fraction:
        """The variance of `comparisons`: 0 where the movement compares any two pairs alike."""
        figures = self.comparisons().values()
        mean = Fraction(sum(figures), len(figures))
        return sum(((figure - mean) ** 2 for figure in figures), Fraction(0)) / len(figures)

    def _ways(self) -> dict[int, dict[int, int]]:
        """By pair and set, 1 where the pair sat on the first side and -1 where on the second."""
        ways: dict[int, dict[int, int]] = {pair: {} for pair in range(1, self.pairs + 1)}
        for tables in self.rounds:
            for sitting in tables:
                ways[sitting.first][sitting.boards] = 1
                ways[sitting.second][sitting.boards] = -1
        return ways

    def _is_missing_at(self, sitting: Sitting) -> bool:
        return self.phantom is not None and sitting.has(self.phantom)


def rounds_of(
    tables: int, rounds: int, sitting: Callable[[int, int], Sitting]
) -> tuple[tuple[Sitting, ...], ...]:
    """The rounds of a movement whose sitting is a function of table and round, both counted from 0."""
    return tuple(tuple(sitting(table, number) for table in range(tables)) for number in range(rounds))


def faults(movement: Movement) -> Iterator[str]:
    """What breaks the laws of movements: a pair in two seats, a pair met twice, a set played twice.

    That a set is at one table at a time is no law here: `Movement.shared` says where it is not.
    """
    met: set[frozenset[int]] = set()
    had: set[tuple[int, int]] = set()
    for number, tables in enumerate(movement.rounds, start=1):
        seated = [pair for sitting in tables for pair in (sitting.first, sitting.second)]
        if len(set(seated)) < len(seated):
            yield f"round {number}: a pair is in two seats"
        for sitting in tables:
            pairs = frozenset((sitting.first, sitting.second))
            if pairs in met:
                yield f"round {number}, table {sitting.table}: the pairs have met"
            met.add(pairs)
            for pair in pairs:
                if (pair, sitting.boards) in had:
                    yield f"round {number}, table {sitting.table}: pair {pair} has played set {sitting.boards}"
                had.add((pair, sitting.boards))
