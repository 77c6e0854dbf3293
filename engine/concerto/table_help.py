"""What a table tells a player who asks: what the hand can still become, and what a play means. From views alone."""

from __future__ import annotations

from typing import Any

from engine.cards import PACK
from engine.concerto.play import PASS, Line
from engine.concerto.records.forming import Holding, can_form
from engine.concerto.rules import CARDS_IN_HAND
from engine.concerto.signals.signalling import reading
from engine.concerto.signals.ways import phase_of_hand
from engine.concerto.view import HandSeen, View
from engine.game.capabilities import Meaning
from engine.poker import FIVE_CARD_COMBINATIONS
from engine.seats import Seat


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
    gone = view.mine.bits
    for each in (*view.hands, hand):
        for move in each.line:
            gone |= move.action.bit
    unseen = PACK.bits & ~gone
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


def _played(line: Line, seat: Seat) -> int:
    bits = 0
    for move in line:
        if move.seat is seat:
            bits |= move.action.bit
    return bits


def meanings(view: View, hand: int) -> tuple[Meaning, ...]:
    """Every meaning in Parlett's system of a hand's first two cards, or of a card and a pass; else none."""
    seen = next((each for each in (*view.hands, view.current) if each and each.number == hand), None)
    if seen is None or len(seen.line) < 3:
        return ()
    first, between, second = (move.action for move in seen.line[:3])
    if first.card is None or between is not PASS or seen.line[2].seat is not seen.line[0].seat:
        return ()
    if second.card is None and second is not PASS:
        return ()
    found = reading(first.card, second.card, phase_of_hand(hand))
    return tuple(Meaning(each.holding.key, each.message) for each in found)
