"""A novice at Play or Pay, by a rule of thumb: begin the longest suit, so that it comes back in the end."""

from __future__ import annotations

from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.play_or_pay.play import follows
from engine.text import Word, gettext_noop


def begins(hand: tuple[str, ...]) -> str:
    """The card to begin with: of the longest suit, if possible one whose suit ends with one's own card."""
    closing = {follows(card) for card in hand}
    return max(hand, key=lambda card: (sum(other[1] == card[1] for other in hand), card in closing))


class Novice(Robot):
    """Looks at its own cards only."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Begins its longest suit, where it can with the card after one of its own."))

    def token(self, view: View) -> str:
        """The only action, or the card to begin with. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.cards or view.calls):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        return begins(view.cards) if view.cards else view.calls[0].token


NOVICE: Final = Novice()
