"""A novice at Twenty Down, by rules of thumb: keep trumps and aces, stay in with a likely trick, take what is cheap."""

from __future__ import annotations

from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import SUITS, cards_text, in_order
from engine.text import Word, gettext_noop
from engine.twenty_down.play import CARDS, DISCARD, IN, KEEP, MOST_DISCARDED, OUT

#: A trick is likely from so many points of strength.
STRONG: Final = 4
_TOP: Final = {"A": 3, "K": 2, "Q": 1}


def strength(hand: tuple[str, ...], trump: str) -> int:
    """A point for each trump, and more for high ones and for aces."""
    return sum(1 + _TOP.get(card[0], 0) if card[1] == trump else 2 * (card[0] == "A") for card in hand)


def named(hand: tuple[str, ...]) -> str:
    """The suit with most of the two cards, the higher one of two; not diamonds without need, where all are in."""
    return max(
        SUITS, key=lambda suit: (sum(1 + _rank(card) for card in hand if card[1] == suit), suit != "d")
    )


def given(hand: tuple[str, ...], trump: str) -> tuple[str, ...]:
    """The cards to exchange: all but trumps, aces and kings, low ones first."""
    poor = [card for card in hand if card[1] != trump and card[0] not in "AK"]
    return in_order(sorted(poor, key=_rank)[:MOST_DISCARDED])


def by_worth(hand: tuple[str, ...], trump: str) -> list[str]:
    """The cards, those first that can best be spared."""
    return sorted(hand, key=lambda card: (card[1] == trump, _rank(card)))


def played(possible: tuple[str, ...], trick: tuple[str, ...], trump: str) -> str:
    """The highest card in the lead, the cheapest that takes the trick, else the lowest."""
    if not trick:
        return max(possible, key=lambda card: (card[1] == trump, _rank(card)))
    best = max(trick, key=lambda card: _strength(card, trick[0][1], trump))
    takes = [
        card for card in possible if _strength(card, trick[0][1], trump) > _strength(best, trick[0][1], trump)
    ]
    return min(takes or possible, key=lambda card: (card[1] == trump, _rank(card)))


def _rank(card: str) -> int:
    return CARDS.number[card] % CARDS.ranks


def _strength(card: str, led: str, trump: str) -> tuple[bool, bool, int]:
    return card[1] == trump, card[1] == led, _rank(card)


class Novice(Robot):
    """Looks at its own cards and at the trick."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(
        gettext_noop("Keeps trumps and aces, drops out without a likely trick, and takes what it can.")
    )

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.cards or view.calls):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        hand = next(zone.cards for zone in view.seats if zone.seat == view.seat)
        if view.cards:
            return played(view.cards, tuple(card for _seat, card in view.trick), view.trump)
        calls = {call.token for call in view.calls}
        if IN in calls:
            return IN if strength(hand, view.trump) >= STRONG else OUT
        if view.compositions:
            cards = given(hand, view.trump)
            return DISCARD + cards_text(cards) if cards else KEEP
        return named(hand)


NOVICE: Final = Novice()
