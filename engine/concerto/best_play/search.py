"""The search behind ``par``: the best disjoint hands of one side's cards, compiled by numba.

A *core* is the cards that make a combination: two for a pair, four for fours, five for a straight. The best total of
several hands is that of the best disjoint cores: cards that fill a hand up can only raise it, and what they raise it to
has a core of its own. So the search goes depth first over disjoint cores, the most valuable first, and leaves a branch
as soon as even the best cores still to come cannot bring it above what is known.

Everything compiled stands in this one module: numba's cache looks for changes in no other. Only ``par`` imports it,
when it is first asked something. Cards are the bits of CardSet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.concerto.best_play.compiling import compiled

Ints = npt.NDArray[Any]

_SUIT: Final = 0x1FFF
_ONE_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
# R10, as in engine.concerto.poker; numba wants an array.
_RUNS: Final = np.array([1 << 12 | 0b1111, *(0b11111 << low for low in range(9))], dtype=np.int64)

MOST_HANDS: Final = 4
#: Left-over values are 0 to 20 (R11).
LEFT_VALUES: Final = 21
#: A row of what was found, for each left-over value: the points, four cores, the cards left over.
FIELDS: Final = 1 + MOST_HANDS + 1
_LEFT: Final = FIELDS - 1
# No 26 cards have more cores: 10 runs of at most 1,024 straights, 2,600 flushes, 3,800 full houses, 2,900 others.
MOST_CORES: Final = 20_480


@compiled
def _count(bits: int) -> int:
    """How many cards these are."""
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101) >> 56


@compiled
def _ranks(bits: int) -> int:
    return (bits | bits >> 13 | bits >> 26 | bits >> 39) & _SUIT


@compiled
def _split_value(fewest: int, by_one: int, most: int) -> int:
    """R9: fours are worth 8, 12 or 16, straight flushes 10, 15 or 20; one partner has ``by_one`` of ``most`` cards."""
    return fewest + fewest // 2 * min(by_one, most - by_one)


# Choosing some of a list of cards: a mask says which, and masks go up with as many bits.


@compiled
def _next_mask(mask: int) -> int:
    low = mask & -mask
    carried = mask + low
    return carried | ((mask ^ carried) >> 2) // low


@compiled
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


@compiled
def six_value(six: int, one: int) -> int:
    """R11, R13: what six left-over cards are worth; ``one`` has the cards of one of the partners."""
    clubs, diamonds, hearts, spades = six & _SUIT, six >> 13 & _SUIT, six >> 26 & _SUIT, six >> 39
    fours = clubs & diamonds & hearts & spades
    if fours:
        return _split_value(8, _count(one & six & fours * _ONE_RANK), 4)
    threes = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    different = _count(_ranks(six))
    if different <= 3:
        return 8 if threes else 6
    if different == 4:
        return 3 if threes else 2
    return max(6 - different, _long_value(six, one))


@compiled
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
                best = max(best, _split_value(10, _count(core & one), 5))
    return best


@compiled
def _least_possible(rest: int) -> int:
    """A value that no six of these cards go below, by the number of their ranks alone."""
    different = _count(_ranks(rest))
    if different >= 5:
        return 0 if different > 5 else 1
    if different == 4:
        return 2
    return 6 if different == 3 else 8


@compiled
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


@compiled
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
        value = six_value(six, one)
        if value < least:
            least, least_six = value, six
            if value == floor:
                break
        mask = _next_mask(mask)
    return least, least_six


# The cores


@compiled
def _put(bits: Ints, values: Ints, found: int, core: int, value: int) -> int:
    bits[found] = core
    values[found] = value
    return found + 1


@compiled
def _put_in_order(bits: Ints, values: Ints, found: int, core: int, value: int) -> int:
    place = found
    while place and values[place - 1] < value:
        bits[place], values[place] = bits[place - 1], values[place - 1]
        place -= 1
    bits[place], values[place] = core, value
    return found + 1


@compiled
def _list_split(side: int, one: int, bits: Ints, values: Ints) -> int:
    """The straight flushes and fours, whose split counts, the most valuable first."""
    found = 0
    for suit in range(4):
        for run in _RUNS:
            core = run << 13 * suit
            if side & core == core:
                found = _put_in_order(bits, values, found, core, _split_value(10, _count(core & one), 5))
    for rank in range(13):
        core = _ONE_RANK << rank
        if side & core == core:
            found = _put_in_order(bits, values, found, core, _split_value(8, _count(core & one), 4))
    return found


@compiled
def _list_alike(side: int, step: int, size: int, cores: Ints, found: int) -> int:
    """Every ``size`` cards of one rank (13 steps apart in the pack), or of one suit (one step apart)."""
    cards = np.empty(13, np.int64)
    width = 4 if step == 13 else 13
    for group in range(52 // width):
        held = 0
        for place in range(width):
            bit = 1 << (13 // step * group + step * place)
            if side & bit:
                cards[held] = bit
                held += 1
        mask = (1 << size) - 1
        while mask < 1 << held:
            cores[found] = _chosen(cards, mask)
            found += 1
            mask = _next_mask(mask)
    return found


@compiled
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


@compiled
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


@compiled
def list_cores(side: int, one: int, bits: Ints, values: Ints) -> int:
    """Every core among a side's cards, the most valuable first (R9)."""
    pairs, threes = np.empty(78, np.int64), np.empty(52, np.int64)
    pair_count, threes_count = _list_alike(side, 13, 2, pairs, 0), _list_alike(side, 13, 3, threes, 0)
    found = _list_split(side, one, bits, values)
    for place in range(threes_count):
        for other in range(pair_count):
            if _ranks(threes[place]) != _ranks(pairs[other]):
                found = _put(bits, values, found, threes[place] | pairs[other], 8)
    first, found = found, _list_alike(side, 1, 5, bits, found)
    for place in range(first, found):
        values[place] = 6
    found = _list_straights(side, bits, values, found)
    for place in range(threes_count):
        found = _put(bits, values, found, threes[place], 3)
    for place in range(pair_count):
        for other in range(place):
            if _ranks(pairs[place]) != _ranks(pairs[other]):
                found = _put(bits, values, found, pairs[place] | pairs[other], 2)
    for place in range(pair_count):
        found = _put(bits, values, found, pairs[place], 1)
    return found


