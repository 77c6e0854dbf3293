"""Tables of individuals drawn round by round, so that everybody meets everybody as evenly as possible.

A round follows from those before it: who sat at a table together, and who missed a round, because they sat out, came
late or were away. As many as the game's range of table sizes allows have a seat. The tables of least cost are looked
for by exchanging seats from many starts, the same for the same facts and the same seed; of draws that cost the same
the seed decides.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from engine.contest.results import Key
from engine.errors import ContestError
from engine.text import gettext_noop

MOST_ENTRIES = 200
#: How many starts a search has, together for all who play, and the fewest.
_STARTS, _FEWEST_STARTS = 3000, 12

_FEW = gettext_noop("A table needs at least %(fewest)s players, not %(entries)s.")
_MANY = gettext_noop("A draw is for at most %(most)s players, not %(entries)s.")

Tables: TypeAlias = tuple[tuple[Key, ...], ...]
#: Two who are to sit at one table, or one who is to sit out.
Wish: TypeAlias = tuple[Key, Key | None]


class Cost(NamedTuple):
    """What a round costs: five figures, compared from the left."""

    out: int = 0
    """How many sit out."""
    sizes: int = 0
    """By how much the tables are larger or smaller than usual, squared and added up."""
    missed: int = 0
    """How many rounds those who sit out have missed before, squared and added up."""
    met: int = 0
    """How often any two at a table have met before, squared and added up."""
    unusual: int = 0
    """How often those at a table of another size than usual sat at such a table before, squared and added up."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A round: its tables, at each the players in order, who sits out, and what it costs."""

    tables: Tables
    out: tuple[Key, ...]
    cost: Cost


class ImpossibleSeatingError(Exception):
    """Two who must not meet would sit at one table, or what was asked for leaves somebody without a seat."""


@lru_cache(maxsize=256)
def table_sizes(players: int, seats: int, allowed: tuple[int, ...]) -> tuple[int, ...]:
    """The tables for so many players, the largest first: as few as possible sit out, most tables have `seats`.

    Raises ContestError where there are fewer players than the smallest table needs.
    """
    if players < min(allowed):
        raise ContestError("too-few", _FEW, fewest=min(allowed), entries=players)
    # By the number of seats: how far from the usual size, and the tables.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for wanted in range(min(allowed), players + 1):
        found = [
            (best[wanted - size][0] + (size - seats) ** 2, tuple(sorted((*best[wanted - size][1], size))))
            for size in allowed
            if wanted - size in best
        ]
        if found:
            best[wanted] = min(found, key=lambda each: (each[0], len(each[1]), each[1]))
    return best[max(best)][1][::-1]


