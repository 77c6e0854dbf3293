"""What a leader's first two cards tell partner: choosing them, and reading them.

The signal is the first two cards of a hand's leader (partner passes after the first), or one card and then a pass.
Which cards show what is a ``System``; Parlett's is taken unless another is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, final

from engine.cards import PACK, Card, CardSet
from engine.concerto.play import PASS_TOKEN
from engine.concerto.signals.holdings import (
    Core,
    Holding,
    Step,
    certain,
)
from engine.concerto.signals.systems import PARLETT, Played, System
from engine.concerto.signals.ways import (
    Phase,
    Way,
    is_in_range,
    steps,
)
from engine.text import Message, Param, Word, gettext_noop

__all__ = ["Meaning", "Phase", "Signal", "all_signals", "reading", "to_signal"]


@final
@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that two cards, or a card and a pass, can show."""

    holding: Holding
    """What would be held."""
    ways: tuple[Way, ...]
    """The rows of the system that say so."""
    first: Card
    second: Card | None

    @property
    def step(self) -> Step:
        """Its line of the checklist."""
        return self.holding.step

    @property
    def message(self) -> Message:
        """The sentence for people."""
        return Message(self.holding.template, _cards_told(self.first, self.second))

    def cores(self, cards: CardSet = PACK) -> Iterator[Core]:
        """Every place among these cards where what is shown can be."""
        return chain.from_iterable(way.cores(self.first, self.second, cards) for way in self.ways)

    def fits(self, cards: CardSet) -> bool:
        """Whether somebody who held these cards, the ones played among them, held what is shown."""
        return next(self.cores(cards), None) is not None

    def certain(self, among: CardSet = PACK) -> CardSet:
        """The cards that are surely held, if this is meant and only these cards can be."""
        return certain(self.cores(among))

    def as_json(self) -> dict[str, Any]:
        """The meaning for a program."""
        return {
            "holding": self.holding.key,
            "step": self.step.key,
            "message": str(self.message),
            "certain": str(self.certain()).split(),
        }


_TWO_CARDS = gettext_noop("The %(first)s, and after partner’s pass the %(second)s: %(step)s.")
_CARD_THEN_PASS = gettext_noop("The %(first)s, and after partner’s pass a pass: %(step)s.")


@final
@dataclass(frozen=True, slots=True)
class Signal:
    """What to play, and what it is meant to show."""

    meaning: Meaning

    @property
    def first(self) -> Card:
        """The card to lead."""
        return self.meaning.first

    @property
    def second(self) -> Card | None:
        """The card to play after partner's pass; None: a pass."""
        return self.meaning.second

    @property
    def step(self) -> Step:
        """The line of the checklist that is signalled."""
        return self.meaning.step

    @property
    def line(self) -> str:
        """The beginning of the hand as a line of play, partner's pass included: ``9h - 9d``."""
        return f"{self.first} {PASS_TOKEN} {self.second or PASS_TOKEN}"

    @property
    def message(self) -> Message:
        """What is played and for which line of the checklist; ``meaning`` says what it shows."""
        template = _TWO_CARDS if self.second else _CARD_THEN_PASS
        return Message(template, {"step": self.step.title, **_cards_told(self.first, self.second)})

    def as_json(self) -> dict[str, Any]:
        """The signal for a program."""
        return {
            "first": self.first.text,
            "second": self.second.text if self.second else None,
            "line": self.line,
            "message": str(self.message),
            "shows": self.meaning.as_json(),
        }


def to_signal(cards: CardSet, phase: Phase, system: System = PARLETT) -> Signal | None:
    """The first combination on the checklist that these cards hold and can show, with what to play.

    None when there is none, which thirteen cards never come to in Parlett's system: four of them are of one suit.
    Where several cards would do, the choice is that of ``_preference``.
    """
    return next(all_signals(cards, phase, system), None)


def all_signals(cards: CardSet, phase: Phase, system: System = PARLETT) -> Iterator[Signal]:
    """One signal for each line of the checklist that these cards hold and can show, in the checklist's order."""
    for step in system.checklist(phase):
        for way in system.ways_to_show(step, phase):
            if shown := set(way.shown_by(cards)):
                played = min(shown, key=lambda two: _preference(two, phase, system))
                meanings = reading(*played, phase, system)
                yield Signal(next(each for each in meanings if way in each.ways))
                break


def _preference(played: Played, phase: Phase, system: System) -> tuple[int, ...]:
    """D: the fewest meanings; then, in range, the fewest ranks between; then the highest cards; then spades down."""
    first, second = played
    meanings = len(reading(first, second, phase, system))
    if second is None:
        return (meanings, -first.rank.index, -first.suit.index)
    up = steps(first, second)
    highest = (second if up > 0 else first).rank.index
    # An ace that is low counts as low: 5-2 is higher than 4-A.
    lowest = highest - abs(up)
    between = abs(up) if is_in_range(first, second) else 0
    return (meanings, between, -highest, -lowest, -first.suit.index, -second.suit.index)


def reading(
    first: Card, second: Card | None, phase: Phase, system: System = PARLETT, *, among: CardSet = PACK
) -> tuple[Meaning, ...]:
    """Every meaning that the two cards can have; ``second`` is None for a card and then a pass.

    The phase's own kind of meaning comes first (strong or weak), then the order of the checklist. ``among`` are
    the cards that the player can have held, these two with them: what they leave no room for is not told.
    """
    ways = system.read.get((phase, (first, second)))
    if ways is None:
        ways = system.read[phase, (first, second)] = _ways_read((first, second), phase, system)
    by_holding: dict[Holding, list[Way]] = {}
    for way in ways:
        by_holding.setdefault(way.holding, []).append(way)
    meanings = tuple(Meaning(holding, tuple(rows), first, second) for holding, rows in by_holding.items())
    return meanings if among is PACK else tuple(each for each in meanings if each.fits(among))


def _ways_read(played: Played, phase: Phase, system: System) -> tuple[Way, ...]:
    """The rows that these cards can have been chosen by, in the order in which they are told."""
    checklist = system.checklist(phase)
    found = [
        way
        for way in system.ways
        if phase in way.phases
        and way.holding.step in checklist
        and next(way.cores(*played, PACK), None) is not None
    ]
    is_weak = phase is Phase.WEAK
    found.sort(key=lambda way: (way.holding.step.is_weak != is_weak, checklist.index(way.holding.step)))
    return tuple(found)


def _cards_told(first: Card, second: Card | None) -> dict[str, Param]:
    return {"first": first.symbol, "second": second.symbol if second else Word(gettext_noop("pass"))}
