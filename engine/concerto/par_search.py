"""The search behind ``par``: the best disjoint hands of one side's cards, compiled by numba.

A *core* is the cards that make a combination: two for a pair, four for fours, five for a straight. The best total of
several hands is that of the best disjoint cores: cards that fill a hand up can only raise it, and what they raise it to
has a core of its own. So the search goes depth first over disjoint cores, the most valuable first, and leaves a branch
as soon as even the best cores still to come cannot bring it above what is known.

Everything compiled stands in this one module: numba's cache looks for changes in no other. Only ``par`` imports it,
and only when it is first asked something, because of what importing numba costs.

Cards are the bits of CardSet, as 64-bit numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[Any]
FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

_SUIT: Final = 0x1FFF
_ONE_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
# R10, as in engine.poker; numba wants an array.
_RUNS: Final = np.array([1 << 12 | 0b1111, *(0b11111 << low for low in range(9))], dtype=np.int64)

MOST_HANDS: Final = 4
#: Left-over values are 0 to 20 (R11).
LEFT_VALUES: Final = 21
#: A row of what was found, for each left-over value: the points, four cores, the cards left over.
FIELDS: Final = 1 + MOST_HANDS + 1
_LEFT: Final = FIELDS - 1
# No 26 cards have more cores: 10 runs of at most 1,024 straights, 2,600 flushes, 3,800 full houses, 2,900 others.
_MOST_CORES: Final = 20_480


def _compiled(function: FunctionT) -> FunctionT:
    """The function compiled when it is first called, and kept on disk where there is a place for that."""
    try:
        return cast(FunctionT, numba.njit(cache=True)(function))
    except RuntimeError:
        # Neither the code's folder nor the user's cache can be written to. Compiling anew takes some seconds; a
        # cache in a folder that others can write to would let them run code of theirs here.
        return cast(FunctionT, numba.njit(function))


@_compiled
def _count(bits: int) -> int:
    """How many cards these are."""
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101) >> 56


@_compiled
def _ranks(bits: int) -> int:
    return (bits | bits >> 13 | bits >> 26 | bits >> 39) & _SUIT


@_compiled
def _fours_value(by_one: int) -> int:
    """R9: four cards of a rank, of which one partner has this many."""
    if by_one == 2:
        return 16
    return 12 if by_one in (1, 3) else 8


@_compiled
def _straight_flush_value(by_one: int) -> int:
    if by_one in (2, 3):
        return 20
    return 15 if by_one in (1, 4) else 10


# Choosing some of a list of cards: a mask says which, and masks go up with as many bits.


@_compiled
def _next_mask(mask: int) -> int:
    low = mask & -mask
    carried = mask + low
    return carried | ((mask ^ carried) >> 2) // low


@_compiled
def _chosen(cards: Ints, mask: int) -> int:
    bits = 0
    place = 0
    while mask:
        if mask & 1:
            bits |= cards[place]
        mask >>= 1
        place += 1
    return bits


# What is left over


@_compiled
def _six_value(six: int, one: int) -> int:
    """R11, R13: what six left-over cards are worth; ``one`` has the cards of one of the partners."""
    clubs, diamonds, hearts, spades = six & _SUIT, six >> 13 & _SUIT, six >> 26 & _SUIT, six >> 39
    fours = clubs & diamonds & hearts & spades
    if fours:
        return _fours_value(_count(one & six & fours * _ONE_RANK))
    threes = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    different = _count(_ranks(six))
    if different <= 3:
        return 8 if threes else 6
    if different == 4:
        return 3 if threes else 2
    return max(6 - different, _long_value(six, one))


@_compiled
def _long_value(six: int, one: int) -> int:
    """What six cards are worth as a straight, a flush or both."""
    best = 0
    for suit in range(4):
        if _count(six >> 13 * suit & _SUIT) >= 5:
            best = 6
    ranks = _ranks(six)
    for run in _RUNS:
        if ranks & run != run:
            continue
        best = max(best, 5)
        for suit in range(4):
            core = run << 13 * suit
            if six & core == core:
                best = max(best, _straight_flush_value(_count(core & one)))
    return best


@_compiled
def _least_possible(rest: int) -> int:
    """A value that no six of these cards go below, by the number of their ranks alone."""
    different = _count(_ranks(rest))
    if different >= 5:
        return 0 if different > 5 else 1
    if different == 4:
        return 2
    return 6 if different == 3 else 8


@_compiled
def _spread(rest: int, cards: Ints) -> int:
    """List the cards so that the first ones make little: one of each rank, not in sequence, then seconds."""
    found = 0
    for nth in range(4):
        for step in range(13):
            rank = 2 * step % 13
            seen = 0
            for turn in range(4):
                bit = 1 << (13 * ((turn + rank) & 3) + rank)
                if rest & bit:
                    if seen == nth:
                        cards[found] = bit
                        found += 1
                    seen += 1
    return found


@_compiled
def _least_left(rest: int, one: int) -> tuple[int, int]:
    """The six of these cards that are worth least: the value, and the cards."""
    floor = _least_possible(rest)
    cards = np.empty(52, np.int64)
    end = 1 << _spread(rest, cards)
    least = LEFT_VALUES
    least_six = 0
    mask = 0b111111
    while mask < end:
        six = _chosen(cards, mask)
        value = _six_value(six, one)
        if value < least:
            least, least_six = value, six
            if value == floor:
                break
        mask = _next_mask(mask)
    return least, least_six


# The cores


@_compiled
def _put(bits: Ints, values: Ints, found: int, core: int, value: int) -> int:
    bits[found] = core
    values[found] = value
    return found + 1


@_compiled
def _put_in_order(bits: Ints, values: Ints, found: int, core: int, value: int) -> int:
    place = found
    while place and values[place - 1] < value:
        bits[place], values[place] = bits[place - 1], values[place - 1]
        place -= 1
    bits[place], values[place] = core, value
    return found + 1


@_compiled
def _list_split(side: int, one: int, bits: Ints, values: Ints) -> int:
    """The straight flushes and fours, whose split counts, the most valuable first."""
    found = 0
    for suit in range(4):
        for run in _RUNS:
            core = run << 13 * suit
            if side & core == core:
                found = _put_in_order(bits, values, found, core, _straight_flush_value(_count(core & one)))
    for rank in range(13):
        core = _ONE_RANK << rank
        if side & core == core:
            found = _put_in_order(bits, values, found, core, _fours_value(_count(core & one)))
    return found


@_compiled
def _list_alike(side: int, size: int, cores: Ints) -> int:
    """Every ``size`` cards of one rank, rank by rank."""
    found = 0
    cards = np.empty(4, np.int64)
    for rank in range(13):
        held = 0
        for suit in range(4):
            bit = 1 << (13 * suit + rank)
            if side & bit:
                cards[held] = bit
                held += 1
        mask = (1 << size) - 1
        while mask < 1 << held:
            cores[found] = _chosen(cards, mask)
            found += 1
            mask = _next_mask(mask)
    return found


@_compiled
def _list_flushes(side: int, bits: Ints, values: Ints, found: int) -> int:
    cards = np.empty(13, np.int64)
    for suit in range(4):
        held = 0
        for rank in range(13):
            bit = 1 << (13 * suit + rank)
            if side & bit:
                cards[held] = bit
                held += 1
        mask = 0b11111
        while mask < 1 << held:
            found = _put(bits, values, found, _chosen(cards, mask), 6)
            mask = _next_mask(mask)
    return found


@_compiled
def _list_straights(side: int, bits: Ints, values: Ints, found: int) -> int:
    for run in _RUNS:
        if _ranks(side) & run != run:
            continue
        first = found
        found = _put(bits, values, found, 0, 5)
        rest = run
        while rest:
            rank = rest & -rest
            rest ^= rank
            found = _with_rank(side & rank * _ONE_RANK, bits, values, first, found)
    return found


@_compiled
def _with_rank(held: int, bits: Ints, values: Ints, first: int, last: int) -> int:
    """The begun straights from ``first`` on, each with each of these cards of the next rank."""
    card = held & -held
    found = last
    others = held ^ card
    while others:
        other = others & -others
        others ^= other
        for place in range(first, last):
            found = _put(bits, values, found, bits[place] | other, 5)
    for place in range(first, last):
        bits[place] |= card
    return found


@_compiled
def _list_cores(side: int, one: int, bits: Ints, values: Ints) -> int:
    """Every core among a side's cards, the most valuable first (R9)."""
    pairs, threes = np.empty(78, np.int64), np.empty(52, np.int64)
    pair_count, threes_count = _list_alike(side, 2, pairs), _list_alike(side, 3, threes)
    found = _list_split(side, one, bits, values)
    for three in threes[:threes_count]:
        for pair in pairs[:pair_count]:
            if _ranks(three) != _ranks(pair):
                found = _put(bits, values, found, three | pair, 8)
    found = _list_flushes(side, bits, values, found)
    found = _list_straights(side, bits, values, found)
    for three in threes[:threes_count]:
        found = _put(bits, values, found, three, 3)
    for place in range(pair_count):
        for other in range(place):
            if _ranks(pairs[place]) != _ranks(pairs[other]):
                found = _put(bits, values, found, pairs[place] | pairs[other], 2)
    for pair in pairs[:pair_count]:
        found = _put(bits, values, found, pair, 1)
    return found


