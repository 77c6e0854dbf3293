"""What a seat of Poch cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.packs import is_card
from engine.poch.board import COURT, pack_of, paid_cards
from engine.poch.game import POCH_FOR_MANY
from engine.poch.play import SHOWN, State
from tests.engine.renaming import shuffled_names


def shuffle_poch(text: str, state: State, seat: str | None, rng: random.Random) -> tuple[str, Sequence[str]]:
    """Cards that were neither paid for, shown nor played, and those that were not dealt."""
    setting, now = state.setting, state.now
    known = {setting.up, *(token for token in state.history if is_card(token))}
    for place, hand in enumerate(setting.hands):
        is_shown = now.poch is not None and now.poch[1] == SHOWN and place in state.staying
        known |= {*hand} if str(place + 1) == seat or is_shown else set()
        known |= {*paid_cards(setting.best, setting.up[1], place)}
    known |= {rank + setting.up[1] for rank in (*COURT, *"789")}

    def agrees(twin: State) -> bool:
        return (
            twin.setting.best == setting.best
            and twin.turn == state.turn
            and twin.now.points == now.points
            and twin.now.last == now.last
            and [len(hand) for hand in twin.now.hands] == [len(hand) for hand in now.hands]
        )

    return shuffled_names(
        POCH_FOR_MANY, text, state, rng, known=known, agrees=agrees, pack=pack_of(len(setting.hands))
    )
