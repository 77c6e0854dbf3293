"""The end of a season: who goes up, who goes down, and next season's divisions (shared rules F80 to F90).

::

    {"levels": [{"size": 4, "divisions": {"1": [["A"], ["B", "C"], ["D"]]}, "down": 1},
                {"size": 4, "divisions": {"2": [["E"], ["F"], ["G"], ["H"]]}, "up": 1}],
     "leaving": ["B"], "new": ["X"], "declines": ["E"], "vacancy": "promote",
     "placed": [{"entry": "X", "level": 1, "reason": "won the county's first division"}],
     "playoffs": [{"upper": 1, "winner": "F", "loser": "C"}], "points": [{"entry": "A", "points": "3/2"}]}

Levels come from the top; a division's table is a list of places, each the entries that share it. `size` is how many a
division takes next season, `up` and `down` how many of each division change level. `points` are those a match, by
which equal places of parallel divisions stand in order (F84). Only `levels` is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import islice

from engine.contest.faults import Faults
from engine.contest.json_fields import Fields, key_of
from engine.contest.results import Key, in_order
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

_UNDECIDED = gettext_noop("The season can’t be closed: %(count)s places are not decided.")
_SHAPE = gettext_noop("A pyramid must be an object with its levels, from the top.")
_UNKNOWN = gettext_noop("“%(value)s” isn’t part of a pyramid.")
_LISTED = gettext_noop("This must be a list.")
_NO_LEVELS = gettext_noop("Give at least one level.")
_DIVISIONS = gettext_noop("Give each division by its name, as a list of places.")
_SHARED = gettext_noop("A place must be a list of the entries that share it.")
_TWICE = gettext_noop("“%(value)s” is in the tables twice.")
_NOT_HERE = gettext_noop("“%(value)s” isn’t in any of the tables.")
_IS_HERE = gettext_noop("“%(value)s” is in one of the tables already.")
_NOT_KNOWN = gettext_noop("“%(value)s” is neither in the tables nor new.")
_TOO_MANY = gettext_noop("Division %(division)s has only %(entries)s entries: %(moving)s can’t change level.")
_NO_LEVEL = gettext_noop("There is no level %(value)s.")
_NOT_A_WAY = gettext_noop("Vacancies go to those who were relegated, or “promote” the best below.")
_NOT_AT_BOUNDARY = gettext_noop("“%(value)s” does not play on either side of that boundary.")


class Way(StrEnum):
    """What the end of the season means for an entry (F87)."""

    STAYS = "stays"
    PROMOTED = "promoted"
    RELEGATED = "relegated"
    REPRIEVED = "reprieved"
    INTO_VACANCY = "moved up into a vacancy"
    FOR_ROOM = "moved down for room"
    WITHOUT_ROOM = "promotion without room"
    DECLINED = "declined"
    LEFT = "left"
    NEW = "new"
    PLACED = "placed"


@dataclass(frozen=True, slots=True)
class Level:
    """A level's final tables by the divisions' names, and what happens at its two boundaries."""

    size: int
    divisions: Mapping[str, tuple[tuple[Key, ...], ...]]
    up: int = 0
    down: int = 0


@dataclass(frozen=True, slots=True)
class PlayOff:
    """A match for a place above the boundary below level `upper` (1 is the top); no winner while it is to be played."""

    upper: int
    winner: Key | None
    loser: Key | None


@dataclass(frozen=True, slots=True)
class Undecided:
    """Why the season cannot be closed: these share a place across a boundary, or have a play-off before them.

    A play-off names no division.
    """

    level: int
    division: str
    entries: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class NextSeason:
    """The divisions of each level by name, in the order of the list that filled them (F84); and everybody's way."""

    divisions: tuple[Mapping[str, tuple[Key, ...]], ...]
    ways: Mapping[Key, Way]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an entry ended: its level, counted from 0, and its number in its division's table, from 0."""

    level: int
    number: int
    division: str


