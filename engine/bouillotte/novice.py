"""A novice at Bouillotte, by rules of thumb: stake on brelans and long suits, leave the rest."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.bouillotte.hands import Hand, brelan, suit_sum
from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import SUITS
from engine.text import Word, gettext_noop

#: From which a hand is worth opening, staying and raising; a brelan is worth more than any suit.
OPENS, STAYS, RAISES = 31, 25, 30
BRELAN: Final = 60
#: How much is staked on a good hand, and on a brelan.
_STAKE, _HIGH_STAKE = 4, 8
#: One stays with less for so little.
CHEAP: Final = 0


@lru_cache(maxsize=1 << 15)
def worth(hand: Hand, up: str) -> int:
    """A brelan and its height, else the best suit with the turned card, and two for its ace."""
    is_carre, height = brelan(hand, up)
    if height:
        return BRELAN + height + 10 * is_carre
    return max(
        suit_sum((*hand, up), suit) + 2 * (f"A{suit}" in hand) for suit in SUITS if suit_sum(hand, suit)
    )


def said(strength: int, possible: tuple[str, ...], due: int) -> str:
    """What to say with a hand of that worth; ``due`` is what staying costs."""
    more = [token for token in possible if token[0] in "o+"]
    stake = _HIGH_STAKE if strength >= BRELAN else _STAKE
    wanted = OPENS if more and more[0][0] == "o" else RAISES
    if more and strength >= wanted:
        return min(more, key=lambda token: abs(int(token[1:]) - stake))
    if "=" in possible and ("f" not in possible or strength >= STAYS + min(due, 8) or due <= CHEAP):
        return "="
    return possible[0]


class Novice(Robot):
    """Looks at its own cards and at the one that is turned up."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Stakes on three of a kind and on a strong suit, and folds the rest."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not view.calls:
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        own = next(zone for zone in view.seats if zone.seat == view.seat)
        due = max(zone.stake or 0 for zone in view.seats) - (own.stake or 0)
        return said(worth(own.cards, view.upcard), tuple(call.token for call in view.calls), due)


NOVICE: Final = Novice()
