"""What hands, left-overs and deals are worth (R9 to R14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, final

from engine.cards import CardSet
from engine.concerto.options import (
    BONUS_FACTOR,
    PLAIN_VALUES,
    SPLIT_VALUES,
    HandValue,
    Split,
    plain_value,
)
from engine.concerto.poker import Combination, classify_bits, significant_bits
from engine.seats import BySide, Seat, Side

_SUIT: Final = 0x1FFF


def hand_value(one: CardSet, other: CardSet) -> HandValue:
    """R9: what five cards are worth, given what each partner put in."""
    return value_of_bits(one.bits, other.bits)


def value_of_bits(one: int, other: int) -> HandValue:
    """As hand_value, for bit sets that hold five cards together."""
    cards = one | other
    combination = classify_bits(cards)
    value = plain_value(combination)
    if value is not None:
        return value
    significant = significant_bits(cards, combination)
    split = Split.of((one & significant).bit_count(), (other & significant).bit_count())
    return SPLIT_VALUES[combination][split]


def left_over_value(one: CardSet, other: CardSet) -> HandValue:
    """R11 and R13: the best of what two losers' six cards are worth, three pairs included."""
    return best_of_six(one.bits, other.bits)


def best_of_six(one: int, other: int) -> HandValue:
    """As left_over_value, for bit sets that hold six cards together.

    R13 D: the greatest value counts; between equal ones the higher combination is named.
    """
    best = PLAIN_VALUES[Combination.NOTHING]
    for value in values_among_six(one, other):
        if (value.points, value.combination.order) > (best.points, best.combination.order):
            best = value
    return best


def values_among_six(one: int, other: int) -> Iterator[HandValue]:
    """What each five of the six cards are worth, and three pairs when the six are that (R11)."""
    cards = one | other
    rest = cards
    while rest:
        left_out = rest & -rest
        yield value_of_bits(one & ~left_out, other & ~left_out)
        rest ^= left_out
    if is_three_pairs(cards):
        yield PLAIN_VALUES[Combination.THREE_PAIRS]


def is_three_pairs(cards: int) -> bool:
    """R11: whether six cards are two each of three ranks."""
    suits = [cards >> 13 * suit & _SUIT for suit in range(4)]
    ranks = suits[0] | suits[1] | suits[2] | suits[3]
    odd = suits[0] ^ suits[1] ^ suits[2] ^ suits[3]
    return ranks.bit_count() == 3 and odd == 0


def bonus_side(made: BySide[int], dealer: Seat) -> Side:
    """R11: the side with more points scores the left-overs; R12: at equal points the non-dealing side."""
    if made.ns != made.ew:
        return Side.NS if made.ns > made.ew else Side.EW
    return dealer.side.other


@final
@dataclass(frozen=True, slots=True)
class DealScore:
    """What a deal was worth. Where only totals were written down, the rest is None."""

    total: BySide[int]
    points: tuple[int | None, ...] | None = None
    made: BySide[int] | None = None
    left_over_to: Side | None = None
    left_over_bonus: int | None = None

    @classmethod
    def of_totals(cls, ns: int, ew: int) -> DealScore:
        """A score of which only the totals are known."""
        return cls(BySide(ns, ew))

    def as_json(self) -> dict[str, Any]:
        """The score under the names that a record uses."""
        return {
            "points": None if self.points is None else list(self.points),
            "made": None if self.made is None else self.made.as_json(),
            "left_over_to": None if self.left_over_to is None else self.left_over_to.value,
            "left_over_bonus": self.left_over_bonus,
            "total": self.total.as_json(),
        }


def deal_score(points: tuple[int, ...], dealer: Seat, left: tuple[int, int, int, int]) -> DealScore:
    """The score of eight hands with these points; ``left`` has the cards each seat still holds, as bits.

    R11, R12, R14: the bonus is always scored, from the six cards of the side that does not get it.
    """
    made = made_by_side(points, dealer)
    to = bonus_side(made, dealer)
    one, other = to.other.seats
    bonus = BONUS_FACTOR * best_of_six(left[one.index], left[other.index]).points
    total = BySide(made.ns + bonus, made.ew) if to is Side.NS else BySide(made.ns, made.ew + bonus)
    return DealScore(total, points, made, to, bonus)


def made_by_side(points: tuple[int, ...], dealer: Seat) -> BySide[int]:
    """The points that each side made with its four hands; R3: sides alternate, dealer's opponents begin."""
    leading, dealing = sum(points[0::2]), sum(points[1::2])
    return BySide(dealing, leading) if dealer.side is Side.NS else BySide(leading, dealing)
