"""What a partner may hold: hands drawn from the cards not seen, so that they agree with what the partner showed."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from engine.cards import CardSet
from engine.concerto.play import PASS, PLAY
from engine.concerto.player_completions import lowest
from engine.concerto.robot_hands import singles
from engine.concerto.robot_position import Position
from engine.concerto.signal_holdings import Core
from engine.concerto.signal_systems import System
from engine.concerto.signal_ways import phase_of_hand
from engine.concerto.signals import reading


class Shown(NamedTuple):
    """A holding that partner may have shown: its weight, and the choices of cards that it takes, with how many."""

    weight: float
    choices: tuple[tuple[int, int], ...]


#: How many hands of partner's are thought of.
SAMPLES: Final = 16


def partner_hands(position: Position, system: System, number: int = SAMPLES) -> list[int]:
    """So many hands that the partner can hold now, as bits; always the same ones for the same position."""
    rng = random.Random(position.mine << 52 | position.on_table)  # noqa: S311
    unseen = position.unseen
    shown = _shown(position, system)
    cards = singles(unseen)
    hands = []
    weights = [each.weight for each in shown]
    for _ in range(number):
        held = 0
        if shown:
            for bits, need in rng.choices(shown, weights)[0].choices:
                held |= _some_of(bits & ~held, need, rng)
        more = position.partner_count - held.bit_count()
        if more > 0:
            rest = cards if not held else [card for card in cards if not card & held]
            held |= sum(rng.sample(rest, more))
        hands.append(lowest(held, position.partner_count) if more < 0 else held)
    return hands


def _some_of(bits: int, need: int, rng: random.Random) -> int:
    cards = singles(bits)
    return bits if len(cards) <= need else sum(rng.sample(cards, need))


def _shown(position: Position, system: System) -> list[Shown]:
    """What the partner, leading this hand, may have shown by its first two cards."""
    line = position.line
    if position.i_lead or len(line) < 3 or line[1].action is not PASS:
        return []
    first, second = line[0].action.card, line[2].action.card
    if first is None or line[2].action is PLAY:
        return []
    among = position.unseen | position.by_partner
    share = position.partner_count / max(1, position.unseen.bit_count())
    found = [
        _choices(core, position.by_partner, share)
        for meaning in reading(first, second, phase_of_hand(position.number), system)
        for core in meaning.cores(CardSet(among))
    ]
    # A partner with few cards left, and not every partner means what it shows.
    return [each for each in found if sum(need for _, need in each.choices) <= position.partner_count]


def _choices(core: Core, played: int, share: float) -> Shown:
    weight = 1.0
    choices = []
    for group in core:
        need = group.need - (group.bits & played).bit_count()
        if need > 0:
            bits = group.bits & ~played
            choices.append((bits, need))
            available = bits.bit_count()
            for step in range(need):
                weight *= share * (available - step) / (step + 1)
    return Shown(weight, tuple(choices))
