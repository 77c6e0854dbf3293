"""What the weaker are given beforehand in a ranking of its own, by the percentages that grades promise (rule F150)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from engine.contest.results import Key

Named = TypeVar("Named", bound=Key)

#: As in `engine.contest.grades`: so many percent is a point a deal, or an IMP a board (F133, F134).
PERCENT_A_POINT = 1
PERCENT_AN_IMP = 5


def in_field(means: Mapping[Named, Fraction], share: Fraction) -> dict[Named, Fraction]:
    """The percentage that is added to each: a share of what it is expected to make less than the strongest."""
    best = max(means.values(), default=Fraction(0))
    return {key: share * (best - mean) for key, mean in means.items()}


def in_match(one: Fraction, other: Fraction, share: Fraction) -> tuple[int, int]:
    """The whole points a deal that each of two sides is given: 0 for the stronger. A half is rounded up."""
    points = (share * abs(one - other) / PERCENT_A_POINT * 2 + 1) // 2
    return (int(points), 0) if one < other else (0, int(points))
