"""The stock and the draw, which both games have (PM3, PM12, PR2, PR5)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.errors import ActionError, CardError
from engine.game.individuals import not_held, unknown_action
from engine.packs import Dealt, cards_text, in_order, read_cards, read_deal, without
from engine.primiera.hands import HAND, PACK, Hand
from engine.text import gettext_noop

DISCARD: Final = "x"


class Drawn(NamedTuple):
    """The hands, by place, and what is left of the stock."""

    hands: tuple[Hand, ...]
    stock: tuple[str, ...]

    def after(self, place: int, token: str) -> Drawn:
        """With the cards of this discard exchanged for as many from the top."""
        given = read_cards(token[1:])
        kept = without(self.hands[place], given) or ()
        hand = in_order((*kept, *self.stock[: len(given)]))
        hands = (*self.hands[:place], hand, *self.hands[place + 1 :])
        return Drawn(hands, self.stock[len(given) :])


def read(text: str, players: int) -> Dealt:
    """PM3, PR2. Raises DealError."""
    return read_deal(text, PACK, (HAND,) * players)


def spelled(token: str) -> str:
    """A discard with its cards in the order of a hand."""
    try:
        return DISCARD + cards_text(read_cards(token[1:])) if token[:1] == DISCARD else token
    except CardError:
        return token


def draw_refusal(token: str, hand: Hand, stock: int) -> ActionError:
    """Why these cards cannot be given: PM12, PR5."""
    try:
        cards = read_cards(token[1:])
    except CardError:
        return unknown_action(token)
    if not cards:
        return unknown_action(token)
    if without(hand, cards) is None:
        return not_held(token)
    template = gettext_noop("You can’t exchange more cards than the stock has: %(stock)d.")
    return ActionError("stock-short", template, given=token, stock=stock)


def seen_discard(token: str) -> str:
    """PM20, PR11: others see how many cards were given."""
    return f"{DISCARD}{len(token) // 2}"


def count_of(token: str) -> int:
    """Of how many cards a discard is, by its token as anybody sees it."""
    return int(token[1:]) if token[1:].isdigit() else len(token) // 2
