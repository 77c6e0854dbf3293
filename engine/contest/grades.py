"""Grades: what somebody would make with a partner of the same grade against an average field (rules F130 to F143).

::

    {"sessions": [{"order": 0, "day": 7, "kind": "field",
                   "pairs": [{"players": ["A", "B"], "boards": 18, "percent": "57.79"}, ...]},
                  {"order": 1, "day": 14, "kind": "match", "boards": 8, "margin": -206,
                   "sides": [["A", "C"], ["B", "D"]]},
                  {"order": 2, "day": 14, "kind": "teams", "boards": 16, "imps": 38,
                   "sides": [["A", "B", "C", "D"], ["E", "F", "G", "H"]]}],
     "starts": {"A": {"grade": "56", "spread": "4"}}, "today": 29}

A grade is a belief: a number and its spread. These are the only figures of a contest that are decimal numbers; sums
are rounded once (`math.fsum`), so that the order in which players are named changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import fsum, sqrt
from typing import TypeAlias, TypeVar

from engine.contest import exact
from engine.contest.faults import Faults
from engine.contest.json_fields import LARGEST, Fields
from engine.contest.results import Key
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

#: F143: the constants are a first choice; if you change one, give them another version and compute all grades again.
VERSION = 1
NOISE_OF_BOARD = 900.0
NOISE_OF_TEAM_BOARD = 300.0
PERCENT_AN_IMP = 2.5
PERCENT_A_POINT = 1.0
PERCENT_AN_IMP_IN_FIELD = 5
GROWTH_A_DAY = 0.01
LARGEST_VARIANCE = 36.0
AVERAGE = 50.0
LARGEST_MARGIN = 50.0

#: F131: a pair is compared on at least so many boards, a field has at least so many such pairs.
FEWEST_BOARDS = 4
FEWEST_PAIRS = 3
#: F139: above this spread a grade is provisional.
PROVISIONAL_SPREAD = 4.0

_SHAPE = gettext_noop("Grades are computed from an object with sessions, in a list, and today.")
_LISTED = gettext_noop("This must be a list.")
_KIND = gettext_noop("Grades can’t be computed from “%(value)s”. Choose field, match or teams.")
_PLAYERS = gettext_noop("Give the players of this side by name, each once.")
_SIDES = gettext_noop("Give two sides with %(players)s players each.")
_TWICE = gettext_noop("“%(value)s” plays twice in this session.")
_ORDER = gettext_noop("Two sessions have the number %(value)s.")
_PERCENT = gettext_noop("“%(value)s” isn’t a percentage from 0 to 100.")
_MARGIN = gettext_noop("“%(value)s” isn’t a whole number of points.")
_START = gettext_noop("“%(value)s” isn’t a starting grade. Write a percentage, and a spread from 0 to 6.")
_YES_OR_NO = gettext_noop("This must be true or false.")


Named = TypeVar("Named", bound=Key)


@dataclass(frozen=True, slots=True)
class Grade:
    """F130: a belief about a player, the day it was formed, and how many boards went into it."""

    mean: float = AVERAGE
    variance: float = LARGEST_VARIANCE
    day: int = 0
    boards: int = 0

    @property
    def spread(self) -> float:
        """The square root of the variance, in percent."""
        return sqrt(self.variance)

    @property
    def is_provisional(self) -> bool:
        """F139: too uncertain to be listed among the others."""
        return self.spread > PROVISIONAL_SPREAD

    def on(self, day: int) -> Grade:
        """F137: the belief of a later day, which is less certain."""
        grown = min(LARGEST_VARIANCE, self.variance + GROWTH_A_DAY * (day - self.day))
        return replace(self, variance=max(self.variance, grown), day=day)


@dataclass(frozen=True, slots=True)
class FieldPair:
    """A pair in a field: its players, how many boards of it were compared, and the percentage it made."""

    players: tuple[Key, ...]
    boards: int
    percent: float
    is_unrated: bool = False

    @property
    def is_rated(self) -> bool:
        """F131: enough boards, and nobody without a grade among them."""
        return not self.is_unrated and self.boards >= FEWEST_BOARDS


@dataclass(frozen=True, slots=True)
class Field:
    """F133: an evening or a duplicate round."""

    pairs: tuple[FieldPair, ...]

    def surprises(self, grades: Mapping[Key, Grade]) -> list[Surprise]:
        """What each pair made beyond what was expected; nothing where too few can be rated."""
        rated = [pair for pair in self.pairs if pair.is_rated]
        if len(rated) < FEWEST_PAIRS:
            return []
        means = [_mean([grades[player].mean for player in pair.players]) for pair in rated]
        level, made = _mean(means), _mean([pair.percent for pair in rated])
        found = []
        for pair, mean in zip(rated, means, strict=True):
            expected = AVERAGE + mean - level
            surprise = pair.percent - made + AVERAGE - expected
            noise = NOISE_OF_BOARD / pair.boards
            found.append(Surprise((pair.players,), expected, surprise, noise, pair.boards))
        return found


@dataclass(frozen=True, slots=True)
class Match:
    """F134, F135: two sides, or two teams. ``made`` is what the first made above the second, in percent."""

    sides: tuple[tuple[Key, ...], tuple[Key, ...]]
    boards: int
    made: float
    noise_of_board: float = NOISE_OF_BOARD

    def surprises(self, grades: Mapping[Key, Grade]) -> list[Surprise]:
        """What the first side made beyond what was expected."""
        first, second = (_mean([grades[player].mean for player in side]) for side in self.sides)
        made = max(-LARGEST_MARGIN, min(LARGEST_MARGIN, self.made))
        noise = self.noise_of_board / self.boards
        return [Surprise(self.sides, first - second, made - (first - second), noise, self.boards)]


@dataclass(frozen=True, slots=True)
class Surprise:
    """What was expected of the first of these sides and how much more it made; the other side's has the other sign."""

    sides: tuple[tuple[Key, ...], ...]
    expected: float
    surprise: float
    noise: float
    boards: int


