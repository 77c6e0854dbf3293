"""Movements: who sits where with which boards, round by round, when one set of boards goes round a room.

Tables, pairs, rounds and sets of boards are numbered from 1. A pair keeps its number all session, whichever
way it sits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, groupby, product
from math import lcm

from engine.errors import ContestError
from engine.text import gettext_noop

_ROUNDS = gettext_noop("This movement has 1 to %(most)s rounds, not %(rounds)s.")
_NO_PAIR = gettext_noop("There’s no pair %(pair)s in this movement. Its pairs are 1 to %(pairs)s.")


@dataclass(frozen=True, slots=True)
class Sitting:
    """One table in one round: the pair on the first side, the pair on the second, and the set of boards they play.

    Where players change partners a number is a player's, and `partners` are those of the two.
    """

    table: int
    first: int
    second: int
    boards: int
    partners: tuple[int, int] | None = None

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numbers on the first side and on the second: a pair's, or two players'."""
        if self.partners is None:
            return (self.first,), (self.second,)
        return (self.first, self.partners[0]), (self.second, self.partners[1])

    @property
    def seated(self) -> tuple[int, ...]:
        """The numbers of all who sit here."""
        first, second = self.sides
        return first + second

    def turned(self) -> Sitting:
        """The same table with the directions exchanged."""
        partners = None if self.partners is None else self.partners[::-1]
        return replace(self, first=self.second, second=self.first, partners=partners)

    def has(self, number: int) -> bool:
        """Whether the pair, or the player, sits here."""
        return number in self.seated


