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
#: PP9: by the suit of trumps, the cards of each meld that can be there once or twice, as sets.
MELDS: Final = {
    trump: {
        name: CARDS.bits_of(cards)
        for name, cards in {
            "sequence": [rank + trump for rank in "ATKQJ"],
            "royal-marriage": ["K" + trump, "Q" + trump],
            **{f"marriage-{suit}": ["K" + suit, "Q" + suit] for suit in SUITS if suit != trump},
            **{f"four-{name}": [rank + suit for suit in SUITS] for rank, (name, _points) in FOURS.items()},
            "pinochle": ["Qs", "Jd"],
            "dix": ["9" + trump],
        }.items()
    }
    for trump in SUITS
}
#: PP9: melds that have a name of their own where they are there twice.
_TWICE: Final = {
    "sequence": "double-sequence",
    "pinochle": "double-pinochle",
    **{f"four-{name}": f"eight-{name}" for name, _points in FOURS.values()},
}


def melds_of(cards: Iterable[str], trump: str, dixes: int) -> dict[str, int]:
    """PP9, PP10: each meld of these cards with how often; ``dixes`` were dealt to the player (PP7)."""
    hand = hand_of(cards)
    found = {name: times_in(hand, meld) for name, meld in MELDS[trump].items()}
    # The king and queen of a sequence give no royal marriage besides.
    found["royal-marriage"] -= found["sequence"]
    found["dix"] = dixes
    return {
        _TWICE.get(name, name) if times == 2 else name: 1 if name in _TWICE else times
        for name, times in found.items()
        if times
    }


def points_of(melds: Mapping[str, int]) -> int:
    """PP9: what these melds are worth."""
    return sum(WORTH[name] * times for name, times in melds.items())
