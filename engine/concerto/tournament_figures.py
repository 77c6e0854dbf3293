"""The figures of a tournament: averages with their standard errors, and differences between kinds of robots.

A deal is the unit: what its two sides made is averaged first, because they share a pack and so are not independent.
Differences are taken deal by deal on the same cards, so that the luck of the deal is in none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan, sqrt
from typing import Any, NamedTuple, final

from engine.concerto.tournament import Played


class Figure(NamedTuple):
    """An average and its standard error; nan for the error of a single value."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Figure:
        """The average of values that are independent of one another."""
        count = len(values)
        mean = sum(values) / count
        if count < 2:
            return cls(mean, nan)
        spread = sum((value - mean) ** 2 for value in values) / (count - 1)
        return cls(mean, sqrt(spread / count))

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.error:.2f}"

    def as_json(self) -> dict[str, Any]:
        """The two numbers; null for an error that is not known."""
        return {
            "mean": round(self.mean, 3),
            "error": None if self.error != self.error else round(self.error, 3),
        }


@final
@dataclass(frozen=True, slots=True)
class RobotFigures:
    """How one kind of robot played."""

    robot: str
    made: Figure
    """The points of a side's four hands."""
    percent: Figure
    """All points made, of all that could have been made."""
    given_away: Figure
    """The left-over bonus paid, in points a deal."""
    ahead: Figure
    """The total less the opponents', in points a deal."""
    decisions: int
    mean_seconds: float
    longest_seconds: float

    def as_json(self) -> dict[str, Any]:
        """The figures for a program; times in milliseconds."""
        return {
            "robot": self.robot,
            "made": self.made.as_json(),
            "percent": self.percent.as_json(),
            "given_away": self.given_away.as_json(),
            "ahead": self.ahead.as_json(),
            "decisions": self.decisions,
            "mean_ms": round(1000 * self.mean_seconds, 3),
            "worst_ms": round(1000 * self.longest_seconds, 1),
        }


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """By how much one kind made more than another on the same cards."""

    one: str
    other: str
    made: Figure
    ahead: Figure

    def as_json(self) -> dict[str, Any]:
        """The difference for a program; ``errors`` is how many standard errors there are to it."""
        errors = round(self.made.mean / self.made.error, 1) if self.made.error > 0 else None
        return {
            "one": self.one,
            "other": self.other,
            "made": self.made.as_json(),
            "errors": errors,
            "ahead": self.ahead.as_json(),
        }


@final
@dataclass(frozen=True, slots=True)
class Figures:
    """All that a tournament showed."""

    deals: int
    best: Figure
    """The most that a side's cards could make."""
    robots: tuple[RobotFigures, ...]
    differences: tuple[Difference, ...]

    def as_json(self) -> dict[str, Any]:
        """The figures for a program."""
        return {
            "deals": self.deals,
            "best": self.best.as_json(),
            "robots": [each.as_json() for each in self.robots],
            "differences": [each.as_json() for each in self.differences],
        }


def figures(played: Sequence[Played]) -> Figures:
    """The figures of deals that were all played by the same kinds of robots."""
    by_robot: dict[str, list[Played]] = {}
    for each in played:
        by_robot.setdefault(each.robot, []).append(each)
    first = next(iter(by_robot.values()))
    return Figures(
        len({each.number for each in first}),
        Figure.of(_by_deal(first, lambda each: each.best)),
        tuple(_robot_figures(robot, rows) for robot, rows in by_robot.items()),
        tuple(_difference(by_robot[one], by_robot[other]) for one, other in combinations(by_robot, 2)),
    )


def _by_deal(rows: Iterable[Played], value: Callable[[Played], float]) -> list[float]:
    """The value of each deal, averaged over its sides."""
    found: dict[int, list[float]] = {}
    for row in rows:
        found.setdefault(row.number, []).append(value(row))
    return [sum(values) / len(values) for values in found.values()]


def _robot_figures(robot: str, rows: Sequence[Played]) -> RobotFigures:
    decisions = sum(row.decisions for row in rows)
    return RobotFigures(
        robot,
        Figure.of(_by_deal(rows, lambda row: row.made)),
        _percent(rows),
        Figure.of(_by_deal(rows, lambda row: row.given_away)),
        Figure.of(_by_deal(rows, lambda row: row.ahead)),
        decisions,
        sum(row.seconds for row in rows) / decisions,
        max(row.longest for row in rows),
    )


def _percent(rows: Sequence[Played]) -> Figure:
    """A quotient of two averages; its error by the usual linear approximation."""
    made, best = sum(row.made for row in rows), sum(row.best for row in rows)
    share = made / best
    off = Figure.of(_by_deal(rows, lambda row: row.made - share * row.best))
    return Figure(100 * share, 100 * off.error / (best / len(rows)))


def _difference(one: Sequence[Played], other: Sequence[Played]) -> Difference:
    def less(value: Callable[[Played], float]) -> Figure:
        pairs = zip(_by_deal(one, value), _by_deal(other, value), strict=True)
        return Figure.of([here - there for here, there in pairs])

    return Difference(one[0].robot, other[0].robot, less(lambda row: row.made), less(lambda row: row.ahead))
