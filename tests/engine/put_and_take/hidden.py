"""What nobody at Put and Take can know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.put_and_take.game import PUT_AND_TAKE
from engine.put_and_take.play import PACK, State
from tests.engine.renaming import shuffled_names


def shuffle_put_and_take(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """The pack below the cards that were turned."""
    known = {*state.turned, *(card for hand in state.setting.hands.values() for card in hand)}
    return shuffled_names(PUT_AND_TAKE, text, state, rng, known=known, agrees=lambda _twin: True, pack=PACK)
