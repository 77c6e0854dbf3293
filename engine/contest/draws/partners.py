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
from collections.abc import Iterator, Mapping
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
    """A table of an earlier round: its two pairs, and the points with which each player of them is credited (F123)."""

    ns: Two
    ew: Two
    points: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class PlayersRound:
    """The facts of an earlier round: its tables, and what those got who sat out."""

    number: int
    tables: tuple[PairsMet, ...]
    byes: tuple[tuple[Key, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class PlayersDraw:
    """A draw: at each table the pairs North-South and East-West, who sits out, and what both matchings cost."""

    tables: tuple[tuple[Two, Two], ...]
    byes: tuple[Key, ...]
    rivals: Figures
    seating: Figures


@dataclass(frozen=True)
class PlayersField:
    """What a draw of players is made from. `round` is the number of the one to be drawn."""

    players: tuple[SwissPlayer, ...]
    rounds: tuple[PlayersRound, ...] = ()
    round: int = 1
    absent: frozenset[Key] = frozenset()
    seed: str = ""

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
        return scores

    @cached_property
    def _order(self) -> tuple[SwissPlayer, ...]:
        here = (player for player in self.players if player.key not in self.absent)
        return tuple(sorted(here, key=lambda player: (-self.scores[player.key], player.number)))

    @cached_property
    def byes(self) -> tuple[Key, ...]:
        """Who sits out where their number is no multiple of four: who did it least often, of these the lowest (F20)."""
        had = Counter(key for played in self.rounds for key, points in played.byes if points > 0)
        places = {player.key: place for place, player in enumerate(self._order)}
        lowest = sorted(places, key=lambda key: (had[key], -places[key]))
        return tuple(lowest[: len(places) % AT_A_TABLE])

    @cached_property
    def playing(self) -> tuple[SwissPlayer, ...]:
        """Who has a seat, in draw order (F12)."""
        return tuple(player for player in self._order if player.key not in self.byes)

    @cached_property
    def _ranks(self) -> Mapping[Key, int]:
        return {player.key: rank for rank, player in enumerate(self.playing, start=1)}

    @cached_property
    def _numbers(self) -> Mapping[Key, int]:
        return {player.key: player.number for player in self.players}

    @cached_property
    def _whole_scores(self) -> Mapping[Key, int]:
        steps = lcm(*(score.denominator for score in self.scores.values()))
        return {key: int(score * steps) for key, score in self.scores.items()}

    @cached_property
    def _partners(self) -> Counter[frozenset[Key]]:
        every = (table for played in self.rounds for table in played.tables)
        return Counter(frozenset(pair) for table in every for pair in (table.ns, table.ew))

    @cached_property
    def _opponents(self) -> Counter[frozenset[Key]]:
        every = (table for played in self.rounds for table in played.tables)
        return Counter(frozenset((one, other)) for table in every for one in table.ns for other in table.ew)

    def were_partners(self, one: Key, other: Key) -> int:
        """How often the two were partners."""
        return self._partners[frozenset((one, other))]

    def were_opponents(self, one: Key, other: Key) -> int:
        """How often the two were opponents."""
        return self._opponents[frozenset((one, other))]

    def cost_of_rivals(self, one: Key, other: Key) -> Figures:
        """Earlier oppositions, and how far scores and ranks are apart, squared."""
        score = self._whole_scores[one] - self._whole_scores[other]
        rank = self._ranks[one] - self._ranks[other]
        return self.were_opponents(one, other), score * score, rank * rank

    def cost_of_table(self, first: Two, second: Two) -> Figures:
        """Earlier partnerships and oppositions, and how far both pairs' scores and ranks are apart, squared."""
        scores = [sum(self._whole_scores[key] for key in pair) for pair in (first, second)]
        ranks = [sum(self._ranks[key] for key in pair) for pair in (first, second)]
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
        if not AT_A_TABLE <= len(self.playing) <= MOST_ENTRIES:
            raise ContestError("too-few", _FEW, most=MOST_ENTRIES, players=len(self._order))
        keys = [player.key for player in self.playing]
        rivals = [
            (keys[first], keys[second])
            for first, second in self._matched(
                (first, second, (*self.cost_of_rivals(one, other), self._lot(one, other)))
                for (first, one), (second, other) in combinations(enumerate(keys), 2)
            )
        ]
        ways = {
            (first, second): self._better_way(one, other)
            for (first, one), (second, other) in combinations(enumerate(rivals), 2)
        }
        met = self._matched((*two, (*figures, lot)) for two, (figures, lot, _pairs) in ways.items())
        seated = sorted((ways[two][2] for two in met), key=lambda pairs: min(map(self._best, pairs)))
        return PlayersDraw(
            tuple(self._directions(pairs, table) for table, pairs in enumerate(seated, start=1)),
            self.byes,
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
        return min(self._ranks[key] for key in pair)

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
