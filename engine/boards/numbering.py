"""The number of a deal, both ways: every deal has one, and every number below DEALS is a deal.

North's cards come first, then East's among the 39 that are left, then South's among 26. Within each, the choices of
13 cards are counted in the order of the pack from the ace of spades to the two of clubs: the number 0 is the deal in
which North has all spades, East all hearts and South all diamonds. This is the numbering of the published Big Deal
and SquareDeal programs.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Final

from engine.cards import PACK, Card, CardSet, Suit
from engine.deals import CARDS_EACH, Deal
from engine.errors import DealError
from engine.seats import SEATS
from engine.text import gettext_noop

#: All 52 cards as the dealing formats count them: ace of spades first, two of clubs last.
DEALING_ORDER: Final[tuple[Card, ...]] = tuple(
    card
    for suit in (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
    for card in reversed(tuple(PACK.of_suit(suit)))
)

#: How many choices of 13 cards North, East and South have; West gets what is left.
_CHOICES: Final = tuple(comb(52 - CARDS_EACH * seat, CARDS_EACH) for seat in range(3))

#: How many deals there are.
DEALS: Final = _CHOICES[0] * _CHOICES[1] * _CHOICES[2]


def deal_number(deal: Deal) -> int:
    """The number of the deal, from 0 to DEALS - 1."""
    number = 0
    left = DEALING_ORDER
    for seat, choices in zip(SEATS, _CHOICES, strict=False):
        cards = deal[seat]
        number = number * choices + _rank(cards, left)
        left = tuple(card for card in left if card not in cards)
    return number


def numbered_deal(number: int) -> Deal:
    """The deal that has this number. Raises DealError when there is none."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < DEALS:
        template = gettext_noop("There’s no deal with that number. Deals are numbered from 0 to %(last)s.")
        raise DealError("deal-number", template, given=number, last=str(DEALS - 1))
    number, south = divmod(number, _CHOICES[2])
    north, east = divmod(number, _CHOICES[1])
    left = DEALING_ORDER
    hands = {}
    for seat, rank in zip(SEATS, (north, east, south, 0), strict=True):
        hands[seat] = _choice(rank, left)
        left = tuple(card for card in left if card not in hands[seat])
    return Deal.of(hands)


def _rank(cards: CardSet, among: tuple[Card, ...]) -> int:
    """The place of this choice of 13 among all choices from these cards, in order."""
    rank = 0
    wanted = CARDS_EACH
    for left, card in zip(range(len(among) - 1, -1, -1), among, strict=True):
        if card in cards:
            wanted -= 1
        elif wanted:
            # Every choice that takes this card comes before those that do not.
            rank += _choices(left, wanted - 1)
    return rank


def _choice(rank: int, among: tuple[Card, ...]) -> CardSet:
    """The choice of 13 cards that has this place."""
    bits = 0
    wanted = CARDS_EACH
    for left, card in zip(range(len(among) - 1, -1, -1), among, strict=True):
        if not wanted:
            break
        with_card = _choices(left, wanted - 1)
        if rank < with_card:
            bits |= card.bit
            wanted -= 1
        else:
            rank -= with_card
    return CardSet(bits)


@cache
def _choices(cards: int, wanted: int) -> int:
    return comb(cards, wanted)
