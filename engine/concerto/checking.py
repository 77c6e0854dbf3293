"""Everything that is wrong with a record, at once, and its score if nothing refuses it."""

from __future__ import annotations

from typing import Final

from engine.concerto.best_play.feasible import check_claims, has_claims
from engine.concerto.records import messages
from engine.concerto.records.card_checks import all_accounted_for, check_cards, doubtful_dealer
from engine.concerto.records.facts import Facts, establish
from engine.concerto.records.hand_checks import check_hands
from engine.concerto.records.missing import missing
from engine.concerto.records.plausibility import oddities
from engine.concerto.records.reckoning import Reckoning, reckon
from engine.concerto.records.record import Record
from engine.concerto.scoring import DealScore
from engine.deals import Deal
from engine.game.values import Checked
from engine.problems import Problem

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
        problems += oddities(facts, reckoning)
        if reckoning.total is None:
            problems.append(messages.INCOMPLETE.at(()))
    problems.sort(key=_in_order)
    refused = any(problem.refuses for problem in problems)
    return Checked(tuple(problems), None if refused else reckoning.score())


def _in_order(problem: Problem) -> tuple[int, int]:
    """Down the sheet; within a hand in the order found."""
    place = problem.place
    field = _ORDER.get(str(place[0]), len(_ORDER)) if place else -1
    step = place[1] if len(place) > 1 else 0
    return field, step if isinstance(step, int) else 0
