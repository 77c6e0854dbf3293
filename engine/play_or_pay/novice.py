"""A novice at Play or Pay, by a rule of thumb: begin what comes back in the end, and hurry with the last suit."""

from __future__ import annotations

from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import RANKS
from engine.play_or_pay.play import follows
from engine.text import Word, gettext_noop


def begins(hand: tuple[str, ...]) -> str:
    """The card to begin with.

    In one's last suit the one from which the last of one's cards comes soonest. Else, if there is one, a card whose
    suit ends with one's own, so that one begins again; of the longest suit.
    """
    if len({card[1] for card in hand}) == 1:
        return min(hand, key=lambda card: max(_steps(card, other) for other in hand))
    closing = {follows(card) for card in hand}
    return max(hand, key=lambda card: (card in closing, sum(other[1] == card[1] for other in hand)))


def _steps(card: str, other: str) -> int:
    """How many cards later the other comes."""
    return (RANKS.index(card[0]) - RANKS.index(other[0])) % len(RANKS)


class Novice(Robot):
    """Looks at its own cards only."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Begins suits that end with its own card, and hurries with its last suit."))

    def token(self, view: View) -> str:
        """The only action, or the card to begin with. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.cards or view.calls):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        return begins(view.cards) if view.cards else view.calls[0].token


NOVICE: Final = Novice()
