"""What a seat of Bouillotte cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.bouillotte.game import BOUILLOTTE
from engine.bouillotte.hands import PACK
from engine.bouillotte.play import State
from tests.engine.renaming import shuffled_names


def shuffle_bouillotte(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """Hands that were not shown, and the cards that are never seen."""
    known = {state.setting.up}
    for place, hand in enumerate(state.setting.hands):
        known |= {*hand} if str(place + 1) == seat or place in state.shown else set()
    return shuffled_names(BOUILLOTTE, text, state, rng, known=known, agrees=lambda _twin: True, pack=PACK)
