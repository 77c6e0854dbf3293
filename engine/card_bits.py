"""The cards of a single pack, as numbers and as bits of sets: what follows suit, what beats what, and neighbours.

A card's number is its suit's (spades, hearts, diamonds, clubs) times the number of ranks, and its strength from 0;
a set of cards is the sum of its cards' bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from engine.packs import SUITS, pack


@final
class CardBits:
    """The cards of these ranks, given the weakest first, in four suits."""

    def __init__(self, strength: str) -> None:
        self.ranks = len(strength)
        self.pack = pack(strength)
        self.cards = tuple(rank + suit for suit in SUITS for rank in strength)
        self.number = {card: number for number, card in enumerate(self.cards)}
        self.bit = {card: 1 << number for card, number in self.number.items()}
        suit = (1 << self.ranks) - 1
        self.in_suit = tuple(suit << self.ranks * place for place in range(len(SUITS)))
        #: By a card's number: the cards of its suit.
        self.suit_of = tuple(self.in_suit[number // self.ranks] for number in range(len(self.cards)))
        #: By a card's number: the cards of its suit that beat it.
        self.above = tuple(self.suit_of[number] & -(2 << number) for number in range(len(self.cards)))
        self.suits = dict(zip(SUITS, self.in_suit, strict=True))
        #: By the suit of trumps and the number of a trick's best card: the cards that beat it.
        self.beating = {
            trump: tuple(
                above | (0 if self.suits[trump] >> number & 1 else self.suits[trump])
                for number, above in enumerate(self.above)
            )
            for trump in SUITS
        }
        by_strength = (rank + suit for suit in SUITS for rank in reversed(strength))
        self._place = {card: place for place, card in enumerate(by_strength)}
        #: The cards of a set: by suits, weak ones first, as they are numbered.
        self.texts = _Texts(self).__getitem__

    def bits_of(self, cards: Iterable[str]) -> int:
        """The set of these cards."""
        return sum(map(self.bit.__getitem__, cards))

    def cards_in(self, bits: int) -> tuple[str, ...]:
        """The cards of a set: by suits, strong ones first, as its players sort a hand."""
        return tuple(sorted(map(self.cards.__getitem__, numbers_in(bits)), key=self._place.__getitem__))


class _Texts(dict[int, tuple[str, ...]]):
    """The cards of each set; those of a set of one suit are kept, once asked for, and others put together of them."""

    def __init__(self, of: CardBits) -> None:
        super().__init__()
        self.cards, self.in_suit, self.suit_of = of.cards, of.in_suit, of.suit_of

    def __missing__(self, bits: int) -> tuple[str, ...]:
        if bits & self.suit_of[bits.bit_length() - 1] == bits:
            found = self[bits] = tuple(map(self.cards.__getitem__, numbers_in(bits)))
            return found
        spades, hearts, diamonds, clubs = self.in_suit
        return self[bits & spades] + self[bits & hearts] + self[bits & diamonds] + self[bits & clubs]


def numbers_in(bits: int) -> list[int]:
    """The numbers of the cards of a set, in order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