@dataclass(frozen=True, slots=True)
class Pyramid:
    """A season that has been played, and what has been said about the next one.

    ``placed`` has the level, from 1, in which a director puts an entry. ``promotes`` is F86's option: the first
    vacancy of a level goes to the best who stayed below, before those who were relegated. ``points`` are those a match.
    """

    levels: tuple[Level, ...]
    leaving: frozenset[Key] = frozenset()
    new: tuple[Key, ...] = ()
    declines: frozenset[Key] = frozenset()
    placed: Mapping[Key, int] | None = None
    playoffs: tuple[PlayOff, ...] = ()
    promotes: bool = False
    points: Mapping[Key, Fraction] | None = None

    def undecided(self) -> tuple[Undecided, ...]:
        """What must be settled first (F82, F83), from the top."""
        found = []
        for number, level in enumerate(self.levels):
            for name in sorted(level.divisions):
                places = level.divisions[name]
                boundaries = self._boundaries(number, sum(map(len, places)))
                first = 0
                for shared in places:
                    if any(first < boundary < first + len(shared) for boundary in boundaries):
                        found.append(Undecided(number + 1, name, tuple(sorted(shared, key=in_order))))
                    first += len(shared)
            found += [
                Undecided(number + 1, "", ())
                for playoff in self.playoffs
                if playoff.upper == number + 1 and playoff.winner is None
            ]
        return tuple(found)

    def close(self) -> NextSeason:
        """Next season's divisions. Raises ContestError while something is undecided."""
        undecided = self.undecided()
        if undecided:
            raise ContestError("season-undecided", _UNDECIDED, count=len(undecided))
        movements = _Movements(self)
        waiting = movements.listed()
        filled: list[tuple[Key, ...]] = []
        for number, level in enumerate(self.levels):
            is_last = number == len(self.levels) - 1
            room = len(waiting) if is_last else level.size * len(level.divisions)
            taken = [entry for due, entry in waiting if due <= number][:room]
            # F87: one level up at most, and nobody who declined.
            lifted = (e for _due, e in waiting if e not in taken and movements.may_be_lifted_to(number, e))
            taken += list(islice(lifted, room - len(taken)))
            waiting = [line for line in waiting if line[1] not in taken]
            filled.append(tuple(taken))
        return NextSeason(
            tuple(_to_and_fro(taken, level) for taken, level in zip(filled, self.levels, strict=True)),
            movements.ways(filled),
        )

    def _boundaries(self, number: int, entries: int) -> tuple[int, ...]:
        """After how many entries of a division's table the places change level."""
        level = self.levels[number]
        above = (level.up,) if number else ()
        below = (entries - level.down,) if number < len(self.levels) - 1 else ()
        return above + below


class _Movements:
    """Who would change level if there were no vacancies."""

    def __init__(self, pyramid: Pyramid) -> None:
        self._pyramid = pyramid
        self._ended: dict[Key, _Place] = {}
        self._up: set[Key] = set()
        self._down: set[Key] = set()
        for number, level in enumerate(pyramid.levels):
            for name, places in level.divisions.items():
                self._read(number, name, [entry for shared in places for entry in shared])
        for playoff in pyramid.playoffs:
            if playoff.winner is not None and self._ended[playoff.winner].level == playoff.upper:
                self._up.add(playoff.winner)
            if playoff.loser is not None and self._ended[playoff.loser].level == playoff.upper - 1:
                self._down.add(playoff.loser)
        self._down -= self._up
        self._declined = self._up & pyramid.declines
        self._up -= self._declined

    def _read(self, level: int, division: str, table: Sequence[Key]) -> None:
        here = self._pyramid.levels[level]
        is_last = level == len(self._pyramid.levels) - 1
        for number, entry in enumerate(table):
            self._ended[entry] = _Place(level, number, division)
            if level and number < here.up:
                self._up.add(entry)
            elif not is_last and number >= len(table) - here.down:
                self._down.add(entry)

    def listed(self) -> list[tuple[int, Key]]:
        """F84: everybody who plays on, with the level they are due in, in the order that fills the divisions."""
        pyramid = self._pyramid
        placed = pyramid.placed or {}
        last = len(pyramid.levels) - 1
        listed: list[tuple[int, Key]] = []
        first_below: list[Key] = []
        for number in range(len(pyramid.levels)):
            stay = [entry for entry in self._of(number, self._stays) if entry not in first_below]
            if not number:
                listed += [(0, entry) for entry, level in placed.items() if level == 1]
            listed += [(number, entry) for entry in (*stay, *self._of(number + 1, self._goes_up))]
            listed += [(number + 1, entry) for entry, level in placed.items() if level == number + 2]
            first_below = self._first_to_be_lifted(number + 1) if pyramid.promotes else []
            listed += [(number + 1, entry) for entry in (*first_below, *self._of(number, self._goes_down))]
        return [*listed, *((last, entry) for entry in pyramid.new if entry not in placed)]

    def _of(self, level: int, moves: Callable[[Key], bool]) -> list[Key]:
        """Those who ended in that level and move so, by place.

        F84: equal places of parallel divisions by points a match, then by the division's name.
        """
        points = self._pyramid.points or {}
        absent = self._pyramid.leaving.union(self._pyramid.placed or {})
        found = [e for e, at in self._ended.items() if at.level == level and e not in absent and moves(e)]

        def rank(entry: Key) -> tuple[int, Fraction, str]:
            at = self._ended[entry]
            return at.number, -points.get(entry, Fraction(0)), at.division

        return sorted(found, key=rank)

    def _goes_up(self, entry: Key) -> bool:
        return entry in self._up

    def _goes_down(self, entry: Key) -> bool:
        return entry in self._down

    def _stays(self, entry: Key) -> bool:
        return entry not in self._up and entry not in self._down

    def _first_to_be_lifted(self, level: int) -> list[Key]:
        willing = (e for e in self._of(level, self._stays) if e not in self._pyramid.declines)
        return list(willing)[:1]

    def may_be_lifted_to(self, level: int, entry: Key) -> bool:
        """Whether a vacancy there may be this entry's: of those relegated from there, and of those who stay below."""
        ended = self._ended.get(entry)
        if ended is None or entry in self._pyramid.declines or entry in (self._pyramid.placed or {}):
            return False
        return ended.level == level or (ended.level == level + 1 and self._stays(entry))

    def ways(self, filled: Sequence[Sequence[Key]]) -> dict[Key, Way]:
        """What became of everybody, whose next level is known now."""
        pyramid = self._pyramid
        now = {entry: number for number, taken in enumerate(filled) for entry in taken}
        everybody = dict.fromkeys((*self._ended, *pyramid.new, *(pyramid.placed or ())))
        return {entry: self._way(entry, now.get(entry)) for entry in everybody}

    def _way(self, entry: Key, now: int | None) -> Way:
        if now is None:
            return Way.LEFT
        if entry in (self._pyramid.placed or {}):
            return Way.PLACED
        ended = self._ended.get(entry)
        if ended is None:
            return Way.NEW
        if now < ended.level:
            return Way.PROMOTED if entry in self._up else Way.INTO_VACANCY
        if now > ended.level:
            return Way.RELEGATED if entry in self._down else Way.FOR_ROOM
        if entry in self._up:
            return Way.WITHOUT_ROOM
        if entry in self._down:
            return Way.REPRIEVED
        return Way.DECLINED if entry in self._declined else Way.STAYS


