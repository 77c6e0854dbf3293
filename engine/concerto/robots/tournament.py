"""Robots compared in duplicate: every kind holds both sides of the same deals, against the same opponents.

On each deal each kind of robot sits North-South while the opponents sit East-West, and then the other way round. Nobody
changes place within a deal, nobody sees another table, and all decisions are functions of a view; so a deal can be
played in any process. What is compared is what two partners of a kind make of the same 26 cards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from math import nan, sqrt
from multiprocessing import get_context
from typing import Any, Final, NamedTuple, final

from engine.concerto.best_play.par import deal_frontiers
from engine.concerto.options import Options, read_options
from engine.concerto.play import State, start
from engine.concerto.robots.registry import Robot
from engine.concerto.signals.systems import PARLETT, System
from engine.concerto.view import view
from engine.deals import Deal
from engine.seats import SIDES, BySide, Seat, Side, dealer_of_board


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


#: Gives seconds that never go back; handed in, because the engine has no clock.
Clock = Callable[[], float]

_DUPLICATE: Final[Options] = read_options({"duplicate": True})


@final
@dataclass(frozen=True, slots=True)
class Played:
    """What two robots of a kind did with one side of a deal."""

    robot: str
    number: int
    side: Side
    made: int
    """The points of their four hands."""
    best: int
    """The most that their cards could make."""
    given_away: int
    """The left-over bonus that they paid (R11): 0 where they won it."""
    ahead: int
    """Their total less the opponents', bonus included."""
    decisions: int
    seconds: float
    longest: float
    """The slowest decision, in seconds."""


@final
@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays a tournament, and on which deals."""

    robots: tuple[Robot, ...]
    opponents: Robot
    """The robots on the other side, always the same ones."""
    seed: str
    system: System = PARLETT


class Board(NamedTuple):
    """A deal by its number, and the most that either side can make of it."""

    number: int
    best: BySide[int]


def deal_of_board(seed: str, number: int) -> Deal:
    """The deal of that board: the same for the same seed, however many others are dealt."""
    return Deal.random(random.Random(f"{seed}/{number}"))  # noqa: S311


def play_board(setup: Setup, clock: Clock, board: Board) -> tuple[Played, ...]:
    """One deal, played by every kind of robot on both sides."""
    found = []
    for robot in setup.robots:
        for side in SIDES:
            table = _Table(robot, setup, side, clock)
            state = table.play(deal_of_board(setup.seed, board.number), dealer_of_board(board.number))
            found.append(table.played(state, board))
    return tuple(found)


def boards(setup: Setup, deals: int) -> list[Board]:
    """Boards 1 to ``deals``."""
    numbers = range(1, deals + 1)
    found = deal_frontiers([deal_of_board(setup.seed, number) for number in numbers])
    return [
        Board(number, BySide(each.ns[0].points, each.ew[0].points))
        for number, each in zip(numbers, found, strict=True)
    ]


def play_tournament(setup: Setup, deals: int, clock: Clock, workers: int = 1) -> list[Played]:
    """Boards 1 to ``deals``, in order of their numbers; with several workers, in processes of their own."""
    play, to_play = partial(play_board, setup, clock), boards(setup, deals)
    if workers <= 1:
        return list(chain.from_iterable(map(play, to_play)))
    # Spawned, not forked: a forked process would share threads and locks that it knows nothing of.
    with get_context("spawn").Pool(workers) as pool:
        return list(chain.from_iterable(pool.imap(play, to_play)))


@final
class _Table:
    """One kind of robot on one side; it counts the time that they think."""

    def __init__(self, robot: Robot, setup: Setup, side: Side, clock: Clock) -> None:
        self.robot = robot
        self.setup = setup
        self.side = side
        self.clock = clock
        self.times: list[float] = []

    def play(self, deal: Deal, dealer: Seat) -> State:
        state = start(deal, dealer, _DUPLICATE)
        while (seat := state.turn) is not None:
            seen = view(state, seat)
            if seat.side is self.side:
                begun = self.clock()
                action = self.robot.action(seen, self.setup.system)
                self.times.append(self.clock() - begun)
            else:
                action = self.setup.opponents.action(seen, self.setup.system)
            state = state.apply(action)
        return state

    def played(self, state: State, board: Board) -> Played:
        score = state.score()
        made, bonus = score.made, score.left_over_bonus
        if made is None or bonus is None:
            raise AssertionError("a deal that was played has all its points")
        return Played(
            robot=self.robot.key,
            number=board.number,
            side=self.side,
            made=made[self.side],
            best=board.best[self.side],
            given_away=0 if score.left_over_to is self.side else bonus,
            ahead=score.total[self.side] - score.total[self.side.other],
            decisions=len(self.times),
            seconds=sum(self.times),
            longest=max(self.times),
        )
