"""The melds of three cards that a hand holds (BU22): each that there is stands in a table with the cards it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from typing import Final

from engine.burraco.cards import CARDS, OF_RANK, OF_SUIT, SUIT_WIDTH, WILD, cards_in, hand_of, is_wild, kinds
from engine.burraco.melds import PLACES, meld_of
from engine.packs import SUITS, in_order

_WILDS: Final = tuple(filter(is_wild, CARDS))
#: One of each spade that is not wild.
_NATURAL: Final = kinds(OF_SUIT["s"] & ~OF_RANK["2"])
_ACES: Final = kinds(OF_RANK["A"])
#: Of every card the second copy.
_SECOND: Final = 2 * kinds(-1)


def _by_copies(hand: int) -> int:
    """A hand with a bit for each copy of a card, two at most: so one hand lies in another where its bits do."""
    return kinds(hand) | hand & _SECOND


class _Table:
    """Melds of three, in the order in which a hand's are listed, and which of them it holds."""

    def __init__(self, threes: Iterable[tuple[str, ...]]) -> None:
        melds = filter(None, (meld_of(in_order(cards)) for cards in threes))
        needed = {_by_copies(hand_of(meld.cards)): "".join(meld.cards) for meld in melds}
        #: Of a hand only this is of use here: a group of a rank's or a suit's cards, of which there are not many.
        self.useful = reduce(or_, needed)
        self.held: Callable[[int], tuple[str, ...]] = lru_cache(maxsize=1 << 13)(self._held)
        self._needed = tuple(needed.items())
        self._near = lru_cache(maxsize=1 << 13)(self._with_naturals)

    def _held(self, hand: int) -> tuple[str, ...]:
        return tuple([meld for cards, meld in self._near(hand & ~WILD) if hand & cards == cards])

    def _with_naturals(self, hand: int) -> tuple[tuple[int, str], ...]:
        """The melds of which all cards are there that are not wild."""
        return tuple([each for each in self._needed if hand & each[0] == each[0] & ~WILD])


def _sets(rank: str) -> Iterable[tuple[str, ...]]:
    """BU5: three of a rank, or two and a wild card."""
    cards = [rank + suit for suit in SUITS for _copy in range(2)]
    yield from combinations(cards, 3)
    yield from ((*pair, wild) for pair in combinations(cards, 2) for wild in _WILDS)


def _runs(suit: str) -> Iterable[tuple[str, ...]]:
    """BU5 to BU7: three neighbours, or two and a wild card, beside them or between."""
    cards = [rank + suit for rank in PLACES]
    yield from zip(cards, cards[1:], cards[2:], strict=False)
    near = [(low, high) for low, high in combinations(range(len(cards)), 2) if high <= low + 2]
    yield from ((cards[low], cards[high], wild) for low, high in near for wild in _WILDS)


_SETS: Final = {rank: _Table(_sets(rank)) for rank in PLACES if rank != "2"}
_RUNS: Final = tuple((OF_SUIT[suit], _Table(_runs(suit))) for suit in SUITS)


def new_melds(hand: int, sets: int = 0) -> list[str]:
    """BU5, BU22: every meld of three cards of a hand, as it is laid, each once; no sets of the ranks of ``sets``."""
    each, copies = kinds(hand), _by_copies(hand)
    has_wild = each & WILD
    found: list[str] = []
    # How many there are of each rank, and so many more that those are four or more which make a set. It is ten at most.
    number = hand + (hand >> SUIT_WIDTH) + (hand >> 2 * SUIT_WIDTH) + (hand >> 3 * SUIT_WIDTH)
    number += _NATURAL << 1 if has_wild else _NATURAL
    many = (number >> 2 | number >> 3) & _NATURAL & ~sets
    left = each
    while many:
        here = left & many
        many ^= here
        for table in _sets_of_ranks(here):
            found += table.held(copies & table.useful)
        left >>= SUIT_WIDTH
    # Three neighbours, or with a wild card two that have a place between them at most.
    near = each & (each >> 4 | each >> 8) if has_wild else each & each >> 4 & each >> 8
    # The ace is the king's neighbour as it is written; the two and the three are far from it.
    ace = each & (each >> 4 * 11 | each >> 4 * 12) & _ACES if has_wild else 0
    if near or ace:
        # Cards that have no neighbour are left out: so there are few different groups of a suit.
        copies &= near | near << 4 | near << 8 | ace | ace << 4 * 11 | ace << 4 * 12 | WILD
        for suit, table in _RUNS:
            if (near | ace) & suit:
                found += table.held(copies & table.useful)
    return found


@lru_cache(maxsize=1 << 13)
def _sets_of_ranks(suit: int) -> tuple[_Table, ...]:
    """The tables of the ranks of these cards."""
    return tuple([_SETS[card[0]] for card in cards_in(suit)])
