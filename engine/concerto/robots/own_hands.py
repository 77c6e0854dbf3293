"""The best hands of one player's own cards: an exact search, small enough to need no compiling.

As in ``best_play.search``, a *core* is the cards that make a combination, and the best total of several hands is that
of the best disjoint cores. One player's cards have a hundred cores or two, and a player leads two hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from engine.concerto.poker import STRAIGHTS

_SUIT: Final = 0x1FFF
_ONE_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39

#: R9: what the cores are worth when one player has all of them.
_STRAIGHT_FLUSH, _FOURS, _FULL_HOUSE, _FLUSH, _STRAIGHT, _THREES, _TWO_PAIR, _PAIR = 10, 8, 8, 6, 5, 3, 2, 1


class Core(NamedTuple):
    """Cards that make a combination, and its points."""

    points: int
    cards: int


def cores(cards: int) -> list[Core]:
    """Every core among one player's cards, the most valuable first."""
    found = [*_long(cards), *_alike(cards)]
    found.sort(reverse=True)
    return found


# A hand is asked for again with each of its cards.
@lru_cache(maxsize=1024)
def best_hands(cards: int, hands: int) -> tuple[Core, ...]:
    """The best disjoint cores, at most so many and at most two; the most valuable first."""
    found = cores(cards)
    if hands < 1 or not found:
        return ()
    best: tuple[Core, ...] = (found[0],)
    most = found[0].points
    if hands == 1:
        return best
    for place, one in enumerate(found):
        if 2 * one.points <= most:
            break
        for other in found[place + 1 :]:
            if one.points + other.points <= most:
                break
            if not one.cards & other.cards:
                best, most = (one, other), one.points + other.points
                break
    return best


def _long(cards: int) -> Iterator[Core]:
    """Straight flushes, flushes and straights."""
    suits = [cards >> 13 * suit & _SUIT for suit in range(4)]
    ranks = suits[0] | suits[1] | suits[2] | suits[3]
    for suit, held in enumerate(suits):
        if held.bit_count() >= 5:
            for run in STRAIGHTS:
                if held & run == run:
                    yield Core(_STRAIGHT_FLUSH, run << 13 * suit)
            for five in combinations(singles(held << 13 * suit), 5):
                yield Core(_FLUSH, sum(five))
    for run in STRAIGHTS:
        if ranks & run == run:
            straights = [0]
            for rank in singles(run):
                here = singles(cards & rank * _ONE_RANK)
                straights = [begun | card for begun in straights for card in here]
            for straight in straights:
                yield Core(_STRAIGHT, straight)


def _alike(cards: int) -> Iterator[Core]:
    """Combinations of cards of one rank."""
    pairs: list[tuple[int, int]] = []
    threes: list[tuple[int, int]] = []
    for rank in range(13):
        held = singles(cards & _ONE_RANK << rank)
        if len(held) == 4:
            yield Core(_FOURS, sum(held))
        pairs += [(rank, sum(two)) for two in combinations(held, 2)]
        threes += [(rank, sum(three)) for three in combinations(held, 3)]
    for rank, three in threes:
        yield Core(_THREES, three)
        for other, pair in pairs:
            if other != rank:
                yield Core(_FULL_HOUSE, three | pair)
    for rank, pair in pairs:
        yield Core(_PAIR, pair)
        for other, second in pairs:
            if other < rank:
                yield Core(_TWO_PAIR, pair | second)


def pairs_among(cards: int) -> int:
    """How many pairs can be laid aside from these cards."""
    clubs, diamonds, hearts, spades = (cards >> 13 * suit & _SUIT for suit in range(4))
    twice = clubs & (diamonds | hearts | spades) | diamonds & (hearts | spades) | hearts & spades
    return twice.bit_count() + (clubs & diamonds & hearts & spades).bit_count()


def singles(bits: int) -> list[int]:
    """The cards one by one."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low)
        bits ^= low
    return found
