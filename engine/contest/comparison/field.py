"""The scores of one board that are compared with each other, sorted and counted once.

Counting from sorted sums makes a comparison of n scores cost n log n, however many are equal or weighted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, lcm

from engine.errors import ContestError
from engine.text import gettext_noop

_WEIGHTS = gettext_noop("The weights of an adjusted score must be above 0 and add up to 1, not to %(sum)s.")


@dataclass(frozen=True, slots=True)
class WeightedPoints:
    """One of the results that a score is made of, in points, and how much of it."""

    points: Fraction
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Score:
    """What a side has on a board: a number of points, or several with weights (an adjusted score).

    Raises ContestError unless the weights add up to 1.
    """

    parts: tuple[WeightedPoints, ...]

    def __post_init__(self) -> None:
        total = sum((part.weight for part in self.parts), Fraction(0))
        if total != 1 or any(part.weight <= 0 for part in self.parts):
            raise ContestError("weights", _WEIGHTS, sum=str(total))

    @classmethod
    def of(cls, points: Fraction | int) -> Score:
        """The score of so many points, as played."""
        return cls((WeightedPoints(Fraction(points), Fraction(1)),))

    @property
    def mean(self) -> Fraction:
        """The points that the score is worth, its weights applied."""
        return sum((part.points * part.weight for part in self.parts), Fraction(0))

    def reversed(self) -> Score:
        """The same score as the other side has it, where what one side wins the other loses."""
        return Score(tuple(WeightedPoints(-part.points, part.weight) for part in self.parts))


class Field:
    """Scores in order, as integers: points and weights multiplied so that no fraction is left.

    Every score counts once, however many parts it has; sums over "all" therefore include the score that
    asks. Against itself a score gains as much as it loses, which each sum says how it is taken out.
    """

    __slots__ = (
        "_below", "_finest_points", "_finest_weight", "_points", "_thresholds", "_whole_steps", "count",
    )  # fmt: skip

    def __init__(self, scores: Sequence[Score]) -> None:
        parts = [part for score in scores for part in score.parts]
        self.count = len(scores)
        self._thresholds: tuple[Fraction, ...] = ()
        self._whole_steps: tuple[int, ...] = ()
        self._finest_points = lcm(*(part.points.denominator for part in parts))
        self._finest_weight = lcm(*(part.weight.denominator for part in parts))
        weights: dict[int, int] = {}
        for part in parts:
            points = self._whole(part.points)
            weights[points] = weights.get(points, 0) + self._whole_weight(part.weight)
        self._points = sorted(weights)
        self._below = [0, *accumulate(weights[points] for points in self._points)]

    def below(self, points: Fraction) -> Fraction:
        """How many scores are lower than this; it must be of this field."""
        return self._counted(bisect_left(self._points, self._whole(points)))

    def up_to(self, points: Fraction) -> Fraction:
        """How many scores are this or lower; it must be of this field."""
        return self._counted(bisect_right(self._points, self._whole(points)))

    def steps_gained(self, points: Fraction, thresholds: Iterable[Fraction]) -> Fraction:
        """The steps of a scale that a score of these points gains from all, less those that it loses.

        A step is gained from every score that is lower by its threshold or more: summed over the steps of the
        IMP scale this is the sum of the IMPs, for one bisection a step.
        """
        own, all_below, sums = self._whole(points), self._below[-1], self._below
        gained = 0
        for step in self._steps(tuple(thresholds)):
            lower = bisect_right(self._points, own - step)
            higher = bisect_left(self._points, own + step)
            if not lower and higher == len(self._points):
                break
            gained += sums[lower] + sums[higher] - all_below
        return Fraction(gained, self._finest_weight)

    def _steps(self, thresholds: tuple[Fraction, ...]) -> tuple[int, ...]:
        """The thresholds in the field's units, rounded up: scores are whole there."""
        if self._thresholds != thresholds:
            self._thresholds = thresholds
            self._whole_steps = tuple(ceil(threshold * self._finest_points) for threshold in thresholds)
        return self._whole_steps

    def _whole_weight(self, weight: Fraction) -> int:
        return weight.numerator * (self._finest_weight // weight.denominator)

    def _whole(self, points: Fraction) -> int:
        return points.numerator * (self._finest_points // points.denominator)

    def _counted(self, place: int) -> Fraction:
        return Fraction(self._below[place], self._finest_weight)
