"""What a seat of Pontoon cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.pontoon.game import PONTOON
from engine.pontoon.play import PACK, State
from engine.pontoon.sampling import shape_of
from tests.engine.renaming import shuffled_names


def shuffle_pontoon(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """Cards that lie face down, and the pack, as far as what was done with them allows."""
    now, setting = state.now, state.setting
    known: set[str] = set()
    for place in range(setting.players):
        is_bank = place == setting.dealer
        is_own = str(place + 1) == seat and not is_bank
        for hand in now.hands[place]:
            is_shown = state.is_over or is_own or (is_bank and now.phase in {"banker", "over"})
            known |= {card for at, card in enumerate(hand.cards) if is_shown or hand.open >> at & 1}
        known |= {card for hand in now.busted[place] for card in hand.cards}

    def agrees(twin: State) -> bool:
        return shape_of(twin) == shape_of(state)

    return shuffled_names(PONTOON, text, state, rng, known=known, agrees=agrees, pack=PACK)
