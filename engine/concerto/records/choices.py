"""What can still be entered for a hand, or for the left-overs: for the page on which a sheet is filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from engine.cards import PACK, Card, CardSet
from engine.concerto.options import BONUS_FACTOR, HAND_VALUES, HANDS, LEFT_OVER_VALUES, HandValue
from engine.concerto.poker import Combination
from engine.concerto.records.description import combination_so_far
from engine.concerto.records.facts import Facts, HandFacts, establish
from engine.concerto.records.forming import can_form
from engine.concerto.records.hand_checks import holding_for
from engine.concerto.records.reckoning import left_over_values, reckon
from engine.concerto.records.record import Record
from engine.deals import CARDS_EACH, Deal
from engine.errors import Place
from engine.seats import SEATS, Seat, Side


@final
@dataclass(frozen=True, slots=True)
class ValueChoice:
    """A combination (with its split, where that counts) that could be entered, and what it would score."""

    value: HandValue
    points: int
    """The points of a hand; of left-overs, the bonus."""
    is_possible: bool
    """Whether what is entered already leaves it possible."""

    def as_json(self) -> dict[str, Any]:
        """The choice for a program."""
        return {
            "combination": self.value.combination.key,
            "name": str(self.value.combination.title),
            "split": str(self.value.split) if self.value.split else None,
            "points": self.points,
            "possible": self.is_possible,
        }


@final
@dataclass(frozen=True, slots=True)
class CardChoice:
    """A card of the pack; ``place`` is where it is entered already: a hand, or a player's left-overs."""

    card: Card
    place: Place | None
    is_possible: bool
    """Whether it can be entered here: not used elsewhere, nor dealt to the other side."""

    def as_json(self) -> dict[str, Any]:
        """The card for a program."""
        return {
            "card": self.card.text,
            "place": list(self.place) if self.place else None,
            "possible": self.is_possible,
        }


@final
@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A player who may have put cards in."""

    seat: Seat
    room: int
    """How many of the thirteen are not entered elsewhere."""
    cards: CardSet | None
    """Which those are, where the deal is known."""

    def as_json(self) -> dict[str, Any]:
        """The player for a program."""
        return {
            "seat": self.seat.letter,
            "room": self.room,
            "cards": str(self.cards).split() if self.cards is not None else None,
        }


@final
@dataclass(frozen=True, slots=True)
class Choices:
    """Everything that can be entered at one place of a sheet. ``hand`` is None for the left-overs."""

    hand: int | None
    leader: Seat | None
    side: Side | None
    so_far: Combination | None
    """What the cards entered form by now."""
    values: tuple[ValueChoice, ...]
    cards: tuple[CardChoice, ...]
    """All 52, in the order of the pack."""
    seats: tuple[SeatChoice, ...]

    def as_json(self) -> dict[str, Any]:
        """The choices for a program."""
        return {
            "hand": self.hand,
            "leader": self.leader.letter if self.leader else None,
            "side": self.side.value if self.side else None,
            "so_far": self.so_far.key if self.so_far else None,
            "values": [choice.as_json() for choice in self.values],
            "cards": [choice.as_json() for choice in self.cards],
            "seats": [choice.as_json() for choice in self.seats],
        }


def choices(record: Record, hand: int | None, deal: Deal | None = None) -> Choices:
    """What can still be entered for hand ``hand`` (from 0), or for the left-overs (None)."""
    facts = establish(record, deal)
    if hand is None or not 0 <= hand < HANDS:
        return _left_over_choices(facts)
    found = facts.hands[hand]
    holding = holding_for(facts, found)
    values = tuple(
        ValueChoice(value, value.points, can_form(holding, value.combination, value.split))
        for value in HAND_VALUES
    )
    places = _places(facts, hand)
    return Choices(
        hand=hand,
        leader=found.leader,
        side=found.side,
        so_far=found.combination or (combination_so_far(found.bits) if found.bits else None),
        values=values,
        cards=_cards(places, holding.cards),
        seats=_seats(facts, found.side, places, found),
    )


def _left_over_choices(facts: Facts) -> Choices:
    receivers = reckon(facts).receivers
    payer = receivers[0].other if len(receivers) == 1 else None
    fitting = set(left_over_values(facts, payer)) if payer else set(LEFT_OVER_VALUES)
    values = tuple(
        ValueChoice(value, BONUS_FACTOR * value.points, value in fitting) for value in LEFT_OVER_VALUES
    )
    places = {card: place for card, place in _places(facts, None).items() if place[0] == "hands"}
    free = sum(card.bit for card in PACK if card not in places)
    return Choices(
        hand=None,
        leader=None,
        side=payer,
        so_far=None,
        values=values,
        cards=_cards(places, free),
        seats=_seats(facts, payer, places, None),
    )


def _places(facts: Facts, without: int | None) -> dict[Card, Place]:
    """Where each card is entered already, but for the hand asked about."""
    places: dict[Card, Place] = {}
    for seat, cards in facts.record.known_left():
        places |= dict.fromkeys(cards, ("left", seat.letter))
    for hand in reversed(facts.hands):
        if hand.number != without:
            places |= dict.fromkeys(CardSet(hand.bits), ("hands", hand.number))
    return places


def _cards(places: dict[Card, Place], possible: int) -> tuple[CardChoice, ...]:
    return tuple(
        CardChoice(card, places.get(card), card not in places and bool(card.bit & possible)) for card in PACK
    )


def _seats(
    facts: Facts, side: Side | None, places: dict[Card, Place], hand: HandFacts | None
) -> tuple[SeatChoice, ...]:
    used = sum(card.bit for card in places)
    found = []
    for seat in side.seats if side else SEATS:
        here = hand.by_seat[seat.index] if hand and hand.by_seat else 0
        elsewhere = facts.played[seat.index] & ~here
        left = facts.record.left[seat.index]
        room = CARDS_EACH - elsewhere.bit_count() - (len(left) if left is not None and hand else 0)
        cards = CardSet(facts.deal[seat].bits & ~used) if facts.deal is not None else None
        found.append(SeatChoice(seat, max(room, 0), cards))
    return tuple(found)
