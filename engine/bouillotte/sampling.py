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
#: Of so many deals the likeliest is taken.
TRIES: Final = 5
#: The stakes that are tried.
TRIED: Final = {1, 3, 8}


class BouillotteSampling(Sampling):
    """Deals that agree with the view, likelier ones more often: others would have said the same with these cards."""

    def sample(self, view: View, rng: random.Random) -> State:
        """BO20."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        options = dict(view.options)
        ante, pot = options["ante"], options["pot"]
        if not isinstance(ante, int) or not isinstance(pot, int):
            raise TypeError(options)
        seen = {view.upcard, *(card for zone in view.seats for card in zone.cards)}
        unseen = [card for card in PACK if card not in seen]
        found: list[tuple[int, State]] = []
        for _try in range(TRIES):
            rest = rng.sample(unseen, len(unseen))
            hands = tuple(
                in_order(zone.cards or [rest.pop() for _card in range(HAND)]) for zone in view.seats
            )
            state = begun(Setting(hands, view.upcard, int(view.dealer) - 1, ante, pot))
            odd = 0
            for token in view.history:
                is_own = state.place is not None and str(state.place + 1) == view.seat
                odd += not is_own and _novice(state)[0] != token[0]
                state = state.after(token)
            found.append((odd, state))
        # What others have said tells of their cards.
        return min(found, key=lambda each: each[0])[1]

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
        return _novice(state)


def _novice(state: State) -> str:
    """What a novice says in this state."""
    place = state.place or 0
    due = state.due - state.now.put[place]
    return said(state.setting.hands[place], state.setting.up, state.legal(), due)


SAMPLING: Final = BouillotteSampling()