# The search


@_compiled
def _note(total: int, rest: int, one: int, cores: Ints, best: Ints) -> None:
    """Keep these cores where they are the best so far for what they can leave over."""
    if best[_least_possible(rest), 0] >= total:
        return
    least, six = _least_left(rest, one)
    for value in range(least, LEFT_VALUES):
        if best[value, 0] < total:
            best[value, 0] = total
            best[value, 1:_LEFT] = cores
            best[value, _LEFT] = six


@_compiled
def _fitting(place: int, hands: int, total: int, rest: int, level: Ints, below: Ints, bar: int) -> int:
    """List in ``below`` the cores after ``place`` that ``rest`` still has, while ``hands`` more can pass the bar.

    A level is two rows, cores and their values. How many there are is returned.
    """
    found = 0
    for later in range(place + 1, level.shape[1]):
        core, value = level[0, later], level[1, later]
        if core & ~rest:
            continue
        first = below[1, 0] if found else value
        if total + first * (hands - 1) + value <= bar:
            break
        below[0, found], below[1, found] = core, value
        found += 1
    return found


@_compiled
def _note_last(depth: int, total: int, rest: int, one: int, level: Ints, cores: Ints, best: Ints) -> None:
    """Note what comes of each core of the level as the last one, and of none."""
    for last in range(level.shape[1]):
        core, value = level[0, last], level[1, last]
        if total + value <= best[0, 0]:
            break
        if core & ~rest == 0:
            cores[depth] = core
            _note(total + value, rest & ~core, one, cores, best)
    cores[depth] = 0
    if total > best[0, 0]:
        _note(total, rest, one, cores, best)


