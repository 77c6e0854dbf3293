"""What fifteen cards of Auction Pinochle meld: twice is twice, never more (AP10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.packs import SUITS
from engine.pinochle.melds import FOURS, MELDS, points_of
from engine.pinochle.tricks import hand_of, times_in


def auction_melds(cards: Iterable[str], trump: str) -> dict[str, int]:
    """AP10: each meld with how often."""
    return melds_in(hand_of(cards), trump)


def melds_in(hand: int, trump: str) -> dict[str, int]:
    """AP10: the same of a hand as ``tricks`` has it."""
    found = {name: times for name, cards in MELDS[trump].items() if (times := times_in(hand, cards))}
    if "sequence" in found:
        # Its king and queen give no royal marriage besides.
        found["royal-marriage"] -= found["sequence"]
        if not found["royal-marriage"]:
            del found["royal-marriage"]
    return found


def auction_points(cards: Iterable[str], trump: str) -> int:
    """AP10: what they are worth."""
    return points_of(auction_melds(cards, trump))


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
