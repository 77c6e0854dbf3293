"""A played deal in the light of best play: what both sides could have made, the par, and what each hand cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final, final

from engine.cards import FULL_PACK_BITS, CardSet, cards_of
from engine.concerto.best_play.action_costs import ActionCost, action_costs
from engine.concerto.best_play.costs import HandCost, cost, dealt
from engine.concerto.best_play.deal_par import DealPar, ParScore, deal_par
from engine.concerto.best_play.par import FrontierPoint, Holding
from engine.concerto.options import BONUS_FACTOR, HANDS, leader_of
from engine.concerto.records.facts import Facts, establish
from engine.concerto.records.record import Record
from engine.concerto.scoring import value_of_bits
from engine.deals import Deal
from engine.errors import ActionError
from engine.seats import SEATS, Seat, Side

#: To be raised when an analysis tells something else, or something more: what was stored is then computed again.
VERSION: Final = 2


@final
@dataclass(frozen=True, slots=True)
class Analysis:
    """All that can be said of a deal whose cards are known."""

    deal: Deal
    dealer: Seat
    par: DealPar
    costs: tuple[HandCost | None, ...]
    actions: tuple[ActionCost, ...]
    """Empty where not all that was done is written, or it was not allowed."""

    def as_json(self) -> dict[str, Any]:
        """The analysis for a program, as ``Game.analyse`` describes it."""
        return {
            "dealer": self.dealer.letter,
            "deal": str(self.deal),
            "best": {side.value: [self._point(side, point) for point in self._points(side)] for side in Side},
            "par": self.par.par.as_json(),
            "committing": {side.value: _result(score) for side, score in self.par.committing.items()},
            "costs": [hand and hand.as_json() for hand in self.costs],
            "actions": [action.as_json() for action in self.actions],
        }

    def _points(self, side: Side) -> tuple[FrontierPoint, ...]:
        return self.par.frontiers[side]

    def _point(self, side: Side, point: FrontierPoint) -> dict[str, Any]:
        numbers = [hand for hand in range(HANDS) if leader_of(self.dealer, hand).side is side]
        ordered = in_order(point, one_leads_first=leader_of(self.dealer, numbers[0]) is side.seats[0])
        return {
            "points": point.points,
            "left_over": point.left_over,
            "bonus": BONUS_FACTOR * point.left_over,
            "is_par": point == self.par.par.chosen[side],
            "hands": [
                {
                    "hand": number + 1,
                    "leader": leader_of(self.dealer, number).letter,
                    "cards": self._cards(hand),
                    **_value(hand),
                }
                for number, hand in zip(numbers, ordered, strict=True)
            ],
            "left": self._cards(point.left),
        }

    def _cards(self, held: Holding) -> list[list[str]]:
        """Cards with who holds them, the highest first."""
        bits = held.one.bits | held.other.bits
        found = sorted(cards_of(bits), key=lambda card: (-card.bit.bit_length() % 13, card.bit))
        return [[card.text, self._owner(card.bit)] for card in found]

    def _owner(self, bit: int) -> str:
        return next(seat.letter for seat in SEATS if self.deal[seat].bits & bit)


def _result(score: ParScore) -> dict[str, int]:
    return score.total.as_json()


def _value(hand: Holding) -> dict[str, Any]:
    value = value_of_bits(hand.one.bits, hand.other.bits)
    return {
        "combination": value.combination.key,
        "split": str(value.split) if value.split else None,
        "points": value.points,
    }


def known_deal(record: Record, deal: Deal | None = None) -> Deal | None:
    """The deal, where all 52 cards are known by the board, or because all that was played and left is written."""
    return _known(establish(record, deal))


def _known(facts: Facts) -> Deal | None:
    if facts.deal is not None:
        return facts.deal
    hands = [dealt(facts, seat.index) for seat in SEATS]
    north, east, south, west = hands
    if north is None or east is None or south is None or west is None:
        return None
    if north | east | south | west != FULL_PACK_BITS:
        return None
    return Deal((CardSet(north), CardSet(east), CardSet(south), CardSet(west)))


def analyse(record: Record, deal: Deal | None = None) -> Analysis | None:
    """The analysis; None where not all cards, or not the dealer, are known."""
    known = known_deal(record, deal)
    if known is None or record.dealer is None:
        return None
    return Analysis(
        known, record.dealer, deal_par(known, record.dealer), cost(record, known), _actions(record, known)
    )


def _actions(record: Record, deal: Deal) -> tuple[ActionCost, ...]:
    tokens = record.tokens
    if tokens is None or record.dealer is None:
        return ()
    try:
        return action_costs(deal, record.dealer, tokens)
    except ActionError:
        return ()


def in_order(point: FrontierPoint, *, one_leads_first: bool) -> tuple[Holding, ...]:
    """The point's hands in an order in which every leader has a card to lead."""
    by_one = leads(len(point.hands), one_leads_first=one_leads_first)
    return next(hands for hands in permutations(point.hands) if _can_be_led(hands, by_one))


def leads(count: int, *, one_leads_first: bool) -> list[bool]:
    """Of each hand, whether the first of the two players leads it."""
    return [(turn % 2 == 0) is one_leads_first for turn in range(count)]


def _can_be_led(hands: Sequence[Holding], leads: Sequence[bool]) -> bool:
    """Whether each hand has a card of its leader. With thirteen cards each, some order of the hands always does."""
    return all(hand.one if by_one else hand.other for hand, by_one in zip(hands, leads, strict=True))
