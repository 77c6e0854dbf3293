"""Which cards of Conquian can lie together (CQ1, CQ4 to CQ7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

from engine.card_bits import CardBits, numbers_in
from engine.packs import SUITS, cards_text

#: CQ1: the ace is low, and the jack follows the seven.
CARDS: Final = CardBits("A234567JQK")
_RANKS: Final = CARDS.ranks
_ALL_MELDS: Final = (
    *(
        ((1 << size) - 1) << first
        for size in range(3, _RANKS + 1)
        for first in range(len(CARDS.cards))
        if first % _RANKS + size <= _RANKS
    ),
    *(
        sum(1 << _RANKS * suit + rank for suit in suits)
        for size in (3, 4)
        for suits in combinations(range(len(SUITS)), size)
        for rank in range(_RANKS)
    ),
)
#: CQ4: by a card's number, the sets and runs that it can lie in, the longest first.
_MELDS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(sorted((meld for meld in _ALL_MELDS if meld >> card & 1), key=int.bit_count, reverse=True))
    for card in range(len(CARDS.cards))
)


def is_meld(bits: int) -> bool:
    """CQ4."""
    return bool(bits) and bits in _MELDS[numbers_in(bits)[0]]


@lru_cache(maxsize=1 << 14)
def layings(table: int, hand: int) -> tuple[int, ...]:
    """CQ6, CQ7: the cards of the hand that can lie with all those of the table, each meld having one of the table's."""
    return tuple(sorted({used for used, _melds in _groupings(table, hand)}))


def grouping(table: int) -> tuple[str, ...]:
    """CQ7: the cards of the table in melds, one way of several perhaps."""
    melds = next((melds for _used, melds in _groupings(table, 0)), ())
    return tuple(sorted(cards_text(CARDS.cards_in(meld)) for meld in melds))


def fits(card: int, down: int) -> bool:
    """CQ11: whether the card can lie with these melds, without any card from a hand."""
    return bool(layings(down | 1 << card, 0))


def _groupings(table: int, hand: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The cards of the hand that are used, and the melds."""
    if not table:
        yield 0, ()
        return
    held = table | hand
    first = table & -table
    for meld in _MELDS[first.bit_length() - 1]:
        if meld & held == meld:
            for used, melds in _groupings(table & ~meld, hand & ~meld):
                yield used | meld & hand, (meld, *melds)
