"""A system of signals as people read it: each holding, the two cards that show it, what they tell partner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

from engine.cards import PACK, Card
from engine.concerto.signals.holdings import Holding, Step
from engine.concerto.signals.signalling import Meaning, reading
from engine.concerto.signals.systems import System
from engine.concerto.signals.ways import (
    BOTH,
    CardThenPass,
    Order,
    Phase,
    Ranks,
    Suits,
    TwoCards,
    Way,
)
from engine.text import Param, Word, gettext_noop

#: A sentence, or a part of one, with its parameters.
Phrase = tuple[str, dict[str, Param]]

PHASES: Final = {
    Phase.STRONG: Word(
        gettext_noop("Strong signals: in a side’s first two hands, and later if the cards allow")
    ),
    Phase.WEAK: Word(gettext_noop("Weak signals: in its third and fourth hands, or earlier with poor cards")),
}

#: What stands below the sheet, for who has not learnt it.
NOTES: Final = (
    gettext_noop(
        "A signal is the leader’s first two cards in a hand, while partner passes, or a card "
        "followed by a pass."
    ),
    gettext_noop("It shows the first line of the list that you hold. It doesn’t show what else you hold."),
    gettext_noop(
        "Two ranks are in range if they fit in one straight: at most four apart, with the ace low or high."
    ),
)

HELD: Final = {
    Holding.RUN: gettext_noop("five of a suit in sequence"),
    Holding.FOUR_IN_SEQUENCE: gettext_noop("four of a suit in sequence"),
    Holding.THREE_AND_ONE: gettext_noop("three of a suit in sequence and a fourth after a gap of one"),
    Holding.TWO_AND_TWO: gettext_noop("two and two of a suit, with one missing between them"),
    Holding.THREE_ONE_HIGHER: gettext_noop("two neighbours of a suit and one higher after a gap"),
    Holding.THREE_ONE_LOWER: gettext_noop("two neighbours of a suit and one lower after a gap"),
    Holding.THREE_IN_SEQUENCE: gettext_noop("three of a suit in sequence"),
    Holding.THREE_APART: gettext_noop("three of a suit, every second rank"),
    Holding.FOURS: gettext_noop("four of a rank"),
    Holding.TWO_THREES: gettext_noop("three of a rank and three of another"),
    Holding.FULL_HOUSE: gettext_noop("three of a rank and two of another"),
    Holding.THREES: gettext_noop("three of a rank"),
    Holding.TWO_PAIR: gettext_noop("two of a rank and two of another"),
    Holding.BOTH_PAIRS: gettext_noop("two of a rank and two of another, out of range"),
    Holding.PAIR: gettext_noop("two of a rank"),
    Holding.FIVE_OF_SUIT: gettext_noop("five of a suit"),
    Holding.STRAIGHT: gettext_noop("five ranks in sequence"),
    Holding.FOUR_OF_SUIT: gettext_noop("four of a suit"),
    Holding.FOUR_TO_STRAIGHT: gettext_noop("four ranks of one straight"),
    Holding.THREE_OF_SUIT: gettext_noop("three of a suit"),
    Holding.THREE_TO_STRAIGHT: gettext_noop("three ranks of one straight"),
}  # fmt: skip
SUITS: Final = {
    Suits.ANY: gettext_noop("any suits"),
    Suits.SAME: gettext_noop("the same suit"),
    Suits.SAME_COLOUR: gettext_noop("two suits of one colour"),
    Suits.DIFFERENT_COLOUR: gettext_noop("a red and a black card"),
    Suits.DIFFERENT: gettext_noop("two suits"),
    Suits.HEART_THEN_DIAMOND: gettext_noop("the heart, then the diamond"),
    Suits.NOT_HEART_THEN_DIAMOND: gettext_noop("any two suits but heart, then diamond"),
    Suits.BLACK_THEN_RED: gettext_noop("a black card, then a red one"),
    Suits.MINOR_THEN_MAJOR: gettext_noop("a club or diamond, then a heart or spade"),
}
RANKS: Final = {
    Ranks.SAME: gettext_noop("the same rank"),
    Ranks.DIFFERENT: gettext_noop("two ranks"),
    Ranks.IN_RANGE: gettext_noop("in range"),
    Ranks.OUT_OF_RANGE: gettext_noop("out of range"),
}
ORDERS: Final = {
    Order.LOW_THEN_HIGH: gettext_noop("low, then high"),
    Order.HIGH_THEN_LOW: gettext_noop("high, then low"),
}
BETWEEN: Final = {
    0: gettext_noop("neighbours"),
    1: gettext_noop("one rank between"),
    2: gettext_noop("two ranks between"),
    3: gettext_noop("three ranks between"),
}
_SOME_BETWEEN: Final = gettext_noop("%(numbers)s ranks between")
_NO_GAP: Final = gettext_noop("you hold all ranks between")
_THREES_FIRST: Final = gettext_noop("the rank of the threes first")
_IN_ORDER: Final = gettext_noop("in the order of the holding")
_THEN_PASS: Final = gettext_noop("one card (%(suits)s), then a pass")
_ELSE: Final = gettext_noop("else %(suits)s")
_ONLY: Final = {
    Phase.STRONG: gettext_noop("only in a side’s first two hands"),
    Phase.WEAK: gettext_noop("only in a side’s third and fourth hands"),
}


@final
@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of the system, with an example."""

    way: Way
    first: Card
    second: Card | None
    """The example's cards; None: a pass."""
    meaning: Meaning
    others: tuple[Meaning, ...]
    """What else the example's cards can mean in that phase."""

    @property
    def held(self) -> str:
        """What is held, in general."""
        return HELD[self.way.holding]

    def as_json(self) -> dict[str, Any]:
        """The row as people read it: templates and parameters."""
        return {
            "holding": self.way.holding.key,
            "step": self.way.holding.step.title,
            "held": self.held,
            "played": [_said(phrase) for phrase in played(self.way)],
            "first": self.first.text,
            "second": self.second.text if self.second else None,
            "meaning": self.meaning.message.as_json(),
            "others": [each.message.as_json() for each in self.others],
        }


