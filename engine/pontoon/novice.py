"""A novice at Pontoon, by rules of thumb: stake on aces and tens, buy what cannot bust, stick from 16."""

from __future__ import annotations

from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.pontoon.play import BET, BUY, FIVE_CARDS, SPLIT, STICK, TWIST, Hand
from engine.text import Word, gettext_noop

#: From so much a punter sticks, and a banker.
STICKS, BANKER_STICKS = 16, 17
#: With an ace that counts 11 one more card can't bust: from so much one sticks all the same.
SOFT_STICKS: Final = 19
#: A ten or less cannot bust with one more card.
SAFE: Final = 11
#: With four cards and so little a fifth is worth the risk.
FOUR_CARDS: Final = 16
_SPLIT_RANKS: Final = "A89"


def chosen(cards: tuple[str, ...], possible: tuple[str, ...], *, is_banker: bool) -> str:
    """What to do with this hand."""
    if possible[0].startswith(BET):
        return possible[-1] if cards and cards[0][0] in "AKQJT" else possible[0]
    hand = Hand(cards)
    if SPLIT in possible and cards[0][0] in _SPLIT_RANKS:
        return SPLIT
    if TWIST not in possible:
        return STICK
    if is_banker:
        return STICK if hand.total >= BANKER_STICKS else TWIST
    is_soft = hand.total != hand.lowest
    if len(cards) == FIVE_CARDS - 1 and hand.lowest <= FOUR_CARDS:
        sticks = False
    else:
        sticks = hand.total >= (SOFT_STICKS if is_soft else STICKS)
    if sticks:
        return STICK
    buys = [token for token in possible if token.startswith(BUY)]
    return buys[0] if buys and (is_soft or hand.lowest <= SAFE) else TWIST


class Novice(Robot):
    """Counts its own cards."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Stakes more on an ace or a ten, buys what can’t bust, and sticks at 16."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not view.calls:
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        calls = tuple(call.token for call in view.calls)
        own = next(zone.cards for zone in view.seats if zone.seat == view.seat)
        return chosen(view.layout[0] if view.layout else own, calls, is_banker=view.seat == view.dealer)


NOVICE: Final = Novice()
