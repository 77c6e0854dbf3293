"""Everything that is wrong with a record, at once, and its score if nothing refuses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.concerto.best_play.feasible import check_claims, has_claims
from engine.concerto.options import HANDS
from engine.concerto.poker import Combination
from engine.concerto.records import messages
from engine.concerto.records.card_checks import all_accounted_for, check_cards, doubtful_dealer
from engine.concerto.records.facts import Facts, establish
from engine.concerto.records.hand_checks import check_hands
from engine.concerto.records.missing import missing
from engine.concerto.records.reckoning import Reckoning, reckon
from engine.concerto.records.record import Record
from engine.concerto.scoring import DealScore
from engine.deals import Deal
from engine.game.values import Checked
from engine.problems import Problem
from engine.seats import SIDES, Side

#: The order of a sheet's fields, for the order of its problems.
_FIELDS: Final = (
    "dealer",
    "deal",
    "leaders",
    "hands",
    "points",
    "made",
    "left",
    "left_over",
    "left_over_to",
    "left_over_bonus",
    "total",
)
_ORDER: Final = {name: number for number, name in enumerate(_FIELDS)}
#: Of 20,000 random sides only one in fifty could make so much with perfect play (the average is 39.8).
MADE_HIGH: Final = 56
#: A full house or better left over: hardly anybody loses a deal with that still in hand.
BONUS_HIGH: Final = 80
MANY_STRAIGHT_FLUSHES: Final = 4


def check(record: Record, deal: Deal | None = None) -> Checked[DealScore]:
    """Everything that is wrong with the record; ``deal`` is the deal where the board is known."""
    facts = establish(record, deal)
    return check_facts(facts, reckon(facts), deal)


def check_facts(facts: Facts, reckoning: Reckoning, deal: Deal | None) -> Checked[DealScore]:
    """As check, where what follows from the record has been worked out already."""
    record = facts.record
    problems = [*record.faults, *facts.problems]
    if not all_accounted_for(facts):
        doubtful = doubtful_dealer(facts)
        if doubtful is not None:
            return Checked((*record.faults, doubtful), None)
        problems += check_cards(facts)
    problems += check_hands(facts)
    problems += reckoning.problems
    problems += missing(facts, reckoning)
    if deal is not None and record.deal is not None and deal != record.deal:
        problems.append(messages.DEAL_DIFFERS.at(("deal",)))
    if has_claims(facts) and not any(problem.refuses and not problem.is_missing for problem in problems):
        problems += check_claims(facts)
    if not any(problem.refuses for problem in problems):
        problems += _oddities(facts, reckoning)
        if reckoning.total is None:
            problems.append(messages.INCOMPLETE.at(()))
    problems.sort(key=_in_order)
    refused = any(problem.refuses for problem in problems)
    return Checked(tuple(problems), None if refused else reckoning.score())


def _oddities(facts: Facts, reckoning: Reckoning) -> Iterator[Problem]:
    """What the rules allow but hardly ever happens: marks for the director (docs/engine.md tells the thresholds)."""
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


def _in_order(problem: Problem) -> tuple[int, int]:
    """Down the sheet; within a hand in the order found."""
    place = problem.place
    field = _ORDER.get(str(place[0]), len(_ORDER)) if place else -1
    step = place[1] if len(place) > 1 else 0
    return field, step if isinstance(step, int) else 0
