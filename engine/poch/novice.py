"""A novice at Poch, by rules of thumb: stake on sets, and lead what comes back."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import RANKS
from engine.poch.board import Hand, higher
from engine.poch.play import DROP, MATCH, PASS
from engine.text import Word, gettext_noop

#: A pair of this rank or better is worth a stake.
GOOD_PAIR: Final = "J"
THREE: Final = 3


def staked(hand: Hand, possible: tuple[str, ...], lowest: str) -> str:
    """What to say while poching; ``lowest`` is the first call that is possible."""
    counts = Counter(card[0] for card in hand)
    size = max(counts.values())
    pair = min((rank for rank, count in counts.items() if count == 2), key=RANKS.index, default="2")
    is_good = size >= THREE or (size == 2 and RANKS.index(pair) <= RANKS.index(GOOD_PAIR))
    stakes = [token for token in possible if token[:1] == "+"]
    if lowest == PASS:
        return stakes[-1 if size >= THREE else 0] if is_good else PASS
    if DROP in possible:
        return MATCH if size >= 2 and (is_good or RANKS.index(pair) <= RANKS.index("8")) else DROP
    return stakes[-1] if stakes and size >= THREE else MATCH


def led(possible: tuple[str, ...], hand: Hand, gone: set[str]) -> str:
    """The card with the longest run of one's own behind it; best where nobody else can take it over."""

    def run(card: str) -> tuple[int, int]:
        length, after = 1, higher(card)
        while after in hand:
            length, after = length + 1, higher(after)
        comes_back = not after or after in gone
        return 2 * length + 3 * comes_back, RANKS.index(card[0])

    return max(possible, key=run)


class Novice(Robot):
    """Remembers what was played."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Stakes on good pairs and better, and leads where it keeps the lead."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.calls or view.cards):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        hand = next(zone.cards for zone in view.seats if zone.seat == view.seat)
        if view.calls:
            calls = tuple(call.token for call in view.calls)
            return staked(hand, calls, calls[0])
        return led(view.cards, hand, {view.upcard, *view.history})


NOVICE: Final = Novice()
