"""The deals and matches whose results are known from a second, independent reading of the rules."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from engine.cards import cards_of
from engine.concerto.options import Options
from engine.concerto.play import State, start
from engine.deals import Deal
from engine.seats import SEATS, Seat

_FOLDER = Path(__file__).parent.parent / "oracles"

DEALS: list[dict[str, Any]] = json.loads((_FOLDER / "concerto_deals.json").read_text())
MATCHES: list[dict[str, Any]] = json.loads((_FOLDER / "concerto_matches.json").read_text())


def by_seat(state: State) -> dict[str, Any]:
    """A finished deal as a record at card level: who played which, and what is left."""
    hands = []
    for hand in state.hands:
        played: dict[str, list[str]] = {}
        for move in hand.line:
            if move.action.card:
                played.setdefault(move.seat.letter, []).append(move.action.token)
        hands.append({"cards": played})
    left = {seat.letter: [card.text for card in cards_of(state.held[seat.index])] for seat in SEATS}
    return {"dealer": state.setting.dealer.letter, "hands": hands, "left": left}


def by_combination(state: State) -> dict[str, Any]:
    """A finished deal as a record at combination level, but for the left-overs."""
    hands: list[dict[str, Any]] = []
    for hand in state.hands:
        value = hand.value
        hands.append({"combination": value.combination.key})
        if value.split:
            hands[-1]["split"] = str(value.split)
    return {"dealer": state.setting.dealer.letter, "hands": hands}


def played(seed: int) -> State:
    """A deal played out with random legal actions."""
    rng = random.Random(seed)
    state = start(Deal.random(rng), rng.choice(SEATS), Options())
    while not state.is_over:
        state = state.apply(rng.choice(state.legal_actions()))
    return state


def replayed(oracle: dict[str, Any]) -> State:
    """An oracle's deal, played through the engine."""
    state = start(Deal.parse(oracle["deal"]), Seat.parse(oracle["dealer"]), Options())
    for token in " ".join(oracle["hands"]).split():
        legal = {action.token: action for action in state.legal_actions()}
        state = state.apply(legal[token])
    return state
