"""What cards known to be a side's are worth for the hands to come: the par search, without what is left over."""

from __future__ import annotations

import numpy as np

from engine.concerto.best_play.search import MOST_CORES, MOST_HANDS, list_cores
from engine.concerto.robots.expert.cards import Ints
from engine.concerto.robots.expert.compiling import inner

_LENGTH, _PLACE, _TOTAL, _REST = range(4)


@inner
def new_levels() -> Ints:
    """Room for the lists of cores: for each hand, the cores and their values."""
    return np.empty((MOST_HANDS, 2, MOST_CORES), np.int64)


@inner
def best_total(one: int, other: int, hands: int, levels: Ints) -> int:
    """The most points that two players can make of these cards in so many hands."""
    stack = np.zeros((MOST_HANDS, 4), np.int64)
    stack[0, _REST] = one | other
    stack[0, _LENGTH] = list_cores(one | other, one, levels[0, 0], levels[0, 1])
    best, depth = 0, 0
    while depth >= 0:
        place, total, to_come = stack[depth, _PLACE], stack[depth, _TOTAL], hands - depth
        best = max(best, total)
        if place >= stack[depth, _LENGTH] or total + levels[depth, 1, place] * to_come <= best:
            depth -= 1
        elif to_come == 1:
            best = total + levels[depth, 1, place]
            depth -= 1
        else:
            stack[depth, _PLACE] = place + 1
            stack[depth + 1, _TOTAL] = total + levels[depth, 1, place]
            stack[depth + 1, _REST] = stack[depth, _REST] & ~levels[depth, 0, place]
            _list_next(depth, to_come - 1, best, stack, levels)
            depth += 1
    return best


@inner
def _list_next(depth: int, hands: int, best: int, stack: Ints, levels: Ints) -> None:
    """List what can follow the core just taken, as far as it can bring the total above the best."""
    level, below, total = levels[depth], levels[depth + 1], stack[depth + 1, _TOTAL]
    taken = ~stack[depth + 1, _REST]
    listed = 0
    for place in range(stack[depth, _PLACE], stack[depth, _LENGTH]):
        core, value = level[0, place], level[1, place]
        if core & taken:
            continue
        highest = below[1, 0] if listed else value
        if total + highest * (hands - 1) + value <= best:
            break
        below[0, listed], below[1, listed] = core, value
        listed += 1
    stack[depth + 1, _LENGTH], stack[depth + 1, _PLACE] = listed, 0
