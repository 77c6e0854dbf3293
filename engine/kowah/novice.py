"""A novice at Kowah, by a rule of thumb: as few cards missing for checki as can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.kowah.play import COPIES, DECLARES, HAND, PILE, STOCK
from engine.packs import without
from engine.text import Word, gettext_noop

_THREES: Final = 6


def missing(hand: tuple[str, ...]) -> int:
    """How many cards must be replaced until the hand is checki."""
    kinds = Counter(hand)
    return min(
        2 - min(2, count) + _THREES - _in_threes(without(hand, (kind,) * min(2, count)) or ())
        for kind, count in kinds.items()
    )


def _in_threes(cards: tuple[str, ...]) -> int:
    """How many of these cards stand in two threes of a rank, or in six of one."""
    counts = sorted(Counter(card[0] for card in cards).values(), reverse=True)[:2]
    return max(min(_THREES, counts[0]) if counts else 0, sum(min(3, count) for count in counts))


def worth(hand: tuple[str, ...], gone: Mapping[str, int]) -> tuple[int, int]:
    """How near a hand is to checki; then how many cards that would help are still out."""
    ranks = Counter(card[0] for card in hand)
    hope = sum((ranks[card[0]] - 1) * 4 - gone.get(card, 0) + 2 * (hand.count(card) - 1) for card in hand)
    return -missing(hand), hope


class Novice(Robot):
    """Remembers what was discarded."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Collects threes of a rank and a pair, and declares as soon as it can."))

    def token(self, view: View) -> str:
        """By the rule of thumb. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.calls or view.cards):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        hand = next(zone.cards for zone in view.seats if zone.seat == view.seat)
        gone = Counter(card for card in (token[:2] for token in view.history) if card[0] in "A98765432KQJ")
        calls = [call.token for call in view.calls]
        if not view.cards:
            return self._drawn(hand, calls, view.discards)
        declares = [token for token in calls if DECLARES in token]
        if declares:
            return max(declares, key=lambda token: COPIES - gone[token[-2:]] - hand.count(token[-2:]))
        return max(view.cards, key=lambda card: worth(without(hand, (card,)) or (), gone))

    @staticmethod
    def _drawn(hand: tuple[str, ...], calls: list[str], pile: tuple[str, ...]) -> str:
        """From the pile only what brings the hand nearer."""
        if PILE not in calls or len(hand) > HAND:
            return STOCK
        more = (*hand, pile[-1])
        best = min(missing(without(more, (card,)) or ()) for card in {*hand})
        return PILE if best < missing(hand) else STOCK


NOVICE: Final = Novice()
