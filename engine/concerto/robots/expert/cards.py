"""Cards as the expert's compiled parts see them: bits of a CardSet, and what five of them are worth.

Everything here is compiled into ``search.choose`` and kept on disk with that (``compiling.inner``).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.concerto.robots.expert.compiling import inner

Ints = npt.NDArray[Any]
Floats = npt.NDArray[Any]

CARDS: Final = 52
SUIT: Final = 0x1FFF
ONE_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
PACK: Final = (1 << 52) - 1
# R10, as in engine.concerto.poker; numba wants an array.
RUNS: Final = np.array([1 << 12 | 0b1111, *(0b11111 << low for low in range(9))], dtype=np.int64)


@inner
def count(bits: int) -> int:
    """How many cards these are."""
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101) >> 56 & 0xFF


@inner
def index_of(bits: int) -> int:
    """The place of the lowest bit; there must be one."""
    return count((bits & -bits) - 1)


@inner
def ranks_of(bits: int) -> int:
    """The ranks of these cards, as thirteen bits."""
    return (bits | bits >> 13 | bits >> 26 | bits >> 39) & SUIT


@inner
def is_run(ranks: int) -> bool:
    """Whether five ranks are in sequence."""
    lowest = ranks & -ranks
    return ranks in (31 * lowest, 1 << 12 | 0b1111)


@inner
def split_value(fewest: int, by_one: int, most: int) -> int:
    """R9: fours are worth 8, 12 or 16, straight flushes 10, 15 or 20; one partner has ``by_one`` of ``most`` cards."""
    return fewest + fewest // 2 * min(by_one, most - by_one)


@inner
def suit_of_all(cards: int) -> int:
    """The suit that all these cards are of, 0 to 3; -1 where there are several."""
    suit = index_of(cards & -cards) // 13
    return suit if cards & ~(SUIT << 13 * suit) == 0 else -1


@inner
def hand_points(one: int, other: int) -> int:
    """R9: what five cards are worth, given what each partner put in."""
    cards = one | other
    ranks = ranks_of(cards)
    different = count(ranks)
    if different == 5:
        flush = suit_of_all(cards) >= 0
        if is_run(ranks):
            return split_value(10, count(one), 5) if flush else 5
        return 6 if flush else 0
    if different == 4:
        return 1
    clubs, diamonds, hearts, spades = cards & SUIT, cards >> 13 & SUIT, cards >> 26 & SUIT, cards >> 39
    if different == 3:
        odd = clubs ^ diamonds ^ hearts ^ spades
        return 2 if odd & (odd - 1) == 0 else 3
    fours = clubs & diamonds & hearts & spades
    return split_value(8, count(one & fours * ONE_RANK), 4) if fours else 8
