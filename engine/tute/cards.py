"""The 40 cards of Tute (TU1, TU2), as numbers and as bits of sets.

A card's number is its suit's (spades, hearts, diamonds, clubs) times ten, and its strength from 0, the two, to 9, the
ace; a set of cards is the sum of its cards' bits.
"""

from __future__ import annotations

from typing import Final

from engine.packs import SUITS, pack

#: TU1: the ranks, the weakest first; the three is second.
STRENGTH: Final = "24567JQK3A"
#: TU2: what a rank is worth in tricks.
WORTH: Final = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
PACK: Final = pack(STRENGTH)
CARDS: Final = tuple(rank + suit for suit in SUITS for rank in STRENGTH)
NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
POINTS: Final = tuple(WORTH.get(card[0], 0) for card in CARDS)
#: TU2: thirty in each suit.
ALL_POINTS: Final = sum(POINTS)
IN_SUIT: Final = tuple(0b1111111111 << 10 * suit for suit in range(4))
#: By a card's number: the cards of its suit that beat it.
ABOVE: Final = tuple(IN_SUIT[number // 10] & -(2 << number) for number in range(40))
#: By a suit's number: its king and queen.
MARRIAGE: Final = tuple(1 << NUMBER["K" + suit] | 1 << NUMBER["Q" + suit] for suit in SUITS)
KINGS: Final = sum(1 << NUMBER["K" + suit] for suit in SUITS)


def bits_of(cards: tuple[str, ...]) -> int:
    """The set of these cards."""
    return sum(1 << NUMBER[card] for card in cards)


def numbers_in(bits: int) -> list[int]:
    """The numbers of the cards of a set, in order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def cards_in(bits: int) -> tuple[str, ...]:
    """The cards of a set: by suits, strong ones first, as its players sort a hand."""
    return tuple(sorted(map(CARDS.__getitem__, numbers_in(bits)), key=_BY_STRENGTH.__getitem__))


_BY_STRENGTH: Final = {
    card: place for place, card in enumerate(rank + suit for suit in SUITS for rank in STRENGTH[::-1])
}
