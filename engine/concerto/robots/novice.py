"""The novice: a robot that plays the two best hands of its own cards, and otherwise keeps out of the way.

It looks at nothing but its own cards and the hand on the table. As leader it plays its best hand card by card; its
partner, who thinks alike, passes after each. So a pair of novices makes the two best hands of either's thirteen cards.
Only a leader who has no more than a pair passes too, and then its partner must add what it can spare (R5).
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from engine.cards import card_of_bit
from engine.concerto.play import PASS, Action
from engine.concerto.robots.own_hands import (
    Core,
    best_hands,
    pairs_among,
    singles,
)
from engine.concerto.robots.position import Position
from engine.concerto.robots.registry import Robot
from engine.concerto.scoring import value_of_bits
from engine.concerto.signals.systems import System
from engine.concerto.view import View
from engine.text import Word, gettext_noop

_PAIR_POINTS: Final = 1


def _decide(view: View, _system: System) -> Action:
    position = Position.of(view)
    card = _as_leader(position) if position.i_lead else _as_partner(position)
    return PASS if card is None else Action(card_of_bit(card).text)


def _as_leader(position: Position) -> int | None:
    """The next card of the best hand of its own; where that is no longer possible, of the best that is."""
    if position.by_partner:
        return _first(_completion(position, best_hands(position.mine, position.my_leads)))
    planned = best_hands(position.mine | position.by_me, position.my_leads + 1)
    hand = planned[0].cards if planned else 0
    if not position.by_me & ~hand and position.mine & hand:
        return _first(position.mine & hand)
    if position.may_pass and planned and planned[0].points <= _PAIR_POINTS:
        return None
    return _first(_completion(position, planned[1:]))


def _as_partner(position: Position) -> int | None:
    """Nothing, unless it must."""
    if position.may_pass:
        return None
    return _first(_completion(position, best_hands(position.mine, position.my_leads)))


def _first(cards: int) -> int:
    return singles(cards)[0]


def _completion(position: Position, kept: tuple[Core, ...]) -> int:
    """The cards of its own that make most of the hand on the table together with the hands it keeps.

    Where that is the same, pairs are given rather than left over at the end.
    """
    mine, table = position.mine, position.on_table
    if mine.bit_count() <= position.to_play:
        return mine

    def worth(chosen: int) -> tuple[int, int]:
        points = value_of_bits(table | chosen, 0).points
        return points + sum(core.points for core in kept if not core.cards & chosen), -pairs_among(
            mine & ~chosen
        )

    return max(map(sum, combinations(singles(mine), position.to_play)), key=worth)


NOVICE: Final = Robot(
    "novice",
    Word(gettext_noop("Novice")),
    Word(gettext_noop("Plays the best hands of its own cards, and leaves its partner to do the same.")),
    _decide,
    gives_signals=False,
    percent=48,
)
