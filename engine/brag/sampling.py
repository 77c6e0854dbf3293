"""Deals of Brag that a seat could be in: nobody has shown a card before the last has laid."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.brag.hands import PACK, Variant, token_of
from engine.brag.novice import best_groupings
from engine.brag.play import Setting, State, begun
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import in_order

#: So many groupings are worth a thought.
TRIED: Final = 12


class BragSampling(Sampling):
    """Every deal without four of a kind and four pairs that agrees with the view; who has laid, laid well."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    def sample(self, view: View, rng: random.Random) -> State:
        """BN5, BN6, BN14."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        options = dict(view.options)
        ante, pot = options["ante"], options["pot"]
        if not isinstance(ante, int) or not isinstance(pot, int):
            raise TypeError(options)
        mine = {
            zone.seat: (*zone.cards, *sum(zone.melds, ())) for zone in view.seats if zone.seat == view.seat
        }
        dealer = int(view.dealer) - 1
        state = None
        while state is None or state.is_over:
            unseen = [card for card in PACK if not any(card in hand for hand in mine.values())]
            rng.shuffle(unseen)
            hands = tuple(
                in_order(mine.get(zone.seat) or [unseen.pop() for _card in range(self.variant.cards)])
                for zone in view.seats
            )
            state = begun(Setting(hands, dealer, self.variant, ante, pot))
        while state.turn != view.turn:
            zone = view.seats[(state.place or 0)]
            own = zone.calls[0] if zone.seat == view.seat else self.likely(state, rng)
            state = state.after(own)
        return state

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """Those that promise most."""
        if not isinstance(state, State) or state.place is None:
            raise TypeError(state)
        return [
            token_of(hands) for hands in best_groupings(state.setting.hands[state.place], self.variant, TRIED)
        ]

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """The grouping that promises most."""
        return self.worth_trying(state)[0]
