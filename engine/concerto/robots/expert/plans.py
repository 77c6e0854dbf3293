"""What a player may hope for of a hand begun, knowing its own cards and guessing at its partner's.

For each combination that the hand can still become there is a chance that the two hold the cards for it. The hope is
the mean of the best that comes off, as if the chances were independent; each is made smaller by a factor for partners
not finding it (``weights``), and each value is what the hand brings less what its cards would be worth later.
"""

# Compiled code has no objects to gather arguments in.
# ruff: noqa: PLR0917
from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.concerto.robots.expert.cards import (
    CARDS,
    ONE_RANK,
    RUNS,
    SUIT,
    Floats,
    count,
    hand_points,
    index_of,
    ranks_of,
    split_value,
    suit_of_all,
)
from engine.concerto.robots.expert.compiling import inner
from engine.concerto.robots.expert.weights import (
    FOUND_FLUSH,
    FOUND_FOURS,
    FOUND_FULL_HOUSE,
    FOUND_STRAIGHT,
    FOUND_STRAIGHT_FLUSH,
    FOUND_THREES,
    WORTH,
)

#: Hands are worth 0 to 20 (R9).
VALUES: Final = 21


class Chances(NamedTuple):
    """What a player makes of its partner's cards, and room to work in."""

    card: Floats
    """For each card, that the partner holds it."""
    rank: Floats
    """For each rank, that the partner holds 0, 1 ... 4 or more of it."""
    suit: Floats
    """For each suit, that the partner holds 0, 1 ... 5 or more of it."""
    missed: Floats
    """For each value of a hand, that it does not come off."""


@inner
def new_chances() -> Chances:
    """Room for chances."""
    return Chances(np.zeros(CARDS), np.zeros((13, 5)), np.zeros((4, 6)), np.ones(VALUES))


