"""Deals of Bouillotte that a seat could be in: nobody shows a card before the end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.bouillotte.hands import HAND, PACK
from engine.bouillotte.novice import said
from engine.bouillotte.play import OPEN, RAISE, Setting, State, begun
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import in_order

#: How often nobody knows why something was said.
ANYTHING: Final = 0.2
#: The stakes that are tried.
TRIED: Final = {1, 3, 8}


class BouillotteSampling(Sampling):
    """Every deal that agrees with the view is equally likely."""

    def sample(self, view: View, rng: random.Random) -> State:
        """BO20."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        options = dict(view.options)
        ante, pot = options["ante"], options["pot"]
        if not isinstance(ante, int) or not isinstance(pot, int):
            raise TypeError(options)
        seen = {view.upcard, *(card for zone in view.seats for card in zone.cards)}
        unseen = rng.sample([card for card in PACK if card not in seen], len(PACK) - len(seen))
        hands = tuple(in_order(zone.cards or [unseen.pop() for _card in range(HAND)]) for zone in view.seats)
        state = begun(Setting(hands, view.upcard, int(view.dealer) - 1, ante, pot))
        for token in view.history:
            state = state.after(token)
        return state

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """Of stakes only some."""
        return [token for token in state.legal() if token[0] not in {OPEN, RAISE} or int(token[1:]) in TRIED]

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """What a novice says, mostly."""
        if not isinstance(state, State) or state.place is None:
            raise TypeError(state)
        if rng.random() < ANYTHING:
            possible = self.worth_trying(state)
            return possible[int(rng.random() * len(possible))]
        due = state.due - state.now.put[state.place]
        return said(state.setting.hands[state.place], state.setting.up, state.legal(), due)


SAMPLING: Final = BouillotteSampling()