@_compiled
def _search(one: int, other: int, hands: int, levels: Ints, best: Ints) -> None:
    """Fill ``best``, a row for each left-over value: the most points that leave no more than that over.

    A branch is left when it cannot pass the points that are made while nothing of value is left over: those are the
    fewest in ``best``. One search so finds the whole frontier.
    """
    cores = np.zeros(MOST_HANDS, np.int64)
    total, rest = np.zeros(MOST_HANDS + 1, np.int64), np.zeros(MOST_HANDS + 1, np.int64)
    place, length = np.zeros(MOST_HANDS + 1, np.int64), np.zeros(MOST_HANDS + 1, np.int64)
    best[:, 0] = -1
    rest[0] = one | other
    length[0] = _list_cores(rest[0], one, levels[0, 0], levels[0, 1])
    depth = 0
    while depth >= 0:
        here, left = place[depth], hands - depth
        level = levels[depth, :, : length[depth]]
        if left <= 1:
            _note_last(depth, total[depth], rest[depth], one, level, cores, best)
        elif here < length[depth] and total[depth] + level[1, here] * left > best[0, 0]:
            place[depth] += 1
            cores[depth] = level[0, here]
            total[depth + 1] = total[depth] + level[1, here]
            rest[depth + 1] = rest[depth] & ~level[0, here]
            length[depth + 1] = _fitting(
                here, left - 1, total[depth + 1], rest[depth + 1], level, levels[depth + 1], best[0, 0]
            )
            depth += 1
            place[depth] = 0
            continue
        else:
            cores[depth] = 0
            if total[depth] > best[0, 0]:
                _note(total[depth], rest[depth], one, cores, best)
        depth -= 1


@_compiled
def _search_each(ones: Ints, others: Ints, hands: Ints, found: Ints) -> None:
    levels = np.empty((MOST_HANDS, 2, _MOST_CORES), np.int64)
    for side in range(len(ones)):
        _search(ones[side], others[side], hands[side], levels, found[side])


def best_of_each(sides: Sequence[tuple[int, int, int]]) -> list[list[list[int]]]:
    """For each side, its two players' cards and a number of hands from 1 to 4, the rows described at FIELDS.

    Row ``v`` has the most points of hands that leave no more than ``v`` over, and how: the hands' cores (0 where the
    rest of the cards makes the hand), and six cards to leave. -1 points: no cards leave so little.
    The players must have six cards more than the hands need; fewer than six are never left.
    """
    table = np.array(sides, dtype=np.int64).reshape(-1, 3)
    found = np.zeros((len(table), LEFT_VALUES, FIELDS), np.int64)
    _search_each(table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy(), found)
    return cast("list[list[list[int]]]", found.tolist())