@dataclass(frozen=True, slots=True)
class Session:
    """Something that was played on a day; sessions of one day are rated by their number (F138)."""

    order: int
    day: int
    played: Field | Match


@dataclass(frozen=True, slots=True)
class Moved:
    """F141: what was expected of a player's side, how much more it made, which share of that was the player's, and the
    grade then."""

    expected: float
    share: float
    grade: float
    surprise: float = 0.0


Log: TypeAlias = list[tuple[int, dict[Key, Moved]]]


@dataclass
class Grades:
    """Everybody's grade after the sessions rated so far. A copy is a place to go on from after a correction."""

    beliefs: dict[Key, Grade] = field(default_factory=dict)

    def copy(self) -> Grades:
        """The same grades, to go on from."""
        return Grades(dict(self.beliefs))

    def rate(self, session: Session) -> dict[Key, Moved]:
        """F136: move all players of the session at once, from the grades before it. Empty if it is not rated."""
        played = session.played
        sides = [pair.players for pair in played.pairs] if isinstance(played, Field) else played.sides
        before = {
            player: self.beliefs.get(player, Grade(day=session.day)).on(session.day)
            for side in sides
            for player in side
        }
        moved: dict[Key, Moved] = {}
        for found in played.surprises(before):
            spread = fsum(before[p].variance / len(side) ** 2 for side in found.sides for p in side)
            whole = found.noise + spread
            for sign, side in zip((1, -1), found.sides, strict=False):
                for player in side:
                    grade = before[player]
                    part = grade.variance / len(side)
                    mean = grade.mean + sign * part / whole * found.surprise
                    self.beliefs[player] = Grade(
                        mean, grade.variance - part**2 / whole, session.day, grade.boards + found.boards
                    )
                    moved[player] = Moved(sign * found.expected, part / whole, mean, sign * found.surprise)
        return moved


