"""Exact best play: the most points that a side can make of its cards, and what is left over then (R9, R11).

Any five cards of a side can be a hand: a player may pass when the partner should play, and as nobody has more than
thirteen cards, never more than two hands are of one player's cards alone, for whom there are two leads (R3 to R7). So
what a side can make depends on its 26 cards only, and on who holds which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, cast, final

from engine.cards import CardSet
from engine.concerto.options import CARDS_IN_HAND, HANDS_EACH_SIDE, LEFT_EACH_SIDE
from engine.concerto.scoring import best_of_six, value_of_bits
from engine.deals import Deal
from engine.errors import CardError
from engine.seats import BySide, Side
from engine.text import gettext_noop


@final
class Holding(NamedTuple):
    """Cards of a side, by its two players in the order N, E, S, W."""

    one: CardSet
    other: CardSet

    def as_json(self) -> list[list[str]]:
        """The cards of each of the two."""
        return [str(cards).split() for cards in self]


@final
@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """The most points that leave no more than this over, and how they are made."""

    points: int
    left_over: int
    """The value of the six cards left (R11); the bonus is ten times that."""
    hands: tuple[Holding, ...]
    """The highest first."""
    left: Holding

    def as_json(self) -> dict[str, Any]:
        """The point for a program."""
        return {
            "points": self.points,
            "left_over": self.left_over,
            "hands": [
                {"cards": hand.as_json(), "points": value_of_bits(hand.one.bits, hand.other.bits).points}
                for hand in self.hands
            ],
            "left": self.left.as_json(),
        }


#: The points of a side, the greatest total first; each has fewer points than the one before, and leaves less over.
Frontier = tuple[FrontierPoint, ...]


def frontier(one: CardSet, other: CardSet, hands: int = HANDS_EACH_SIDE) -> Frontier:
    """What two partners can make of their cards: all that no other play betters both in points and in what is left.

    ``hands`` is how many they still play: they hold five cards for each and six more. Raises CardError if they do not.
    """
    return frontiers([(one, other)], hands)[0]


def frontiers(sides: Iterable[tuple[CardSet, CardSet]], hands: int = HANDS_EACH_SIDE) -> list[Frontier]:
    """As ``frontier``, for many sides at once."""
    asked = [(one.bits, other.bits, hands) for one, other in sides]
    for one_bits, other_bits, _ in asked:
        _check_count(one_bits, other_bits, hands)
    if hands == 0:
        return [_without_hands(one, other) for one, other, _ in asked]
    return [
        _frontier(one, other, rows, hands)
        for (one, other, _), rows in zip(asked, _best_of_each()(asked), strict=True)
    ]


def deal_frontiers(deals: Sequence[Deal]) -> list[BySide[Frontier]]:
    """The frontiers of both sides of each deal."""
    sides = [(deal[side.seats[0]], deal[side.seats[1]]) for deal in deals for side in Side]
    found = frontiers(sides)
    return [BySide(*pair) for pair in zip(found[0::2], found[1::2], strict=True)]


def _check_count(one: int, other: int, hands: int) -> None:
    count = CARDS_IN_HAND * hands + LEFT_EACH_SIDE
    if not 0 <= hands <= HANDS_EACH_SIDE or one & other or (one | other).bit_count() != count:
        raise CardError(
            "par-cards",
            gettext_noop(
                "For %(hands)d hands a side needs %(count)d different cards, but there are %(given_count)d."
            ),
            hands=hands,
            count=count,
            given_count=(one | other).bit_count(),
        )


Rows = list[list[int]]


@cache
def _best_of_each() -> Callable[[list[tuple[int, int, int]]], list[Rows]]:
    # Imported when first asked: numba is large, and most processes that know the rules never ask.
    module = import_module("engine.concerto.best_play.search")
    return cast("Callable[[list[tuple[int, int, int]]], list[Rows]]", module.best_of_each)


def _frontier(one: int, other: int, rows: Rows, hands: int) -> Frontier:
    """The points where leaving less over begins to cost; rows are as par_search.best_of_each gives them."""
    found = []
    for left_over in range(len(rows) - 1, -1, -1):
        points, *cores, left = rows[left_over]
        if points >= 0 and (left_over == 0 or rows[left_over - 1][0] < points):
            made = _filled(one, one | other, cores[:hands], left)
            found.append(FrontierPoint(points, left_over, made, _held(left, one)))
    return tuple(found)


def _filled(one: int, side: int, cores: list[int], left: int) -> tuple[Holding, ...]:
    """Fill the cores up to hands. It does not matter how: if anything raised them, there would be more points."""
    spare = side & ~left
    for core in cores:
        spare &= ~core
    hands = []
    for core in cores:
        hand = core
        while hand.bit_count() < CARDS_IN_HAND:
            low = spare & -spare
            hand |= low
            spare ^= low
        hands.append(_held(hand, one))
    return tuple(hands)


def _held(cards: int, one: int) -> Holding:
    return Holding(CardSet(cards & one), CardSet(cards & ~one))


def _without_hands(one: int, other: int) -> Frontier:
    left = Holding(CardSet(one), CardSet(other))
    return (FrontierPoint(0, best_of_six(one, other).points, (), left),)
