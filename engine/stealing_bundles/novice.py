"""A novice at Stealing Bundles, by rules of thumb: take much, and trail what is hard to catch."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.text import Word, gettext_noop


def chosen(
    possible: tuple[str, ...], board: tuple[str, ...], seen: tuple[str, ...], bundle: tuple[str, int]
) -> str:
    """The capture of most cards, on top a rank of which most are gone; else such a card to trail.

    ``seen`` are the cards that the player has seen; ``bundle`` is the top of the other's and its size.
    """
    gone = Counter(card[0] for card in seen)
    top, size = bundle

    def worth(card: str) -> tuple[int, int]:
        taken = sum(each[0] == card[0] for each in board) + (size if top[:1] == card[0] else 0)
        return taken, gone[card[0]]

    return max(possible, key=worth)


class Novice(Robot):
    """Remembers what was played."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Takes as many cards as it can, and trails ranks that are nearly gone."))

    def token(self, view: View) -> str:
        """By the rules of thumb. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not view.cards:
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        own = next(zone for zone in view.seats if zone.seat == view.seat)
        other = next(zone for zone in view.seats if zone.seat != view.seat)
        board = tuple(card for row in view.layout for card in row)
        top = other.melds[0][0] if other.melds else ""
        seen = (*board, *own.cards, *view.history)
        return chosen(view.cards, board, tuple({*seen}), (top, other.points or 0))


NOVICE: Final = Novice()