def rate_all(sessions: Iterable[Session], starts: Mapping[Key, Grade] | None = None) -> tuple[Log, Grades]:
    """What every session moved, in the order of F138, and everybody's grade after the last of them."""
    grades = Grades(dict(starts or {}))
    log: Log = []
    for session in sorted(sessions, key=lambda session: (session.day, session.order)):
        moved = grades.rate(session)
        if moved:
            log.append((session.order, moved))
    return log, grades


def _mean(figures: Sequence[float]) -> float:
    return fsum(figures) / len(figures)


# Reading


@dataclass(frozen=True, slots=True)
class History:
    """Sessions, the grades that a director stated, and the day of which the grades are asked."""

    sessions: tuple[Session, ...]
    starts: Mapping[Key, Grade]
    today: int

    def as_json(self) -> dict[str, object]:
        """The log and the grades, to six decimals."""
        log, grades = rate_all(self.sessions, self.starts)
        return {
            "log": [
                {
                    "order": order,
                    "players": {
                        str(player): [_stored(each.expected), _stored(each.share), _stored(each.grade)]
                        for player, each in moved.items()
                    },
                }
                for order, moved in log
            ],
            "grades": {
                str(player): {
                    "grade": _stored(grade.mean),
                    "spread": _stored(grade.spread),
                    "boards": grade.boards,
                    "provisional": grade.is_provisional,
                }
                for player, grade in ((p, g.on(max(self.today, g.day))) for p, g in grades.beliefs.items())
            },
        }


def _stored(figure: float) -> float:
    return round(figure, 6)


_PARTS = frozenset(("sessions", "starts", "today"))
_SESSION = frozenset(("order", "day", "kind"))
_OF_KIND = {
    "field": frozenset(("pairs",)),
    "match": frozenset(("boards", "sides", "margin")),
    "teams": frozenset(("boards", "sides", "imps")),
}


def read_history(data: object) -> History:
    """The sessions that the data describe (see above). Raises ContestError with all faults as its `causes`."""
    if not isinstance(data, Mapping):
        raise ContestError("grades", _SHAPE, given=data)
    faults = Faults()
    fields = Fields(data, (), faults, _PARTS)
    today = fields.whole("today")
    items = _list(fields.raw("sessions"), ("sessions",), faults)
    sessions = [
        read for number, item in enumerate(items) if (read := _session(item, ("sessions", number), faults))
    ]
    seen: set[int] = set()
    for session in sessions:
        if session.order in seen:
            faults.add("order", _ORDER, given=session.order, place=("sessions",), value=session.order)
        seen.add(session.order)
    starts = data.get("starts", {})
    if not isinstance(starts, Mapping):
        faults.add("starts", _SHAPE, given=starts, place=("starts",))
        starts = {}
    stated: dict[Key, Grade] = {
        str(player): _start(item, ("starts", str(player)), faults) for player, item in starts.items()
    }
    faults.refuse()
    return History(tuple(sessions), stated, today)


def _list(given: object, place: Place, faults: Faults) -> list[object]:
    if isinstance(given, list):
        return given
    faults.add("list", _LISTED, given=given, place=place)
    return []


def _start(item: object, place: Place, faults: Faults) -> Grade:
    fields = Fields(item, place, faults, frozenset(("grade", "spread")))
    grade, spread = (
        exact.parse(usual if fields.raw(name) is None else fields.raw(name))
        for name, usual in (("grade", int(AVERAGE)), ("spread", int(sqrt(LARGEST_VARIANCE))))
    )
    if grade is None or spread is None or not 0 <= grade <= 100 or not 0 < spread**2 <= LARGEST_VARIANCE:
        faults.add("start", _START, given=item, place=place, value=quoted(item))
        return Grade()
    return Grade(float(grade), float(spread) ** 2)


