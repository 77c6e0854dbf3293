"""What twelve cards of Pinochle meld (PP7 to PP11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from engine.packs import SUITS

#: PP1: the ranks, strong ones first.
RANKS: Final = "ATKQJ9"
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


def melds_of(cards: Iterable[str], trump: str, dixes: int) -> dict[str, int]:
    """PP9, PP10: each meld of these cards with how often; ``dixes`` were dealt to the player (PP7)."""
    held = Counter(cards)
    found = _sequences(held, trump)
    found |= {f"marriage-{suit}": min(held["K" + suit], held["Q" + suit]) for suit in SUITS if suit != trump}
    for rank, (name, _points) in FOURS.items():
        sets = min(held[rank + suit] for suit in SUITS)
        found |= {f"four-{name}": int(sets == 1), f"eight-{name}": int(sets == 2)}
    pinochles = min(held["Qs"], held["Jd"])
    found |= {"pinochle": int(pinochles == 1), "double-pinochle": int(pinochles == 2), "dix": dixes}
    return {name: times for name, times in found.items() if times}


def _sequences(held: Mapping[str, int], trump: str) -> dict[str, int]:
    """PP10: the king and queen of a sequence give no royal marriage besides."""
    sequences = min(held[rank + trump] for rank in "ATKQJ")
    royal = min(held["K" + trump], held["Q" + trump]) - sequences
    return {
        "double-sequence": int(sequences == 2),
        "sequence": int(sequences == 1),
        "royal-marriage": royal,
    }


def points_of(melds: Mapping[str, int]) -> int:
    """PP9: what these melds are worth."""
    return sum(WORTH[name] * times for name, times in melds.items())
