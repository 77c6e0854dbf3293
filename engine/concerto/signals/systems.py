"""Systems of signals as values: Parlett's own, and the convention cards of partnerships."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, final

from engine.cards import Card, Suit
from engine.concerto.signals.holdings import Holding, Step
from engine.concerto.signals.ways import (
    CardThenPass,
    Order,
    Phase,
    Ranks,
    Suits,
    TwoCards,
    Way,
)

Played = tuple[Card, Card | None]


@final
@dataclass(frozen=True, slots=True)
class System:
    """A partnership's agreement: what to signal first, and the rows that say how, the preferred ones first."""

    name: str
    strong: tuple[Step, ...]
    """The checklist of a side's first two hands."""
    weak: tuple[Step, ...]
    """The checklist of its third and fourth."""
    ways: tuple[Way, ...]
    # What two cards can mean is asked again and again, and is the same every time.
    read: dict[tuple[Phase, Played], tuple[Way, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def checklist(self, phase: Phase) -> tuple[Step, ...]:
        """What to signal in that phase: the first of these that is held and can be shown."""
        return self.strong if phase is Phase.STRONG else self.weak

    def ways_to_show(self, step: Step, phase: Phase) -> tuple[Way, ...]:
        """The rows for a line of the checklist, the preferred ones first."""
        return tuple(way for way in self.ways if way.holding.step is step and phase in way.phases)

    def as_json(self) -> dict[str, Any]:
        """The convention card; ``convention_cards.read_system`` reads it."""
        return {
            "name": self.name,
            "checklist": {phase.value: [step.key for step in self.checklist(phase)] for phase in Phase},
            "ways": [way.as_json() for way in self.ways],
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return (System, (self.name, self.strong, self.weak, self.ways))


_C, _D, _H, _S = Suit
_UP: Final = Order.LOW_THEN_HIGH
_DOWN: Final = Order.HIGH_THEN_LOW


def _suited(holding: Holding, order: Order, *between: int, without_gap: bool = False) -> TwoCards:
    return TwoCards(holding, Suits.SAME, Ranks.IN_RANGE, order, between, without_gap=without_gap)


#: "Strong: toward a straight flush", row by row.
_STRAIGHT_FLUSHES: Final = (
    _suited(Holding.RUN, _UP, 3),
    _suited(Holding.FOUR_IN_SEQUENCE, _UP, 2),
    # Without a gap: A-3-4-5 is shown by 3-5, its three in sequence, and not by A-3.
    _suited(Holding.THREE_AND_ONE, _UP, 1, without_gap=True),
    _suited(Holding.TWO_AND_TWO, _DOWN, 2),
    # D: these two are read but never chosen, for the rows above always serve. The page grants 5-4-3-A the showings
    # 4-A and 5-A too, and tells players to avoid them.
    _suited(Holding.THREE_AND_ONE, _DOWN, 2, 3),
    _suited(Holding.TWO_AND_TWO, _DOWN, 3),
    _suited(Holding.THREE_ONE_HIGHER, _UP, 0),
    _suited(Holding.THREE_ONE_LOWER, _DOWN, 0),
    _suited(Holding.THREE_IN_SEQUENCE, _DOWN, 1),
    _suited(Holding.THREE_APART, _DOWN, 3),
)

#: "Strong: fours, full house and below".
_SETS: Final = (
    TwoCards(Holding.FOURS, Suits.HEART_THEN_DIAMOND, Ranks.SAME),
    # D: low then high, because high then low out of range shows two pair.
    TwoCards(Holding.TWO_THREES, Suits.SAME_COLOUR, Ranks.DIFFERENT, _UP),
    TwoCards(Holding.TWO_THREES, Suits.SAME_COLOUR, Ranks.DIFFERENT, _DOWN),
    # D: one suit out of range is read so, as the page does, but never chosen: two suits are always there.
    TwoCards(Holding.TWO_THREES, Suits.SAME, Ranks.OUT_OF_RANGE),
    TwoCards(Holding.FULL_HOUSE, Suits.DIFFERENT_COLOUR, Ranks.DIFFERENT, in_order=True),
    CardThenPass(Holding.THREES, ((_H,), (_D,))),
    # The weak table's own showing of two pair comes first where it counts: it names both ranks.
    TwoCards(Holding.BOTH_PAIRS, Suits.SAME, Ranks.OUT_OF_RANGE, _DOWN, phases=(Phase.WEAK,)),
    TwoCards(Holding.TWO_PAIR, Suits.BLACK_THEN_RED, Ranks.SAME),
    TwoCards(Holding.TWO_PAIR, Suits.MINOR_THEN_MAJOR, Ranks.SAME),
    # D: in the other order it is still read as two pair, as the page's last table says.
    TwoCards(Holding.TWO_PAIR, Suits.NOT_HEART_THEN_DIAMOND, Ranks.SAME),
    # D: of one colour, because two colours out of range are a full house.
    TwoCards(Holding.BOTH_PAIRS, Suits.SAME_COLOUR, Ranks.OUT_OF_RANGE, _DOWN),
    CardThenPass(Holding.PAIR, ((_C, _S), (_D,))),
)

#: "Weak: flushes, straights, two pair".
_LONG_ONES: Final = (
    # D: a flush before a straight, being worth more.
    TwoCards(Holding.FIVE_OF_SUIT, Suits.SAME, Ranks.OUT_OF_RANGE, _UP),
    TwoCards(Holding.STRAIGHT, Suits.ANY, Ranks.IN_RANGE, _UP, (3,)),
    TwoCards(Holding.FOUR_OF_SUIT, Suits.SAME, Ranks.IN_RANGE, _UP),
    # Three ranks between would look like a whole straight, one suit like four to a flush.
    TwoCards(Holding.FOUR_TO_STRAIGHT, Suits.DIFFERENT, Ranks.IN_RANGE, _UP, (0, 1, 2)),
    TwoCards(Holding.THREE_OF_SUIT, Suits.SAME, Ranks.IN_RANGE, _DOWN),
    TwoCards(Holding.THREE_TO_STRAIGHT, Suits.DIFFERENT, Ranks.IN_RANGE, _DOWN),
)

#: The system that the game's author publishes.
PARLETT: Final = System("Parlett", tuple(Step), tuple(Step), (*_STRAIGHT_FLUSHES, *_SETS, *_LONG_ONES))

_OF_SHORT: Final = (Step.FOURS, Step.FULL_HOUSE, Step.FIVE, Step.THREES, Step.TWO_PAIR, Step.PAIR)
#: The first ones to learn: what a hand is worth most for, by the author's own showings.
SHORT: Final = System(
    "Short",
    (Step.FOURS, Step.FULL_HOUSE, Step.THREES, Step.TWO_PAIR, Step.PAIR),
    (Step.FIVE, Step.FULL_HOUSE, Step.THREES, Step.TWO_PAIR, Step.PAIR),
    tuple(way for way in (*_SETS, *_LONG_ONES) if way.holding.step in _OF_SHORT),
)

#: The systems that come with the engine.
SYSTEMS: Final[Mapping[str, System]] = {"parlett": PARLETT, "short": SHORT}
