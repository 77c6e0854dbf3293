"""Three cards of Bouillotte: brelans, and suits with the turned card (BO1, BO14 to BO17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.packs import SUITS, pack
from engine.text import gettext_noop

RANKS: Final = "AKQ98"
PACK: Final = pack(RANKS)
HAND: Final = 3
PLAYERS: Final = 4
#: BO16.
WORTH: Final = {"A": 11, "K": 10, "Q": 10, "9": 9, "8": 8}

CARRE, BRELAN, BEST_SUIT, POINT = "brelan-carre", "brelan", "best-suit", "point"
NAMES: Final = {
    CARRE: gettext_noop("brelan carré"),
    BRELAN: gettext_noop("brelan"),
    BEST_SUIT: gettext_noop("best suit"),
    POINT: gettext_noop("point"),
}

Hand = tuple[str, ...]


def brelan(hand: Hand, up: str) -> tuple[bool, int]:
    """BO14: whether it matches the turned card, and its height; 0 where it is none."""
    ranks = {card[0] for card in hand}
    if len(ranks) > 1:
        return False, 0
    rank = hand[0][0]
    return rank == up[0], len(RANKS) - RANKS.index(rank)


def payment(hand: Hand, up: str) -> int:
    """BO15: what each of the others pays for it."""
    is_carre, height = brelan(hand, up)
    return 0 if not height else 2 if is_carre else 1


def suit_sum(cards: Iterable[str], suit: str) -> int:
    """BO16: what the cards of a suit are worth together."""
    return sum(WORTH[card[0]] for card in cards if card[1] == suit)


def best_suit(hands: Sequence[Hand], up: str) -> str:
    """BO16: of all hands and the turned card; of equal sums the suit of the turned card, then by the suits' order."""
    cards = [card for hand in hands for card in (*hand,)] + [up]
    sums = {suit: suit_sum(cards, suit) for suit in SUITS}
    first = [suit for suit in SUITS if sums[suit] == max(sums.values())]
    return up[1] if up[1] in first else first[0]


def showdown(hands: Sequence[Hand], up: str, staying: Sequence[int]) -> tuple[int, str]:
    """BO14, BO16, BO17: who takes the pot, and with what; ``staying`` are in the order of the turn, eldest first."""
    brelans: Mapping[int, tuple[bool, int]] = {place: brelan(hands[place], up) for place in staying}
    if any(height for _is_carre, height in brelans.values()):
        winner = max(brelans, key=lambda place: (brelans[place][0], brelans[place][1]))
        return winner, CARRE if brelans[winner][0] else BRELAN
    suit = best_suit(hands, up)
    highest = next(
        (place for rank in RANKS for place, hand in enumerate(hands) if rank + suit in hand), staying[0]
    )
    if highest in staying:
        return highest, BEST_SUIT
    others = [each for each in SUITS if each != suit]
    return max(staying, key=lambda place: max(suit_sum(hands[place], each) for each in others)), POINT