def _session(item: object, place: Place, faults: Faults) -> Session | None:
    kind = item.get("kind") if isinstance(item, Mapping) else None
    if not isinstance(kind, str) or kind not in _OF_KIND:
        faults.add("kind", _KIND, given=kind, place=(*place, "kind"), value=quoted(kind))
        return None
    fields = Fields(item, place, faults, _SESSION | _OF_KIND[kind])
    order, day = fields.whole("order"), fields.whole("day")
    played: Field | Match
    if kind == "field":
        pairs = _list(fields.raw("pairs"), (*place, "pairs"), faults)
        played = Field(
            tuple(_pair(pair, (*place, "pairs", number), faults) for number, pair in enumerate(pairs))
        )
        sides = [pair.players for pair in played.pairs]
    else:
        played = _match(fields, kind, place, faults)
        sides = list(played.sides)
    seen: set[Key] = set()
    for player in (player for side in sides for player in side):
        if player in seen:
            faults.add("twice", _TWICE, given=player, place=place, value=quoted(player))
        seen.add(player)
    return Session(order, day, played)


def _pair(item: object, place: Place, faults: Faults) -> FieldPair:
    fields = Fields(item, place, faults, frozenset(("players", "boards", "percent", "unrated")))
    percent = exact.parse(fields.raw("percent"))
    if percent is None or not 0 <= percent <= 100:
        fields.note("percent", _PERCENT, "percent")
    if fields.raw("unrated") not in (None, True, False):
        fields.note("unrated", _YES_OR_NO, "unrated")
    return FieldPair(
        players=_players(fields.raw("players"), (*place, "players"), faults),
        boards=fields.whole("boards"),
        percent=float(percent or 0),
        is_unrated=fields.raw("unrated") is True,
    )


def _match(fields: Fields, kind: str, place: Place, faults: Faults) -> Match:
    boards = fields.whole("boards", least=1)
    of_side = 4 if kind == "teams" else 2
    given = fields.raw("sides")
    sides = [
        _players(side, (*place, "sides", number), faults)
        for number, side in enumerate(given if isinstance(given, list) else [])
    ]
    if len(sides) != 2 or any(len(side) != of_side for side in sides):
        faults.add("sides", _SIDES, given=given, place=(*place, "sides"), players=of_side)
        sides = [(), ()]
    name = "imps" if kind == "teams" else "margin"
    margin = fields.raw(name)
    if not isinstance(margin, int) or isinstance(margin, bool) or abs(margin) > LARGEST:
        fields.note("margin", _MARGIN, name)
        margin = 0
    each, noise = (
        (PERCENT_AN_IMP, NOISE_OF_TEAM_BOARD) if kind == "teams" else (PERCENT_A_POINT, NOISE_OF_BOARD)
    )
    return Match((sides[0], sides[1]), boards, each * margin / boards, noise)


def _players(given: object, place: Place, faults: Faults) -> tuple[Key, ...]:
    players = given if isinstance(given, list) else []
    if not players or not all(isinstance(player, str) and 0 < len(player) <= 300 for player in players):
        faults.add("players", _PLAYERS, given=given, place=place)
        return ()
    return tuple(players)


def handicaps_in_field(means: Mapping[Named, Fraction], share: Fraction) -> dict[Named, Fraction]:
    """F150: the percentage that is added to each, a share of what it is expected to make less than the strongest."""
    best = max(means.values(), default=Fraction(0))
    return {key: share * (best - mean) for key, mean in means.items()}


def handicaps_in_match(one: Fraction, other: Fraction, share: Fraction) -> tuple[int, int]:
    """F150: the whole points a deal that two sides are given, 0 for the stronger. A half is rounded up."""
    points = (share * abs(one - other) / Fraction(PERCENT_A_POINT) * 2 + 1) // 2
    return (int(points), 0) if one < other else (0, int(points))
