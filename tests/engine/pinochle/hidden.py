"""What a seat of Pinochle cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.errors import RuleError
from engine.packs import Dealt, in_order
from engine.pinochle.game import PINOCHLE
from engine.pinochle.play import EXCHANGE, KEEP, SEATS, State


def shuffle_pinochle(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """Pairs of cards that two others were dealt change places, where nothing that was seen changes."""
    setting = state.setting
    options = {"target": setting.target, "claims": setting.claims, "before": dict(setting.before) or None}
    others = [each for each in SEATS if each != seat]
    for _try in range(6):
        hands = {each: list(PINOCHLE.start(text, setting.dealer, options).held(each)) for each in SEATS}
        one, two = rng.sample(others, 2)
        here, there = rng.choice(hands[one]), rng.choice(hands[two])
        hands[one].remove(here)
        hands[two].remove(there)
        hands[one].append(there)
        hands[two].append(here)
        found = f"{Dealt(tuple(in_order(hand) for hand in hands.values()))} | {setting.up}"
        try:
            twin = PINOCHLE.replay(found, setting.dealer, options, state.history)
        except RuleError:
            continue
        if isinstance(twin, State) and twin.turn == state.turn and _shown(twin) == _shown(state):
            return found, state.history
    return text, state.history


def _shown(state: State) -> tuple[object, ...]:
    """What everybody has been told: the melds, and who was asked for the exchange."""
    answers = sum(token in {EXCHANGE, KEEP} for token in state.history)
    return state.melds, state.setting.asked[: answers + 1], state.now.won
