"""Finds the figures of the expert's first judgement by playing against itself.

    nice python -m tests.benchmarks.expert_fitting --minutes 30 --seed 2

Four players play by the judgement alone, some 2,000 deals a second. A few figures at a time are changed a little by
chance; a change stays when it makes more points in 1,500 deals, by more than a trifle, and not fewer in 1,500 others.
The first deals are exchanged after every 60 trials. Prints the mean points a side in 3,000 deals of their own, and
at the end the figures in the order of the array.
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
    PASS_ADDEND,
    PASS_FACTOR,
    TOLD_BY_CARD,
    WORTH,
)

DEALS = 1500
POINTS = (20, 16, 15, 12, 10, 8, 6, 5, 3, 2, 1)


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
                take(play, judge_turn(play, hand, False, figures), leader, False, figures)
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


def changed(figures: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """The figures with one to three of them changed: chances and factors by a share, the others by some points."""
    figures = figures.copy()
    for _ in range(chance.choice([1, 1, 2, 3])):
        kind, by = chance.integers(5), chance.normal()
        if kind == 0:
            place = chance.integers(PASS_FACTOR)
            figures[place] = min(1.0, figures[place] * np.exp(0.15 * by))
        elif kind == 1:
            place = chance.integers(PASS_FACTOR, KEEP - 6)
            figures[place] = (
                figures[place] * np.exp(0.12 * by) if place < PASS_ADDEND else figures[place] + 0.4 * by
            )
        elif kind == 2:
            figures[chance.choice([*range(KEEP - 6, KEEP - 1), *range(KEEP + 1, KEEP + 4)])] += 0.25 * by
        elif kind == 3:
            figures[chance.integers(TOLD_BY_CARD, WORTH - 4)] *= np.exp(0.45 * by)
        else:
            figures[WORTH + 21 * chance.integers(1, 4) + chance.choice(POINTS)] += 0.5 * by
    return figures


def fit(seed: int, minutes: float) -> None:
    """Fit, and tell how it goes."""
    chance = np.random.default_rng(seed)
    figures, held_out, until = FIGURES.copy(), random_deals(3000, 99), time.monotonic() + 60 * minutes
    trials = 0
    while time.monotonic() < until:
        if trials % 60 == 0:
            deals = random_deals(DEALS, 1000 + 100_000 * seed + trials // 60)
            best = made_by(deals, figures)
            print(trials, round(made_by(held_out, figures), 3), flush=True)
        trials += 1
        other = changed(figures, chance)
        made = made_by(deals, other)
        if made > best + 0.015:
            others = random_deals(DEALS, 5_000_000 + 1000 * seed + trials)
            if made_by(others, other) > made_by(others, figures):
                figures, best = other, made
    print("end", round(made_by(held_out, figures), 3), *(f"{figure:.3g}" for figure in figures))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Fit the expert's figures.")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    fit(given.seed, given.minutes)
