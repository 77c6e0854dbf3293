"""The melds of three cards that a hand holds (BU22).

Sets of all ranks are as those of aces, runs of all suits as those of spades, and wild cards of others as a joker: so
two small tables know them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Final

from engine.burraco.cards import OF_RANK, OF_SUIT, SUIT_WIDTH, TWOS, WILD, kinds, listed
from engine.burraco.melds import PLACES, meld_of
from engine.packs import JOKER, RANKS, SUITS

#: One of each spade that is not wild.
_NATURAL: Final = kinds(OF_SUIT["s"] & ~OF_RANK["2"])
_TWO_OF_EACH: Final = 2 * _NATURAL
_ACES: Final = kinds(OF_RANK["A"])
#: Of every card the second copy.
_SECOND: Final = 2 * kinds(-1)


class _Table(dict[int, tuple[tuple[str, ...], tuple[str, ...]]]):
    """By the cards of one rank or suit: the melds that they make alone, and those with a joker.

    Found when they are first asked for: of aces there are 81, of spades a few thousand in which each has a neighbour.
    """

    def __init__(self, own: int, threes: Iterable[tuple[str, ...]]) -> None:
        super().__init__()
        melds = {meld.hand: "".join(meld.cards) for meld in map(meld_of, threes) if meld}
        self._alone = [(_by_copies(hand), text) for hand, text in melds.items() if JOKER not in text]
        self._with_joker = [(_by_copies(hand) & own, text) for hand, text in melds.items() if JOKER in text]
        #: Of a hand only this is of use here.
        self.useful = reduce(or_, [cards for cards, _text in self._alone])

    def __missing__(self, own: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        alone = tuple([text for cards, text in self._alone if own & cards == cards])
        self[own] = alone, tuple([text for cards, text in self._with_joker if own & cards == cards])
        return self[own]


def _by_copies(hand: int) -> int:
    """A hand with a bit for each copy of a card, two at most: so one hand lies in another where its bits do."""
    return kinds(hand) | hand & _SECOND


def _sets() -> Iterable[tuple[str, ...]]:
    """BU5: three of a rank, or two and a wild card."""
    cards = ["A" + suit for suit in SUITS for _copy in range(2)]
    yield from combinations(cards, 3)
    yield from ((*pair, JOKER) for pair in combinations(cards, 2))


def _runs() -> Iterable[tuple[str, ...]]:
    """BU5 to BU7: three neighbours, or two and a wild card, beside them or between."""
    cards = [rank + "s" for rank in PLACES]
    yield from zip(cards, cards[1:], cards[2:], strict=False)
    near = [(low, high) for low, high in combinations(range(len(cards)), 2) if high <= low + 2]
    yield from ((cards[low], cards[high], wild) for low, high in near for wild in ("2s", JOKER))


_SETS: Final = _Table(OF_RANK["A"], _sets())
_RUNS: Final = _Table(OF_SUIT["s"], _runs())


_SUIT_PLACES: Final = tuple((suit, OF_SUIT[suit], SUIT_WIDTH * place) for place, suit in enumerate(SUITS))
#: Melds alone and with a joker, the letter in them and the one that takes its place, and the wild cards of others.
Group = tuple[tuple[str, ...], tuple[str, ...], str, str, int]


def new_melds(hand: int, sets: int = 0) -> list[str]:
    """BU5, BU22: every meld of three cards of a hand, as it is laid, each once; no sets of the ranks of ``sets``."""
    _each, count, groups = counted(hand, sets)
    return [meld_at(groups, at) for at in range(count)]


def counted(hand: int, sets: int) -> tuple[int, int, list[Group]]:
    """One of each card of the hand, how many of those melds there are, and where they stand."""
    each, count = kinds(hand), 0
    copies, has_wild = each | hand & _SECOND, each & WILD
    wilds = has_wild.bit_count()
    groups: list[Group] = []
    # How many there are of each rank, and so many more that those are four or more which make a set. It is ten at most.
    number = hand + (hand >> 2 * SUIT_WIDTH)
    number += (number >> SUIT_WIDTH) + (_TWO_OF_EACH if wilds else _NATURAL)
    many = (number >> 2 | number >> 3) & _NATURAL & ~sets
    while many:
        place = many.bit_length() - 1
        many ^= 1 << place
        alone, with_joker = _SETS[copies >> place & _SETS.useful]
        count += len(alone) + len(with_joker) * wilds
        groups.append((alone, with_joker, "A", RANKS[place >> 2], has_wild))
    # Three neighbours, or with a wild card two that have a place between them at most.
    near = each & (each >> 4 | each >> 8) if wilds else each & each >> 4 & each >> 8
    # The ace is the king's neighbour as it is written; the two and the three are far from it.
    if wilds and each & _ACES:
        near |= each & (each >> 4 * 11 | each >> 4 * 12) & _ACES
    if not near:
        return each, count, groups
    # Cards that have no neighbour are left out: so there are few different groups of a suit.
    copies &= near | near << 4 | near << 8 | TWOS | (near & _ACES) << 4 * 11
    for suit, of_suit, place in _SUIT_PLACES:
        if near & of_suit:
            alone, with_joker = _RUNS[copies >> place & _RUNS.useful]
            others = has_wild & ~of_suit
            count += len(alone) + len(with_joker) * others.bit_count()
            groups.append((alone, with_joker, "s", suit, others))
    return each, count, groups


def meld_at(groups: Iterable[Group], at: int) -> str:
    """The meld at this place, as it is laid."""
    for alone, with_joker, general, letter, wilds in groups:
        if at < len(alone):
            return alone[at].replace(general, letter)
        at -= len(alone)
        if at < len(with_joker) * wilds.bit_count():
            wild, at = divmod(at, len(with_joker))
            return with_joker[at].replace(general, letter).replace(JOKER, listed(wilds)[wild])
        at -= len(with_joker) * wilds.bit_count()
    raise IndexError(at)
