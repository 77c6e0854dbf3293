"""The cards of Burraco, and hands of them as numbers (BU1, BU4).

A hand is a number with a hexadecimal digit for each card: how many of it are there. The digits follow each other as a
hand is written: thirteen for each suit, from the ace to the two, and one for the jokers. So cards are added to a hand
by adding, and cards of a suit or a rank are taken out of it by a mask.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engine.packs import JOKER, RANKS, SUITS, pack

#: BU1.
PACK: Final = pack(copies=2, jokers=4)
CARDS: Final = tuple(dict.fromkeys(PACK))
#: BU4.
VALUE: Final = {
    card: 30
    if card == JOKER
    else 20
    if card[0] == "2"
    else 15
    if card[0] == "A"
    else 10
    if card[0] in "KQJT98"
    else 5
    for card in CARDS
}
#: The hand of this one card.
ONE: Final = {card: 1 << 4 * place for place, card in enumerate(CARDS)}
_ONE_OF_EACH: Final = sum(ONE.values())
#: How far the cards of a suit are from the same ones of the next suit, in bits.
SUIT_WIDTH: Final = 4 * len(RANKS)
#: The digits of each suit and of each rank.
OF_SUIT: Final = {suit: 15 * sum(ONE[rank + suit] for rank in RANKS) for suit in SUITS}
OF_RANK: Final = {rank: 15 * sum(ONE[rank + suit] for suit in SUITS) for rank in RANKS}
TWOS: Final = OF_RANK["2"]
_JOKERS: Final = 15 * ONE[JOKER]
#: BU4.
WILD: Final = TWOS | _JOKERS


def is_wild(card: str) -> bool:
    """BU4."""
    return card[0] == "2" or card == JOKER


def hand_of(cards: Iterable[str]) -> int:
    """These cards as a hand."""
    return sum(map(ONE.__getitem__, cards))


def kinds(hand: int) -> int:
    """One of each card that is there."""
    return (hand | hand >> 1 | hand >> 2) & _ONE_OF_EACH


def cards_in(hand: int) -> tuple[str, ...]:
    """The cards in order, equal ones beside each other."""
    spades, hearts, diamonds, clubs = OF_SUIT.values()
    return (
        listed(hand & spades)
        + listed(hand & hearts)
        + listed(hand & diamonds)
        + listed(hand & clubs)
        + listed(hand & _JOKERS)
    )


def number_of_few(hand: int) -> int:
    """How many cards there are, of a hand with fewer than fifteen."""
    # As the digits of a decimal number leave as much as the number itself when they are divided by nine.
    return hand % 15


def card_at(each: int, at: int) -> str:
    """The card at this place of a hand that has one of each."""
    for _card in range(at):
        each &= each - 1
    return CARDS[(each & -each).bit_length() >> 2]


@lru_cache(maxsize=1 << 15)
def listed(hand: int) -> tuple[str, ...]:
    """The same of a hand that is part of a suit or rank: of those there are few, so that they are kept."""
    found = []
    while hand:
        place = (hand & -hand).bit_length() - 1 >> 2
        found.append(CARDS[place])
        hand -= 1 << 4 * place
    return tuple(found)
