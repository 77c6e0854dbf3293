"""What a seat of Écarté cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.ecarte.game import ECARTE
from engine.ecarte.play import CARDS, DISCARD, KING, SEATS, State
from engine.errors import RuleError
from engine.packs import Dealt, cards_text, in_order, read_cards


def shuffle_ecarte(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """Every card that this seat does not know under another name: in hands, in the stock, in secret exchanges."""
    known = {state.setting.up, *(token for token in state.history if token in CARDS.number)}
    if KING in state.history:
        known.add("K" + state.setting.up[1])
    if seat is not None:
        place = SEATS.index(seat)
        known |= {*state.setting.deal.hands[place]}
        at, turn = 0, 1 - state.setting.dealer
        for token in state.history:
            if token[:1] == DISCARD:
                size = len(token) // 2
                known |= {*state.setting.stock[at : at + size]} if turn == place else set()
                at, turn = at + size, 1 - turn
    pool = [card for card in CARDS.cards if card not in known]
    name = {**{card: card for card in known}, **dict(zip(pool, rng.sample(pool, len(pool)), strict=True))}
    hands = tuple(in_order(map(name.__getitem__, hand)) for hand in state.setting.deal.hands)
    found = str(Dealt(hands, tuple(map(name.__getitem__, state.setting.deal.stock))))
    tokens = [
        DISCARD + cards_text(map(name.__getitem__, read_cards(token[1:]))) if token[:1] == DISCARD else token
        for token in state.history
    ]
    try:
        ECARTE.replay(found, SEATS[state.setting.dealer], {}, tokens)
    except RuleError:
        return text, state.history
    return found, tokens
