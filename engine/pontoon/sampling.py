"""Deals of Pontoon that a seat could be in: every order of the pack that leads to what it has seen."""

from __future__ import annotations

import random
from typing import Any, Final

from engine.errors import ActionError, DealError
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import Json, View
from engine.game.zones import Zones
from engine.pontoon.novice import chosen
from engine.pontoon.play import BETTING, PACK, Setting, State, begun
from engine.text import gettext_noop

#: So many orders are tried.
TRIES: Final = 2000
#: How often nobody knows why something was done.
ANYTHING: Final = 0.15


class PontoonSampling(Sampling):
    """Every order that agrees with the view is equally likely."""

    def sample(self, view: View, rng: random.Random) -> State:
        """PN16."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        options: dict[str, Any] = dict(view.options)
        drawn, shape = options["drawn"], options["shape"]
        unseen = [card for card in PACK if card not in drawn]
        for _try in range(TRIES):
            rng.shuffle(unseen)
            rest = iter(unseen)
            cards = tuple(card or next(rest) for card in drawn)
            order = (*cards, *rest)
            setting = Setting(order, len(view.seats), int(view.dealer) - 1, options["min"], options["max"])
            state: State | None = begun(setting)
            for token in view.history:
                try:
                    state = state.apply(token) if state else None
                except ActionError:
                    state = None
            if state and shape_of(state) == shape:
                return state
        raise DealError("unseen", gettext_noop("No deal has these cards where they were seen."))

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """What a novice does, mostly."""
        if not isinstance(state, State):
            raise TypeError(state)
        legal = state.legal()
        if len(legal) == 1 or rng.random() < ANYTHING:
            return legal[int(rng.random() * len(legal))]
        hand = state.now.hands[state.place or 0][0] if state.now.phase == BETTING else state.hand
        return chosen(hand.cards, legal, is_banker=state.place == state.setting.dealer)


def shape_of(state: State) -> tuple[Json, ...]:
    """What all see of how the deal stands: whose turn it is, how many cards each hand has, and which are bust."""
    return (
        state.turn,
        tuple(tuple((len(hand.cards), hand.stake) for hand in own) for own in state.now.hands),
        tuple(len(own) for own in state.now.busted),
    )


SAMPLING: Final = PontoonSampling()
