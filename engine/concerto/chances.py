"""What a table tells a player who asks: what the hand can still become, and what a play means. From views alone."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any, Final

from engine.cards import PACK, cards_of
from engine.concerto.options import CARDS_IN_HAND
from engine.concerto.play import PASS, Line
from engine.concerto.poker import FIVE_CARD_COMBINATIONS, Combination
from engine.concerto.records.forming import Holding, can_form
from engine.concerto.signals.signalling import reading
from engine.concerto.signals.systems import System
from engine.concerto.signals.ways import phase_of_hand
from engine.concerto.view import HandSeen, View
from engine.game.capabilities import Meaning
from engine.seats import Seat

#: So many times the partner's cards are drawn. What is then said to be possible in so many of ten cases has a standard
#: error of half a case at most.
DRAWN: Final = 100
#: What is likely in fewer of ten cases helps nobody.
LEAST_IN_TEN: Final = 1


def outlook(view: View) -> dict[str, Any] | None:
    """What the hand can still become at best, and in how many of ten cases, as far as the seat on turn can tell.

    From the seat's own view: the partner's cards are drawn from all that it does not see, whatever may have been
    signalled. None for all others, before the second card, with which nearly everything is possible, and where nothing
    that scores is likely enough.
    """
    hand = view.current
    if not view.legal or hand is None or sum(1 for move in hand.line if move.action.card) < 2:
        return None
    found = _drawn(view, hand)
    reached = 0
    for combination in reversed(FIVE_CARD_COMBINATIONS):
        reached += found[combination]
        in_ten = round(10 * reached / DRAWN)
        if in_ten >= LEAST_IN_TEN:
            is_nothing = combination is Combination.NOTHING
            return None if is_nothing else {"combination": combination.key, "in_ten": in_ten}
    return None


def _drawn(view: View, hand: HandSeen) -> Counter[Combination]:
    """How often each combination was the best that the hand could become."""
    holding = _holding(view, hand)
    is_leader = hand.leader is view.seat
    partner = hand.leader.partner if is_leader else hand.leader
    put_in = _played(hand.line, partner)
    hidden = [card.bit for card in cards_of(_unseen(view, hand))]
    # Always the same for the same view.
    rng = random.Random(view.mine.bits << 52 | holding.fixed)  # noqa: S311
    found: Counter[Combination] = Counter()
    for _ in range(DRAWN):
        theirs = put_in | sum(rng.sample(hidden, view.cards_left[partner.index]))
        cards = replace(holding, other=theirs) if is_leader else replace(holding, one=theirs)
        found[next(each for each in reversed(FIVE_CARD_COMBINATIONS) if can_form(cards, each))] += 1
    return found


def still_possible(view: View) -> dict[str, Any] | None:
    """The highest combination of R9 that the hand being played can still become, as far as this view tells.

    Cards that nobody has shown may be anywhere, but in as many places as each player has cards.
    """
    hand = view.current
    if hand is None or not hand.line:
        return None
    holding = _holding(view, hand)
    for combination in reversed(FIVE_CARD_COMBINATIONS):
        if can_form(holding, combination):
            return {"combination": combination.key}
    return None


def _holding(view: View, hand: HandSeen) -> Holding:
    one, other = hand.leader, hand.leader.partner
    put_in = {one: _played(hand.line, one), other: _played(hand.line, other)}
    on_table = put_in[one] | put_in[other]
    unseen = _unseen(view, hand)
    own = {seat: put_in[seat] | (view.mine.bits if view.seat is seat else 0) for seat in (one, other)}
    # Who sees one of the two hands knows whose the unseen cards can be.
    for seat in (one, other):
        if view.seat is seat:
            own[seat.partner] |= unseen
            unseen = 0
    missing = CARDS_IN_HAND - on_table.bit_count()
    shares = tuple(
        (put_in[one].bit_count() + extra, put_in[other].bit_count() + missing - extra)
        for extra in range(missing + 1)
        if extra <= view.cards_left[one.index] and missing - extra <= view.cards_left[other.index]
    )
    return Holding(own[one], own[other], unseen, shares, on_table)


def _unseen(view: View, hand: HandSeen) -> int:
    """The cards that nobody has shown, and that the seat does not hold."""
    gone = view.mine.bits
    for each in (*view.hands, hand):
        for move in each.line:
            gone |= move.action.bit
    return PACK.bits & ~gone


def _played(line: Line, seat: Seat) -> int:
    bits = 0
    for move in line:
        if move.seat is seat:
            bits |= move.action.bit
    return bits


def meanings(view: View, hand: int, system: System) -> tuple[Meaning, ...]:
    """Every meaning in the system of a hand's first two cards, or of a card and a pass; else none."""
    seen = next((each for each in (*view.hands, view.current) if each and each.number == hand), None)
    if seen is None or len(seen.line) < 3:
        return ()
    first, between, second = (move.action for move in seen.line[:3])
    if first.card is None or between is not PASS or seen.line[2].seat is not seen.line[0].seat:
        return ()
    if second.card is None and second is not PASS:
        return ()
    found = reading(first.card, second.card, phase_of_hand(hand), system)
    return tuple(Meaning(each.holding.key, each.message) for each in found)