@inner
def weigh(unseen: int, size: int, odds: Floats, who: int, chances: Chances) -> None:
    """Set the chances of a partner who holds ``size`` of the unseen cards; ``odds[who]`` has what was told of each."""
    for place in range(CARDS):
        chances.card[place] = 0.0
    _begin(chances.rank)
    _begin(chances.suit)
    share = size / max(1, count(unseen))
    while unseen:
        low = unseen & -unseen
        unseen ^= low
        place = index_of(low)
        weight = odds[who, place] * share
        chance = weight / (1.0 - share + weight) if share < 1.0 else 1.0
        chances.card[place] = chance
        _add(chances.rank, place % 13, chance)
        _add(chances.suit, place // 13, chance)


@inner
def _begin(at_least: Floats) -> None:
    for row in range(at_least.shape[0]):
        at_least[row, 0] = 1.0
        for number in range(1, at_least.shape[1]):
            at_least[row, number] = 0.0


@inner
def _add(at_least: Floats, row: int, chance: float) -> None:
    """One more card that is held with this chance."""
    for number in range(at_least.shape[1] - 1, 0, -1):
        at_least[row, number] += chance * (at_least[row, number - 1] - at_least[row, number])


@inner
def _has(rank: int, number: int, mine: int, chances: Chances) -> float:
    """The chance that the two hold so many cards of a rank."""
    own = count(mine & ONE_RANK << rank)
    return 1.0 if number <= own else chances.rank[rank, number - own]


@inner
def hope(mine: int, by_me: int, by_other: int, later: int, chances: Chances, figures: Floats) -> float:
    """What may be hoped for of the hand with these cards played to it; ``later`` counts the side's hands after it."""
    on_table = by_me | by_other
    played = count(on_table)
    worth = WORTH + VALUES * later
    if played == 5:
        return float(figures[worth + hand_points(by_me, by_other)])
    for value in range(VALUES):
        chances.missed[value] = 1.0
    different = count(ranks_of(on_table))
    if different == played:
        _hope_for_long(mine, by_me, on_table, chances, figures)
    _hope_for_alike(mine, by_me, on_table, chances, figures)
    if different <= 2:
        _hope_for_full_house(mine, on_table, chances, figures[FOUND_FULL_HOUSE + played - 1])
    _hope_for_pairs(mine, on_table, chances)
    return _mean(chances.missed, worth, figures)


@inner
def _mean(missed: Floats, worth: int, figures: Floats) -> float:
    total, rest = 0.0, 1.0
    for value in range(VALUES - 1, 0, -1):
        if missed[value] < 1.0:
            total += rest * (1.0 - missed[value]) * figures[worth + value]
            rest *= missed[value]
    return total


@inner
def _hope_for_long(mine: int, by_me: int, on_table: int, chances: Chances, figures: Floats) -> None:
    """Straights, flushes and both: the cards on the table are of different ranks."""
    stage = count(on_table) - 1
    ranks, suit = ranks_of(on_table), suit_of_all(on_table)
    if suit >= 0:
        own, need = count(mine >> 13 * suit & SUIT), 4 - stage
        chance = 1.0 if own >= need else chances.suit[suit, need - own]
        chances.missed[6] *= 1.0 - figures[FOUND_FLUSH + stage] * chance
    for run in RUNS:
        if ranks & ~run:
            continue
        if suit >= 0:
            _hope_for_run(mine, by_me, run & ~ranks, suit, chances, figures[FOUND_STRAIGHT_FLUSH + stage])
        chance = _chance_of_ranks(mine, run & ~ranks, chances)
        chances.missed[5] *= 1.0 - figures[FOUND_STRAIGHT + stage] * chance


@inner
def _hope_for_run(mine: int, by_me: int, missing: int, suit: int, chances: Chances, found: float) -> None:
    chance, own = 1.0, count(by_me)
    while missing and chance > 0.0:
        low = missing & -missing
        missing ^= low
        place = 13 * suit + index_of(low)
        if mine >> place & 1:
            own += 1
        else:
            chance *= chances.card[place]
    if chance > 0.0:
        chances.missed[split_value(10, own, 5)] *= 1.0 - found * chance


@inner
def _chance_of_ranks(mine: int, missing: int, chances: Chances) -> float:
    chance = 1.0
    while missing:
        low = missing & -missing
        missing ^= low
        if mine & low * ONE_RANK == 0:
            chance *= chances.rank[index_of(low), 1]
    return chance


@inner
def _hope_for_alike(mine: int, by_me: int, on_table: int, chances: Chances, figures: Floats) -> None:
    """Fours and threes: all but one or two of the cards on the table are of one rank."""
    played = count(on_table)
    for rank in range(13):
        mask = ONE_RANK << rank
        there = count(on_table & mask)
        if played - there > 2:
            continue
        if played - there <= 1:
            own = count((by_me | mine) & mask)
            chance = _has(rank, 4 - there, mine, chances)
            found = 1.0 if own == 4 else figures[FOUND_FOURS + played - 1]
            chances.missed[split_value(8, own, 4)] *= 1.0 - found * chance
        chance = _has(rank, 3 - there, mine, chances)
        chances.missed[3] *= 1.0 - figures[FOUND_THREES + played - 1] * chance


@inner
def _hope_for_full_house(mine: int, on_table: int, chances: Chances, found: float) -> None:
    ranks = ranks_of(on_table)
    one, rest = index_of(ranks & -ranks), ranks & (ranks - 1)
    there = count(on_table & ONE_RANK << one)
    if rest:
        other = index_of(rest)
        also = count(on_table & ONE_RANK << other)
        _hope_for_both(one, 3 - there, other, 2 - also, mine, chances, found)
        _hope_for_both(one, 2 - there, other, 3 - also, mine, chances, found)
        return
    no_pair, no_threes = 1.0, 1.0
    for other in range(13):
        if other != one:
            no_pair *= 1.0 - _has(other, 2, mine, chances)
            no_threes *= 1.0 - _has(other, 3, mine, chances)
    if there <= 3:
        chances.missed[8] *= 1.0 - found * _has(one, 3 - there, mine, chances) * (1.0 - no_pair)
    if there <= 2:
        chances.missed[8] *= 1.0 - found * _has(one, 2 - there, mine, chances) * (1.0 - no_threes)


@inner
def _hope_for_both(
    one: int, more: int, other: int, others: int, mine: int, chances: Chances, found: float
) -> None:
    if more >= 0 and others >= 0:
        chance = _has(one, more, mine, chances) * _has(other, others, mine, chances)
        chances.missed[8] *= 1.0 - found * chance


@inner
def _hope_for_pairs(mine: int, on_table: int, chances: Chances) -> None:
    """One pair and two, where the hand is far enough for these to be all that is left."""
    played, ranks = count(on_table), ranks_of(on_table)
    different = count(ranks)
    if played - different >= 1:
        chances.missed[1] = 0.0
    if different == 2 and played == 4 and count(on_table & ONE_RANK * (ranks & -ranks)) == 2:
        chances.missed[2] = 0.0
    if different == 4 or (played >= 3 and played - different == 1):
        value = 1 if different == played else 2
        while ranks:
            low = ranks & -ranks
            ranks ^= low
            if count(on_table & low * ONE_RANK) == 1:
                chances.missed[value] *= 1.0 - _has(index_of(low), 1, mine, chances)
