"""Which of the signals that its cards allow a player gives: that which promises most."""

from __future__ import annotations

from functools import lru_cache

from engine.cards import CardSet
from engine.concerto.play import PASS, Action
from engine.concerto.player_belief import partner_hands
from engine.concerto.player_completions import Table, completions
from engine.concerto.player_costs import Costs, costs
from engine.concerto.robot_position import Position
from engine.concerto.signal_systems import System
from engine.concerto.signal_ways import phase_of_hand
from engine.concerto.signals import Signal, all_signals


def signalling(position: Position, system: System) -> Action | None:
    """The first card of the leader's signal, or the second; None when there is nothing to signal any more."""
    begun = position.before_my_cards()
    if position.by_partner or position.on_table.bit_count() > 1:
        return None
    signal = _best_signal(begun, system)
    if signal is None:
        return None
    if not position.line:
        return Action(signal.first.text)
    if position.by_me != signal.first.bit or len(position.line) != 2 or not position.may_pass:
        return None
    return Action(signal.second.text) if signal.second else PASS


# Asked before the first card and before the second, and it must be the same signal.
@lru_cache(maxsize=64)
def _best_signal(position: Position, system: System) -> Signal | None:
    found = list(all_signals(CardSet(position.mine), phase_of_hand(position.number), system))
    if len(found) < 2:
        return found[0] if found else None
    cost, hands = costs(position), partner_hands(position, system)
    return max(found, key=lambda signal: _promise(signal, position, cost, hands))


def _promise(signal: Signal, position: Position, cost: Costs, hands: list[int]) -> float:
    """What the hand comes to with these cards on the table, on average over what partner can hold."""
    shown = signal.first.bit | (signal.second.bit if signal.second else 0)
    rest = position.mine & ~shown
    total = sum(
        max((cost.net(each) for each in completions(Table(shown, 0, rest, theirs), cost.own)), default=0.0)
        for theirs in hands
    )
    return total - len(hands) * cost.of(shown)
