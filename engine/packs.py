"""Packs in which a card may be there more than once, with jokers or fewer ranks; and their deals as text.

A card is its text: the rank, then the suit in lower case ("As", "Td"), or "Jk" for a joker; equal cards are equal. The
cards of a hand are written together, spades, hearts, diamonds, clubs, high ranks first, jokers last: "AsTs9hJk".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.errors import CardError, DealError
from engine.text import gettext_noop

RANKS: Final = "AKQJT98765432"
SUITS: Final = "shdc"
JOKER: Final = "Jk"
#: What a hand without cards is written as.
NOTHING: Final = "-"
_PLACE: Final = {
    card: place for place, card in enumerate([*(rank + suit for suit in SUITS for rank in RANKS), JOKER])
}
#: By its two letters. One object for each card: equal cards are found to be so at once.
_CARD: Final = {(card[0], card[1]): card for card in _PLACE}


class Dealt(NamedTuple):
    """A deal: the hands, in the order of the seats and each as it is written, and the stock, its top first."""

    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...] = ()

    def __str__(self) -> str:
        hands = " ".join(["".join(hand) or NOTHING for hand in self.hands])
        return f"{hands} | {''.join(self.stock)}" if self.stock else hands


def pack(ranks: str = RANKS, *, copies: int = 1, jokers: int = 0) -> tuple[str, ...]:
    """Every card of a pack, equal ones beside each other."""
    cards = [rank + suit for suit in SUITS for rank in RANKS if rank in ranks for _copy in range(copies)]
    return (*cards, *(JOKER for _joker in range(jokers)))


def is_card(text: str) -> bool:
    """Whether it is the text of a card."""
    return text in _PLACE


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards as a hand is written."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))


_pack_in_order: Final = lru_cache(maxsize=64)(in_order)


def cards_text(cards: Iterable[str]) -> str:
    """The cards of a hand as text."""
    return "".join(in_order(cards))


def read_cards(text: str) -> tuple[str, ...]:
    """The cards of a text, in its order. Raises CardError."""
    try:
        return tuple([_CARD[letters] for letters in zip(text[::2], text[1::2], strict=True)])
    except (KeyError, ValueError):
        raise CardError("cards", gettext_noop("“%(given)s” isn’t a row of cards."), given=text) from None


def without(held: Iterable[str], cards: Iterable[str]) -> tuple[str, ...] | None:
    """What is left of a hand in order; None where it does not hold all of the cards, equal ones counted."""
    left = list(held)
    try:
        for card in cards:
            left.remove(card)
    except ValueError:
        return None
    return in_order(left)


def deal_out(cards: Sequence[str], sizes: Sequence[int]) -> Dealt:
    """The cards from the top over the seats, the rest as the stock."""
    hands, at = [], 0
    for size in sizes:
        hands.append(in_order(cards[at : at + size]))
        at += size
    return Dealt(tuple(hands), tuple(cards[at:]))


def read_deal(text: str, of_pack: Sequence[str], sizes: Sequence[int]) -> Dealt:
    """The deal with that text: every card of the pack, that many in each hand. Raises DealError."""
    written, bar, rest = text.partition(" | ")
    parts = written.split(" ")
    try:
        hands = tuple([in_order(read_cards("" if part == NOTHING else part)) for part in parts])
        dealt = Dealt(hands, read_cards(rest))
    except CardError as error:
        raise DealError(error.code, error.message.template, given=error.given) from None
    cards = [card for hand in (*dealt.hands, dealt.stock) for card in hand]
    is_whole = in_order(cards) == _pack_in_order(tuple(of_pack)) and bool(bar) == bool(rest)
    if not is_whole or [len(hand) for hand in hands] != list(sizes):
        raise DealError("deal", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
    return dealt
