"""What a seat of Stealing Bundles cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.stealing_bundles.game import STEALING_BUNDLES
from engine.stealing_bundles.play import PACK, State
from tests.engine.renaming import shuffled_names


def shuffle_stealing_bundles(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """The other hand and the stock, as far as what was trailed allows."""
    known = {*state.setting.board, *state.history}
    known |= {card for at, hand in enumerate(state.now.hands) if str(at + 1) == seat for card in hand}
    return shuffled_names(
        STEALING_BUNDLES, text, state, rng, known=known, agrees=lambda _twin: True, pack=PACK
    )
