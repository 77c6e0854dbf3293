"""The number of a deal, both ways: every deal has one, and every number below DEALS is a deal.

North's cards come first, then East's among the 39 that are left, then South's among 26. Within each, the choices of
13 cards are counted in the order of the pack from the ace of spades to the two of clubs: the number 0 is the deal in
which North has all spades, East all hearts and South all diamonds. This is the numbering of the published Big Deal
and SquareDeal programs.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cache
from math import comb
from typing import Final, TypeVar

from engine.cards import PACK, Card, CardSet, Suit
from engine.deals import CARDS_EACH, Deal
from engine.errors import DealError
from engine.seats import SEATS
from engine.text import gettext_noop

T = TypeVar("T")

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
        number = number * choices + choice_number(cards, left)
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
        hands[seat] = CardSet.of(numbered_choice(rank, left, CARDS_EACH))
        left = tuple(card for card in left if card not in hands[seat])
    return Deal.of(hands)


def choice_number(chosen: Container[T], among: Sequence[T]) -> int:
    """The place of this choice among all choices of as many from these, in order: from 0."""
    number = 0
    wanted = sum(each in chosen for each in among)
    for left, each in zip(range(len(among) - 1, -1, -1), among, strict=True):
        if each in chosen:
            wanted -= 1
        elif wanted:
            # Every choice that takes this one comes before those that do not.
            number += _choices(left, wanted - 1)
    return number


def numbered_choice(number: int, among: Sequence[T], wanted: int) -> tuple[T, ...]:
    """The choice of so many that has this place, in their order."""
    chosen = []
    for left, each in zip(range(len(among) - 1, -1, -1), among, strict=True):
        if not wanted:
            break
        with_it = _choices(left, wanted - 1)
        if number < with_it:
            chosen.append(each)
            wanted -= 1
        else:
            number -= with_it
    return tuple(chosen)


@cache
def _choices(cards: int, wanted: int) -> int:
    return comb(cards, wanted)
