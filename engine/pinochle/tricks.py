"""Tricks with a pack of two equal cards each, in both games: what may be played, and what beats what (PP14 to PP17).

A hand is a set of cards as ``CardBits`` numbers them, and above it the set of those that it holds twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.card_bits import CardBits
from engine.packs import in_order
from engine.pinochle.melds import RANKS

CARDS: Final = CardBits(RANKS[::-1])
NUMBER: Final = CARDS.number
_COPIES: Final = len(CARDS.cards)
_ONCE: Final = (1 << _COPIES) - 1

Trick = tuple[tuple[str, str], ...]


def hand_of(cards: Iterable[str]) -> int:
    """The hand of these cards."""
    hand = 0
    for card in cards:
        bit = 1 << NUMBER[card]
        hand |= bit << _COPIES if hand & bit else bit
    return hand


def cards_of(hand: int) -> tuple[str, ...]:
    """The cards of a hand, as it is written."""
    return in_order((*CARDS.texts(hand & _ONCE), *CARDS.texts(hand >> _COPIES)))


def played(hands: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """The hands when that one has played the card of that number."""
    hand = hands[place]
    second = 1 << number + _COPIES
    left = hand ^ (second if hand & second else 1 << number)
    return (*hands[:place], left, *hands[place + 1 :])


def playable(hand: int, led: str, best: int, trump: str) -> int:
    """PP14 to PP16, AP13: of a hand, what may be played to the suit that was led, if any, and the best card so far."""
    held = hand & _ONCE
    if not led:
        return held
    if led != trump and (follow := held & CARDS.suits[led]):
        return follow
    trumps = CARDS.suits[trump]
    own = held & trumps
    if trumps >> best & 1:
        own = own & CARDS.above[best] or own
    return own or held


def winner(trick: Sequence[tuple[str, str]], trump: str) -> tuple[str, str]:
    """PP17: who takes the trick so far, and with which card; of equal cards the first."""
    beating, found = CARDS.beating[trump], trick[0]
    for each in trick[1:]:
        if beating[NUMBER[found[1]]] >> NUMBER[each[1]] & 1:
            found = each
    return found
