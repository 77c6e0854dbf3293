"""The partnership's system of signals in the expert's play: leading by it where that costs nothing, and reading it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from engine.cards import Card, CardSet, cards_of
from engine.concerto.play import PASS, Line
from engine.concerto.robots.expert.cards import CARDS, Floats
from engine.concerto.signals.holdings import Core
from engine.concerto.signals.signalling import reading, to_signal
from engine.concerto.signals.systems import System
from engine.concerto.signals.ways import phase_of_hand
from engine.concerto.view import HandSeen, View

#: How much likelier than others a card is held that is in all that partner's signal can mean: one and this.
TRUST: Final = 0.5


def to_play(view: View, system: System) -> Card | None:
    """The card by which the leader of the hand would now signal; None where it is not that time, or would be a pass."""
    hand = view.current
    if hand is None or hand.leader is not view.seat or len(hand.line) not in (0, 2):
        return None
    led = hand.line[0].action.card if hand.line else None
    if led is not None and (hand.line[0].seat is not view.seat or hand.line[1].action is not PASS):
        return None
    held = view.mine | CardSet.of([led]) if led else view.mine
    signal = to_signal(held, phase_of_hand(hand.number), system)
    if signal is None:
        return None
    if led is None:
        return signal.first
    return signal.second if signal.first is led else None


def lean(view: View, unseen: int, system: System) -> Floats:
    """Factors for the odds of partner's cards, by what partner's signals of this deal can mean."""
    factors = np.ones(CARDS)
    hands = (*view.hands, view.current) if view.current else view.hands
    for hand in hands:
        if view.seat is not None and hand.leader is view.seat.partner:
            for card, share in _shown(hand, unseen, system):
                factors[card.index] *= 1 + TRUST * share
    return factors


def _shown(hand: HandSeen, unseen: int, system: System) -> Iterator[tuple[Card, float]]:
    """For each unseen card, in how many of the meanings of the leader's signal it has a place."""
    played = _signal(hand.line)
    if played is None:
        return
    first, second = played
    mine = sum(action.bit for seat, action in hand.line if seat is hand.leader)
    among = CardSet(unseen | mine)
    meanings = reading(first, second, phase_of_hand(hand.number), system, among=among)
    places = [_places(cores) for cores in (list(meaning.cores(among)) for meaning in meanings) if cores]
    for card in cards_of(unseen):
        share = sum(each.get(card.bit, 0.0) for each in places) / max(1, len(places))
        if share:
            yield card, share


def _places(cores: list[Core]) -> dict[int, float]:
    """For each card, the share of a meaning's cores in which it is."""
    found: dict[int, float] = {}
    for core in cores:
        for bits, _ in core:
            for card in cards_of(bits):
                found[card.bit] = found.get(card.bit, 0.0) + 1 / len(cores)
    return found


def _signal(line: Line) -> tuple[Card, Card | None] | None:
    """The two cards of a signal, or a card and no card; None where partner did not let the leader give one."""
    if len(line) < 3 or line[1].action is not PASS or line[0].action.card is None:
        return None
    if line[2].action.card is None and line[2].action is not PASS:
        return None
    return line[0].action.card, line[2].action.card
