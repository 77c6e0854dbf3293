"""Swiss for players whose partners change: who sits with whom, against whom, next (shared rule F35).

::

    {"players": [{"key": "A", "number": 1, "start": "1/2"}, ...],
     "rounds": [{"round": 1, "tables": [{"ns": ["A", "C"], "ew": ["B", "D"], "points": ["12", "8"]}],
                 "byes": [{"entry": "E", "points": "6"}]}],
     "round": 2, "absent": ["D"], "seed": "spring"}

Two matchings, each of least weight: players into rivals, who never are partners; then rivals into tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from math import lcm
from typing import TypeAlias

from engine.contest import exact
from engine.contest.draws.swiss import MOST_ENTRIES, cheapest, keys_in, listed, weighed
from engine.contest.faults import Faults
from engine.contest.json_fields import Fields
from engine.contest.results import Key
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

Two: TypeAlias = tuple[Key, Key]
#: What the matchings compare: of rivals earlier oppositions, scores, ranks; of a table earlier partnerships first.
Figures: TypeAlias = tuple[int, ...]

AT_A_TABLE = 4

_FEW = gettext_noop("A draw of players needs 4 to %(most)s who play, not %(players)s.")
_TWICE = gettext_noop("“%(value)s” is listed twice.")
_TWO = gettext_noop("Give two entries.")
_POINTS = gettext_noop("Give the points of both pairs, as [“12”, “8”].")
_ROUND = gettext_noop("Round %(value)s is listed twice, or isn’t before the one to be drawn.")


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """Somebody who plays alone: the draw number, from 1, and the points brought along."""

    key: Key
    number: int
    start: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class PairsMet:
    """A table of an earlier round: its two pairs, and the points with which each player of them is credited (F123).

    A walkover is no meeting (F7): it `is_played` not.
    """

    ns: Two
    ew: Two
    points: tuple[Fraction, Fraction]
    is_played: bool = True


@dataclass(frozen=True, slots=True)
class PlayersRound:
    """The facts of an earlier round: its tables, and what those got who sat out."""

    number: int
    tables: tuple[PairsMet, ...]
    byes: tuple[tuple[Key, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class PlayersDraw:
    """A draw: at each table the pairs North-South and East-West, who sits out, and what it costs.

    Of those who sit out how often they had points without playing, and how many are ranked lower; then both matchings.
    """

    tables: tuple[tuple[Two, Two], ...]
    byes: tuple[Key, ...]
    out: Figures
    rivals: Figures
    seating: Figures

    @property
    def cost(self) -> Figures:
        """All nine figures, compared from the left."""
        return *self.out, *self.rivals, *self.seating


@dataclass(frozen=True)
class PlayersField:
    """What a draw of players is made from. `round` is the number of the one to be drawn.

    Who is of the `house` stands last, whatever it has (F32).
    """

    players: tuple[SwissPlayer, ...]
    rounds: tuple[PlayersRound, ...] = ()
    round: int = 1
    absent: frozenset[Key] = frozenset()
    seed: str = ""
    house: frozenset[Key] = frozenset()

    @cached_property
    def scores(self) -> Mapping[Key, Fraction]:
        """What everybody has before the round."""
        scores = {player.key: player.start for player in self.players}
        for played in self.rounds:
            for table in played.tables:
                for pair, points in zip((table.ns, table.ew), table.points, strict=True):
                    for key in pair:
                        scores[key] += points
            for key, points in played.byes:
                scores[key] += points
        others = [points for key, points in scores.items() if key not in self.house | self.absent]
        return scores | dict.fromkeys(self.house, min(others, default=Fraction(0)))

    @cached_property
    def here(self) -> tuple[SwissPlayer, ...]:
        """Who plays in the round or sits out, in draw order (F12)."""
        there = (player for player in self.players if player.key not in self.absent)
        return tuple(
            sorted(there, key=lambda each: (each.key in self.house, -self.scores[each.key], each.number))
        )

    @cached_property
    def ranks(self) -> Mapping[Key, int]:
        """The place of everybody who is here, from 1."""
        return {player.key: rank for rank, player in enumerate(self.here, start=1)}

    @cached_property
    def _unearned(self) -> Counter[Key]:
        """How often somebody had points without playing."""
        had = [key for played in self.rounds for key, points in played.byes if points > 0]
        for table in (table for played in self.rounds for table in played.tables if not table.is_played):
            for pair, points in zip((table.ns, table.ew), table.points, strict=True):
                had += pair if points > 0 else ()
        return Counter(had)

    @cached_property
    def _lowest(self) -> tuple[Key, ...]:
        """Who is the first to sit out: who did it least often, of these the lowest (F20)."""
        return tuple(sorted(self.ranks, key=lambda key: (self._unearned[key], -self.ranks[key])))

    @property
    def byes(self) -> tuple[Key, ...]:
        """Who sits out where their number is no multiple of four."""
        return self._lowest[: len(self.here) % AT_A_TABLE]

    @property
    def playing(self) -> tuple[SwissPlayer, ...]:
        """Who has a seat, in draw order."""
        return tuple(player for player in self.here if player.key not in self.byes)

    @cached_property
    def _numbers(self) -> Mapping[Key, int]:
        return {player.key: player.number for player in self.players}

    @cached_property
    def _whole_scores(self) -> Mapping[Key, int]:
        steps = lcm(*(score.denominator for score in self.scores.values()))
        return {key: int(score * steps) for key, score in self.scores.items()}

    @cached_property
    def _played(self) -> list[PairsMet]:
        return [table for played in self.rounds for table in played.tables if table.is_played]

    @cached_property
    def _partners(self) -> Counter[frozenset[Key]]:
        return Counter(frozenset(pair) for table in self._played for pair in (table.ns, table.ew))

    @cached_property
    def _opponents(self) -> Counter[frozenset[Key]]:
        return Counter(
            frozenset((one, other)) for table in self._played for one in table.ns for other in table.ew
        )

    def were_partners(self, one: Key, other: Key) -> int:
        """How often the two were partners."""
        return self._partners[frozenset((one, other))]

    def were_opponents(self, one: Key, other: Key) -> int:
        """How often the two were opponents."""
        return self._opponents[frozenset((one, other))]

    def cost_of_rivals(self, one: Key, other: Key) -> Figures:
        """Earlier oppositions, and how far scores and ranks are apart, squared."""
        score = self._whole_scores[one] - self._whole_scores[other]
        rank = self.ranks[one] - self.ranks[other]
        return self.were_opponents(one, other), score * score, rank * rank

    def cost_of_table(self, first: Two, second: Two) -> Figures:
        """Earlier partnerships and oppositions, and how far both pairs' scores and ranks are apart, squared."""
        scores = [sum(self._whole_scores[key] for key in pair) for pair in (first, second)]
        ranks = [sum(self.ranks[key] for key in pair) for pair in (first, second)]
        return (
            self.were_partners(*first) + self.were_partners(*second),
            sum(self.were_opponents(one, other) for one in first for other in second),
            (scores[0] - scores[1]) ** 2,
            (ranks[0] - ranks[1]) ** 2,
        )

    def draw(self) -> PlayersDraw:
        """The draw of least cost; by lot where several cost the same (F25).

        Raises ContestError for fewer than four players, or too many.
        """
        return self._draw(self.byes)

    def draw_with(self, one: Key, other: Key | None) -> PlayersDraw:
        """The best draw in which these two are rivals, or this one sits out: what one asks with *why not?*"""
        asked = (one,) if other is None else (one, other)
        others = [key for key in self._lowest if key not in asked]
        seats = len(self.byes)
        if other is None:
            return self._draw((one, *others[: seats - 1]))
        return self._draw(tuple(others[:seats]), (one, other))

    def draw_of(self, tables: Sequence[tuple[Two, Two]], byes: Sequence[Key]) -> PlayersDraw:
        """These tables as a draw, numbered (F26); a director's as well. Who are rivals is what costs least."""
        rivals: list[Two] = []
        for (north, south), (east, west) in tables:
            ways = (((north, east), (south, west)), ((north, west), (south, east)))
            rivals += min(ways, key=lambda way: _sums(self.cost_of_rivals(*two) for two in way))
        return self._seated(tables, byes, rivals)

    def _draw(self, byes: tuple[Key, ...], fixed: Two | None = None) -> PlayersDraw:
        keys = [player.key for player in self.here if player.key not in byes]
        if not AT_A_TABLE <= len(keys) <= MOST_ENTRIES:
            raise ContestError("too-few", _FEW, most=MOST_ENTRIES, players=len(self.here))
        free = [key for key in keys if key not in (fixed or ())]
        rivals = [
            (free[first], free[second])
            for first, second in self._matched(
                (first, second, (*self.cost_of_rivals(one, other), self._lot(one, other)))
                for (first, one), (second, other) in combinations(enumerate(free), 2)
            )
        ]
        rivals += [fixed] if fixed else []
        ways = {
            (first, second): self._better_way(one, other)
            for (first, one), (second, other) in combinations(enumerate(rivals), 2)
        }
        met = self._matched((*two, (*figures, lot)) for two, (figures, lot, _pairs) in ways.items())
        return self._seated([ways[two][2] for two in met], byes, rivals)

    def _seated(
        self, tables: Iterable[tuple[Two, Two]], byes: Sequence[Key], rivals: Iterable[Two]
    ) -> PlayersDraw:
        seated = sorted(tables, key=lambda pairs: min(map(self._best, pairs)))
        return PlayersDraw(
            tuple(self._directions(pairs, table) for table, pairs in enumerate(seated, start=1)),
            tuple(byes),
            (
                sum(self._unearned[key] for key in byes),
                sum(len(self.here) - self.ranks[key] for key in byes),
            ),
            _sums(self.cost_of_rivals(*two) for two in rivals),
            _sums(self.cost_of_table(*pairs) for pairs in seated),
        )

    def _matched(self, meetings: Iterator[tuple[int, int, Figures]]) -> list[tuple[int, int]]:
        listed = list(meetings)
        seats = max(second for _first, second, _cost in listed) + 1
        return sorted(cheapest(weighed(listed, tables=seats // 2), seats=seats))

    def _better_way(self, one: Two, other: Two) -> tuple[Figures, int, tuple[Two, Two]]:
        """How two pairs of rivals sit down: each with one of the other pair, against their own rival."""
        ways = (((one[0], mate), (one[1], rest)) for mate, rest in (other, other[::-1]))
        return min((self.cost_of_table(*pairs), self._lot(*pairs[0], *pairs[1]), pairs) for pairs in ways)

    def _lot(self, *keys: Key) -> int:
        """F25: three bytes that the seed, the round and the draw numbers decide."""
        numbers = ":".join(map(str, sorted(self._numbers[key] for key in keys[:2])))
        if len(keys) > 2:
            numbers += ":" + ":".join(map(str, sorted(self._numbers[key] for key in keys[2:])))
        return int.from_bytes(sha256(f"{self.seed}:{self.round}:{numbers}".encode()).digest()[:3])

    def _best(self, pair: Two) -> int:
        return min(self.ranks[key] for key in pair)

    def _directions(self, pairs: tuple[Two, Two], table: int) -> tuple[Two, Two]:
        """By turns, as the home of F27: the pair with the better rank sits North-South if table + round is even."""
        first, second = sorted(pairs, key=self._best)
        return (first, second) if (table + self.round) % 2 == 0 else (second, first)


def _sums(figures: Iterator[Figures]) -> Figures:
    return tuple(map(sum, zip(*figures, strict=True)))


# Reading

_PARTS = frozenset(("players", "rounds", "round", "absent", "seed"))


def answer_as_json(data: object) -> dict[str, object]:
    """What `python -m engine individuals` answers to players by name. Raises ContestError with its `causes`."""
    field = read_field(data)
    drawn = field.draw()
    return {
        "round": field.round,
        "tables": [
            {"table": number, "ns": list(ns), "ew": list(ew)}
            for number, (ns, ew) in enumerate(drawn.tables, start=1)
        ],
        "byes": list(drawn.byes),
        "rivals": list(drawn.rivals),
        "seating": list(drawn.seating),
    }


def read_field(data: object) -> PlayersField:
    """The field that the data describe (see above). Raises ContestError with all faults as its `causes`."""
    faults = Faults()
    fields = Fields(data, (), faults, _PARTS)
    players: dict[Key, SwissPlayer] = {}
    for at, item in enumerate(listed(fields.raw("players"), ("players",), faults)):
        read = Fields(item, ("players", at), faults, frozenset(("key", "number", "start")))
        start = read.figure("start") if "start" in read else Fraction(0)
        player = SwissPlayer(read.key("key"), read.whole("number", least=1), start)
        if player.key in players or player.number in {each.number for each in players.values()}:
            faults.add("twice", _TWICE, given=item, place=("players", at), value=quoted(player.key))
        players[player.key] = player
    number = fields.whole("round", 1, least=1)
    rounds = tuple(_rounds(fields, players, number, faults))
    absent = keys_in(fields.raw("absent"), players, ("absent",), faults)
    seed = fields.text("seed")
    faults.refuse()
    return PlayersField(tuple(players.values()), rounds, number, frozenset(absent), seed)


def _rounds(
    fields: Fields, players: Mapping[Key, SwissPlayer], drawn: int, faults: Faults
) -> Iterator[PlayersRound]:
    numbers: set[int] = set()
    for at, item in enumerate(listed(fields.raw("rounds"), ("rounds",), faults)):
        place: Place = ("rounds", at)
        read = Fields(item, place, faults, frozenset(("round", "tables", "byes")))
        number = read.whole("round", least=1)
        if number in numbers or number >= drawn:
            faults.add("round", _ROUND, given=number, place=(*place, "round"), value=number)
        numbers.add(number)
        here: set[Key] = set()
        tables = [
            _table(each, (*place, "tables", n), players, here, faults)
            for n, each in enumerate(listed(read.raw("tables"), (*place, "tables"), faults))
        ]
        byes = [
            _bye(each, (*place, "byes", n), players, here, faults)
            for n, each in enumerate(listed(read.raw("byes"), (*place, "byes"), faults))
        ]
        yield PlayersRound(number, tuple(each for each in tables if each is not None), tuple(byes))


def _table(
    item: object, place: Place, players: Mapping[Key, SwissPlayer], here: set[Key], faults: Faults
) -> PairsMet | None:
    read = Fields(item, place, faults, frozenset(("ns", "ew", "points")))
    pairs = [keys_in(read.raw(name), players, (*place, name), faults, here) for name in ("ns", "ew")]
    given = read.raw("points")
    points = [exact.parse(each) for each in given] if isinstance(given, list) else []
    if [len(pair) for pair in pairs] != [2, 2]:
        faults.add("two", _TWO, given=item, place=place)
        return None
    if len(points) != 2 or points[0] is None or points[1] is None:
        faults.add("points", _POINTS, given=given, place=(*place, "points"))
        return None
    (north, south), (east, west) = pairs
    return PairsMet((north, south), (east, west), (points[0], points[1]))


def _bye(
    item: object, place: Place, players: Mapping[Key, SwissPlayer], here: set[Key], faults: Faults
) -> tuple[Key, Fraction]:
    read = Fields(item, place, faults, frozenset(("entry", "points")))
    found = keys_in([read.raw("entry")], players, (*place, "entry"), faults, here)
    return (found[0] if found else ""), read.figure("points")
