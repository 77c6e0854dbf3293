"""What a player may hope for of a hand begun, knowing its own cards and guessing at its partner's.

For each combination that the hand can still become there is a chance that the two hold the cards for it. The hope is
the mean of the best that comes off, as if the chances were independent; each is made smaller by a factor for partners
not finding it (``weights``), and each value is what the hand brings less what its cards would be worth later.
"""

# Compiled code has no objects to gather arguments in.
# ruff: noqa: PLR0917
from __future__ import annotations

from typing import Final

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
_BRINGS: Final = np.array([20, 16, 15, 12, 10, 8, 6, 5, 3, 2, 1])

# A player's chances are one array: compiled code hands on many small ones slowly, which took two thirds of the time.
#: The chance of each card that the partner holds it, and that one of the two does.
CARD: Final = 0
EITHER: Final = CARD + CARDS
#: The chances of each rank, and of each suit, that the partner holds 0, 1 ... 4 or more of it.
RANK: Final = EITHER + CARDS
SUITS: Final = RANK + 13 * 5
#: How many the player holds of each rank, and the chance of each that one of the two holds a card of it.
OWN: Final = SUITS + 4 * 5
ANY_OF: Final = OWN + 13
#: The chance of each value of a hand that it does not come off.
MISSED: Final = ANY_OF + 13
CHANCES: Final = MISSED + VALUES


@inner
def new_chances() -> Floats:
    """Room for chances."""
    return np.zeros(CHANCES)


@inner
def look_at(mine: int, chances: Floats) -> None:
    """Set what the chances are with these own cards."""
    for rank in range(13):
        own = count(mine & ONE_RANK << rank)
        chances[OWN + rank] = own
        chances[ANY_OF + rank] = 1.0 if own else chances[RANK + 5 * rank + 1]
    for place in range(CARDS):
        chances[EITHER + place] = chances[CARD + place]
    while mine:
        chances[EITHER + index_of(mine)] = 1.0
        mine &= mine - 1


@inner
def weigh(unseen: int, size: int, odds: Floats, who: int, chances: Floats) -> None:
    """Set the chances of a partner who holds ``size`` of the unseen cards; ``odds[who]`` has what was told of each."""
    for place in range(OWN):
        chances[place] = 0.0
    for group in range(17):
        chances[RANK + 5 * group] = 1.0
    share = size / max(1, count(unseen))
    while unseen:
        place = index_of(unseen)
        unseen &= unseen - 1
        weight = odds[who, place] * share
        chance = weight / (1.0 - share + weight) if share < 1.0 else 1.0
        chances[CARD + place] = chance
        suit = place // 13
        _add(chances, RANK + 5 * (place - 13 * suit), chance)
        _add(chances, SUITS + 5 * suit, chance)


@inner
def _add(chances: Floats, first: int, chance: float) -> None:
    """One more card that is held with this chance."""
    for number in range(4, 0, -1):
        chances[first + number] += chance * (chances[first + number - 1] - chances[first + number])


@inner
def _has(rank: int, number: int, chances: Floats) -> float:
    """The chance that the two hold so many cards of a rank."""
    more = number - int(chances[OWN + rank])
    return 1.0 if more <= 0 else chances[RANK + 5 * rank + more]


@inner
def hope(mine: int, by_me: int, by_other: int, later: int, chances: Floats, figures: Floats) -> float:
    """What may be hoped for of the hand with these cards played to it; ``later`` counts the side's hands after it."""
    on_table = by_me | by_other
    played = count(on_table)
    worth = WORTH + VALUES * later
    if played == 5:
        return float(figures[worth + hand_points(by_me, by_other)])
    for value in _BRINGS:
        chances[MISSED + value] = 1.0
    different = count(ranks_of(on_table))
    if different == played:
        _hope_for_long(mine, by_me, on_table, chances, figures)
    _hope_for_alike(mine, by_me, on_table, chances, figures)
    if different <= 2:
        _hope_for_full_house(on_table, chances, figures[FOUND_FULL_HOUSE + played - 1])
    _hope_for_pairs(on_table, chances)
    return _mean(chances, worth, figures)


@inner
def _mean(chances: Floats, worth: int, figures: Floats) -> float:
    total, rest = 0.0, 1.0
    for value in _BRINGS:
        missed = chances[MISSED + value]
        total += rest * (1.0 - missed) * figures[worth + value]
        rest *= missed
    return total


