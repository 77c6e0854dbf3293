"""Reading a board's results from JSON, with every fault at once: what `python -m engine compare` takes.

::

    {"method": "matchpoints",
     "scores": [52, "-3/2", {"key": "table 3", "score": 14, "group": "fouled"},
                {"key": "table 4", "weighted": [[30, "2/3"], [-4, "1/3"]]}, {"percent": 60}, null],
     "expected": 8}

Only `scores` is needed: all of one side's. A score without a key is named by its number in the list, from 1; null
was not played and takes no part. With IMPs, `scale` says what a point counts on their scale (10 unless given) and
`trimmed` how many scores Butler leaves out at each end (1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.contest import exact
from engine.contest.comparison.comparison import (
    Figure,
    Method,
    Result,
    Rules,
    compare,
)
from engine.contest.comparison.field import Score, WeightedPoints
from engine.contest.comparison.imps import USUAL_SCALE
from engine.contest.faults import Faults
from engine.contest.json_fields import Fields
from engine.errors import ContestError, Place, quoted
from engine.text import gettext_noop

MOST_RESULTS = 20_000
MOST_PARTS = 20

_PARTS = frozenset(("method", "scores", "expected", "scale", "trimmed"))
_RESULT = frozenset(("key", "score", "weighted", "percent", "group"))
_NOT_A_METHOD = gettext_noop("“%(value)s” isn’t a way to compare boards. Choose from: %(known)s.")
_NOT_A_LIST = gettext_noop("The scores must be a list of at most %(most)s.")
_NOT_A_SCORE = gettext_noop("“%(value)s” isn’t a score. Write a number of points such as 52, -3 or “1/2”.")
_ONE_OF = gettext_noop("A result must have one of score, weighted and percent.")
_NOT_PARTS = gettext_noop("A weighted score must be a list of [points, weight], at most %(most)s.")
_NOT_A_PERCENTAGE = gettext_noop("“%(value)s” isn’t a percentage from 0 to 100.")
_NOT_A_SCALE = gettext_noop("“%(value)s” isn’t a scale. Write a number above 0.")


@dataclass(frozen=True, slots=True)
class Board:
    """One side's results of a board, and how they are to be compared."""

    results: tuple[Result, ...]
    rules: Rules
    expected: int | None

    def compare(self) -> tuple[Figure, ...]:
        """What each result is worth. Raises ContestError as `compare` does."""
        return compare(self.results, self.rules, self.expected)

    def as_json(self) -> dict[str, Any]:
        """The figures, each exact and as a decimal."""
        figures = self.compare()
        return {
            "method": self.rules.method.value,
            "expected": figures[0].expected if figures else self.expected or 0,
            "figures": [_as_json(figure) for figure in figures],
        }


def _as_json(figure: Figure) -> dict[str, Any]:
    exactly = {
        "value": figure.value,
        "percent": figure.percent,
        "raw": figure.raw,
        "beaten": figure.beaten,
        "equalled": figure.equalled,
        "datum": figure.datum,
    }
    return {
        "key": figure.key,
        **{name: exact.write(each) for name, each in exactly.items() if each is not None},
        "decimal": exact.rounded(figure.value),
        "basis": figure.basis.value,
        "group": figure.group,
        "compared": figure.compared,
        **({"top": figure.top} if figure.top is not None else {}),
    }


def read_board(data: object) -> Board:
    """The board that was described. Raises ContestError with every fault in ``causes``."""
    faults = Faults()
    fields = Fields(data, (), faults, _PARTS)
    results = _read_results(fields.raw("scores"), faults)
    rules = Rules(
        _read_method(fields, faults),
        _read_scale(fields, faults),
        fields.whole("trimmed", 1),
    )
    expected = fields.whole("expected", least=1) if fields.raw("expected") is not None else None
    faults.refuse()
    return Board(results, rules, expected)


def _read_method(fields: Fields, faults: Faults) -> Method:
    given = fields.raw("method") if "method" in fields else Method.MATCHPOINTS.value
    known = {method.value: method for method in Method}
    if isinstance(given, str) and given in known:
        return known[given]
    faults.add("method", _NOT_A_METHOD, place=("method",), value=quoted(given), known=", ".join(known))
    return Method.MATCHPOINTS


def _read_scale(fields: Fields, faults: Faults) -> Fraction:
    if "scale" not in fields:
        return USUAL_SCALE
    scale = exact.parse(fields.raw("scale"))
    if scale is None or scale <= 0:
        faults.add("scale", _NOT_A_SCALE, place=("scale",), value=quoted(fields.raw("scale")))
        return USUAL_SCALE
    return scale


def _read_results(given: object, faults: Faults) -> tuple[Result, ...]:
    if not isinstance(given, list) or len(given) > MOST_RESULTS:
        faults.add("scores", _NOT_A_LIST, place=("scores",), most=MOST_RESULTS)
        return ()
    read = (_read_result(item, number, faults) for number, item in enumerate(given))
    return tuple(result for result in read if result is not None)


def _read_result(item: object, number: int, faults: Faults) -> Result | None:
    place: Place = ("scores", number)
    if item is None:
        return None
    if not isinstance(item, dict):
        return Result(str(number + 1), _points(item, place, faults))
    fields = Fields(item, place, faults, _RESULT)
    key = str(fields.key("key", number + 1))
    given = [name for name in ("score", "weighted", "percent") if name in fields]
    if len(given) != 1:
        faults.add("result", _ONE_OF, place=place)
        return None
    return Result(
        key, _READ[given[0]](fields.raw(given[0]), (*place, given[0]), faults), fields.text("group")
    )


def _points(given: object, place: Place, faults: Faults) -> Score:
    points = exact.parse(given)
    if points is None:
        faults.add("score", _NOT_A_SCORE, given=given, place=place, value=quoted(given))
    return Score.of(points or 0)


def _weighted(given: object, place: Place, faults: Faults) -> Score:
    if not isinstance(given, list) or not 0 < len(given) <= MOST_PARTS:
        faults.add("weighted", _NOT_PARTS, given=given, place=place, most=MOST_PARTS)
        return Score.of(0)
    parts = [_part(item) for item in given]
    read = tuple(part for part in parts if part is not None)
    if len(read) < len(parts):
        faults.add("weighted", _NOT_PARTS, given=given, place=place, most=MOST_PARTS)
        return Score.of(0)
    try:
        return Score(read)
    except ContestError as error:
        faults.extend(error, place=place)
        return Score.of(0)


def _part(item: object) -> WeightedPoints | None:
    if not isinstance(item, list) or len(item) != 2:
        return None
    points, weight = exact.parse(item[0]), exact.parse(item[1])
    return None if points is None or weight is None else WeightedPoints(points, weight)


def _percent(given: object, place: Place, faults: Faults) -> Fraction:
    percent = exact.parse(given)
    if percent is None or not 0 <= percent <= 100:
        faults.add("percent", _NOT_A_PERCENTAGE, given=given, place=place, value=quoted(given))
        return Fraction(0)
    return percent


_READ: dict[str, Callable[[object, Place, Faults], Score | Fraction]] = {
    "score": _points,
    "weighted": _weighted,
    "percent": _percent,
}
