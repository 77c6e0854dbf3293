"""What a seat of Primiera or Primero cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.packs import read_cards
from engine.primiera import play, vying
from engine.primiera.game import PRIMERO, PRIMIERA
from engine.primiera.hands import PACK
from tests.engine.renaming import shuffled_names


def _own_discards(state: play.State | vying.State, seat: str | None) -> set[str]:
    players, first = len(state.setting.hands), state.setting.dealer + 1
    return {
        card
        for number, token in enumerate(state.history)
        if token[:1] == "x" and str((first + number) % players + 1) == seat
        for card in read_cards(token[1:])
    }


def shuffle_primiera(
    text: str, state: play.State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """Hands that nobody claimed, discards and the stock."""
    known = _own_discards(state, seat)
    for place, hand in enumerate(state.now.drawn.hands):
        if str(place + 1) == seat or place in state.now.claims or (state.is_over and not state.now.claims):
            known |= {*hand}
    return shuffled_names(PRIMIERA, text, state, rng, known=known, agrees=lambda _twin: True, pack=PACK)


def shuffle_primero(
    text: str, state: vying.State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """Hands that were not compared, discards and the stock."""
    known = _own_discards(state, seat)
    is_shown = state.is_over and len(state.staying) > 1
    for place, hand in enumerate(state.now.drawn.hands):
        if str(place + 1) == seat or (is_shown and place in state.staying):
            known |= {*hand}
    return shuffled_names(PRIMERO, text, state, rng, known=known, agrees=lambda _twin: True, pack=PACK)
