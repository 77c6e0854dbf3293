"""Reading a whole season from JSON, with every fault at once: what `python -m engine standings` takes.

::

    {"entries": ["A", "B", {"key": "C", "seed": 3, "first_round": 2}],
     "results": [{"round": 1, "home": "A", "away": "B", "home_score": 60, "away_score": 40},
                 {"round": 2, "home": "B", "away": "C", "kind": "walkover_home", "fixture": 17}],
     "points": {"win": 2, "draw": 1, "loss": 0},
     "tie_breaks": ["league_points", "head_to_head"],
     "adjustments": [{"entry": "A", "points": "-1/2", "reason": "late sheet", "round": 2}],
     "byes": [{"entry": "C", "round": 1}],
     "draw_of_lots": [["B", "A"]],
     "withdrawals": [{"entry": "C", "reason": "moved away"}]}

The result of a match of any number of sides names them in order::

    {"round": 1, "sides": [{"entry": "A", "score": 60}, {"entry": "B", "score": 40, "rank": 2},
                           {"entry": "C", "ending": "lost_by_walkover"}]}

Only `entries` is needed. Entries without a seed are seeded as they are listed. A result without a kind was
played if it has a score, and is unplayed otherwise; one without a fixture is named by its number in the list. The
same goes for a side without an ending. Ranks follow from the scores, unless all who played have one; with
`"lower_is_better": true` in the season the lowest score is the best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from engine.contest.faults import Faults
from engine.contest.json_fields import LARGEST, Fields, key_of
from engine.contest.points.parsing import read_scheme
from engine.contest.points.scheme import HeadToHead, PointsScheme
from engine.contest.results import (
    ENDINGS_OF_TWO,
    Adjustment,
    Bye,
    DrawOfLots,
    Ending,
    Entry,
    Key,
    ResultLine,
    Withdrawal,
)
from engine.contest.standings.ranking import read_tie_breaks
from engine.contest.standings.standings import history, standings
from engine.contest.standings.table import Table
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

Thing = TypeVar("Thing")
ReadItem = Callable[[object, int, Faults], Thing]

_PARTS = frozenset(
    (
        "entries",
        "results",
        "points",
        "tie_breaks",
        "adjustments",
        "byes",
        "draw_of_lots",
        "withdrawals",
        "lower_is_better",
    )
)
_SHAPE = gettext_noop("A season must be an object with fields such as entries and results.")
_UNKNOWN = gettext_noop("“%(value)s” isn’t part of a season.")
_NOT_A_LIST = gettext_noop("“%(part)s” must be a list.")
_NOT_A_KIND = gettext_noop("“%(value)s” isn’t a kind of result. Choose from: %(known)s.")
_NOT_YES_OR_NO = gettext_noop("This must be true or false.")
_SIDES_SHAPE = gettext_noop("The sides of a match must be a list of two to %(most)s.")
_NOT_AN_ENDING = gettext_noop("“%(value)s” is not a way for a match to end. Choose from: %(known)s.")
_SOME_RANKS = gettext_noop("Give the rank of every side that played, or of none.")
_NOT_LOTS = gettext_noop("A draw of lots must be a list of entries, in the order drawn.")


@dataclass(frozen=True, slots=True)
class Season:
    """All that a table is made of."""

    entries: tuple[Entry, ...]
    results: tuple[ResultLine, ...]
    scheme: PointsScheme
    tie_breaks: tuple[str, ...]
    adjustments: tuple[Adjustment, ...]
    byes: tuple[Bye, ...]
    draws: tuple[DrawOfLots, ...]
    withdrawals: tuple[Withdrawal, ...]

    def table(self) -> Table:
        """The table of all results."""
        return self._made_by(standings)

    def history(self) -> tuple[Table, ...]:
        """The table after each round."""
        return self._made_by(history)

    def _made_by(self, make: Callable[..., Thing]) -> Thing:
        return make(
            self.entries,
            self.results,
            self.scheme,
            self.tie_breaks,
            adjustments=self.adjustments,
            byes=self.byes,
            draw_of_lots=self.draws,
            withdrawals=self.withdrawals,
        )


def read_season(data: object) -> Season:
    """The season that the data describe; raises ContestError with all faults as its `causes`."""
    if not isinstance(data, Mapping):
        raise ContestError("season-shape", _SHAPE, given=data)
    faults = Faults()
    for part in data:
        if part not in _PARTS:
            faults.add("unknown-field", _UNKNOWN, place=(str(part),), value=quoted(part))
    lower_is_better = data.get("lower_is_better", False)
    if not isinstance(lower_is_better, bool):
        faults.add("yes-or-no", _NOT_YES_OR_NO, given=lower_is_better, place=("lower_is_better",))
    results = _listed(data, "results", _result, faults)
    season = Season(
        entries=_listed(data, "entries", _entry, faults),
        results=tuple(_scored(line, lower_is_better=lower_is_better is True) for line in results),
        scheme=_part(data, "points", read_scheme, faults) or HeadToHead.plain(),
        tie_breaks=tuple(metric.key for metric in _part(data, "tie_breaks", read_tie_breaks, faults) or ()),
        adjustments=_listed(data, "adjustments", _adjustment, faults),
        byes=_listed(data, "byes", _bye, faults),
        draws=_listed(data, "draw_of_lots", _lots, faults),
        withdrawals=_listed(data, "withdrawals", _withdrawal, faults),
    )
    faults.refuse()
    return season


def _part(
    data: Mapping[str, object], part: str, read: Callable[[object], Thing], faults: Faults
) -> Thing | None:
    """What another reader makes of a part; None when it is missing or refused."""
    if part not in data:
        return None
    try:
        return read(data[part])
    except ContestError as refused:
        faults.extend(refused, place=(part,))
        return None


def _listed(
    data: Mapping[str, object], part: str, read: ReadItem[Thing], faults: Faults
) -> tuple[Thing, ...]:
    items = data.get(part, [])
    if not isinstance(items, list):
        faults.add("list", _NOT_A_LIST, given=items, place=(part,), part=part)
        return ()
    return tuple(read(item, number, faults) for number, item in enumerate(items))


def _entry(item: object, number: int, faults: Faults) -> Entry:
    key = key_of(item)
    if key is not None:
        return Entry(key, seed=number + 1)
    fields = Fields(item, ("entries", number), faults, frozenset(("key", "seed", "first_round")))
    return Entry(
        fields.key("key"),
        seed=fields.whole("seed", number + 1),
        first_round=fields.whole("first_round", 1, least=1),
    )


MOST_SIDES = 40


@dataclass(frozen=True, slots=True)
class _Given:
    """A side as it was given: it has its rank once all scores are known."""

    entry: Key
    ending: Ending
    score: int
    rank: int | None


@dataclass(frozen=True, slots=True)
class _GivenLine:
    fixture: Key
    round: int
    sides: tuple[_Given, ...]


def _scored(line: _GivenLine, *, lower_is_better: bool) -> ResultLine:
    given = ((side.entry, side.ending, side.score) for side in line.sides)
    scored = ResultLine.of(line.fixture, line.round, given, lower_is_better=lower_is_better)
    if not all(side.rank for side in line.sides if side.ending is Ending.PLAYED):
        return scored
    by_rank = zip(scored.sides, (side.rank or 0 for side in line.sides), strict=True)
    return replace(
        scored,
        sides=tuple(replace(side, rank=rank) if side.rank else side for side, rank in by_rank),
    )


def _result(item: object, number: int, faults: Faults) -> _GivenLine:
    place: Place = ("results", number)
    if isinstance(item, Mapping) and "sides" in item:
        fields = Fields(item, place, faults, frozenset(("fixture", "round", "sides")))
        sides = _sides(fields.raw("sides"), (*place, "sides"), faults)
    else:
        known = frozenset(("fixture", "round", "home", "away", "kind", "home_score", "away_score"))
        fields = Fields(item, place, faults, known)
        sides = _two_sides(fields)
    return _GivenLine(fields.key("fixture", number + 1), fields.whole("round", least=1), sides)


def _two_sides(fields: Fields) -> tuple[_Given, ...]:
    home_score = fields.whole("home_score", 0 if "away_score" not in fields else None, least=-LARGEST)
    away_score = fields.whole("away_score", 0 if "home_score" not in fields else None, least=-LARGEST)
    home, away = ENDINGS_OF_TWO[_kind(fields)]
    return (
        _Given(fields.key("home"), home, home_score, None),
        _Given(fields.key("away"), away, away_score, None),
    )


def _kind(fields: Fields) -> str:
    given = fields.raw("kind")
    if given is None:
        return "played" if "home_score" in fields or "away_score" in fields else "unplayed"
    if isinstance(given, str) and given in ENDINGS_OF_TWO:
        return given
    fields.note("kind", _NOT_A_KIND, "kind", known=", ".join(ENDINGS_OF_TWO))
    return "unplayed"


def _sides(given: object, place: Place, faults: Faults) -> tuple[_Given, ...]:
    if not isinstance(given, list) or not 2 <= len(given) <= MOST_SIDES:
        faults.add("sides-shape", _SIDES_SHAPE, given=given, place=place, most=MOST_SIDES)
        return ()
    sides = tuple(_side(item, (*place, number), faults) for number, item in enumerate(given))
    if len({side.rank is None for side in sides if side.ending is Ending.PLAYED}) > 1:
        faults.add("ranks", _SOME_RANKS, place=place)
    return sides


def _side(item: object, place: Place, faults: Faults) -> _Given:
    fields = Fields(item, place, faults, frozenset(("entry", "ending", "score", "rank")))
    ending = Ending.PLAYED if "score" in fields else Ending.OPEN
    if "ending" in fields:
        told = fields.raw("ending")
        if isinstance(told, str) and told in set(Ending):
            ending = Ending(told)
        else:
            fields.note("ending", _NOT_AN_ENDING, "ending", known=", ".join(Ending))
    rank = fields.whole("rank", least=1) if "rank" in fields else None
    return _Given(fields.key("entry"), ending, fields.whole("score", 0, least=-LARGEST), rank)


def _adjustment(item: object, number: int, faults: Faults) -> Adjustment:
    known = frozenset(("entry", "points", "reason", "round"))
    fields = Fields(item, ("adjustments", number), faults, known)
    return Adjustment(
        fields.key("entry"), fields.figure("points"), fields.text("reason"), fields.whole("round", 0)
    )


def _bye(item: object, number: int, faults: Faults) -> Bye:
    fields = Fields(item, ("byes", number), faults, frozenset(("entry", "round")))
    return Bye(fields.key("entry"), fields.whole("round", least=1))


def _withdrawal(item: object, number: int, faults: Faults) -> Withdrawal:
    fields = Fields(item, ("withdrawals", number), faults, frozenset(("entry", "reason")))
    return Withdrawal(fields.key("entry"), fields.text("reason"))


def _lots(item: object, number: int, faults: Faults) -> DrawOfLots:
    keys = [key_of(key) for key in item] if isinstance(item, list) else [None]
    order = tuple(key for key in keys if key is not None)
    if len(order) != len(keys):
        faults.add("lots", _NOT_LOTS, given=item, place=("draw_of_lots", number))
    return DrawOfLots(order)
