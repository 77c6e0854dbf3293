"""Tricks with a pack of two equal cards each, in both games: what may be played, and what beats what (PP14 to PP17).

A hand is a set of cards as ``CardBits`` numbers them, and above it the set of those that it holds twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.card_bits import CardBits
from engine.packs import in_order

#: PP1: the ranks, strong ones first.
RANKS: Final = "ATKQJ9"
CARDS: Final = CardBits(RANKS[::-1])
NUMBER: Final = CARDS.number
BIT: Final = CARDS.bit
_COPIES: Final = len(CARDS.cards)
_ONCE: Final = (1 << _COPIES) - 1

_SUIT_OF: Final = CARDS.suit_of
_ABOVE: Final = CARDS.above


def hand_of(cards: Iterable[str], hand: int = 0) -> int:
    """The hand of these cards, and those of another hand."""
    for bit in map(BIT.__getitem__, cards):
        hand |= bit << _COPIES if hand & bit else bit
    return hand


def different(hand: int) -> int:
    """The cards of a hand as a set, equal ones once."""
    return hand & _ONCE


def times_in(hand: int, cards: int) -> int:
    """How often a hand holds all cards of a set."""
    return (hand & cards == cards) + (hand >> _COPIES & cards == cards)


def cards_of(hand: int) -> tuple[str, ...]:
    """The cards of a hand, as it is written."""
    return in_order((*CARDS.texts(hand & _ONCE), *CARDS.texts(hand >> _COPIES)))


def played(hands: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """The hands when that one has played the card of that number."""
    left, second = [*hands], 1 << number + _COPIES
    left[place] ^= second if left[place] & second else 1 << number
    return tuple(left)


def playable(hand: int, led: int, best: int, trumps: int) -> int:
    """PP14 to PP16, AP13: of a hand, what may be played to the card that was led and the best one so far."""
    held, suit = hand & _ONCE, _SUIT_OF[led]
    if suit != trumps and (follow := held & suit):
        return follow
    own = held & trumps
    if trumps >> best & 1:
        own = own & _ABOVE[best] or own
    return own or held


def winner(trick: Sequence[tuple[str, str]], trump: str) -> tuple[str, str]:
    """PP17: who takes the trick so far, and with which card; of equal cards the first."""
    beating, found = CARDS.beating[trump], trick[0]
    for each in trick[1:]:
        if beating[NUMBER[found[1]]] >> NUMBER[each[1]] & 1:
            found = each
    return found
