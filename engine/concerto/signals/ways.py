"""The rows of a signalling system: what two cards, or a card and a pass, show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, Final, final

from engine.cards import Card, CardSet, Rank, Suit, cards_of
from engine.concerto.signals.holdings import Core, Holding

_MINOR: Final = (Suit.CLUBS, Suit.DIAMONDS)


class Phase(StrEnum):
    """A side's first two hands of a deal, or its third and fourth."""

    STRONG = "strong"
    WEAK = "weak"


BOTH: Final = (Phase.STRONG, Phase.WEAK)


def phase_of_hand(hand: int) -> Phase:
    """The phase of a deal's hand, counted from 0: hands 0 to 3 are each side's first two."""
    return Phase.STRONG if hand < 4 else Phase.WEAK


class Suits(Enum):
    """How the suits of the two cards are related; where it says "then", in the order of play."""

    ANY = "any"
    SAME = "same"
    SAME_COLOUR = "same-colour"
    """Two suits of one colour."""
    DIFFERENT_COLOUR = "different-colour"
    DIFFERENT = "different"
    HEART_THEN_DIAMOND = "heart-then-diamond"
    NOT_HEART_THEN_DIAMOND = "not-heart-then-diamond"
    BLACK_THEN_RED = "black-then-red"
    MINOR_THEN_MAJOR = "minor-then-major"


_HEART_DIAMOND: Final = (Suit.HEARTS, Suit.DIAMONDS)

_SUITS_AGREE: Final[dict[Suits, Callable[[Suit, Suit], bool]]] = {
    Suits.ANY: lambda _one, _other: True,
    Suits.SAME: lambda one, other: one is other,
    Suits.SAME_COLOUR: lambda one, other: one.same_colour is other,
    Suits.DIFFERENT_COLOUR: lambda one, other: one.is_red != other.is_red,
    Suits.DIFFERENT: lambda one, other: one is not other,
    Suits.HEART_THEN_DIAMOND: lambda one, other: (one, other) == _HEART_DIAMOND,
    Suits.NOT_HEART_THEN_DIAMOND: lambda one, other: (one, other) != _HEART_DIAMOND,
    Suits.BLACK_THEN_RED: lambda one, other: other.is_red and not one.is_red,
    Suits.MINOR_THEN_MAJOR: lambda one, other: one in _MINOR and other not in _MINOR,
}


class Ranks(Enum):
    """How the ranks of the two cards are related."""

    SAME = "same"
    DIFFERENT = "different"
    IN_RANGE = "in-range"
    OUT_OF_RANGE = "out-of-range"


class Order(Enum):
    """Which of two ranks is played first."""

    EITHER = "either"
    LOW_THEN_HIGH = "low-then-high"
    HIGH_THEN_LOW = "high-then-low"


def is_in_range(one: Card, other: Card) -> bool:
    """Whether two different ranks fit in one straight: at most four apart, the ace low or high."""
    return 1 <= abs(steps(one, other)) <= 4


def steps(one: Card, other: Card) -> int:
    """How many ranks up from one card to the other; the ace is low beside two to five, and high elsewhere."""
    return _steps(one.rank.index, other.rank.index)


def _steps(one: int, other: int) -> int:
    ace = Rank.ACE.index
    if one == ace and other < 4:
        one = -1
    elif other == ace and one < 4:
        other = -1
    return other - one


_RANKS_AGREE: Final[dict[Ranks, Callable[[int], bool]]] = {
    Ranks.SAME: lambda up: up == 0,
    Ranks.DIFFERENT: lambda up: up != 0,
    Ranks.IN_RANGE: lambda up: 1 <= abs(up) <= 4,
    Ranks.OUT_OF_RANGE: lambda up: abs(up) > 4,
}


