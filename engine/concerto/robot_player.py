"""The player: a robot that signals by its partnership's system, reads its partner, and counts what is gone.

As leader it gives a signal. Then both partners do the same: they think of hands that the other can hold, by what was
shown and by what is gone; look how the hand on the table could be completed with each; and play the card that is in the
best completions, or pass when waiting promises clearly more.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.cards import card_of_bit
from engine.concerto.play import PASS, PLAY, Action
from engine.concerto.player_belief import partner_hands
from engine.concerto.player_completions import Table, completions
from engine.concerto.player_costs import Costs, costs
from engine.concerto.player_signals import signalling
from engine.concerto.robot_hands import cores, singles
from engine.concerto.robot_position import Position
from engine.concerto.robots import Robot
from engine.concerto.scoring import value_of_bits
from engine.concerto.signal_systems import System
from engine.concerto.view import View
from engine.errors import Word, gettext_noop

#: How many points a pass must promise more than the best card. The leader has shown something and partner has not, so
#: the leader rather waits for partner to decide.
_LEADER_PREFERS, _PARTNER_PREFERS = 1.5, 0.5


class Promise(NamedTuple):
    """Points, as sums over the hands that partner can hold."""

    cards: dict[int, float]
    """For each card that can be played."""
    waiting: float
    """If partner plays the next card."""
    alone: int
    """In how many of those hands partner needs nobody to complete the hand best."""


def _decide(view: View, system: System) -> Action:
    position = Position.of(view)
    if position.i_lead and (signal := signalling(position, system)):
        return signal
    if position.may_pass and not position.i_lead and len(position.line) == 1:
        # The leader has not shown anything yet.
        return PASS
    cost, hands = costs(position), partner_hands(position, system)
    judge = _last_card if position.to_play == 1 else _next_card
    promise = judge(position, hands, cost)
    best = max(promise.cards, key=lambda card: (promise.cards[card], -cost.own[card], card))
    margin = _LEADER_PREFERS if position.i_lead else _PARTNER_PREFERS
    if position.may_pass and promise.waiting - margin * len(hands) > promise.cards[best]:
        return PLAY if promise.alone == len(hands) else PASS
    return Action(card_of_bit(best).text)


def _next_card(position: Position, hands: list[int], cost: Costs) -> Promise:
    """For each hand of partner's, the best completion with each card, and the best that takes a card of partner's."""
    formed = cores(position.on_table)
    least = float(formed[0].points) if formed else 0.0
    total = dict.fromkeys(cost.own, 0.0)
    waiting, alone = 0.0, 0
    for theirs in hands:
        best = {card: least - paid for card, paid in cost.own.items()}
        best_waiting, needs_me = least, True
        table = Table(position.by_me, position.by_partner, position.mine, theirs)
        for completion in completions(table, cost.own):
            net = cost.net(completion)
            for card in singles(completion.mine):
                best[card] = max(best[card], net)
            if completion.theirs and net > best_waiting:
                best_waiting, needs_me = net, completion.mine != 0
        for card, net in best.items():
            total[card] += net
        waiting += best_waiting
        alone += not needs_me
    return Promise(total, waiting, alone)


def _last_card(position: Position, hands: list[int], cost: Costs) -> Promise:
    """One card is missing: what each makes is certain."""
    by_me, by_partner = position.by_me, position.by_partner
    cards = {
        card: (value_of_bits(by_me | card, by_partner).points - paid) * len(hands)
        for card, paid in cost.own.items()
    }
    if not position.may_pass:
        return Promise(cards, 0.0, 0)
    made = {
        card: value_of_bits(by_me, by_partner | card).points - cost.theirs
        for card in singles(position.unseen)
    }
    return Promise(cards, sum(max(made[card] for card in singles(theirs)) for theirs in hands), 0)


PLAYER: Final = Robot(
    "player",
    Word(gettext_noop("Player")),
    Word(
        gettext_noop(
            "Signals by its partnership's system, reads its partner's cards and counts what is gone."
        )
    ),
    _decide,
)
