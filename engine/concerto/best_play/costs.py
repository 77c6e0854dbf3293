"""What each hand played cost its side, measured against the best that its cards could still make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from engine.cards import CardSet
from engine.concerto.best_play.par import frontier
from engine.concerto.options import HANDS, HANDS_EACH_SIDE
from engine.concerto.records.facts import Facts, establish
from engine.concerto.records.record import Record
from engine.deals import CARDS_EACH, Deal
from engine.seats import SIDES, Side


@final
@dataclass(frozen=True, slots=True)
class HandCost:
    """One hand in the light of best play. Totals are of all four hands of the side, those made included."""

    hand: int
    """Its number in the deal, from 0."""
    side: Side
    points: int
    best_before: int
    """The best total that the side could reach before it."""
    best_after: int
    """The best total that it can reach after it."""

    @property
    def cost(self) -> int:
        """By how many points the best total fell; never negative."""
        return self.best_before - self.best_after

    def as_json(self) -> dict[str, Any]:
        """The cost for a program."""
        return {
            "hand": self.hand + 1,
            "side": self.side.value,
            "points": self.points,
            "best_before": self.best_before,
            "best_after": self.best_after,
            "cost": self.cost,
        }


def cost(record: Record, deal: Deal | None = None) -> tuple[HandCost | None, ...]:
    """What each of the eight hands cost; ``deal`` is the deal where the board is known.

    None for a hand from which on it is not known who played which card, or when a side's cards are not known at all.
    The best totals are those of the cards, whichever of the partners leads the hands to come.
    """
    facts = establish(record, deal)
    found: list[HandCost | None] = [None] * HANDS
    for side in SIDES:
        for one in _costs(facts, side):
            found[one.hand] = one
    return tuple(found)


def _costs(facts: Facts, side: Side) -> Iterator[HandCost]:
    """The costs of a side's hands in order, as far as its cards are known."""
    one, other = (dealt(facts, seat.index) for seat in side.seats)
    if one is None or other is None:
        return
    made = 0
    best = _best(one, other, HANDS_EACH_SIDE)
    for number, hand in enumerate(facts.hands_of(side)):
        if not hand.is_placed or hand.value is None or hand.bits & ~(one | other):
            return
        one, other = one & ~hand.bits, other & ~hand.bits
        made += hand.value.points
        after = made + _best(one, other, HANDS_EACH_SIDE - number - 1)
        yield HandCost(hand.number, side, hand.value.points, best, after)
        best = after


def _best(one: int, other: int, hands: int) -> int:
    return frontier(CardSet(one), CardSet(other), hands)[0].points


def dealt(facts: Facts, seat: int) -> int | None:
    """The thirteen cards of a seat: by the deal, or because all that it played and has left is known."""
    if facts.deal is not None:
        return facts.deal.hands[seat].bits
    left = facts.left[seat]
    if left is None or left & facts.played[seat]:
        return None
    cards = left | facts.played[seat]
    return cards if cards.bit_count() == CARDS_EACH else None
