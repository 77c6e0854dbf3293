"""What a player may believe of its partner's cards: worlds drawn by the odds, and how well each explains the past.

The log has a row for each action of the two partners in the deal so far, of what was known to all before it.
"""

# Compiled code has no objects to gather arguments in.
# ruff: noqa: PLR0917
from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.concerto.robots.expert.cards import (
    CARDS,
    PACK,
    Floats,
    Ints,
)
from engine.concerto.robots.expert.compiling import inner
from engine.concerto.robots.expert.judgement import (
    ACTIONS,
    NOT_ALLOWED,
    PASS,
    judge,
)
from engine.concerto.robots.expert.plans import new_chances, weigh
from engine.concerto.robots.expert.signs import told_by_card, told_by_pass
from engine.concerto.robots.expert.weights import KINDS

#: Columns of the log. Players are 0 and 1; BY (cards played to the hand) and SIZE (cards held) have a column for each.
HAND, ACTOR, ACTION, SEEN, BY, PASSES, ALONE, LEADER, SIZE = 0, 1, 2, 3, 4, 6, 7, 8, 9
COLUMNS: Final = 11


class Mind(NamedTuple):
    """What a player reckons with."""

    odds: Floats
    """For each of the two, what was told of each card."""
    chances: Floats
    masks: Ints
    values: Floats


@inner
def new_mind() -> Mind:
    """A mind that was told nothing."""
    return Mind(np.ones((2, CARDS)), new_chances(), np.zeros(KINDS, np.int64), np.zeros(ACTIONS))


@inner
def tell(
    mind: Mind, actor: int, action: int, on_table: int, passes: int, is_leader: bool, figures: Floats
) -> None:
    """Take in what an action tells; ``on_table`` is the hand before it."""
    if action < CARDS:
        told_by_card(mind.odds, actor, 1 << action, on_table, passes, is_leader, mind.masks, figures)
    else:
        told_by_pass(mind.odds, actor, on_table, passes, is_leader, mind.masks, figures)


@inner
def chance_below_one(luck: Ints) -> float:
    """The next of a sequence of numbers from 0 to 1 that look random."""
    luck[0] = luck[0] * 6364136223846793005 + 1442695040888963407
    mixed = (luck[0] ^ luck[0] >> 29) * 5851600153287683477
    return float((mixed ^ mixed >> 32) >> 11 & (1 << 52) - 1) / float(1 << 52)


@inner
def draw_worlds(unseen: int, size: int, odds: Floats, who: int, luck: Ints, worlds: Ints) -> None:
    """Draw a player's cards, each world on its own: cards with greater odds are drawn sooner."""
    times = np.empty(CARDS)
    for number in range(len(worlds)):
        for place in range(CARDS):
            times[place] = np.inf
            if unseen >> place & 1:
                times[place] = -np.log(1.0 - chance_below_one(luck)) / odds[who, place]
        bits = 0
        for _ in range(size):
            soonest = 0
            for place in range(1, CARDS):
                if times[place] < times[soonest]:
                    soonest = place
            times[soonest] = np.inf
            bits |= 1 << soonest
        worlds[number] = bits


@inner
def follow(log: Ints, mind: Mind, figures: Floats) -> None:
    """Take in all that the log tells."""
    for row in range(len(log)):
        tell_row(log, row, mind, figures)


@inner
def tell_row(log: Ints, row: int, mind: Mind, figures: Floats) -> None:
    """Take in one action."""
    actor, on_table = log[row, ACTOR], log[row, BY] | log[row, BY + 1]
    tell(mind, actor, log[row, ACTION], on_table, log[row, PASSES], actor == log[row, LEADER], figures)


@inner
def explain(
    log: Ints, who: int, worlds: Ints, warmth: float, doubt: float, mind: Mind, figures: Floats, fit: Floats
) -> None:
    """Add to ``fit`` the logarithm of how likely all that this player did is with the cards of each world.

    A player chooses the likelier the higher it judges the action (``warmth`` is how many points matter), but does
    anything now and then (``doubt``). The mind takes in the log meanwhile.
    """
    played_since = 0
    for row in range(len(log)):
        if log[row, ACTOR] == who and log[row, ACTION] < CARDS:
            played_since |= 1 << log[row, ACTION]
    for row in range(len(log)):
        if log[row, ACTOR] == who:
            for number in range(len(worlds)):
                chance = _chance_of(log, row, worlds[number] | played_since, warmth, mind, figures)
                fit[number] += np.log(chance + doubt)
            if log[row, ACTION] < CARDS:
                played_since &= ~(1 << log[row, ACTION])
        tell_row(log, row, mind, figures)


@inner
def _chance_of(log: Ints, row: int, held: int, warmth: float, mind: Mind, figures: Floats) -> float:
    """How likely somebody who held these cards was to act like that."""
    actor, action, values = log[row, ACTOR], min(PASS, log[row, ACTION]), mind.values
    other = 1 - actor
    size = log[row, SIZE + other]
    weigh(PACK & ~log[row, SEEN] & ~held, size, mind.odds, other, mind.chances)
    may_pass = log[row, ALONE] == 0 and size > 0
    by_me, by_other = log[row, BY + actor], log[row, BY + other]
    later = 3 - log[row, HAND] // 2
    is_leader = actor == log[row, LEADER]
    judge(held, by_me, by_other, log[row, PASSES], may_pass, is_leader, later, mind.chances, figures, values)
    if values[action] == NOT_ALLOWED:
        return 0.0
    total = 0.0
    for each in range(ACTIONS):
        if values[each] != NOT_ALLOWED:
            total += np.exp((values[each] - values[action]) / warmth)
    return 1.0 / total


@inner
def keep_likely(worlds: Ints, fit: Floats, luck: Ints, kept: Ints) -> None:
    """Keep worlds in proportion to their likelihood; likely ones come more than once."""
    highest, total = fit[0], 0.0
    for number in range(len(worlds)):
        highest = max(highest, fit[number])
    for number in range(len(worlds)):
        fit[number] = np.exp(fit[number] - highest)
        total += fit[number]
    step = total / len(kept)
    place, reached = 0, fit[0]
    offset = chance_below_one(luck)
    for number in range(len(kept)):
        while reached < (number + offset) * step and place < len(worlds) - 1:
            place += 1
            reached += fit[place]
        kept[number] = worlds[place]
