"""Robots compared in duplicate: every kind holds both sides of the same deals, against the same opponents.

On each deal each kind of robot sits North-South while the opponents sit East-West, and then the other way round. Nobody
changes place within a deal, nobody sees another table, and all decisions are functions of a view; so a deal can be
played in any process. What is compared is what two partners of a kind make of the same 26 cards.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from multiprocessing import get_context
from typing import Final, NamedTuple, final

from engine.concerto.par import deal_frontiers
from engine.concerto.play import State, start
from engine.concerto.robots import Robot
from engine.concerto.rules import Options, read_options
from engine.concerto.signal_systems import PARLETT, System
from engine.concerto.view import view
from engine.deals import Deal
from engine.seats import SIDES, BySide, Seat, Side, dealer_of_board

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