@dataclass(frozen=True, slots=True)
class Movement:
    """A whole session. ``rounds`` holds the tables of each round, in order of their numbers.

    ``pairs`` and ``sets`` say how many there are; of players who change partners ``pairs`` are the players. A
    ``phantom`` is a pair that is not there: the pair that would meet it sits out.
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
        seated = {pair for sitting in self.played(number) for pair in sitting.seated}
        idle = set(range(1, self.pairs + 1)) - seated - {self.phantom}
        return min(idle, default=None)

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
        sides = [sitting.sides for tables in self.rounds for sitting in tables]
        firsts = {number for first, _second in sides for number in first}
        return not firsts.isdisjoint(number for _first, second in sides for number in second)

    def with_rounds(self, rounds: int) -> Movement:
        """The first so many rounds, without the last sets where none plays them. Raises ContestError for too many."""
        if not 1 <= rounds <= len(self.rounds):
            raise ContestError("rounds", _ROUNDS, rounds=rounds, most=len(self.rounds))
        kept = self.rounds[:rounds]
        return replace(self, sets=max(sitting.boards for tables in kept for sitting in tables), rounds=kept)

    def without(self, pair: int) -> Movement:
        """The movement with this pair missing. Raises ContestError when there is no such pair."""
        if not 1 <= pair <= self.pairs:
            raise ContestError("pair", _NO_PAIR, pair=pair, pairs=self.pairs)
        return replace(self, phantom=pair)

    def turned(self, tables: Sequence[Iterable[int]]) -> Movement:
        """The movement with the directions exchanged at these tables, given for each round."""
        return replace(
            self,
            rounds=tuple(
                tuple(sitting.turned() if sitting.table in turned else sitting for sitting in sittings)
                for sittings, turned in zip(self.rounds, map(frozenset, tables), strict=True)
            ),
        )

    def barometer(self) -> Movement:
        """The same meetings with one set for all tables in each round, so that results can be shown after it."""
        rounds = tuple(
            tuple(replace(sitting, boards=number) for sitting in sittings)
            for number, sittings in enumerate(self.rounds, start=1)
        )
        return replace(self, sets=len(rounds), rounds=rounds)

    def sets_in_play(self) -> int:
        """How many sets of boards are played at all."""
        return len({sitting.boards for sitting in self._sittings()})

    def copies(self) -> int:
        """How many tables at most have the same set of boards in a round."""
        numbers = range(1, len(self.rounds) + 1)
        return max((len(tables) for number in numbers for tables in self.shared(number)), default=1)

    def arrow_switched(self, rounds: int = 1) -> Movement:
        """The last so many rounds with all directions exchanged, so that two fields become one."""
        kept = len(self.rounds) - rounds
        if not 0 <= kept <= len(self.rounds):
            raise ContestError("rounds", _ROUNDS, rounds=rounds, most=len(self.rounds))
        turned = tuple(tuple(sitting.turned() for sitting in tables) for tables in self.rounds[kept:])
        return replace(self, rounds=(*self.rounds[:kept], *turned))

    def comparisons(self) -> dict[tuple[int, int], Fraction]:
        """For each two pairs that are there, how strongly they are compared, set by set as really played.

        A set that both play the same way counts 1, one that they play opposite ways -1. Where they meet on it, what one
        wins the other loses against everybody else with a result on that set, and so it counts as many as those are.
        Partners win and lose the same against all of those: that counts as many less.
        Every set has the same top, so the figures of one that fewer tables play weigh more: as if all tables played
        it. In a perfectly balanced movement the figure is the same for any two.
        """
        scale, figures = self._compared()
        return {pairs: Fraction(figure, scale) for pairs, figure in figures.items()}

    def balance(self) -> Fraction:
        """The variance of `comparisons`: 0 where the movement compares any two pairs alike."""
        scale, compared = self._compared()
        figures, count = compared.values(), len(compared)
        return Fraction(sum(each**2 for each in figures) * count - sum(figures) ** 2, (count * scale) ** 2)

    def _compared(self) -> tuple[int, dict[tuple[int, int], int]]:
        """The comparisons as whole numbers, and how many times too large they are."""
        results = Counter(sitting.boards for sitting in self._sittings())
        others = {boards: count - 1 for boards, count in results.items() if count > 1}
        scale = lcm(*others.values())
        tables = len(self.rounds[0])
        by_weight = {
            scale // other * (tables - 1): sum(1 << boards for boards in others if others[boards] == other)
            for other in set(others.values())
        }
        met: Counter[frozenset[int]] = Counter()
        for sitting in self._sittings():
            if sitting.boards in others:
                weight = results[sitting.boards] * (scale // others[sitting.boards] * (tables - 1))
                met.update(dict.fromkeys(map(frozenset, product(*sitting.sides)), weight))
                met.subtract(dict.fromkeys(_partnerships(sitting), weight))
        firsts, seconds = self._ways()

        def figure(one: int, other: int) -> int:
            same = firsts[one] & firsts[other] | seconds[one] & seconds[other]
            opposite = firsts[one] & seconds[other] | seconds[one] & firsts[other]
            return met[frozenset((one, other))] + sum(
                weight * ((same & of_weight).bit_count() - (opposite & of_weight).bit_count())
                for weight, of_weight in by_weight.items()
            )

        present = [pair for pair in range(1, self.pairs + 1) if pair != self.phantom]
        return scale, {(one, other): figure(one, other) for one, other in combinations(present, 2)}

    def _ways(self) -> tuple[dict[int, int], dict[int, int]]:
        """By pair the sets that it plays on the first and on the second side, as the bits of a number."""
        firsts, seconds = (
            dict.fromkeys(range(1, self.pairs + 1), 0),
            dict.fromkeys(range(1, self.pairs + 1), 0),
        )
        for sitting in self._sittings():
            for ways, numbers in zip((firsts, seconds), sitting.sides, strict=True):
                for number in numbers:
                    ways[number] |= 1 << sitting.boards
        return firsts, seconds

    def _sittings(self) -> Iterator[Sitting]:
        """Every table of every round at which two pairs meet."""
        for number in range(1, len(self.rounds) + 1):
            yield from self.played(number)

    def _is_missing_at(self, sitting: Sitting) -> bool:
        return self.phantom is not None and sitting.has(self.phantom)


def rounds_of(
    tables: int, rounds: int, sitting: Callable[[int, int], Sitting]
) -> tuple[tuple[Sitting, ...], ...]:
    """The rounds of a movement whose sitting is a function of table and round, both counted from 0."""
    return tuple(tuple(sitting(table, number) for table in range(tables)) for number in range(rounds))


def faults(movement: Movement) -> Iterator[str]:
    """What breaks the laws of movements: somebody in two seats, pairs met twice, a set played twice.

    Players who change partners meet each other twice, and are partners once (F120). That a set is at one table at a
    time is no law here: `Movement.shared` says where it is not.
    """
    met: Counter[frozenset[int]] = Counter()
    partners: set[frozenset[int]] = set()
    had: set[tuple[int, int]] = set()
    for number, tables in enumerate(movement.rounds, start=1):
        seated = [pair for sitting in tables for pair in sitting.seated]
        if len(set(seated)) < len(seated):
            yield f"round {number}: a pair is in two seats"
        for sitting in tables:
            where = f"round {number}, table {sitting.table}"
            meetings = [frozenset(each) for each in product(*sitting.sides)]
            if any(met[each] >= (1 if sitting.partners is None else 2) for each in meetings):
                yield f"{where}: the pairs have met"
            met.update(meetings)
            if not partners.isdisjoint(_partnerships(sitting)):
                yield f"{where}: the players have been partners"
            partners.update(_partnerships(sitting))
            for pair in sorted(sitting.seated):
                if (pair, sitting.boards) in had:
                    yield f"{where}: pair {pair} has played set {sitting.boards}"
                had.add((pair, sitting.boards))


def _partnerships(sitting: Sitting) -> tuple[frozenset[int], ...]:
    """The two partnerships of players at a table; none where pairs sit."""
    return () if sitting.partners is None else tuple(map(frozenset, sitting.sides))