def _to_and_fro(entries: Iterable[Key], level: Level) -> dict[str, tuple[Key, ...]]:
    """F88: A B, B A, A B."""
    names = sorted(level.divisions)
    filled: dict[str, list[Key]] = {name: [] for name in names}
    for number, entry in enumerate(entries):
        turn, step = divmod(number, len(names))
        filled[names[-1 - step if turn % 2 else step]].append(entry)
    return {name: tuple(filled[name]) for name in names}


# Reading

_PARTS = frozenset(("levels", "leaving", "new", "declines", "placed", "playoffs", "vacancy", "points"))


def read_pyramid(data: object) -> Pyramid:
    """The pyramid that the data describe (see above). Raises ContestError with all faults as its `causes`."""
    if not isinstance(data, Mapping):
        raise ContestError("pyramid-shape", _SHAPE, given=data)
    faults = Faults()
    for part in data:
        if part not in _PARTS:
            faults.add("unknown-field", _UNKNOWN, place=(str(part),), value=quoted(part))
    vacancy = data.get("vacancy")
    if vacancy not in (None, "relegated", "promote"):
        faults.add("vacancy", _NOT_A_WAY, given=vacancy, place=("vacancy",))
    levels = tuple(_level(item, number, faults) for number, item in enumerate(_list(data, "levels", faults)))
    if not levels:
        faults.add("levels", _NO_LEVELS, given=data.get("levels"), place=("levels",))
    keys = {
        part: _keys(_list(data, part, faults), (part,), faults) for part in ("leaving", "new", "declines")
    }
    pyramid = Pyramid(
        levels=levels,
        leaving=frozenset(keys["leaving"]),
        new=tuple(keys["new"]),
        declines=frozenset(keys["declines"]),
        placed=dict(
            _placed(item, number, faults) for number, item in enumerate(_list(data, "placed", faults))
        ),
        playoffs=tuple(
            _playoff(item, number, faults) for number, item in enumerate(_list(data, "playoffs", faults))
        ),
        promotes=vacancy == "promote",
        points=dict(
            _points(item, number, faults) for number, item in enumerate(_list(data, "points", faults))
        ),
    )
    _check(pyramid, faults)
    faults.refuse()
    return pyramid


def _list(data: Mapping[str, object], part: str, faults: Faults) -> list[object]:
    items = data.get(part, [])
    if isinstance(items, list):
        return items
    faults.add("list", _LISTED, given=items, place=(part,))
    return []