@inner
def _hope_for_long(mine: int, by_me: int, on_table: int, chances: Floats, figures: Floats) -> None:
    """Straights, flushes and both: the cards on the table are of different ranks."""
    stage = count(on_table) - 1
    ranks, suit = ranks_of(on_table), suit_of_all(on_table)
    if suit >= 0:
        own, need = count(mine >> 13 * suit & SUIT), 4 - stage
        chance = 1.0 if own >= need else chances[SUITS + 5 * suit + need - own]
        chances[MISSED + 6] *= 1.0 - figures[FOUND_FLUSH + stage] * chance
    for run in RUNS:
        if ranks & ~run:
            continue
        if suit >= 0:
            _hope_for_run(mine, by_me, run & ~ranks, suit, chances, figures[FOUND_STRAIGHT_FLUSH + stage])
        chance = _chance_of_ranks(run & ~ranks, chances)
        chances[MISSED + 5] *= 1.0 - figures[FOUND_STRAIGHT + stage] * chance


@inner
def _hope_for_run(mine: int, by_me: int, missing: int, suit: int, chances: Floats, found: float) -> None:
    chance, own = 1.0, count(by_me) + count(mine & missing << 13 * suit)
    while missing:
        chance *= chances[EITHER + 13 * suit + index_of(missing)]
        missing &= missing - 1
    if chance > 0.0:
        chances[MISSED + split_value(10, own, 5)] *= 1.0 - found * chance


@inner
def _chance_of_ranks(missing: int, chances: Floats) -> float:
    chance = 1.0
    while missing:
        chance *= chances[ANY_OF + index_of(missing)]
        missing &= missing - 1
    return chance


@inner
def _hope_for_alike(mine: int, by_me: int, on_table: int, chances: Floats, figures: Floats) -> None:
    """Fours and threes: all but one or two of the cards on the table are of one rank."""
    played = count(on_table)
    ranks = SUIT if played <= 2 else ranks_of(on_table)
    while ranks:
        rank = index_of(ranks)
        ranks &= ranks - 1
        mask = ONE_RANK << rank
        there = count(on_table & mask)
        if played - there > 2:
            continue
        if played - there <= 1:
            chance = _has(rank, 4 - there, chances)
            if chance > 0.0:
                own = count((by_me | mine) & mask)
                found = 1.0 if own == 4 else figures[FOUND_FOURS + played - 1]
                chances[MISSED + split_value(8, own, 4)] *= 1.0 - found * chance
        chances[MISSED + 3] *= 1.0 - figures[FOUND_THREES + played - 1] * _has(rank, 3 - there, chances)


@inner
def _hope_for_full_house(on_table: int, chances: Floats, found: float) -> None:
    ranks = ranks_of(on_table)
    one, rest = index_of(ranks & -ranks), ranks & (ranks - 1)
    there = count(on_table & ONE_RANK << one)
    if rest:
        other = index_of(rest)
        also = count(on_table & ONE_RANK << other)
        _hope_for_both(one, 3 - there, other, 2 - also, chances, found)
        _hope_for_both(one, 2 - there, other, 3 - also, chances, found)
        return
    no_pair, no_threes = 1.0, 1.0
    for other in range(13):
        if other != one:
            no_pair *= 1.0 - _has(other, 2, chances)
            no_threes *= 1.0 - _has(other, 3, chances)
    if there <= 3:
        chances[MISSED + 8] *= 1.0 - found * _has(one, 3 - there, chances) * (1.0 - no_pair)
    if there <= 2:
        chances[MISSED + 8] *= 1.0 - found * _has(one, 2 - there, chances) * (1.0 - no_threes)


@inner
def _hope_for_both(one: int, more: int, other: int, others: int, chances: Floats, found: float) -> None:
    if more >= 0 and others >= 0:
        chance = _has(one, more, chances) * _has(other, others, chances)
        chances[MISSED + 8] *= 1.0 - found * chance


@inner
def _hope_for_pairs(on_table: int, chances: Floats) -> None:
    """One pair and two, where the hand is far enough for these to be all that is left."""
    played, ranks = count(on_table), ranks_of(on_table)
    different = count(ranks)
    if played - different >= 1:
        chances[MISSED + 1] = 0.0
    if different == 2 and played == 4 and count(on_table & ONE_RANK * (ranks & -ranks)) == 2:
        chances[MISSED + 2] = 0.0
    if different == 4 or (played >= 3 and played - different == 1):
        value = 1 if different == played else 2
        while ranks:
            low = ranks & -ranks
            ranks ^= low
            if count(on_table & low * ONE_RANK) == 1:
                chances[MISSED + value] *= 1.0 - _has(index_of(low), 1, chances)
