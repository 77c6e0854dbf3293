"""A record as a sheet for people: what was given, and what follows from it, hand by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from engine.cards import Card, CardSet
from engine.concerto.options import BONUS_FACTOR, CARDS_IN_HAND, HandValue, Split
from engine.concerto.poker import Combination, significant_bits
from engine.concerto.records.facts import (
    Depth,
    Facts,
    HandFacts,
    Moves,
    establish,
    six_left,
)
from engine.concerto.records.reckoning import (
    Reckoning,
    claimed_values,
    left_over_values,
    reckon,
)
from engine.concerto.records.record import Record, SeatBits
from engine.deals import Deal
from engine.seats import SEATS, SIDES, BySide, Seat, Side


@final
@dataclass(frozen=True, slots=True)
class CardShown:
    """A card of a hand; ``seat`` is who played it, where known."""

    card: Card
    seat: Seat | None
    is_significant: bool

    def as_json(self) -> dict[str, Any]:
        """The card for a program."""
        return {
            "card": self.card.text,
            "seat": self.seat.letter if self.seat else None,
            "significant": self.is_significant,
        }


@final
@dataclass(frozen=True, slots=True)
class HandShown:
    """One hand of a sheet; ``number`` counts from 0."""

    number: int
    leader: Seat | None
    side: Side | None
    depth: Depth
    cards: tuple[CardShown, ...]
    moves: Moves
    """Who did what, where the line of play is known."""
    combination: Combination | None
    """What it forms; while cards are lacking, what it forms so far."""
    split: Split | None
    points: int | None
    """What it is worth, where that is settled."""
    is_complete: bool
    """Whether nothing more is needed for its points."""

    def as_json(self) -> dict[str, Any]:
        """The hand for a program."""
        return {
            "number": self.number,
            "leader": self.leader.letter if self.leader else None,
            "side": self.side.value if self.side else None,
            "depth": self.depth.value,
            "cards": [card.as_json() for card in self.cards],
            "moves": [[seat.letter, action.token] for seat, action in self.moves],
            "combination": self.combination.key if self.combination else None,
            "split": str(self.split) if self.split else None,
            "points": self.points,
            "complete": self.is_complete,
        }


@final
@dataclass(frozen=True, slots=True)
class LeftOversShown:
    """What the side that pays the bonus has left, as far as known."""

    side: Side
    combination: Combination | None
    split: Split | None
    bonus: int | None

    def as_json(self) -> dict[str, Any]:
        """The left-overs for a program."""
        return {
            "side": self.side.value,
            "combination": self.combination.key if self.combination else None,
            "split": str(self.split) if self.split else None,
            "bonus": self.bonus,
        }


@final
@dataclass(frozen=True, slots=True)
class DealShown:
    """A deal of a sheet, with what follows from it. What does not follow is None."""

    dealer: Seat | None
    hands: tuple[HandShown, ...]
    left: tuple[tuple[Seat, CardSet], ...]
    """Left-over cards by seat, where written or where the deal tells."""
    six: BySide[CardSet | None]
    """The six cards that each side has left, no matter which of the two holds them."""
    left_over: LeftOversShown | None
    """None while it is open who pays."""
    points_so_far: BySide[int]
    """The sum of the hands that are settled."""
    made: BySide[int] | None
    left_over_to: Side | None
    left_over_bonus: int | None
    total: BySide[int] | None

    def as_json(self) -> dict[str, Any]:
        """The deal for a program."""
        return {
            "dealer": self.dealer.letter if self.dealer else None,
            "hands": [hand.as_json() for hand in self.hands],
            "left": {seat.letter: str(cards).split() for seat, cards in self.left},
            "six": {
                side.value: str(six).split() if six is not None else None for side, six in self.six.items()
            },
            "left_over": self.left_over.as_json() if self.left_over else None,
            "points_so_far": self.points_so_far.as_json(),
            "made": self.made.as_json() if self.made else None,
            "left_over_to": self.left_over_to.value if self.left_over_to else None,
            "left_over_bonus": self.left_over_bonus,
            "total": self.total.as_json() if self.total else None,
        }


def describe(record: Record, deal: Deal | None = None) -> DealShown:
    """The record as a sheet, for any record however wrong; ``deal`` is the deal where the board is known."""
    facts = establish(record, deal)
    reckoning = reckon(facts)
    hands = tuple(_hand(hand, reckoning.points[hand.number]) for hand in facts.hands)
    left = tuple(
        (seat, CardSet(bits)) for seat, bits in zip(SEATS, facts.left, strict=True) if bits is not None
    )
    return DealShown(
        dealer=facts.dealer,
        hands=hands,
        left=left,
        six=BySide(_six(facts, Side.NS), _six(facts, Side.EW)),
        left_over=_left_over(facts, reckoning),
        points_so_far=BySide(*(_so_far(hands, side) for side in SIDES)),
        made=reckoning.made,
        left_over_to=reckoning.to,
        left_over_bonus=reckoning.bonus,
        total=reckoning.total,
    )


def _hand(hand: HandFacts, points: int | None) -> HandShown:
    return HandShown(
        number=hand.number,
        leader=hand.leader,
        side=hand.side,
        depth=hand.depth,
        cards=_cards(hand),
        moves=hand.moves,
        combination=hand.combination if hand.combination or not hand.bits else combination_so_far(hand.bits),
        split=hand.value.split if hand.value else None,
        points=points,
        is_complete=hand.is_sound and points is not None,
    )


def _cards(hand: HandFacts) -> tuple[CardShown, ...]:
    if hand.entry is None:
        return ()
    significant = 0
    if hand.has_five_cards and hand.combination is not None:
        significant = significant_bits(hand.bits, hand.combination)
    elif hand.bits.bit_count() < CARDS_IN_HAND:
        significant = significant_bits(hand.bits, combination_so_far(hand.bits))
    return tuple(
        CardShown(card, _player(card, hand.by_seat), bool(card.bit & significant))
        for card in hand.entry.cards
    )


def _player(card: Card, by_seat: SeatBits | None) -> Seat | None:
    if by_seat is None:
        return None
    return next((seat for seat in SEATS if by_seat[seat.index] & card.bit), None)


def combination_so_far(bits: int) -> Combination:
    """What fewer than five cards form already: nothing, a pair, two pair, threes or fours."""
    counts = sorted(((bits >> rank & 0x8004002001).bit_count() for rank in range(13)), reverse=True)
    if counts[0] == 4:
        return Combination.FOURS
    if counts[0] == 3:
        return Combination.THREES
    if counts[0] == 2:
        return Combination.TWO_PAIR if counts[1] == 2 else Combination.PAIR
    return Combination.NOTHING


def _six(facts: Facts, side: Side) -> CardSet | None:
    bits = six_left(facts, side)
    return CardSet(bits) if bits is not None else None


def _so_far(hands: tuple[HandShown, ...], side: Side) -> int:
    return sum(hand.points for hand in hands if hand.side is side and hand.points is not None)


def _left_over(facts: Facts, reckoning: Reckoning) -> LeftOversShown | None:
    to = reckoning.to or (reckoning.receivers[0] if len(reckoning.receivers) == 1 else None)
    if to is None:
        return None
    claim = facts.record.left_over
    values: tuple[HandValue, ...] = left_over_values(facts, to.other)
    if len(values) > 1 and claim is not None:
        values = claimed_values(claim)
    if len(values) == 1:
        value = values[0]
        return LeftOversShown(to.other, value.combination, value.split, BONUS_FACTOR * value.points)
    combination = claim.combination if claim else None
    return LeftOversShown(to.other, combination, None, reckoning.bonus)
