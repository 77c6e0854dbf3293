"""A novice at Fünfzehnern, by rules of thumb: lead what nobody can beat, take points cheaply, give few."""

from __future__ import annotations

from typing import Final

from engine.card_bits import numbers_in
from engine.errors import ActionError
from engine.fuenfzehnern.play import CARDS, POINTS
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.text import Word, gettext_noop


def chosen(playable: int, trick: tuple[int, ...], gone: int, *, is_last: bool) -> int:
    """The card to play; ``gone`` are the cards that are out of play, and the player's own."""
    cards = numbers_in(playable)
    if not trick:
        sure = [card for card in cards if not CARDS.above[card] & ~gone]
        if sure:
            return max(sure, key=POINTS.__getitem__)
        return min(cards, key=lambda card: (POINTS[card], card % CARDS.ranks))
    best = max((card for card in trick if CARDS.suit_of[trick[0]] >> card & 1), key=lambda card: card)
    winning = [card for card in cards if CARDS.above[best] >> card & 1]
    sure = [card for card in winning if is_last or not CARDS.above[card] & ~gone]
    if sure:
        return max(sure, key=POINTS.__getitem__)
    return min(cards, key=lambda card: (POINTS[card], card % CARDS.ranks))


class Novice(Robot):
    """Remembers what was played, and says Zwang whenever it can."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Leads what nobody can beat, and gives away as little as possible."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not view.cards:
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        if view.calls:
            return view.calls[0].token
        own = next(zone.cards for zone in view.seats if zone.seat == view.seat)
        gone = CARDS.bits_of((*own, *(token[:2] for token in view.history)))
        trick = (
            tuple(CARDS.number[card] for _seat, card in view.trick)
            if len(view.trick) < len(view.seats)
            else ()
        )
        playable = CARDS.bits_of(view.cards)
        return CARDS.cards[chosen(playable, trick, gone, is_last=len(trick) == len(view.seats) - 1)]


NOVICE: Final = Novice()
