"""Swiss: who meets whom next, at the least cost over the whole field (shared rules F10 to F33).

::

    {"entries": [{"key": "A", "number": 2, "start": "1/2"}, {"key": "B", "number": 1}, ...],
     "forbidden": [["A", "C"]],
     "rounds": [{"round": 1, "matches": [{"home": "A", "away": "B", "points": ["2", "0"], "kind": "played"}],
                 "byes": [{"entry": "C", "points": "1", "kind": "requested"}]}],
     "round": 2, "system": "halves", "repeats": "avoid", "absent": ["D"], "house": "B", "seed": "spring"}

The pairing of least cost is a matching of least weight. All figures of the cost are whole numbers there: scores are
multiplied until they are, and each figure has so many digits that the next one never reaches it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from itertools import combinations
from math import lcm
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from engine.contest import exact
from engine.contest.faults import Faults
from engine.contest.json_fields import Fields, key_of
from engine.contest.results import Key
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

MOST_ENTRIES = 1200
#: What the matching can compute with: it adds a few weights within 128 bits.
_MOST_BITS = 122
#: So many meetings of everybody are tried first.
_FEW_ENOUGH = 24
#: Which figures of the cost decide who sits out, and then who meets whom.
FIGURES_OF_BYE, FIGURES_OF_TABLES = (0, 1, 2), (0, 3, 4, 5)

_FEW = gettext_noop("A draw needs 2 to %(most)s entries that play, not %(entries)s.")
_TOO_FINE = gettext_noop("These scores have too many different fractions to draw from.")
_NOT_HERE = gettext_noop("“%(value)s” isn’t one of the entries.")
_TWICE = gettext_noop("“%(value)s” is listed twice.")
_NUMBER_TWICE = gettext_noop("Two entries have the draw number %(value)s.")
_ROUND_TWICE = gettext_noop("Round %(value)s is listed twice.")
_LATER = gettext_noop("Round %(value)s isn’t before the round to be drawn.")
_LISTED = gettext_noop("This must be a list.")
_TWO = gettext_noop("Give two entries.")
_POINTS = gettext_noop("Give the points of both, as [“2”, “0”].")
_CHOICE = gettext_noop("“%(value)s” can’t be chosen here.")
_SELF = gettext_noop("“%(value)s” can’t meet itself.")


def advised_rounds(entries: int) -> int:
    """F10: the rounds after which one can be ahead of all others, and one more; never more than there are opponents."""
    return max(1, min(entries - 1, (entries - 1).bit_length() + 1))


class System(StrEnum):
    """F13: within a score group the upper half meets the lower half, or neighbours meet."""

    HALVES = "halves"
    STANDING = "standing"


class Kind(StrEnum):
    """How points of a round were made."""

    PLAYED = "played"
    WALKOVER = "walkover"
    BYE = "bye"
    REQUESTED = "requested"
    MISSED = "missed"


class Float(StrEnum):
    """F23: whom somebody met: a lower score, or a higher one."""

    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True)
class SwissEntry:
    """Somebody who takes part: the draw number, from 1, and the points brought along."""

    key: Key
    number: int
    start: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class SwissMatch:
    """A match of an earlier round, with the points of both; ``home`` is the key of the one that was at home."""

    home: Key
    away: Key
    points: tuple[Fraction, Fraction]
    is_played: bool = True


@dataclass(frozen=True, slots=True)
class SatOut:
    """A round in which an entry had no match, what it got for it, and why."""

    entry: Key
    points: Fraction
    kind: Kind = Kind.BYE


@dataclass(frozen=True, slots=True)
class SwissRound:
    """The facts of an earlier round."""

    number: int
    matches: tuple[SwissMatch, ...] = ()
    byes: tuple[SatOut, ...] = ()


class Cost(NamedTuple):
    """F20: six figures, compared from the left; of a table, of somebody who sits out, or of a whole draw."""

    repeats: int = 0
    byes: int = 0
    rank_of_bye: int = 0
    score: Fraction | int = 0
    floats: int = 0
    places: int = 0

    def as_json(self) -> list[int | str]:
        """The figures; the fourth may be a fraction and is a text."""
        return [str(figure) if name == "score" else int(figure) for name, figure in self._asdict().items()]


Tables: TypeAlias = tuple[tuple[Key, Key], ...]
#: A cost whose score is a whole number, counted in the field's smallest steps.
Whole: TypeAlias = tuple[int, int, int, int, int, int]
#: Two entries by key; None beside one that sits out.
Meeting: TypeAlias = tuple[Key, Key | None]


@dataclass(frozen=True, slots=True)
class SwissDraw:
    """A draw: its tables in order, home first, who sits out, and what it costs."""

    cost: Cost
    tables: Tables
    bye: Key | None


class ImpossibleDrawError(Exception):
    """F22: there is no way to pair everybody; these entries stay without an opponent."""

    def __init__(self, left: Iterable[Key]) -> None:
        super().__init__("no draw")
        self.left = tuple(left)


@dataclass(frozen=True)
class SwissField:
    """Everything a draw is made from: entries, what must not be, and the rounds before.

    ``round`` is the number of the one to be drawn. With ``repeats_allowed`` only a match in the very last round counts
    as one (F21). One that `is_one_behind` is drawn by the scores before the round before it, so that nobody waits
    (F14). The `house` pair plays instead of a bye: with an odd number of others, last in draw order (F32).
    """

    entries: tuple[SwissEntry, ...]
    rounds: tuple[SwissRound, ...] = ()
    round: int = 1
    system: System = System.HALVES
    repeats_allowed: bool = False
    forbidden: frozenset[frozenset[Key]] = frozenset()
    absent: frozenset[Key] = frozenset()
    seed: str = ""
    is_one_behind: bool = False
    house: Key | None = None

    @cached_property
    def scores(self) -> Mapping[Key, Fraction]:
        """F11: what everybody has before the round to be drawn, as far as it is drawn from (F14)."""
        return self._scores_before(self.round - self.is_one_behind)

    @cached_property
    def playing(self) -> tuple[SwissEntry, ...]:
        """F12: who plays this round, in draw order."""
        return self._in_order(self.scores)

    @cached_property
    def ranks(self) -> Mapping[Key, int]:
        """F12: the place of everybody who plays, from 1."""
        return {entry.key: rank for rank, entry in enumerate(self.playing, start=1)}

    def _in_order(self, scores: Mapping[Key, Fraction]) -> tuple[SwissEntry, ...]:
        here = [entry for entry in self.entries if entry.key not in self.absent]
        here = [entry for entry in here if len(here) % 2 == 0 or entry.key != self.house]
        return tuple(
            sorted(here, key=lambda entry: (entry.key == self.house, -scores[entry.key], entry.number))
        )

    def _scores_before(self, number: int) -> dict[Key, Fraction]:
        scores = {entry.key: entry.start for entry in self.entries}
        for played in self.rounds:
            if played.number >= number:
                continue
            for match in played.matches:
                for key, points in zip((match.home, match.away), match.points, strict=True):
                    scores[key] += points
            for bye in played.byes:
                scores[bye.entry] += bye.points
        others = [points for key, points in scores.items() if key not in {self.house, *self.absent}]
        if self.house is not None and others:
            scores[self.house] = min(others)
        return scores

    @cached_property
    def _last(self) -> SwissRound | None:
        return next((played for played in self.rounds if played.number == self.round - 1), None)

    @cached_property
    def _met(self) -> Counter[frozenset[Key]]:
        counted = self.rounds if not self.repeats_allowed else [self._last] if self._last else []
        return Counter(
            frozenset((match.home, match.away))
            for played in counted
            for match in played.matches
            if match.is_played
        )

    def times_met(self, one: Key, other: Key) -> int:
        """How often the two have met, as far as it counts (F21)."""
        return self._met[frozenset((one, other))]

    @cached_property
    def _unearned(self) -> Counter[Key]:
        """How often somebody had points without playing."""
        return Counter(
            key
            for played in self.rounds
            for key, points in (
                *((bye.entry, bye.points) for bye in played.byes),
                *(
                    (key, points)
                    for match in played.matches
                    if not match.is_played
                    for key, points in zip((match.home, match.away), match.points, strict=True)
                ),
            )
            if points > 0
        )

    @cached_property
    def _floated(self) -> Mapping[Key, Float]:
        """F23: how everybody floated in the last round."""
        floated: dict[Key, Float] = {}
        if self._last is None:
            return floated
        scores = self._scores_before(self.round - 1 - self.is_one_behind)
        for match in self._last.matches:
            if scores[match.home] != scores[match.away]:
                high, low = sorted((match.home, match.away), key=lambda key: -scores[key])
                floated |= {high: Float.DOWN, low: Float.UP}
        return floated | {bye.entry: Float.DOWN for bye in self._last.byes if bye.kind is Kind.BYE}

    @cached_property
    def _places(self) -> Mapping[Key, tuple[int, int]]:
        """Each entry's place in its score group, from 0, and half the group, rounded down."""
        groups: defaultdict[Fraction, list[Key]] = defaultdict(list)
        for entry in self.playing:
            groups[self.scores[entry.key]].append(entry.key)
        return {key: (place, len(group) // 2) for group in groups.values() for place, key in enumerate(group)}

    @property
    def is_by_halves(self) -> bool:
        """F13: round 1 always is."""
        return self.system is System.HALVES or self.round == 1

    @cached_property
    def _steps(self) -> int:
        """How many steps a point has, so that all scores are whole numbers of steps."""
        return lcm(*(score.denominator for score in self.scores.values()))

    @cached_property
    def _whole_scores(self) -> Mapping[Key, int]:
        return {key: int(score * self._steps) for key, score in self.scores.items()}

    def _cost_of_bye(self, key: Key) -> Whole:
        floats = int(self.is_by_halves and self._floated.get(key) is Float.DOWN)
        return 0, self._unearned[key], len(self.playing) - self.ranks[key], 0, floats, 0

    def _cost_of_two(self, high: Key, low: Key) -> Whole | None:
        two = frozenset((high, low))
        if two in self.forbidden:
            return None
        difference = self._whole_scores[high] - self._whole_scores[low]
        floats, distance = 0, self.ranks[low] - self.ranks[high]
        if self.is_by_halves and difference:
            floated = self._floated
            floats = (floated.get(high) is Float.DOWN) + (floated.get(low) is Float.UP)
        elif self.is_by_halves:
            place, half = self._places[high]
            distance = self._places[low][0] - place - half
        return self._met.get(two, 0), 0, 0, difference * difference, floats, distance * distance

    def _in_rank(self, meeting: Meeting) -> Meeting:
        key, other = meeting
        return meeting if other is None or self.ranks[key] < self.ranks[other] else (other, key)

    def _cost(self, key: Key, other: Key | None) -> Whole | None:
        """What a table costs, the better rank first; None where it is forbidden."""
        return self._cost_of_bye(key) if other is None else self._cost_of_two(key, other)

    def draw(self) -> SwissDraw:
        """The draw of least cost; by lot where several cost the same (F25).

        Raises ContestError for too few or too many entries, and ImpossibleDrawError where there is no draw (F22).
        """
        if not 2 <= len(self.playing) <= MOST_ENTRIES:
            raise ContestError("too-few", _FEW, most=MOST_ENTRIES, entries=len(self.playing))
        keys = [entry.key for entry in self.playing]
        sits_out = None
        if len(keys) % 2:
            sits_out = self._who_sits_out(keys)
            keys.remove(sits_out)
        out = () if sits_out is None else ((sits_out, None),)
        return self.draw_of((*self._all_meet(keys), *out))

    def draw_with(self, meeting: Meeting) -> SwissDraw:
        """The draw of least cost in which these two meet, or this one sits out: what one asks with *why not?*

        Raises ImpossibleDrawError if it is forbidden, or leaves somebody without an opponent.
        """
        meeting = self._in_rank(meeting)
        if self._cost(*meeting) is None:
            raise ImpossibleDrawError(key for key in meeting if key is not None)
        rest = [entry.key for entry in self.playing if entry.key not in meeting]
        out: tuple[Meeting, ...] = (meeting,)
        if len(rest) % 2:
            sits_out = self._who_sits_out(rest)
            rest.remove(sits_out)
            out = (meeting, (sits_out, None))
        return self.draw_of((*self._all_meet(rest), *out))

    def draw_of(self, meetings: Iterable[Meeting]) -> SwissDraw:
        """These meetings as a draw, with tables numbered and homes given (F26, F27); F33: a director's as well.

        Raises ImpossibleDrawError for a forbidden meeting.
        """
        costs, tables, sits_out = [], [], None
        for key, other in map(self._in_rank, meetings):
            cost = self._cost(key, other)
            if cost is None:
                raise ImpossibleDrawError(k for k in (key, other) if k is not None)
            costs.append(cost)
            if other is None:
                sits_out = key
            else:
                tables.append((key, other))
        tables.sort(key=lambda two: self.ranks[two[0]])
        seated = tuple(self._home_first(*two, table) for table, two in enumerate(tables, start=1))
        repeats, byes, rank, score, floats, places = map(sum, zip(*costs, strict=True))
        whole = Cost(repeats, byes, rank, Fraction(score, self._steps**2), floats, places)
        return SwissDraw(whole, seated, sits_out)

    def _who_sits_out(self, keys: Sequence[Key]) -> Key:
        """The first three figures decide it, since no two have the same rank."""
        return next(key for key, other in self._matched((*keys, None), FIGURES_OF_BYE) if other is None)

    def _all_meet(self, keys: Sequence[Key]) -> list[Meeting]:
        """The least cost for an even number of entries, by lot where several ways cost the same."""
        return self._matched(keys, FIGURES_OF_TABLES, has_lots=True)

    def _matched(
        self, keys: Sequence[Key | None], figures: Sequence[int], *, has_lots: bool = False
    ) -> list[Meeting]:
        """The pairing with the least sum of these figures; keys in draw order, None for the empty seat at the end."""
        meetings: list[tuple[int, int, tuple[int, ...]]] = []
        for (first, key), (second, other) in combinations(enumerate(keys), 2):
            cost = self._cost(key, other) if key is not None else None
            if cost is not None:
                lots = (self._lot(key, other),) if has_lots else ()
                meetings.append((first, second, (*(cost[figure] for figure in figures), *lots)))
        found = cheapest(weighed(meetings, tables=len(keys) // 2), seats=len(keys))
        if 2 * len(found) < len(keys):
            raise ImpossibleDrawError(_without_opponent(keys, meetings, found))
        return [(key, keys[second]) for first, second in found if (key := keys[first]) is not None]

    def _lot(self, key: Key | None, other: Key | None) -> int:
        """F25: three bytes that the seed, the round and the draw numbers decide; nobody has the number 0."""
        low, high = sorted((self._numbers[key], self._numbers[other]))
        return int.from_bytes(sha256(f"{self.seed}:{self.round}:{low}:{high}".encode()).digest()[:3])

    @cached_property
    def _numbers(self) -> Mapping[Key | None, int]:
        return {None: 0, **{entry.key: entry.number for entry in self.entries}}

    @cached_property
    def _at_home(self) -> Mapping[Key, Mapping[int, int]]:
        return _homes(self.rounds)

    def _home_first(self, better: Key, other: Key, table: int) -> tuple[Key, Key]:
        """F27."""
        own, others = self._at_home.get(better, {}), self._at_home.get(other, {})
        difference = sum(own.values()) - sum(others.values())
        for number in range(self.round - 1, 0, -1):
            difference = difference or own.get(number, 0) - others.get(number, 0)
        is_home = difference < 0 if difference else (table + self.round) % 2 == 0
        return (better, other) if is_home else (other, better)


def _without_opponent(
    keys: Sequence[Key | None], meetings: Iterable[tuple[Any, ...]], found: Iterable[tuple[int, int]]
) -> list[Key]:
    """Who may meet nobody at all; else who is without a table, which depends on how the others sit."""
    for pairs in (meetings, found):
        met = {number for first, second, *_cost in pairs for number in (first, second)}
        if alone := [key for number, key in enumerate(keys) if number not in met and key is not None]:
            return alone
    return []


def _homes(rounds: Iterable[SwissRound]) -> Mapping[Key, Mapping[int, int]]:
    """By entry 1 for each round in which it played at home, -1 for away."""
    at_home: defaultdict[Key, dict[int, int]] = defaultdict(dict)
    for played in rounds:
        for match in played.matches:
            if match.is_played:
                at_home[match.home][played.number] = 1
                at_home[match.away][played.number] = -1
    return at_home


def weighed(
    meetings: Sequence[tuple[int, int, tuple[int, ...]]], *, tables: int
) -> list[tuple[int, int, int]]:
    """Meetings with one weight each: a figure more never counts less than all after it, over all tables.

    Raises ContestError where that takes more digits than the matching has.
    """
    columns = zip(*(cost for *_two, cost in meetings), strict=True)
    widths = [(max(column) * tables).bit_length() for column in columns]
    if sum(widths) > _MOST_BITS:
        raise ContestError("too-fine", _TOO_FINE)
    found = []
    for first, second, cost in meetings:
        weight = 0
        for figure, width in zip(cost, widths, strict=True):
            weight = weight << width | figure
        found.append((first, second, weight))
    return found


def cheapest(meetings: list[tuple[int, int, int]], *, seats: int) -> list[tuple[int, int]]:
    """The matching of least weight among the largest ones, each pair in order.

    In a large field the cheapest few meetings of everybody come first. What they cost together is a bound: a meeting
    that alone costs more is in no better matching.
    """
    if len(meetings) > _FEW_ENOUGH * seats:
        chosen, taken = [], [0] * seats
        for meeting in sorted(meetings, key=itemgetter(2)):
            first, second, _weight = meeting
            if min(taken[first], taken[second]) < _FEW_ENOUGH:
                taken[first] += 1
                taken[second] += 1
                chosen.append(meeting)
        found = _matching(chosen, seats)
        if 2 * len(found) == seats:
            weights = {(first, second): weight for first, second, weight in chosen}
            bound = sum(weights[two] for two in found)
            meetings = [meeting for meeting in meetings if meeting[2] <= bound]
    return _matching(meetings, seats)


def _matching(meetings: list[tuple[int, int, int]], seats: int) -> list[tuple[int, int]]:
    # Not at the top: whoever only checks a seal with this package needs nothing but Python.
    rustworkx = import_module("rustworkx")
    dearest = max((weight for *_two, weight in meetings), default=0) + 1
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(seats))
    graph.add_edges_from([(first, second, dearest - weight) for first, second, weight in meetings])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(two), max(two)) for two in found]


# Reading

_PARTS = frozenset(
    ("entries", "forbidden", "rounds", "round", "system", "repeats", "absent", "house", "seed")
)


def answer_as_json(data: object) -> dict[str, object]:
    """What `python -m engine swiss` answers to one object (see above).

    Raises ContestError with all faults as its `causes`.
    """
    try:
        drawn = read_field(data).draw()
    except ImpossibleDrawError as error:
        return {"impossible": True, "left": list(error.left)}
    return {
        "cost": drawn.cost.as_json(),
        "tables": [list(two) for two in drawn.tables],
        "bye": drawn.bye,
    }


def read_field(data: object) -> SwissField:
    """The field that the data describe (see above). Raises ContestError with all faults as its `causes`."""
    faults = Faults()
    fields = Fields(data, (), faults, _PARTS)
    entries = _entries(fields, faults)
    known = {entry.key for entry in entries}
    number = fields.whole("round", 1, least=1)
    rounds = _rounds(fields, known, number, faults)
    forbidden: set[frozenset[Key]] = set()
    for at, item in enumerate(listed(fields.raw("forbidden"), ("forbidden",), faults)):
        two = keys_in(item, known, ("forbidden", at), faults)
        if len(two) == 2:
            forbidden.add(frozenset(two))
        elif isinstance(item, list) and len(item) != 2:
            faults.add("two", _TWO, given=item, place=("forbidden", at))
    absent = keys_in(fields.raw("absent") or [], known, ("absent",), faults)
    house = keys_in([fields.raw("house")] if "house" in fields else [], known, ("house",), faults)
    system, repeats = fields.raw("system"), fields.raw("repeats")
    if system not in (None, *System):
        fields.note("choice", _CHOICE, "system")
    if repeats not in (None, "avoid", "allow"):
        fields.note("choice", _CHOICE, "repeats")
    seed = fields.text("seed")
    faults.refuse()
    return SwissField(
        entries,
        rounds,
        number,
        System(str(system)) if system else System.HALVES,
        repeats == "allow",
        frozenset(forbidden),
        frozenset(absent),
        seed,
        house=house[0] if house else None,
    )


def listed(given: object, place: Place, faults: Faults) -> list[object]:
    """The list that was given; an empty one where none was, which is noted if something else was."""
    if given is None or isinstance(given, list):
        return given or []
    faults.add("list", _LISTED, given=given, place=place)
    return []


def keys_in(
    given: object, known: Container[Key], place: Place, faults: Faults, here: set[Key] | None = None
) -> list[Key]:
    """The entries of a list, each once; `here` are those that were named before it."""
    seen = set() if here is None else here
    found: list[Key] = []
    for number, item in enumerate(listed(given, place, faults)):
        key = key_of(item)
        if key is None or key not in known or key in seen:
            template = _TWICE if key in seen else _NOT_HERE
            faults.add("entry", template, given=item, place=(*place, number), value=quoted(item))
        else:
            seen.add(key)
            found.append(key)
    return found


def _entries(fields: Fields, faults: Faults) -> tuple[SwissEntry, ...]:
    entries: dict[Key, SwissEntry] = {}
    numbers: set[int] = set()
    for at, item in enumerate(listed(fields.raw("entries"), ("entries",), faults)):
        place: Place = ("entries", at)
        read = Fields(item, place, faults, frozenset(("key", "number", "start")))
        start = read.figure("start") if "start" in read else Fraction(0)
        entry = SwissEntry(read.key("key"), read.whole("number", least=1), start)
        if entry.key in entries:
            faults.add("twice", _TWICE, given=entry.key, place=place, value=quoted(entry.key))
        if entry.number in numbers:
            faults.add("twice", _NUMBER_TWICE, given=entry.number, place=place, value=entry.number)
        entries[entry.key] = entry
        numbers.add(entry.number)
    return tuple(entries.values())


def _rounds(fields: Fields, known: set[Key], drawn: int, faults: Faults) -> tuple[SwissRound, ...]:
    rounds: dict[int, SwissRound] = {}
    for at, item in enumerate(listed(fields.raw("rounds"), ("rounds",), faults)):
        place: Place = ("rounds", at)
        read = Fields(item, place, faults, frozenset(("round", "matches", "byes")))
        number = read.whole("round", least=1)
        if number in rounds or number >= drawn:
            template = _ROUND_TWICE if number in rounds else _LATER
            faults.add("round", template, given=number, place=(*place, "round"), value=number)
        here: set[Key] = set()
        matches = tuple(
            _match(each, (*place, "matches", n), known, here, faults)
            for n, each in enumerate(listed(read.raw("matches"), (*place, "matches"), faults))
        )
        byes = tuple(
            _bye(each, (*place, "byes", n), known, here, faults)
            for n, each in enumerate(listed(read.raw("byes"), (*place, "byes"), faults))
        )
        rounds[number] = SwissRound(number, matches, byes)
    return tuple(rounds[number] for number in sorted(rounds))


def _match(item: object, place: Place, known: set[Key], here: set[Key], faults: Faults) -> SwissMatch:
    read = Fields(item, place, faults, frozenset(("home", "away", "points", "kind")))
    home, away = (_entry(read, name, known, here) for name in ("home", "away"))
    if home == away:
        faults.add("self", _SELF, given=home, place=place, value=quoted(home))
    given = read.raw("points")
    points = [exact.parse(each) for each in given] if isinstance(given, list) else []
    if len(points) != 2 or None in points:
        faults.add("points", _POINTS, given=given, place=(*place, "points"))
        points = [Fraction(0), Fraction(0)]
    if read.raw("kind") not in (None, Kind.PLAYED, Kind.WALKOVER):
        read.note("choice", _CHOICE, "kind")
    first, second = (each or Fraction(0) for each in points)
    return SwissMatch(home, away, (first, second), read.raw("kind") != Kind.WALKOVER)


def _bye(item: object, place: Place, known: set[Key], here: set[Key], faults: Faults) -> SatOut:
    read = Fields(item, place, faults, frozenset(("entry", "points", "kind")))
    kind = read.raw("kind")
    if kind not in (None, Kind.BYE, Kind.REQUESTED, Kind.MISSED):
        read.note("choice", _CHOICE, "kind")
        kind = None
    return SatOut(
        _entry(read, "entry", known, here),
        read.figure("points"),
        Kind(str(kind)) if kind else Kind.BYE,
    )


def _entry(read: Fields, name: str, known: set[Key], here: set[Key]) -> Key:
    key = read.key(name)
    if key not in known or key in here:
        read.note("entry", _TWICE if key in here else _NOT_HERE, name)
    here.add(key)
    return key
