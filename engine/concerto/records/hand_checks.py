"""Whether what was written of a hand's combination and split can be, and agrees with its cards (R9)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import FULL_PACK_BITS
from engine.concerto.options import CARDS_IN_HAND, SPLIT_VALUES, Split, needs_split
from engine.concerto.poker import Combination
from engine.concerto.records import messages
from engine.concerto.records.card_checks import unplaced_cards
from engine.concerto.records.facts import Facts, HandFacts
from engine.concerto.records.forming import Holding, can_form, numbers_allow
from engine.concerto.records.record import HandEntry
from engine.deals import CARDS_EACH
from engine.errors import Place
from engine.problems import Problem
from engine.seats import Side


def check_hands(facts: Facts) -> Iterator[Problem]:
    """Everything wrong with what the hands were said to be."""
    for hand in facts.hands:
        entry = hand.entry
        if entry is None or (entry.combination is None and entry.split is None):
            continue
        yield from _agreement(hand, entry)
        yield from _split(hand, entry)
        if hand.is_sound and not entry.cards and entry.combination is not None:
            yield from _can_be(facts, hand, entry.combination, entry.split)
    claim = facts.record.left_over
    if claim is not None and claim.split is not None and needs_split(claim.combination):
        yield from split_problems(claim.combination, claim.split, ("left_over", "split"))


def _agreement(hand: HandFacts, entry: HandEntry) -> Iterator[Problem]:
    """A combination or split that was written, against the one that the cards form."""
    if not hand.has_five_cards or hand.combination is None:
        return
    place = ("hands", hand.number)
    if entry.combination not in (None, hand.combination):
        claimed = entry.combination.title if entry.combination else ""
        yield messages.COMBINATION_DIFFERS.at(
            (*place, "combination"), hand=hand.number + 1, computed=hand.combination.title, claimed=claimed
        )
    elif (
        entry.split is not None
        and hand.value is not None
        and hand.value.split not in (None, entry.split)
        and entry.split in SPLIT_VALUES[hand.combination]
    ):
        yield messages.SPLIT_DIFFERS.at(
            (*place, "split"),
            hand=hand.number + 1,
            computed=str(hand.value.split),
            claimed=str(entry.split),
        )


def _split(hand: HandFacts, entry: HandEntry) -> Iterator[Problem]:
    combination = entry.combination if entry.combination is not None else hand.combination
    if entry.split is None or combination is None:
        return
    place = ("hands", hand.number, "split")
    if needs_split(combination):
        yield from split_problems(combination, entry.split, place)
    elif sum(entry.split) not in (combination.significant, CARDS_IN_HAND):
        yield messages.SPLIT_IDLE.at(place, hand=hand.number + 1, split=str(entry.split))


def split_problems(combination: Combination, split: Split, place: Place) -> Iterator[Problem]:
    """R9: the splits that fours and straight flushes can have."""
    table = SPLIT_VALUES[combination]
    if split in table:
        return
    choices = ", ".join(str(possible) for possible in table)
    fault = messages.SPLIT_FOURS if combination is Combination.FOURS else messages.SPLIT_IMPOSSIBLE
    yield fault.at(place, combination=combination.title, split=str(split), choices=choices)


def _can_be(
    facts: Facts, hand: HandFacts, combination: Combination, split: Split | None
) -> Iterator[Problem]:
    """Whether the cards that are not known to be elsewhere can form it, split like that."""
    if hand.side is None or not facts.are_cards_known:
        return
    if split is not None and not (needs_split(combination) and split in SPLIT_VALUES[combination]):
        split = None
    holding = holding_for(facts, hand)
    if can_form(holding, combination, split):
        return
    place = ("hands", hand.number)
    if split is None or not can_form(holding, combination, None):
        yield messages.CANNOT_FORM.at(
            (*place, "combination"), hand=hand.number + 1, combination=combination.title
        )
    elif not numbers_allow(holding, combination, split):
        yield messages.SPLIT_BY_COUNTS.at((*place, "split"), hand=hand.number + 1, split=str(split))
    else:
        yield messages.CANNOT_FORM_SPLIT.at(
            (*place, "split"), hand=hand.number + 1, combination=combination.title, split=str(split)
        )


def holding_for(facts: Facts, hand: HandFacts) -> Holding:
    """The cards that this hand could be made of: those not known to be elsewhere, nor anybody else's."""
    free = FULL_PACK_BITS & ~_elsewhere(facts, hand)
    side = hand.side
    if side is None:
        return Holding(0, 0, free, fixed=hand.bits & free)
    one, other = side.seats
    if facts.deal is not None:
        pools = (facts.deal[one].bits & free, facts.deal[other].bits & free)
        shared = 0
    else:
        by_seat = hand.by_seat or (0, 0, 0, 0)
        pools = (by_seat[one.index], by_seat[other.index])
        shared = free & ~(pools[0] | pools[1])
    return Holding(pools[0], pools[1], shared, _shares(facts, hand, side), hand.bits & free)


def _elsewhere(facts: Facts, hand: HandFacts) -> int:
    bits = 0
    for another in facts.hands:
        if another.number != hand.number:
            bits |= another.bits
    for _, cards in facts.record.known_left():
        bits |= cards.bits
    return bits


def _shares(facts: Facts, hand: HandFacts, side: Side) -> tuple[tuple[int, int], ...]:
    """The ways in which the two players' numbers of cards allow them to share this hand."""
    room = []
    for seat in side.seats:
        played = facts.played[seat.index]
        if hand.by_seat is not None:
            played &= ~hand.by_seat[seat.index]
        left = facts.record.left[seat.index]
        known = played.bit_count() + (len(left) if left is not None else 0)
        room.append((CARDS_EACH - known, left is not None))
    is_last = unplaced_cards(facts, side) == (0 if hand.is_placed else CARDS_IN_HAND)
    shares = []
    for share in range(CARDS_IN_HAND + 1):
        counts = (share, CARDS_IN_HAND - share)
        fits = all(count <= space for count, (space, _) in zip(counts, room, strict=True))
        # When nothing else is unknown, a player whose left-overs are known put in all the rest.
        exact = all(
            count == space
            for count, (space, is_known) in zip(counts, room, strict=True)
            if is_last and is_known
        )
        if fits and exact:
            shares.append(counts)
    return tuple(shares)