def _keys(items: Iterable[object], place: Place, faults: Faults) -> list[Key]:
    keys = []
    for number, item in enumerate(items):
        key = key_of(item)
        if key is None:
            faults.add("key", _NOT_HERE, given=item, place=(*place, number), value=quoted(item))
        else:
            keys.append(key)
    return keys


def _level(item: object, number: int, faults: Faults) -> Level:
    place: Place = ("levels", number)
    fields = Fields(item, place, faults, frozenset(("size", "divisions", "up", "down")))
    given = fields.raw("divisions")
    if (
        not isinstance(given, Mapping)
        or not given
        or not all(isinstance(each, list) for each in given.values())
    ):
        faults.add("divisions", _DIVISIONS, given=given, place=(*place, "divisions"))
        given = {}
    divisions = {
        str(name): _table(places, (*place, "divisions", str(name)), faults) for name, places in given.items()
    }
    return Level(
        fields.whole("size", least=1), divisions, up=fields.whole("up", 0), down=fields.whole("down", 0)
    )


def _table(places: Iterable[object], place: Place, faults: Faults) -> tuple[tuple[Key, ...], ...]:
    table = []
    for number, shared in enumerate(places):
        if isinstance(shared, list) and shared:
            table.append(tuple(_keys(shared, (*place, number), faults)))
        else:
            faults.add("place", _SHARED, given=shared, place=(*place, number))
    return tuple(table)


def _placed(item: object, number: int, faults: Faults) -> tuple[Key, int]:
    fields = Fields(item, ("placed", number), faults, frozenset(("entry", "level", "reason")))
    fields.text("reason")
    return fields.key("entry"), fields.whole("level", least=1)


def _playoff(item: object, number: int, faults: Faults) -> PlayOff:
    fields = Fields(item, ("playoffs", number), faults, frozenset(("upper", "winner", "loser")))
    winner, loser = (None if fields.raw(name) is None else fields.key(name) for name in ("winner", "loser"))
    return PlayOff(fields.whole("upper", least=1), winner, loser)


def _points(item: object, number: int, faults: Faults) -> tuple[Key, Fraction]:
    fields = Fields(item, ("points", number), faults, frozenset(("entry", "points")))
    return fields.key("entry"), fields.figure("points")


def _check(pyramid: Pyramid, faults: Faults) -> None:
    """What only the whole shows: everybody is in one table, once, and every statement is about one of them."""
    ended: dict[Key, int] = {}
    for number, level in enumerate(pyramid.levels):
        for name, places in level.divisions.items():
            place: Place = ("levels", number, "divisions", name)
            entries = [entry for shared in places for entry in shared]
            for entry in entries:
                if entry in ended:
                    faults.add("twice", _TWICE, given=entry, place=place, value=quoted(entry))
                ended[entry] = number
            if max(level.up, level.down) > len(entries):
                template, moving = _TOO_MANY, max(level.up, level.down)
                faults.add(
                    "moving", template, place=place, division=name, entries=len(entries), moving=moving
                )
    about = {
        "leaving": pyramid.leaving,
        "declines": pyramid.declines,
        "points": frozenset(pyramid.points or ()),
    }
    for part, said in about.items():
        for entry in sorted(said.difference(ended), key=in_order):
            faults.add("entry", _NOT_HERE, given=entry, place=(part,), value=quoted(entry))
    for entry in ended.keys() & set(pyramid.new):
        faults.add("new", _IS_HERE, given=entry, place=("new",), value=quoted(entry))
    for entry in (pyramid.placed or {}).keys() - ended.keys() - set(pyramid.new):
        faults.add("placed", _NOT_KNOWN, given=entry, place=("placed",), value=quoted(entry))
    _check_levels(pyramid, ended, faults)


def _check_levels(pyramid: Pyramid, ended: Mapping[Key, int], faults: Faults) -> None:
    said = [("placed", level) for level in (pyramid.placed or {}).values()]
    said += [("playoffs", playoff.upper + 1) for playoff in pyramid.playoffs]
    for part, level in said:
        if level > len(pyramid.levels):
            faults.add("level", _NO_LEVEL, given=level, place=(part,), value=level)
    for playoff in pyramid.playoffs:
        for entry in (playoff.winner, playoff.loser):
            if entry is not None and ended.get(entry) not in (playoff.upper - 1, playoff.upper):
                faults.add("playoff", _NOT_AT_BOUNDARY, given=entry, place=("playoffs",), value=quoted(entry))
