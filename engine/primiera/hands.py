"""Four cards of Primiera and Primero: what they count and what they form (PM1 to PM9, PR1 to PR4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from engine.packs import SUITS, pack
from engine.text import gettext_noop

HAND: Final = 4
PACK: Final = pack("AKQJ765432")
#: PM2.
WORTH: Final = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "K": 10, "Q": 10, "J": 10}
#: PM3: the ranks of a fifty-five, in one suit.
FIFTY_FIVE_RANKS: Final = frozenset("76A")
#: PM7: the best suit first.
SUIT_ORDER: Final = "hdcs"

POINT, PRIMIERA, FIFTY_FIVE, FLUSH = "point", "primiera", "fifty-five", "flush"
#: PM4, the weakest first; a point is no winning hand.
RANKING: Final = (POINT, PRIMIERA, FIFTY_FIVE, FLUSH)
NUMERUS, SUPREMUS, FLUXUS, CHORUS = "numerus", "supremus", "fluxus", "chorus"
#: PR3, the weakest first.
OLD_RANKING: Final = (NUMERUS, PRIMIERA, SUPREMUS, FLUXUS, CHORUS)
NAMES: Final = {
    POINT: gettext_noop("point"),
    PRIMIERA: gettext_noop("primiera"),
    FIFTY_FIVE: gettext_noop("fifty-five"),
    FLUSH: gettext_noop("flush"),
    NUMERUS: gettext_noop("numerus"),
    SUPREMUS: gettext_noop("supremus"),
    FLUXUS: gettext_noop("fluxus"),
    CHORUS: gettext_noop("chorus"),
}

Hand = tuple[str, ...]


def count(hand: Sequence[str]) -> int:
    """PM5: what all four cards count."""
    return sum(WORTH[card[0]] for card in hand)


def point(hand: Sequence[str]) -> int:
    """PM9: the highest sum of the cards of one suit."""
    return max(sum(WORTH[card[0]] for card in hand if card[1] == suit) for suit in SUITS)


def fifty_five_suit(hand: Sequence[str]) -> str:
    """PM4: the suit of which seven, six and ace are there; else an empty text."""
    return next(
        (suit for suit in SUITS if {card[0] for card in hand if card[1] == suit} >= FIFTY_FIVE_RANKS), ""
    )


@lru_cache(maxsize=1 << 17)
def kind_of(hand: Hand, *, sets: bool = False) -> str:
    """PM4, PM8: what wins in Primiera; ``point`` where nothing does."""
    suits = len({card[1] for card in hand})
    if suits == 1:
        return FLUSH
    if fifty_five_suit(hand):
        return FIFTY_FIVE
    most = max(sum(other[0] == card[0] for other in hand) for card in hand)
    return PRIMIERA if suits == len(SUITS) or (sets and most >= 3) else POINT


@lru_cache(maxsize=1 << 17)
def old_kind_of(hand: Hand) -> str:
    """PR3."""
    if len({card[0] for card in hand}) == 1:
        return CHORUS
    return {FLUSH: FLUXUS, FIFTY_FIVE: SUPREMUS, PRIMIERA: PRIMIERA, POINT: NUMERUS}[kind_of(hand)]


def merit(hand: Hand, *, sets: bool, best_suit: bool) -> tuple[int, ...]:
    """PM4, PM5, PM7: what decides between two winning hands."""
    kind = kind_of(hand, sets=sets)
    suit = hand[0][1] if kind == FLUSH else fifty_five_suit(hand) if kind == FIFTY_FIVE else ""
    by_suit = (-SUIT_ORDER.index(suit),) if best_suit and suit else ()
    return RANKING.index(kind), *by_suit, count(hand)


def old_merit(hand: Hand) -> tuple[int, int]:
    """PR3, PR4."""
    kind = old_kind_of(hand)
    return OLD_RANKING.index(kind), point(hand) if kind == NUMERUS else count(hand)


def discards(hand: Hand, most: int, *, least: int) -> list[str]:
    """PM12, PR5: every choice of cards to give for others, as tokens."""
    sizes = range(least, min(most, len(hand)) + 1)
    return ["x" + "".join(cards) for size in sizes for cards in combinations(hand, size)]
