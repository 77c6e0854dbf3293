"""What a seat of Fünfzehnern cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.errors import RuleError
from engine.fuenfzehnern.game import FUENFZEHNERN
from engine.fuenfzehnern.play import CARDS, State
from engine.packs import Dealt, in_order


def shuffle_fuenfzehnern(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """The cards that others hold and nobody was shown, exchanged as far as what they played allows."""
    now, players = state.now, len(state.now.hands)
    held = [CARDS.cards_in(hand & ~now.kings) for hand in now.hands]
    others = [place for place in range(players) if str(place + 1) != seat]
    for _try in range(8):
        pool = [card for place in others for card in held[place]]
        rng.shuffle(pool)
        hands = [set(CARDS.cards_in(hand)) for hand in state.setting.hands]
        for place in others:
            hands[place] = (hands[place] - {*held[place]}) | {pool.pop() for _card in held[place]}
        found = str(Dealt(tuple(in_order(hand) for hand in hands)))
        try:
            FUENFZEHNERN.replay(found, str(state.setting.dealer + 1), {}, state.history, players)
        except RuleError:
            continue
        return found, state.history
    return text, state.history
