"""Finds the figures of the expert's first judgement by playing against itself.

    nice python -m tests.benchmarks.expert_fitting --minutes 30 --seed 2

Four players play by the judgement alone, some 10,000 deals a second. At each step 192 random directions are tried, all
figures changed at once: what is made with a change and with its opposite on the same 32 deals tells the slope along it,
and the figures go a little way up the mean of all slopes (an evolution strategy with mirrored samples). Deals are new
at every step, so there is nothing to learn by heart. Prints now and then the mean points a side in 6,000 deals of their
own, and at the end the figures, in the order of the array, averaged over the last 50 steps or so.
"""

from __future__ import annotations

import argparse
import time

import numba
import numpy as np

from engine.concerto.robots.expert.belief import new_mind
from engine.concerto.robots.expert.cards import hand_points
from engine.concerto.robots.expert.leaf import new_levels
from engine.concerto.robots.expert.search import (
    PASSES,
    SEEN,
    TURN,
    Play,
    judge_turn,
    take,
)
from engine.concerto.robots.expert.weights import (
    FIGURES,
    KEEP,
    KEEP_ALIKE,
    KEEP_NEAR,
    LASTS,
    LEAD_ALIKE,
    PASS_ADDEND,
    PASS_FACTOR,
    SIZE,
    TOLD_BY_CARD,
    WORTH,
)

POINTS = (20, 16, 15, 12, 10, 8, 6, 5, 3, 2, 1)
DIRECTIONS, DEALS = 192, 32
#: How far to try, and how far to go at a step, in units of ``spread``.
TRY, STEP = 0.6, 0.1


def random_deals(number: int, seed: int) -> np.ndarray:
    """So many deals: the bits of four seats in each row; the first of them leads."""
    chance = np.random.default_rng(seed)
    packs = [chance.permutation(52).reshape(4, 13) for _ in range(number)]
    return np.array([[sum(1 << int(card) for card in cards) for cards in pack] for pack in packs])


@numba.njit
def _play_deals(deals, figures):
    """The points made in all hands of all deals; each side is two seats apart, the first seat leads."""
    made = 0
    levels = new_levels()
    for number in range(len(deals)):
        one, two = (
            _seated(deals[number, 0], deals[number, 2], levels),
            _seated(deals[number, 1], deals[number, 3], levels),
        )
        for hand in range(8):
            play = one if hand % 2 == 0 else two
            other = two if hand % 2 == 0 else one
            leader = hand % 4 // 2
            play.by[0] = 0
            play.by[1] = 0
            play.now[TURN] = leader if play.held[leader] else 1 - leader
            play.now[PASSES] = 0
            while play.held[0] != 0 or play.held[1] != 0:
                take(play, judge_turn(play, hand, leader, False, figures), leader, False, figures)
                other.now[SEEN] |= play.now[SEEN]
                if _is_complete(play.by[0] | play.by[1]):
                    break
            made += hand_points(play.by[0], play.by[1])
    return made


@numba.njit
def _seated(first, second, levels):
    """Two partners with their cards."""
    return Play(np.array([first, second]), np.zeros(2, np.int64), np.zeros(3, np.int64), new_mind(), levels)


@numba.njit
def _is_complete(cards):
    for _ in range(4):
        cards &= cards - 1
    return cards != 0


def made_by(deals: np.ndarray, figures: np.ndarray) -> float:
    """Mean points a side."""
    return _play_deals(deals, figures) / len(deals) / 2


def spread() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How much each figure is changed as a unit (0: not at all), and the least and the most that it may be.

    Factors of odds are changed by a share, the others by an amount.
    """
    unit, least, most = np.zeros(SIZE), np.full(SIZE, -50.0), np.full(SIZE, 50.0)
    unit[:PASS_FACTOR], least[:PASS_FACTOR], most[:PASS_FACTOR] = 0.05, 0.0, 1.0
    unit[PASS_FACTOR:PASS_ADDEND] = 0.04
    unit[PASS_ADDEND:KEEP_NEAR] = 0.2
    unit[KEEP_NEAR:KEEP_ALIKE] = 0.02
    unit[KEEP_ALIKE:LEAD_ALIKE] = 0.12
    unit[KEEP] = 0.0
    unit[LEAD_ALIKE:LASTS] = 0.25
    unit[LASTS], least[LASTS], most[LASTS] = 0.1, 0.0, 1.0
    unit[TOLD_BY_CARD:WORTH], least[TOLD_BY_CARD:WORTH], most[TOLD_BY_CARD:WORTH] = 0.25, 0.02, 20.0
    for later in (1, 2, 3):
        for points in POINTS:
            unit[WORTH + 21 * later + points] = 0.4
    return unit, least, most


def fit(seed: int, minutes: float) -> None:
    """Fit, and tell how it goes."""
    chance, held_out, until = (
        np.random.default_rng(seed),
        random_deals(6000, 99),
        time.monotonic() + 60 * minutes,
    )
    unit, least, most = spread()

    def figures(units: np.ndarray) -> np.ndarray:
        changed = FIGURES + unit * units
        changed[TOLD_BY_CARD:WORTH] = (FIGURES * np.exp(unit * units))[TOLD_BY_CARD:WORTH]
        return np.clip(changed, least, most)

    now, mean = np.zeros(SIZE), np.zeros(SIZE)
    slope, squares = np.zeros(SIZE), np.zeros(SIZE)
    steps = 0
    while time.monotonic() < until:
        if steps % 25 == 0:
            print(steps, round(made_by(held_out, figures(mean)), 3), flush=True)
        steps += 1
        found = np.zeros(SIZE)
        deals = random_deals(DIRECTIONS * DEALS, 1_000_000 * seed + steps)
        for some in np.split(deals, DIRECTIONS):
            change = chance.normal(size=SIZE) * (unit > 0)
            gain = made_by(some, figures(now + TRY * change)) - made_by(some, figures(now - TRY * change))
            found += gain / (2 * TRY) / DIRECTIONS * change
        slope += 0.05 * (found - slope)
        squares += 0.01 * (found**2 - squares)
        size = np.sqrt(squares / (1 - 0.99**steps)).mean()
        now = now + STEP * slope / (1 - 0.95**steps) / size
        mean = mean + max(1 / steps, 0.02) * (now - mean)
    print("end", round(made_by(held_out, figures(mean)), 3), *(f"{figure:.3g}" for figure in figures(mean)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Fit the expert's figures.")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    fit(given.seed, given.minutes)
