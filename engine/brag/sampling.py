"""Deals of Brag that a seat could be in: nobody has shown a card before the last has laid."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from operator import ge
from typing import Final

from engine.brag.hands import PACK, Strength, Variant, groupings, strength, token_of
from engine.brag.novice import best_grouping, promises
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
        """Those that promise most, and of which no other is at least as good in every hand."""
        if not isinstance(state, State) or state.place is None:
            raise TypeError(state)
        return _unbeaten(state.setting.hands[state.place], self.variant)

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """The grouping that promises most."""
        if not isinstance(state, State) or state.place is None:
            raise TypeError(state)
        return best_grouping(state.setting.hands[state.place], self.variant)


@lru_cache(maxsize=256)
def _unbeaten(cards: tuple[str, ...], variant: Variant) -> tuple[str, ...]:
    ways = [
        (promise, [strength(hand, variant.order) for hand in hands], token_of(hands))
        for promise, hands in zip(promises(cards, variant), groupings(cards, variant), strict=True)
    ]
    found: list[tuple[str, list[Strength]]] = []
    for _promise, own, token in sorted(ways, reverse=True):
        # What another beats promises less than that one, which stands before it.
        if not any(all(map(ge, other, own)) for _token, other in found):
            found.append((token, own))
    return tuple(token for token, _own in found[:TRIED])