# The search


class _Found(NamedTuple):
    """What one search works on besides the cards."""

    one: int
    cores: Ints
    """Those that are being tried."""
    best: Ints
    """As ``best_of_each`` returns it."""


@compiled
def _note(total: int, rest: int, found: _Found) -> None:
    """Keep the cores where they are the best so far for what they can leave over."""
    best = found.best
    if best[_least_possible(rest), 0] >= total:
        return
    least, six = _least_left(rest, found.one)
    for value in range(least, LEFT_VALUES):
        if best[value, 0] < total:
            best[value, 0] = total
            for hand in range(MOST_HANDS):
                best[value, 1 + hand] = found.cores[hand]
            best[value, _LEFT] = six


# The stack of the search has a row for each depth: the points so far, the cards left, how many cores are listed for the
# next hand, and which of them is to be tried next. The lists are in ``levels``, cores and values in two rows.
_TOTAL, _REST, _LENGTH, _PLACE = range(4)


@compiled
def _fit(depth: int, hands: int, stack: Ints, levels: Ints, bar: int) -> None:
    """List what can follow the core just taken: what comes after it, is still there, and can pass the bar.

    ``hands`` is how many are still to come. A core is listed only if it passes the bar together with the best ones.
    """
    level, below = levels[depth], levels[depth + 1]
    total, rest = stack[depth + 1, _TOTAL], stack[depth + 1, _REST]
    listed = 0
    for place in range(stack[depth, _PLACE], stack[depth, _LENGTH]):
        core, value = level[0, place], level[1, place]
        if core & ~rest:
            continue
        highest = below[1, 0] if listed else value
        if total + highest * (hands - 1) + value <= bar:
            break
        below[0, listed], below[1, listed] = core, value
        listed += 1
    stack[depth + 1, _LENGTH], stack[depth + 1, _PLACE] = listed, 0


@compiled
def _note_last(depth: int, stack: Ints, levels: Ints, found: _Found) -> None:
    """Note what comes of each core that can be the last one."""
    level = levels[depth]
    total, rest = stack[depth, _TOTAL], stack[depth, _REST]
    for place in range(stack[depth, _LENGTH]):
        core, value = level[0, place], level[1, place]
        if total + value <= found.best[0, 0]:
            break
        found.cores[depth] = core
        _note(total + value, rest & ~core, found)
    stack[depth, _PLACE] = stack[depth, _LENGTH]


@compiled
def _search(side: int, hands: int, made: int, levels: Ints, found: _Found) -> None:
    """Fill ``found.best`` for a side's cards; ``made`` is what it has made besides.

    A branch is left when it cannot pass the points that are made while nothing of value is left over: those are the
    fewest in ``best``, so one search finds the whole frontier.
    """
    best, cores = found.best, found.cores
    stack = np.zeros((MOST_HANDS, 4), np.int64)
    stack[0, _TOTAL], stack[0, _REST] = made, side
    stack[0, _LENGTH] = list_cores(side, found.one, levels[0, 0], levels[0, 1])
    depth = 0
    while depth >= 0:
        total, place, to_come = stack[depth, _TOTAL], stack[depth, _PLACE], hands - depth
        if to_come == 1:
            _note_last(depth, stack, levels, found)
        elif place < stack[depth, _LENGTH] and total + levels[depth, 1, place] * to_come > best[0, 0]:
            core = levels[depth, 0, place]
            cores[depth] = core
            stack[depth, _PLACE] = place + 1
            stack[depth + 1, _TOTAL] = total + levels[depth, 1, place]
            stack[depth + 1, _REST] = stack[depth, _REST] & ~core
            _fit(depth, to_come - 1, stack, levels, best[0, 0])
            depth += 1
            continue
        # Nothing more can be made of what is left; the hands so far count, and the rest make nothing.
        cores[depth] = 0
        if total > best[0, 0]:
            _note(total, stack[depth, _REST], found)
        depth -= 1


