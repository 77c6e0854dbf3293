"""What a record still lacks before it can be scored."""

from __future__ import annotations

from collections.abc import Iterator

from engine.concerto.options import needs_split
from engine.concerto.records import messages
from engine.concerto.records.facts import Facts, HandFacts
from engine.concerto.records.reckoning import Reckoning
from engine.concerto.records.record import NO_CLAIM, NO_HANDS
from engine.problems import Problem
from engine.seats import SIDES, Side


def missing(facts: Facts, reckoning: Reckoning) -> Iterator[Problem]:
    """What has to be given before the totals follow; nothing when they do."""
    given = [side for side in SIDES if facts.record.total[side] is not None]
    if reckoning.total is not None or len(given) == len(SIDES):
        return
    if _is_empty(facts):
        if not any(fault.refuses for fault in facts.record.faults):
            yield messages.EMPTY.at(())
        return
    if len(given) == 1 and not _has_hands(facts):
        other = given[0].other
        yield messages.TOTAL_MISSING.at(("total", other.value), side=other.title)
        return
    if facts.dealer is None:
        yield messages.DEALER_MISSING.at(("dealer",))
        return
    for side in SIDES:
        if len(reckoning.sums[side]) > 1:
            yield from _hands_missing(facts, side, reckoning)
    if any(len(bonuses) > 1 for bonuses in reckoning.bonuses.values()):
        yield from _left_over_missing(facts, reckoning)


def _is_empty(facts: Facts) -> bool:
    record = facts.record
    claims = (record.made, record.total)
    return (
        not _has_hands(facts)
        and claims == (NO_CLAIM, NO_CLAIM)
        and not record.known_left()
        and record.left_over is None
        and record.left_over_bonus is None
    )


def _has_hands(facts: Facts) -> bool:
    return facts.record.hands != NO_HANDS or facts.record.points != NO_HANDS


def _hands_missing(facts: Facts, side: Side, reckoning: Reckoning) -> Iterator[Problem]:
    for hand in facts.hands_of(side):
        if len(reckoning.hand_points[hand.number]) > 1:
            yield from _hand_missing(hand)


def _hand_missing(hand: HandFacts) -> Iterator[Problem]:
    place = ("hands", hand.number)
    entry = hand.entry
    if hand.combination is not None and needs_split(hand.combination):
        if entry and entry.split is None and hand.is_sound:
            yield messages.SPLIT_MISSING.at(
                (*place, "split"), hand=hand.number + 1, combination=hand.combination.title
            )
    elif (entry is None or (entry.is_sound and not entry.cards)) and hand.leader:
        yield messages.HAND_MISSING.at(place, hand=hand.number + 1, seat=hand.leader.title)


def _left_over_missing(facts: Facts, reckoning: Reckoning) -> Iterator[Problem]:
    """Asked for only once it is settled who has to show them."""
    if len(reckoning.receivers) != 1:
        return
    payer = reckoning.receivers[0].other
    claim = facts.record.left_over
    if claim is not None and needs_split(claim.combination):
        if claim.split is None:
            yield messages.LEFT_OVER_SPLIT_MISSING.at(
                ("left_over", "split"), side=payer.title, combination=claim.combination.title
            )
        return
    yield messages.LEFT_OVER_MISSING.at(("left_over",), side=payer.title)
