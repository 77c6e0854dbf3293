"""What twelve cards of Pinochle meld (PP7 to PP11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.packs import SUITS
from engine.pinochle.tricks import CARDS, hand_of, times_in

#: PP9: the ranks of which four or eight count, by their names.
FOURS: Final = {"A": ("aces", 100), "K": ("kings", 80), "Q": ("queens", 60), "J": ("jacks", 40)}
#: PP9: points of each meld.
WORTH: Final[dict[str, int]] = {
    "double-sequence": 1500,
    "sequence": 150,
    "royal-marriage": 40,
    **{f"marriage-{suit}": 20 for suit in SUITS},
    **{f"four-{name}": points for name, points in FOURS.values()},
    **{f"eight-{name}": 10 * points for name, points in FOURS.values()},
    "pinochle": 40,
    "double-pinochle": 300,
    "dix": 10,
}
#: PP9: the cards of melds, as sets.
_SEQUENCE: Final = {suit: CARDS.bits_of([rank + suit for rank in "ATKQJ"]) for suit in SUITS}
_MARRIAGE: Final = {suit: CARDS.bits_of(["K" + suit, "Q" + suit]) for suit in SUITS}
_FOUR: Final = {name: CARDS.bits_of([rank + suit for suit in SUITS]) for rank, (name, _) in FOURS.items()}
_PINOCHLE: Final = CARDS.bits_of(["Qs", "Jd"])


def melds_of(cards: Iterable[str], trump: str, dixes: int) -> dict[str, int]:
    """PP9, PP10: each meld of these cards with how often; ``dixes`` were dealt to the player (PP7).

    The king and queen of a sequence give no royal marriage besides.
    """
    hand = hand_of(cards)
    sequences = times_in(hand, _SEQUENCE[trump])
    found = _single_or_double(sequences, "sequence", "double-sequence")
    found["royal-marriage"] = times_in(hand, _MARRIAGE[trump]) - sequences
    for suit, marriage in _MARRIAGE.items():
        if suit != trump:
            found[f"marriage-{suit}"] = times_in(hand, marriage)
    for name, four in _FOUR.items():
        found |= _single_or_double(times_in(hand, four), f"four-{name}", f"eight-{name}")
    found |= _single_or_double(times_in(hand, _PINOCHLE), "pinochle", "double-pinochle")
    found["dix"] = dixes
    return {name: times for name, times in found.items() if times}


def _single_or_double(times: int, single: str, double: str) -> dict[str, int]:
    return {double if times == 2 else single: int(times > 0)}


def points_of(melds: Mapping[str, int]) -> int:
    """PP9: what these melds are worth."""
    return sum(WORTH[name] * times for name, times in melds.items())