@compiled
def _search_each(sides: Ints, best: Ints) -> None:
    levels = np.empty((MOST_HANDS, 2, MOST_CORES), np.int64)
    cores = np.zeros(MOST_HANDS, np.int64)
    for place in range(len(sides)):
        one, other, hands = sides[place]
        _search(one | other, hands, 0, levels, _Found(one, cores, best[place]))


def best_of_each(sides: Sequence[tuple[int, int, int]]) -> list[list[list[int]]]:
    """For each side, its two players' cards and a number of hands from 1 to 4, the rows described at FIELDS.

    Row ``v`` has the most points of hands that leave no more than ``v`` over, and how: the hands' cores (0 where the
    rest of the cards makes the hand), and six cards to leave. -1 points: no cards leave so little.
    The players must have six cards more than the hands need; fewer than six are never left.
    """
    table = np.array(sides, dtype=np.int64).reshape(-1, 3)
    best = np.full((len(table), LEFT_VALUES, FIELDS), -1, np.int64)
    _search_each(table, best)
    return best.tolist()


# A hand that has been begun


@compiled
def _can_join(core: int, begun: Ints) -> bool:
    """Whether the hand on the table can still become this core; ``begun`` as ``best_of_each_begun`` takes it."""
    one, other, _hands, table, from_one, from_other = begun
    new = core & ~table
    by_one, by_other = _count(new & one), _count(new & other)
    free = 5 - _count(table) - by_one - by_other
    return bool(free >= max(from_one - by_one, 0) + max(from_other - by_other, 0))


@compiled
def _last_hand(begun: Ints, cores: Ints, count: int, best: Ints) -> None:
    """Fill ``best`` for a side's last hand: every five cards that it can become, and the six that are left then."""
    one, other, _hands, table, from_one, from_other = begun
    side = (one | other) & ~table
    cards = np.empty(52, np.int64)
    held = 0
    while side:
        cards[held] = side & -side
        side ^= cards[held]
        held += 1
    mask = (1 << 5 - _count(table)) - 1
    while mask < 1 << held:
        new = _chosen(cards, mask)
        mask = _next_mask(mask)
        if _count(new & one) < from_one or _count(new & other) < from_other:
            continue
        hand = new | table
        value = 0
        for place in range(count):
            if cores[0, place] & ~hand == 0:
                value = cores[1, place]
                break
        for left in range(six_value((one | other) & ~hand, one), LEFT_VALUES):
            best[left, 0] = max(best[left, 0], value)


@compiled
def _search_begun(begun: Ints, levels: Ints, first: Ints, found: _Found) -> None:
    """Fill ``found.best`` where a hand has been begun: for each core that it can become, with the best of the rest."""
    one, other, hands, table = begun[:4]
    side = (one | other) & ~table
    count = list_cores(side | table, found.one, first[0], first[1])
    if hands == 1:
        _last_hand(begun, first, count, found.best)
        return
    # What the other hands make at most, whatever this one takes from them.
    alone = np.full((LEFT_VALUES, FIELDS), -1, np.int64)
    _search(side, hands - 1, 0, levels, _Found(found.one, found.cores, alone))
    beside = alone[LEFT_VALUES - 1, 0]
    count = _put(first[0], first[1], count, 0, 0)
    for place in range(count):
        core, value = first[0, place], first[1, place]
        if value + beside <= found.best[0, 0]:
            break
        if _can_join(core, begun):
            _search(side & ~core, hands - 1, value, levels, found)


@compiled
def _search_each_begun(states: Ints, best: Ints) -> None:
    levels = np.empty((MOST_HANDS, 2, MOST_CORES), np.int64)
    first = np.empty((2, MOST_CORES), np.int64)
    cores = np.zeros(MOST_HANDS, np.int64)
    for place in range(len(states)):
        _search_begun(states[place], levels, first, _Found(states[place, 0], cores, best[place]))


def best_of_each_begun(states: Sequence[tuple[int, int, int, int, int, int]]) -> list[list[int]]:
    """For each side the most points that leave no more than 0, 1, 2 ... over, as ``best_of_each`` has them.

    A state is: its two players' cards, those on the table among them; the hands to be made, the begun one counted; the
    cards on the table; and how many more each of the two must put into that hand.
    """
    table = np.array(states, dtype=np.int64).reshape(-1, 6)
    best = np.full((len(table), LEFT_VALUES, FIELDS), -1, np.int64)
    _search_each_begun(table, best)
    found: list[list[int]] = best[:, :, 0].tolist()
    return found
