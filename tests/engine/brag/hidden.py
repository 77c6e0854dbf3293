"""What a seat of Brag cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.brag.game import NINE_CARDS, SEVEN_CARDS, SIX_CARDS
from engine.brag.hands import PACK
from engine.brag.play import State
from tests.engine.renaming import shuffled_names


def shuffle_brag(text: str, state: State, seat: str | None, rng: random.Random) -> tuple[str, Sequence[str]]:
    """Cards that lie face down, or were left aside."""
    setting = state.setting
    game = next(each for each in (NINE_CARDS, SEVEN_CARDS, SIX_CARDS) if each.variant is setting.variant)
    known = {card for place, hand in enumerate(setting.hands) if str(place + 1) == seat for card in hand}
    if state.is_over:
        decides = [bool(high) for high in setting.fours] if any(setting.fours) else [*setting.pairs]
        known |= {
            card for hand, is_open in zip(setting.hands, decides, strict=True) if is_open for card in hand
        }
        known |= {card for hands in state.laid_by.values() for hand in hands for card in hand}

    def agrees(twin: State) -> bool:
        other = twin.setting
        return [bool(high) for high in other.fours] == [bool(high) for high in setting.fours] and (
            other.pairs == setting.pairs
        )

    return shuffled_names(game, text, state, rng, known=known, agrees=agrees, pack=PACK)