@dataclass(frozen=True)
class Room:
    """All that a round is drawn from: who plays, by number, the rounds before, and the sizes that tables can have.

    Two who are `apart` don't sit at one table. Who is `absent` plays in a later round again, or not at all.
    """

    entries: tuple[Key, ...]
    rounds: tuple[Tables, ...] = ()
    seats: int = 4
    allowed: tuple[int, ...] = (3, 4)
    apart: frozenset[frozenset[Key]] = frozenset()
    absent: frozenset[Key] = frozenset()
    seed: str = ""

    @cached_property
    def playing(self) -> tuple[Key, ...]:
        """Who plays in the round, by number."""
        return tuple(key for key in self.entries if key not in self.absent)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The tables of the round, the largest first. Raises ContestError for too few or too many players."""
        if len(self.playing) > MOST_ENTRIES:
            raise ContestError("too-many", _MANY, most=MOST_ENTRIES, entries=len(self.playing))
        return table_sizes(len(self.playing), self.seats, self.allowed)

    @cached_property
    def _met(self) -> Counter[frozenset[Key]]:
        tables = (table for tables in self.rounds for table in tables)
        return Counter(frozenset(two) for table in tables for two in combinations(table, 2))

    @cached_property
    def _played(self) -> Counter[Key]:
        return Counter(key for tables in self.rounds for table in tables for key in table)

    @cached_property
    def _unusual(self) -> Counter[Key]:
        tables = (table for tables in self.rounds for table in tables if len(table) != self.seats)
        return Counter(key for table in tables for key in table)

    @cached_property
    def _first(self) -> Counter[Key]:
        return Counter(table[0] for tables in self.rounds for table in tables)

    def times_met(self, one: Key, other: Key) -> int:
        """How often the two have sat at one table."""
        return self._met[frozenset((one, other))]

    def missed(self, key: Key) -> int:
        """How many of the rounds before this one had no seat for them, or were played without them."""
        return len(self.rounds) - self._played[key]

    def draw(self) -> Seated:
        """The round of least cost. Raises ContestError as `sizes` does, ImpossibleSeatingError as `draw_of` does."""
        return self._searched(None)

    def draw_with(self, wish: Wish) -> Seated:
        """The round of least cost in which these two meet, or this one sits out: what *why not?* asks.

        Raises ImpossibleSeatingError where everybody has a seat, or the two must not meet.
        """
        if wish[1] is None and sum(self.sizes) == len(self.playing):
            raise ImpossibleSeatingError
        return self._searched(wish)

    def draw_of(self, tables: Iterable[Sequence[Key]], out: Iterable[Key] = ()) -> Seated:
        """These tables in order, with what they cost. Raises ImpossibleSeatingError where two meet who must not."""
        number = {key: place for place, key in enumerate(self.entries)}
        seated = tuple(map(tuple, tables))
        resting = tuple(sorted(out, key=number.__getitem__))
        if any(frozenset(two) in self.apart for table in seated for two in combinations(table, 2)):
            raise ImpossibleSeatingError
        return Seated(seated, resting, self._cost(seated, resting))

    def _cost(self, tables: Tables, out: Sequence[Key]) -> Cost:
        meetings = (self._met[frozenset(two)] for table in tables for two in combinations(table, 2))
        unusual = (self._unusual[key] for table in tables if len(table) != self.seats for key in table)
        return Cost(
            len(out),
            sum((len(table) - self.seats) ** 2 for table in tables),
            sum(self.missed(key) ** 2 for key in out),
            sum(times * times for times in meetings),
            sum(times * times for times in unusual),
        )

    def _searched(self, wish: Wish | None) -> Seated:
        search = _Search(self, wish)
        starts = max(_FEWEST_STARTS, _STARTS // len(self.playing))
        least, groups = min(
            (search.from_start(number) for number in range(starts)), key=lambda found: found[0]
        )
        keys = [[self.playing[place] for place in group] for group in groups]
        tables = [self._in_order(table) for table in keys[: len(self.sizes)]]
        number = {key: place for place, key in enumerate(self.entries)}
        tables.sort(key=lambda table: (-len(table), min(number[key] for key in table)))
        drawn = self.draw_of(tables, keys[-1] if len(keys) > len(self.sizes) else ())
        if wish is not None and not search.grants(least):
            raise ImpossibleSeatingError
        return drawn

    def _in_order(self, table: Sequence[Key]) -> tuple[Key, ...]:
        """A table with who has been first least often in front, then in the order that the search left."""
        return tuple(sorted(table, key=lambda key: self._first[key]))


class _Search:
    """The tables of least cost, from one start after another. Places stand for players, groups for tables.

    The last group are those who sit out, if there are any. All figures are whole numbers in one: each has so many
    digits that the next one never reaches it.
    """

    def __init__(self, room: Room, wish: Wish | None) -> None:
        self.room, players = room, len(room.playing)
        self.sizes = [*room.sizes]
        self.tables = len(self.sizes)
        if resting := players - sum(self.sizes):
            self.sizes.append(resting)
        most = (len(room.rounds) + 1) ** 2
        of_meeting = players * most
        of_missing = of_meeting * players * players * most
        #: More than everything else together: two who must not meet, and what is wished for.
        self.heavy = of_missing * players * most
        self.weights = [
            [self._weight(one, other, of_meeting) if one != other else 0 for other in room.playing]
            for one in room.playing
        ]
        unusual = [room._unusual[key] ** 2 for key in room.playing]  # noqa: SLF001
        missed = [of_missing * room.missed(key) ** 2 for key in room.playing]
        self.alone = [
            missed if group == self.tables else unusual if size != room.seats else [0] * players
            for group, size in enumerate(self.sizes)
        ]
        self._wish_for(wish)

    def _weight(self, one: Key, other: Key, of_meeting: int) -> int:
        weight = of_meeting * self.room.times_met(one, other) ** 2
        return weight + self.heavy * self.heavy if frozenset((one, other)) in self.room.apart else weight

    def _wish_for(self, wish: Wish | None) -> None:
        if wish is None:
            return
        one = self.room.playing.index(wish[0])
        if wish[1] is None:
            self.alone[-1] = list(self.alone[-1])
            self.alone[-1][one] -= self.heavy
            return
        other = self.room.playing.index(wish[1])
        self.weights[one][other] -= self.heavy
        self.weights[other][one] -= self.heavy

    def grants(self, cost: int) -> bool:
        """Whether a round of this cost has what was wished for."""
        return cost < 0

    def from_start(self, number: int) -> tuple[int, list[list[int]]]:
        """A round in which no exchange of two seats costs less, and its cost."""
        # The same facts are to give the same draw.
        rng = random.Random(f"{self.room.seed}:{len(self.room.rounds)}:{number}")  # noqa: S311
        places = list(range(len(self.room.playing)))
        rng.shuffle(places)
        left = iter(places)
        groups = [[next(left) for _ in range(size)] for size in self.sizes]
        loads = [
            [
                sum(row[other] for other in group) if here < self.tables else 0
                for here, group in enumerate(groups)
            ]
            for row in self.weights
        ]
        while self._exchange(groups, loads):
            pass
        return sum(self._costs(groups)), groups

    def _costs(self, groups: list[list[int]]) -> Iterator[int]:
        for here, group in enumerate(groups):
            yield sum(self.alone[here][place] for place in group)
            if here < self.tables:
                yield sum(self.weights[one][other] for one, other in combinations(group, 2))

    def _exchange(self, groups: list[list[int]], loads: list[list[int]]) -> bool:
        """Exchange seats wherever that costs less; whether there was such a place."""
        has_changed = False
        for here, there in combinations(range(len(groups)), 2):
            for seat in range(len(groups[here])):
                for other in range(len(groups[there])):
                    one, two = groups[here][seat], groups[there][other]
                    if self._saves(one, two, here, there, loads):
                        groups[here][seat], groups[there][other] = two, one
                        self._note(one, two, here, there, loads)
                        has_changed = True
        return has_changed

    def _saves(self, one: int, two: int, here: int, there: int, loads: list[list[int]]) -> bool:
        of_one, of_two, together = loads[one], loads[two], self.weights[one][two]
        mine, theirs = self.alone[here], self.alone[there]
        before = of_one[here] + of_two[there] + mine[one] + theirs[two]
        after = of_two[here] - together + mine[two] + theirs[one]
        if there < self.tables:
            after += of_one[there] - together
        return after < before

    def _note(self, one: int, two: int, here: int, there: int, loads: list[list[int]]) -> None:
        first, second, counts = self.weights[one], self.weights[two], there < self.tables
        for place, load in enumerate(loads):
            change = second[place] - first[place]
            load[here] += change
            if counts:
                load[there] -= change
