"""Boards compared: what each table's result is worth beside the others'.

One column of scores at a time: all that sat on one side, each with its score as that side has it.
Matchpoints as in Law 78A of duplicate bridge, unequal counts by Neuberg's formula and small groups by the table of
the English Bridge Union's White Book (4.2.3); IMPs across the field, or against a datum (Butler).
All figures are exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from engine.contest.comparison.field import Field, Score
from engine.contest.comparison.imps import THRESHOLDS, USUAL_SCALE, imps
from engine.errors import ContestError
from engine.text import gettext_noop

_FEWER = gettext_noop("There are %(count)s results, but at most %(expected)s were expected.")
_TWICE = gettext_noop("Two results have the name “%(key)s”.")

#: Average plus, average and average minus, in percent; for what could not be played.
AVERAGE_PLUS: Final = Fraction(60)
AVERAGE: Final = Fraction(50)
AVERAGE_MINUS: Final = Fraction(40)

#: Percentages in a group too small for Neuberg's formula, from the best score down.
SMALL_GROUPS: Final = {1: (60,), 2: (65, 55), 3: (70, 60, 50)}


class Method(StrEnum):
    """How boards are compared."""

    MATCHPOINTS = "matchpoints"
    CROSS_IMPS = "cross-imps"
    BUTLER = "butler"


class Basis(StrEnum):
    """What a figure was worked out by."""

    COMPARED = "compared"
    NEUBERG = "neuberg"
    """Compared in a group that is smaller than the field, and scaled up."""
    SMALL_GROUP = "small-group"
    """In a group too small to be compared: a percentage for its place."""
    AWARDED = "awarded"
    """A percentage that a director gave."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one side has on the board: a score, or a percentage that was awarded in place of one.

    ``group`` names the version of the board that was played: results are compared within it.
    """

    key: str
    score: Score | Fraction
    group: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """What a result is worth, and all that it came from.

    ``value`` is in matchpoints or IMPs (cross-IMPs: the mean of a comparison). ``raw`` is the sum before
    it was scaled: matchpoints within the group, or IMPs from all comparisons. ``top`` is the most
    matchpoints that the board can give, None with IMPs; ``datum`` is Butler's.
    """

    key: str
    value: Fraction
    basis: Basis
    group: str
    compared: int
    expected: int
    raw: Fraction
    top: int | None = None
    beaten: Fraction = Fraction(0)
    equalled: Fraction = Fraction(0)
    datum: Fraction | None = None

    @property
    def percent(self) -> Fraction | None:
        """The value as a percentage of the top; None where there is none."""
        return self.value * 100 / self.top if self.top else None


@dataclass(frozen=True, slots=True)
class Rules:
    """How a board is compared: what a point counts on the IMP scale, and how many Butler leaves out each end."""

    method: Method = Method.MATCHPOINTS
    scale: Fraction = USUAL_SCALE
    trimmed: int = 1


def compare(
    results: Sequence[Result], rules: Rules = Rules(), expected: int | None = None
) -> tuple[Figure, ...]:
    """The figures of one board's results, in their order.

    ``expected`` is how many results the board should have in the whole field (by default, those given).
    Raises ContestError when there are more, or when two have the same key.
    """
    count = len(results) if expected is None else expected
    _check(results, count)
    figures = {
        result.key: _awarded(result, result.score, rules, count)
        for result in results
        if isinstance(result.score, Fraction)
    }
    for group in _groups(results):
        figures.update((figure.key, figure) for figure in _compared(group, rules, count))
    return tuple(figures[result.key] for result in results)


def _check(results: Sequence[Result], expected: int) -> None:
    if len(results) > expected:
        raise ContestError("expected", _FEWER, count=len(results), expected=expected)
    seen: set[str] = set()
    for result in results:
        if result.key in seen:
            raise ContestError("result-twice", _TWICE, key=result.key)
        seen.add(result.key)


@dataclass(frozen=True, slots=True)
class _Played:
    """A result that has a score."""

    key: str
    score: Score
    group: str


def _groups(results: Iterable[Result]) -> list[list[_Played]]:
    groups: dict[str, list[_Played]] = {}
    for result in results:
        if isinstance(result.score, Score):
            played = _Played(result.key, result.score, result.group)
            groups.setdefault(result.group, []).append(played)
    return list(groups.values())


def _compared(group: Sequence[_Played], rules: Rules, expected: int) -> list[Figure]:
    if _is_too_small(len(group), expected):
        return _by_place(group, rules, expected)
    figures: dict[Method, Callable[[Sequence[_Played], Rules, int], list[Figure]]] = {
        Method.MATCHPOINTS: _matchpoints,
        Method.CROSS_IMPS: _cross_imps,
        Method.BUTLER: _butler,
    }
    return figures[rules.method](group, rules, expected)


def _is_too_small(count: int, expected: int) -> bool:
    """Whether the group gets percentages by place; a field that small as a whole is compared as it is."""
    return count < expected and count <= max(SMALL_GROUPS) and 3 * count <= expected


def _top(expected: int) -> int:
    """The matchpoints for beating everybody in the field."""
    return 2 * (expected - 1)


def _matchpoints(group: Sequence[_Played], _rules: Rules, expected: int) -> list[Figure]:
    """2 for each result beaten and 1 for each equalled; in part of the field, scaled by Neuberg's formula."""
    field = Field([result.score for result in group])
    count = field.count

    def one(result: _Played) -> Figure:
        beaten, equalled = _counts(field, result.score)
        raw = 2 * beaten + equalled
        value = raw if count == expected else (raw + 1) * expected / count - 1
        basis = Basis.COMPARED if count == expected else Basis.NEUBERG
        return Figure(
            result.key, value, basis, result.group, count, expected, raw, _top(expected), beaten, equalled
        )

    return [one(result) for result in group]


