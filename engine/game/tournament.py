"""Robots of any game compared: deals played twice with the seats exchanged, the pair of them being the unit."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Final

from engine.cli import Answer, argument
from engine.errors import RuleError, quoted
from engine.game.beginner import BEGINNER
from engine.game.capabilities import Robot
from engine.game.commands import SEED, game_command, game_of
from engine.game.core import Game
from engine.game.searching import PLAYOUTS, Searcher
from engine.game.values import Json
from engine.text import gettext_noop

#: A margin of so many standard errors is no accident.
ENOUGH: Final = 5
_FEWEST: Final = 100
#: Some tournaments deal all boards before the first is played.
_LIMITS: Final = {"deals": 100_000, "workers": 64, "playouts": 100_000}


@dataclass(frozen=True, slots=True)
class Setup:
    """Which robots meet in which game; ``players`` at the table."""

    game: str
    robots: tuple[str, str]
    seed: str
    playouts: int
    players: int | None = None


@game_command(
    "tournament",
    SEED,
    argument("--robots", default=None, metavar="KEYS", help="which two, with a comma between"),
    argument("--deals", type=int, default=None, metavar="COUNT", help="how many deals at most"),
    argument("--workers", type=int, default=1, metavar="COUNT", help="how many processes play; 1"),
    argument("--playouts", type=int, default=PLAYOUTS, metavar="COUNT", help="the searcher's budget"),
    argument("--players", type=int, default=None, metavar="COUNT", help="how many play; else the fewest"),
)
def tournament(arguments: argparse.Namespace) -> Answer:
    """Play two robots of a game on the same deals: how much better a side of the first does on a deal."""
    deals = limited(arguments, deals=1000)
    game = game_of(arguments.game)
    one, _comma, other = (arguments.robots or "searcher,novice").partition(",")
    for key in (one, other):
        robot_of(game, key, arguments.playouts)
    seed = "1" if arguments.seed is None else arguments.seed
    setup = Setup(game.key, (one, other), seed, arguments.playouts, arguments.players)
    return Answer(compared(setup, deals, arguments.workers))


def limited(arguments: argparse.Namespace, *, deals: int) -> int:
    """How many deals are asked for, ``deals`` if that is not said. Raises RuleError for a number out of range."""
    asked = {"deals": deals if arguments.deals is None else arguments.deals}
    asked |= {"workers": arguments.workers, "playouts": arguments.playouts}
    for name, most in _LIMITS.items():
        if not 1 <= asked[name] <= most:
            template = gettext_noop("“%(value)s” isn’t a whole number from %(least)s to %(most)s.")
            value = quoted(asked[name])
            raise RuleError(f"{name}-count", template, place=(name,), value=value, least=1, most=most)
    return asked["deals"]


def compared(setup: Setup, deals: int, workers: int = 1) -> dict[str, Json]:
    """The margin of the first robot over the second and its standard error, in points of a side on a deal.

    A hundred deals are played, and a hundred more as long as the margin is below five errors, up to ``deals``.
    """
    margins: list[float] = []
    for first in range(0, deals, _FEWEST):
        numbers = range(first, min(first + _FEWEST, deals))
        margins += _played(setup, numbers, workers)
        mean, error = _mean(margins)
        if abs(mean) > ENOUGH * error:
            break
    return {
        "game": setup.game,
        "robots": list(setup.robots),
        "deals": len(margins),
        "playouts": setup.playouts,
        "margin": round(mean, 3),
        "error": round(error, 3),
        "errors": round(mean / error, 1) if error else None,
    }


def _played(setup: Setup, numbers: range, workers: int) -> Iterator[float]:
    if workers == 1:
        return map(partial(margin_of, setup), numbers)
    with ProcessPoolExecutor(workers) as pool:
        return iter([*pool.map(partial(margin_of, setup), numbers, chunksize=4)])


def margin_of(setup: Setup, number: int) -> float:
    """What a side of the first robot made more than one of the second, on one deal played twice."""
    game = game_of(setup.game)
    one, other = (robot_of(game, key, setup.playouts) for key in setup.robots)
    rng = random.Random(f"{setup.seed} {number}")  # noqa: S311 - meant to be repeatable
    dealer, options = game.dealer_of_board(number + 1, setup.players), game.read_options({})
    deal = game.deal(rng, dealer, options, setup.players)
    sides = tuple(game.sides(setup.players))
    made = []
    for turn in (0, 1):
        own = sides[turn::2]
        robots = {
            seat: one if side in own else other
            for side, seats in game.sides(setup.players).items()
            for seat in seats
        }
        total = _totals(game, deal, dealer, robots, setup.players)
        others = [side for side in sides if side not in own]
        made.append(_average(total, own) - _average(total, others))
    sign = -1 if game.lower_is_better else 1
    return sign * sum(made) / 2


def _totals(
    game: Game, deal: str, dealer: str, robots: Mapping[str, Robot], players: int | None
) -> Mapping[str, int]:
    state = game.start(deal, dealer, game.read_options({}), players)
    while state.turn is not None:
        state = state.apply(robots[state.turn].token(game.view(state, state.turn)))
    return state.score().total


def robot_of(game: Game, key: str, playouts: int) -> Robot:
    """The game's robot of that key, or the one that plays anything. Raises RuleError."""
    found = next((robot for robot in (*game.robots, BEGINNER) if robot.key == key), None)
    if found is None:
        raise RuleError("robot-unknown", gettext_noop("There’s no robot “%(given)s”."), given=key)
    return found.with_playouts(playouts) if isinstance(found, Searcher) else found


def _average(total: Mapping[str, int], sides: Sequence[str]) -> float:
    return sum(total[side] for side in sides) / len(sides)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, sqrt(spread / len(values))
