"""What a seat of Play or Pay cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.packs import is_card
from engine.play_or_pay.game import PLAY_OR_PAY
from engine.play_or_pay.play import PACK, State
from tests.engine.renaming import shuffled_names


def shuffle_play_or_pay(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """The cards that others hold, as far as what they paid for allows."""
    known = {token for token in state.history if is_card(token)}
    known |= {card for at, hand in enumerate(state.setting.hands) if str(at + 1) == seat for card in hand}
    return shuffled_names(PLAY_OR_PAY, text, state, rng, known=known, agrees=lambda _twin: True, pack=PACK)