def sheet(system: System) -> dict[str, Any]:
    """The whole system for people: its checklists, then its rows, strong signals before weak ones.

    A line of the checklist has its preferred row first. Every sentence is a template with parameters, or a ``Word``.
    """
    checklists = [system.checklist(phase) for phase in Phase]
    return {
        "name": system.name,
        "checklists": [
            {"title": PHASES[phase], "steps": [step.title for step in steps]}
            for phase, steps in zip(Phase, checklists, strict=True)
        ],
        "is_one_checklist": checklists[0] == checklists[1],
        "sections": [
            {"title": PHASES[phase], "rows": [row.as_json() for row in rows(system, phase)]}
            for phase in Phase
        ],
        "notes": list(NOTES),
    }


def rows(system: System, phase: Phase) -> tuple[SheetRow, ...]:
    """The rows of the lines that belong to the phase by their nature, in the order of the phase's checklist."""
    found = []
    listed = [*system.checklist(phase), *system.checklist(_other(phase))]
    for step in dict.fromkeys(step for step in listed if _phase_of(step) is phase):
        ways = [way for way in system.ways if way.holding.step is step]
        found += [_row(way, phase if phase in way.phases else way.phases[0], system) for way in ways]
    return tuple(row for row in found if row is not None)


def _phase_of(step: Step) -> Phase:
    return Phase.WEAK if step.is_weak else Phase.STRONG


def _other(phase: Phase) -> Phase:
    return Phase.STRONG if phase is Phase.WEAK else Phase.WEAK


def _row(way: Way, phase: Phase, system: System) -> SheetRow | None:
    """None for a row of a pair's own system that no cards can ever show."""
    example = next(iter(way.shown_by(PACK)), None)
    if example is None:
        return None
    first, second = example
    others = tuple(each for each in reading(first, second, phase, system) if each.holding is not way.holding)
    return SheetRow(way, first, second, Meaning(way.holding, (way,), first, second), others)


def played(way: Way) -> tuple[Phrase, ...]:
    """Which two cards the row asks for, in parts of a sentence."""
    parts = _tiers(way) if isinstance(way, CardThenPass) else _two_cards(way)
    if way.phases != BOTH:
        parts += [(_ONLY[phase], {}) for phase in way.phases]
    return tuple(parts)


def _two_cards(way: TwoCards) -> list[Phrase]:
    parts: list[Phrase] = [(RANKS[way.ranks], {}), (SUITS[way.suits], {})]
    if way.order is not Order.EITHER:
        parts.append((ORDERS[way.order], {}))
    if len(way.between) == 1:
        parts.append((BETWEEN[way.between[0]], {}))
    elif way.between:
        parts.append((_SOME_BETWEEN, {"numbers": _span(way.between)}))
    if way.without_gap:
        parts.append((_NO_GAP, {}))
    if way.in_order:
        parts.append((_THREES_FIRST if way.holding is Holding.FULL_HOUSE else _IN_ORDER, {}))
    return parts


def _span(numbers: tuple[int, ...]) -> str:
    """0–2 for 0, 1 and 2; 0/3 where one is left out between."""
    is_whole = list(numbers) == list(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}–{numbers[-1]}" if is_whole else "/".join(map(str, numbers))


def _tiers(way: CardThenPass) -> list[Phrase]:
    tiers = [" / ".join(suit.symbol for suit in suits) for suits in way.preferred]
    return [(_ELSE if number else _THEN_PASS, {"suits": suits}) for number, suits in enumerate(tiers)]


def _said(phrase: Phrase) -> dict[str, Any]:
    return {"template": phrase[0], "params": phrase[1]}
