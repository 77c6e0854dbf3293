"""The 40 cards of Tute (TU1, TU2)."""

from __future__ import annotations

from typing import Final

from engine.card_bits import CardBits, numbers_in
from engine.packs import SUITS

#: TU1: the ranks, the weakest first; the three is second.
STRENGTH: Final = "24567JQK3A"
#: TU2: what a rank is worth in tricks.
WORTH: Final = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
_CARD_BITS: Final = CardBits(STRENGTH)
PACK: Final = _CARD_BITS.pack
CARDS: Final = _CARD_BITS.cards
NUMBER: Final = _CARD_BITS.number
BIT: Final = _CARD_BITS.bit
IN_SUIT: Final = _CARD_BITS.in_suit
ABOVE: Final = _CARD_BITS.above
#: By a card: the cards of its suit.
SUIT_OF: Final = {card: _CARD_BITS.suit_of[number] for number, card in enumerate(CARDS)}
#: TU10.
BEATING: Final = _CARD_BITS.beating
POINTS: Final = tuple(WORTH.get(card[0], 0) for card in CARDS)
#: TU2: thirty in each suit.
ALL_POINTS: Final = sum(POINTS)
#: By a suit's number: its king and queen.
MARRIAGE: Final = tuple(1 << NUMBER["K" + suit] | 1 << NUMBER["Q" + suit] for suit in SUITS)
KINGS: Final = sum(1 << NUMBER["K" + suit] for suit in SUITS)
bits_of: Final = _CARD_BITS.bits_of
cards_in: Final = _CARD_BITS.cards_in
texts: Final = _CARD_BITS.texts

__all__ = [
    "ABOVE", "ALL_POINTS", "BEATING", "BIT", "CARDS", "IN_SUIT", "KINGS", "MARRIAGE", "NUMBER", "PACK", "POINTS",
    "STRENGTH", "SUIT_OF", "WORTH", "bits_of", "cards_in", "numbers_in", "texts",
]  # fmt: skip
