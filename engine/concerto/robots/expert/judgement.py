"""The expert's first judgement: a value for every action, from its own cards and what is common knowledge.

It takes some millionths of a second, so that a search can ask it for every step of many deals: what a partner who
holds these cards would do now. The expert itself plays by it wherever the search finds nothing clearly better.
"""

# Compiled code has no objects to gather arguments in.
# ruff: noqa: PLR0917
from __future__ import annotations

from typing import Final

from engine.concerto.play import MOST_PASSES
from engine.concerto.robots.expert.cards import (
    CARDS,
    ONE_RANK,
    SUIT,
    Floats,
    count,
    index_of,
)
from engine.concerto.robots.expert.compiling import inner
from engine.concerto.robots.expert.plans import OWN, hope, look_at
from engine.concerto.robots.expert.weights import (
    KEEP,
    KEEP_ALIKE,
    KEEP_LONG,
    KEEP_NEAR,
    LEAD_ALIKE,
    LEAD_NEAR,
    PASS_ADDEND,
    PASS_FACTOR,
)

#: An action is a card's index, or a pass.
PASS: Final = CARDS
ACTIONS: Final = CARDS + 1
#: The value of what is not allowed.
NOT_ALLOWED: Final = -1e9


@inner
def judge(
    mine: int,
    by_me: int,
    by_other: int,
    passes: int,
    may_pass: bool,
    is_leader: bool,
    later: int,
    chances: Floats,
    figures: Floats,
    values: Floats,
) -> int:
    """Set the value of each action; returns the best one, the first of equals.

    ``chances`` are those that the player gives its partner's cards; ``may_pass`` is about R6 and R7 only.
    """
    for action in range(ACTIONS):
        values[action] = NOT_ALLOWED
    look_at(mine, chances)
    begun = by_me | by_other
    best, most = PASS, NOT_ALLOWED
    rest = mine
    while rest:
        low = rest & -rest
        rest ^= low
        place = index_of(low)
        chances[OWN + place % 13] -= 1
        value = hope(mine ^ low, by_me | low, by_other, later, chances, figures)
        chances[OWN + place % 13] += 1
        if later:
            value -= figures[KEEP + later] * _worth_keeping(place, mine, figures)
        if not begun:
            value += _worth_leading(place, mine, later, chances, figures)
        values[place] = value
        if value > most:
            best, most = place, value
    played = count(begun)
    if played and passes < MOST_PASSES and may_pass:
        which = (0 if is_leader else 8) + 4 * passes + played - 1
        value = hope(mine, by_me, by_other, later, chances, figures)
        values[PASS] = value * figures[PASS_FACTOR + which] + figures[PASS_ADDEND + which]
        if values[PASS] > most:
            best = PASS
    return best


@inner
def _near(place: int, mine: int) -> int:
    """How many other cards of its suit, no more than four ranks away, a player holds with a card."""
    rank = place % 13
    suit = mine >> place - rank & SUIT
    return count(suit & ((0b111111111 << rank) >> 4)) - 1


@inner
def _worth_leading(place: int, mine: int, later: int, chances: Floats, figures: Floats) -> float:
    alike = int(chances[OWN + place % 13])
    near = min(4, _near(place, mine))
    return float(figures[LEAD_ALIKE + 4 * later + alike - 1] + figures[LEAD_NEAR + 5 * later + near])


@inner
def _worth_keeping(place: int, mine: int, figures: Floats) -> float:
    """What one of a player's cards is roughly worth for later hands."""
    rank = place % 13
    suit = mine >> place - rank & SUIT
    others = count(mine & ONE_RANK << rank) - 1
    worth = figures[KEEP_NEAR] * _near(place, mine) + figures[KEEP_LONG] * max(0, count(suit) - 3)
    if others:
        worth += figures[KEEP_ALIKE + others - 1]
    return float(worth)
