"""What fifteen cards of Auction Pinochle meld: twice is twice, never more (AP10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from engine.packs import SUITS
from engine.pinochle.melds import FOURS, WORTH, melds_of

_DOUBLE: Final = {
    "double-sequence": "sequence",
    "double-pinochle": "pinochle",
    **{f"eight-{name}": f"four-{name}" for name, _points in FOURS.values()},
}


def auction_melds(cards: Iterable[str], trump: str) -> dict[str, int]:
    """AP10: each meld with how often."""
    held = tuple(cards)
    found: dict[str, int] = {}
    for name, times in melds_of(held, trump, held.count("9" + trump)).items():
        single = _DOUBLE.get(name, name)
        found[single] = times * (2 if single != name else 1)
    return found


def auction_points(cards: Iterable[str], trump: str) -> int:
    """AP10: what they are worth."""
    return sum(WORTH[name] * times for name, times in auction_melds(cards, trump).items())


def melded_cards(melds: dict[str, int], trump: str) -> tuple[str, ...]:
    """AP21: the cards that were shown, of each as many as the class that uses most of it."""
    marriages: Counter[str] = Counter()
    for name, times in melds.items():
        if name == "sequence":
            marriages.update({rank + trump: times for rank in "ATKQJ"})
        elif name == "royal-marriage" or name.startswith("marriage-"):
            suit = trump if name == "royal-marriage" else name[-1]
            marriages.update({rank + suit: times for rank in "KQ"})
    fours = Counter(
        {
            rank + suit: melds.get(f"four-{name}", 0)
            for rank, (name, _points) in FOURS.items()
            for suit in SUITS
        }
    )
    others = Counter({"Qs": melds.get("pinochle", 0), "Jd": melds.get("pinochle", 0)})
    dixes = Counter({"9" + trump: melds.get("dix", 0)})
    return tuple((marriages | fours | others | dixes).elements())
