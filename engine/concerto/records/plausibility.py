"""What the rules allow but hardly ever happens: a mark for the director (docs/engine.md tells the thresholds)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.concerto.records import messages
from engine.concerto.records.facts import Facts
from engine.concerto.records.reckoning import Reckoning
from engine.concerto.rules import HANDS
from engine.poker import Combination
from engine.problems import Problem
from engine.seats import SIDES, Side

#: Of 20,000 random sides only one in fifty could make so much with perfect play (the average is 39.8).
MADE_HIGH: Final = 56
#: A full house or better left over: hardly anybody loses a deal with that still in hand.
BONUS_HIGH: Final = 80
MANY_STRAIGHT_FLUSHES: Final = 4


def oddities(facts: Facts, reckoning: Reckoning) -> Iterator[Problem]:
    """Everything odd about a deal."""
    if reckoning.made is not None:
        for side in SIDES:
            yield from _made(side, reckoning.made[side])
    if reckoning.bonus is not None and reckoning.bonus >= BONUS_HIGH:
        yield messages.BONUS_HIGH.at(("left_over_bonus",), bonus=reckoning.bonus)
    combinations = [hand.combination for hand in facts.hands if hand.combination is not None]
    alike = combinations[0] if combinations else Combination.NOTHING
    if alike is not Combination.NOTHING and combinations.count(alike) == HANDS:
        yield messages.ALL_ALIKE.at(("hands",), combination=alike.title)
    count = combinations.count(Combination.STRAIGHT_FLUSH)
    if count >= MANY_STRAIGHT_FLUSHES:
        yield messages.MANY_STRAIGHT_FLUSHES.at(("hands",), count=count)


def _made(side: Side, made: int) -> Iterator[Problem]:
    place = ("made", side.value)
    if made >= MADE_HIGH:
        yield messages.MADE_HIGH.at(place, side=side.title, made=made)
    elif made == 0:
        yield messages.MADE_NOTHING.at(place, side=side.title)
