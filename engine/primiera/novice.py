"""Novices at Primiera and Primero, by rules of thumb: draw to a suit or to four suits, and stake on what is there."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import SUITS, cards_text, in_order
from engine.primiera.hands import NUMERUS, WORTH, Hand, old_kind_of, point
from engine.text import Word, gettext_noop

#: A suit of three is kept; and a point from which a stake is matched, and one that is worth a stake.
LONG: Final = 3
MATCHED, STAKED = 31, 44


def given(hand: Hand, stock: int) -> Hand:
    """The cards to exchange: those beside the longest suit, or beside three suits."""
    by_suit = {suit: [card for card in hand if card[1] == suit] for suit in SUITS}
    longest = max(by_suit.values(), key=lambda cards: (len(cards), sum(WORTH[card[0]] for card in cards)))
    present = [cards for cards in by_suit.values() if cards]
    if len(longest) < LONG and len(present) == LONG:
        kept = [max(cards, key=lambda card: WORTH[card[0]]) for cards in present]
    else:
        kept = longest
    return in_order([card for card in hand if card not in kept][:stock])


def waste(hand: Hand) -> Hand:
    """The card that counts least: one has to be given."""
    return (min(hand, key=lambda card: WORTH[card[0]]),)


class _Novice(Robot):
    key = "novice"
    name = Word(gettext_noop("Novice"))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.calls or view.compositions):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        own = next(zone for zone in view.seats if zone.seat == view.seat)
        if view.compositions:
            cards = self.given(in_order(own.cards), view.compositions[0].most)
            return view.compositions[0].prefix + cards_text(cards) if cards else "-"
        return self.said(in_order(own.cards), tuple(call.token for call in view.calls))

    @abstractmethod
    def given(self, hand: Hand, stock: int) -> Hand:
        """The cards to exchange."""

    @abstractmethod
    def said(self, hand: Hand, possible: tuple[str, ...]) -> str:
        """What to say."""


class PrimieraNovice(_Novice):
    """Claims what it holds."""

    summary = Word(gettext_noop("Claims what it has, and draws to its longest suit or to four suits."))

    def given(self, hand: Hand, stock: int) -> Hand:
        """PM12: at least one."""
        return given(hand, stock) or waste(hand)

    def said(self, hand: Hand, possible: tuple[str, ...]) -> str:
        """PM10."""
        return possible[0]


class PrimeroNovice(_Novice):
    """Stakes on a good hand, and stays with a fair one."""

    summary = Word(gettext_noop("Draws to its longest suit or to four suits, and stakes only on good cards."))

    def given(self, hand: Hand, stock: int) -> Hand:
        """PR5: none from a hand that is good already."""
        return given(hand, stock) if old_kind_of(hand) == NUMERUS else ()

    def said(self, hand: Hand, possible: tuple[str, ...]) -> str:
        """PR6."""
        return said(hand, possible)


def said(hand: Hand, possible: tuple[str, ...]) -> str:
    """PR6: the most on a good hand, a match with a fair one."""
    stakes = [token for token in possible if token[:1] == "+"]
    is_good = old_kind_of(hand) != NUMERUS or point(hand) >= STAKED
    if stakes and is_good:
        return max(stakes, key=lambda token: int(token[1:]))
    if possible[0] == "-":
        return "-"
    return "=" if is_good or point(hand) >= MATCHED else "f"