def _counts(field: Field, score: Score) -> tuple[Fraction, Fraction]:
    """How many others the score beats and equals: the field's counts, less those of its own parts."""
    if len(score.parts) == 1:
        below, up_to = field.below(score.parts[0].points), field.up_to(score.parts[0].points)
        return below, up_to - below - 1
    own = Field([score])
    beaten, not_better = Fraction(0), Fraction(0)
    for part in score.parts:
        beaten += part.weight * (field.below(part.points) - own.below(part.points))
        not_better += part.weight * (field.up_to(part.points) - own.up_to(part.points))
    return beaten, not_better - beaten


def _cross_imps(group: Sequence[_Played], rules: Rules, expected: int) -> list[Figure]:
    """The IMPs against each of the others: their sum, and as value their mean."""
    field = Field([result.score for result in group])
    thresholds = [Fraction(threshold) / rules.scale for threshold in THRESHOLDS]
    sums: dict[Fraction, Fraction] = {}

    def gained(points: Fraction) -> Fraction:
        if points not in sums:
            sums[points] = field.steps_gained(points, thresholds)
        return sums[points]

    def one(result: _Played) -> Figure:
        raw = sum((part.weight * gained(part.points) for part in result.score.parts), Fraction(0))
        value = raw / (field.count - 1) if field.count > 1 else raw
        return Figure(result.key, value, Basis.COMPARED, result.group, field.count, expected, raw)

    return [one(result) for result in group]


def _butler(group: Sequence[_Played], rules: Rules, expected: int) -> list[Figure]:
    """The IMPs against the datum: the mean of all, the highest and the lowest left out. It is not rounded."""
    datum = datum_of([result.score for result in group], rules.trimmed)

    def one(result: _Played) -> Figure:
        value = sum(
            (part.weight * imps(part.points - datum, rules.scale) for part in result.score.parts), Fraction(0)
        )
        return Figure(
            result.key, value, Basis.COMPARED, result.group, len(group), expected, value, datum=datum
        )

    return [one(result) for result in group]


def datum_of(scores: Sequence[Score], trimmed: int = 1) -> Fraction:
    """The mean of the scores without the ``trimmed`` highest and lowest, where two or more are then left."""
    means = sorted(score.mean for score in scores)
    if len(means) - 2 * trimmed >= 2:
        means = means[trimmed : len(means) - trimmed]
    return sum(means, Fraction(0)) / len(means)


def _by_place(group: Sequence[_Played], rules: Rules, expected: int) -> list[Figure]:
    """Percentages by place; equal scores share those of their places."""
    percentages = SMALL_GROUPS[len(group)]
    means = sorted((result.score.mean for result in group), reverse=True)

    def percent(mean: Fraction) -> Fraction:
        first, count = means.index(mean), means.count(mean)
        return Fraction(sum(percentages[first : first + count]), count)

    return [
        _percentage(
            result.key,
            percent(result.score.mean),
            rules.method,
            basis=Basis.SMALL_GROUP,
            group=result.group,
            compared=len(group),
            expected=expected,
        )
        for result in group
    ]


def _awarded(result: Result, percent: Fraction, rules: Rules, expected: int) -> Figure:
    return _percentage(
        result.key,
        percent,
        rules.method,
        basis=Basis.AWARDED,
        group=result.group,
        compared=0,
        expected=expected,
    )


def _percentage(
    key: str, percent: Fraction, method: Method, *, basis: Basis, group: str, compared: int, expected: int
) -> Figure:
    """A percentage as matchpoints; or as IMPs, 3 for average plus and for average minus 3 lost."""
    if method is Method.MATCHPOINTS:
        top = _top(expected)
        value = percent * top / 100
        return Figure(key, value, basis, group, compared, expected, value, top)
    value = (percent - AVERAGE) * 3 / (AVERAGE_PLUS - AVERAGE)
    return Figure(key, value, basis, group, compared, expected, value)
