"""A novice at Kowah, by a rule of thumb: as few cards missing for checki as can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.kowah.play import COPIES, DECLARES, PILE, STOCK
from engine.packs import in_order, without
from engine.text import Word, gettext_noop

_THREES: Final = 6


@lru_cache(maxsize=1 << 16)
def missing(hand: tuple[str, ...]) -> int:
    """How many cards must be replaced until the hand is checki."""
    kinds, ranks = Counter(hand), Counter([card[0] for card in hand])
    # A pair, or a card for one, is taken out of its rank: what kind it is does not matter.
    pairs = {(ranks[kind[0]], min(2, count)) for kind, count in kinds.items()}
    counts = sorted(ranks.values(), reverse=True)[:3]
    return min(2 - size + _THREES - _in_threes(counts, count, size) for count, size in pairs)


def _in_threes(counts: list[int], count: int, size: int) -> int:
    """How many cards stand in two threes of a rank, or in six of one, without so many of a rank with that count."""
    left = [*counts, count - size]
    if count in left:
        left.remove(count)
    left.sort(reverse=True)
    return max(min(_THREES, left[0]), sum([min(3, each) for each in left[:2]]))


def worth(hand: tuple[str, ...], gone: Mapping[str, int]) -> tuple[int, int]:
    """How near a hand is to checki; then how many cards that would help are still out."""
    ranks = Counter([card[0] for card in hand])
    hope = sum((ranks[card[0]] - 1) * 4 - gone.get(card, 0) + 2 * (hand.count(card) - 1) for card in hand)
    return -missing(hand), hope


def drawn(hand: tuple[str, ...], top: str) -> str:
    """From the pile only what brings the hand nearer."""
    best = min(missing(in_order((*(without(hand, (card,)) or ()), top))) for card in {*hand})
    return PILE if best < missing(hand) else STOCK


def thrown(hand: tuple[str, ...], legal: Sequence[str], gone: Mapping[str, int]) -> str:
    """Declares if it can, by the pair that can come most often; else keeps what is nearest to checki."""
    declares = [token for token in legal if DECLARES in token]
    if declares:
        return max(declares, key=lambda token: COPIES - gone.get(token[-2:], 0) - hand.count(token[-2:]))
    return max(legal, key=lambda card: worth(without(hand, (card,)) or (), gone))


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
            return drawn(hand, view.discards[-1]) if PILE in calls else STOCK
        return thrown(hand, (*calls, *view.cards), gone)


NOVICE: Final = Novice()
