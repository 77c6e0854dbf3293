"""A deal drawn for people to read."""

from __future__ import annotations

from engine.cards import Suit
from engine.deals import Deal
from engine.seats import Seat

_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
_WIDTH = 24


def diagram(deal: Deal) -> str:
    """The four hands round the table, North above."""
    blank = " " * (_WIDTH // 2)
    north = [blank + line for line in _hand(deal, Seat.N)]
    south = [blank + line for line in _hand(deal, Seat.S)]
    middle = [
        west.ljust(_WIDTH) + east for west, east in zip(_hand(deal, Seat.W), _hand(deal, Seat.E), strict=True)
    ]
    return "\n".join([*north, *middle, *south])


def _hand(deal: Deal, seat: Seat) -> list[str]:
    lines = [str(seat.title)]
    for suit in _SUITS:
        ranks = " ".join(deal[seat].ranks_of(suit).replace("T", "⑩")).replace("⑩", "10")
        lines.append(f"{suit.symbol} {ranks or '-'}")
    return lines