@final
@dataclass(frozen=True, slots=True)
class TwoCards:
    """Two cards in this order show this holding."""

    holding: Holding
    suits: Suits
    ranks: Ranks
    order: Order = Order.EITHER
    between: tuple[int, ...] = ()
    """How many ranks lie between the two; empty: any number."""
    in_order: bool = False
    """Whether the holding's groups are shown in their order: the threes of a full house before its pair."""
    without_gap: bool = False
    """Whether all ranks between the two are held."""
    phases: tuple[Phase, ...] = BOTH

    def reads(self, first: Card, second: Card | None) -> bool:
        """Whether two cards look like this, whatever else is held."""
        if second is None or second is first:
            return False
        up = steps(first, second)
        return (
            _RANKS_AGREE[self.ranks](up)
            and _SUITS_AGREE[self.suits](first.suit, second.suit)
            and (self.order is Order.EITHER or (up > 0) == (self.order is Order.LOW_THEN_HIGH))
            and (not self.between or abs(up) - 1 in self.between)
        )

    def shown_by(self, cards: CardSet) -> Iterator[tuple[Card, Card]]:
        """Every two of these cards that show the holding; the same two may come more than once."""
        for core in self.holding.cores(cards):
            held = [(place, card) for place, group in enumerate(core) for card in cards_of(group.bits)]
            for here, first in held:
                for there, second in held:
                    if self._takes(here, there, first, second) and self.reads(first, second):
                        yield first, second

    def cores(self, first: Card, second: Card | None, cards: CardSet) -> Iterator[Core]:
        """Every place among the cards where the holding is that these two, being of it, show."""
        if second is None or not self.reads(first, second):
            return
        for core in self.holding.cores(cards):
            here, there = _place(core, first), _place(core, second)
            if here is not None and there is not None and self._takes(here, there, first, second):
                yield core

    def _takes(self, here: int, there: int, first: Card, second: Card) -> bool:
        if self.in_order and here >= there:
            return False
        return not self.without_gap or abs(here - there) == abs(steps(first, second))

    def as_json(self) -> dict[str, Any]:
        """The row of a convention card; what is as usual is left out."""
        row: dict[str, Any] = {
            "holding": self.holding.key,
            "suits": self.suits.value,
            "ranks": self.ranks.value,
        }
        if self.order is not Order.EITHER:
            row["order"] = self.order.value
        if self.between:
            row["between"] = list(self.between)
        row |= {name: True for name in ("in_order", "without_gap") if getattr(self, name)}
        return row | _phases_json(self.phases)


@final
@dataclass(frozen=True, slots=True)
class CardThenPass:
    """One card and then a pass show this holding."""

    holding: Holding
    preferred: tuple[tuple[Suit, ...], ...]
    """The suits of the card: one of the first that the holding has, else of the second, and so on."""
    phases: tuple[Phase, ...] = BOTH

    def reads(self, first: Card, second: Card | None) -> bool:
        """Whether a card and a pass look like this, whatever else is held."""
        return second is None and any(first.suit in suits for suits in self.preferred)

    def shown_by(self, cards: CardSet) -> Iterator[tuple[Card, None]]:
        """Every one of these cards that shows the holding."""
        for core in self.holding.cores(cards):
            for group in core:
                yield from ((card, None) for card in self._best(group.bits))

    def cores(self, first: Card, second: Card | None, cards: CardSet) -> Iterator[Core]:
        """Every place among the cards where the holding can be that this card, being of it, shows."""
        if not self.reads(first, second):
            return
        # Cards that the player would rather have shown are not held.
        better = 0
        for suits in self.preferred[: self._tier(first)]:
            better |= sum(Card(first.rank, suit).bit for suit in suits)
        for core in self.holding.cores(CardSet(cards.bits & ~better)):
            if _place(core, first) is not None:
                yield core

    def _tier(self, card: Card) -> int:
        return next(tier for tier, suits in enumerate(self.preferred) if card.suit in suits)

    def _best(self, bits: int) -> list[Card]:
        cards = cards_of(bits)
        for suits in self.preferred:
            if best := [card for card in cards if card.suit in suits]:
                return best
        return []

    def as_json(self) -> dict[str, Any]:
        """The row of a convention card."""
        suits = ["".join(suit.letter for suit in suits) for suits in self.preferred]
        return {"holding": self.holding.key, "then": "pass", "preferred": suits} | _phases_json(self.phases)


Way = TwoCards | CardThenPass


def _place(core: Core, card: Card) -> int | None:
    return next((place for place, group in enumerate(core) if group.bits & card.bit), None)


def _phases_json(phases: tuple[Phase, ...]) -> dict[str, Any]:
    return {} if phases == BOTH else {"phases": [phase.value for phase in phases]}
