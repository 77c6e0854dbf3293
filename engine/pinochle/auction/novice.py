"""A novice at Auction Pinochle, by rules of thumb: bid what melds and long trumps promise, and lead high."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import SUITS
from engine.pinochle.auction.melds import auction_melds, auction_points, melded_cards
from engine.pinochle.auction.play import LOWEST, PASS, SEE, THROW, WORTH
from engine.pinochle.tricks import RANKS, winner
from engine.text import Word, gettext_noop

#: What the cards bring at least, and what each trump and each ace adds.
BASE, PER_TRUMP, PER_ACE = 20, 14, 12
#: What the three cards of the widow add on average, and how much more they may with luck.
WIDOW_ADDS, LUCK = 45, 35
#: With so much less than the contract the deal is conceded: losing it costs twice as much as giving up.
SHORT: Final = 20


def promise(cards: tuple[str, ...], trump: str) -> int:
    """What a hand makes with that suit as trump, roughly."""
    trumps = sum(card[1] == trump for card in cards)
    aces = sum(card[0] == "A" and card[1] != trump for card in cards)
    return auction_points(cards, trump) + BASE + PER_TRUMP * trumps + PER_ACE * aces


def best_trump(cards: tuple[str, ...]) -> str:
    """The suit that promises most."""
    return max(SUITS, key=lambda suit: promise(cards, suit))


class Novice(Robot):
    """Counts melds, trumps and aces."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Bids what its melds, trumps and aces promise, and leads its high cards."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.calls or view.cards):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        own = next(zone.cards for zone in view.seats if zone.seat == view.seat)
        calls = [call.token for call in view.calls]
        if calls:
            return called(own, calls, dict(view.options)["contract"])
        if dict(view.options)["is_burying"]:
            return buried(own, view.trump)
        return played(view.cards, view.trick, view.trump)


def called(own: tuple[str, ...], calls: Sequence[str], contract: object) -> str:
    """The lowest bid if the hand promises it; widow and trumps, unless too much is missing."""
    hoped = promise(own, best_trump(own))
    bids = [token for token in calls if token.isdecimal()]
    if bids:
        return bids[0] if int(bids[0]) <= hoped + WIDOW_ADDS or PASS not in calls else PASS
    if PASS in calls:
        return PASS
    if SEE in calls:
        return SEE if hoped + WIDOW_ADDS + LUCK >= LOWEST else THROW
    is_short = isinstance(contract, int) and hoped + SHORT < contract
    return THROW if is_short else best_trump(own)


def buried(own: tuple[str, ...], trump: str) -> str:
    """A card that is in no meld and no trump, of a short suit, worth much; an ace only where nothing else is left."""
    return by_cost(own, trump)[0]


def by_cost(own: tuple[str, ...], trump: str) -> list[str]:
    """The cards, those first that can be spared when burying."""
    shown = melded_cards(auction_melds(own, trump), trump)

    def cost(card: str) -> tuple[bool, bool, bool, int, int]:
        length = sum(other[1] == card[1] for other in own)
        return card in shown, card[1] == trump, card[0] == "A", length, -WORTH[card[0]]

    return sorted(dict.fromkeys(own), key=cost)


def played(cards: Sequence[str], trick: Sequence[tuple[str, str]], trump: str) -> str:
    """The highest card in the lead; else the cheapest that takes the trick, or the one that gives least."""
    if not trick:
        return min(cards, key=lambda card: (RANKS.index(card[0]), card[1] != trump))
    takes = [card for card in cards if winner((*trick, ("me", card)), trump)[0] == "me"]
    if takes:
        return min(takes, key=lambda card: (card[1] == trump, WORTH[card[0]]))
    return min(cards, key=lambda card: WORTH[card[0]])


NOVICE: Final = Novice()
