"""Deals of Bouillotte that a seat could be in: nobody shows a card before the end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations
from typing import Any, Final, NamedTuple

from engine.bouillotte.hands import HAND, PACK, PLAYERS, Hand
from engine.bouillotte.novice import said, worth
from engine.bouillotte.play import OPEN, RAISE, Setting, State, begun
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import in_order

#: How often nobody knows why something was said.
ANYTHING: Final = 0.05
#: How likely somebody says it with cards with which a novice would say it to another amount, or something else.
OTHER_AMOUNT, OTHER_CALL = 0.2, 0.02
#: The stakes that are tried.
TRIED: Final = {1, 3, 8}


class Possible(NamedTuple):
    """What somebody can hold by what they have said, with how likely each is, added up."""

    hands: Sequence[Hand]
    chances: Sequence[float]


class BouillotteSampling(Sampling):
    """Deals that agree with the view, likelier ones more often: others would have said the same with these cards."""

    def sample(self, view: View, rng: random.Random) -> State:
        """BO20."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        options: dict[str, Any] = dict(view.options)
        own = tuple(zone.cards for zone in view.seats)
        known = _possible(own, view.upcard, int(view.dealer) - 1, options["ante"], view.history)
        while True:
            hands = tuple(
                rng.choices(each.hands, cum_weights=each.chances)[0] if len(each.hands) > 1 else each.hands[0]
                for each in known
            )
            if len({card for hand in hands for card in hand}) == HAND * PLAYERS:
                break
        state = begun(Setting(hands, view.upcard, int(view.dealer) - 1, options["ante"], options["pot"]))
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
        strength = worth(state.setting.hands[state.place], state.setting.up)
        return said(strength, state.legal(), state.due - state.now.put[state.place])


@lru_cache(maxsize=64)
def _possible(
    seen: tuple[Hand, ...], up: str, dealer: int, ante: int, history: tuple[str, ...]
) -> tuple[Possible, ...]:
    """What each place can hold. What could be said, and what was due, doesn't hang on the cards."""
    unseen = [card for card in PACK if card != up and not any(card in hand for hand in seen)]
    others = [in_order(cards) for cards in combinations(unseen, HAND)]
    strengths = [worth(hand, up) for hand in others]
    chances = [[1.0] * len(others) for _hand in seen]
    state = begun(Setting(seen, up, dealer, ante, 0))
    for token in history:
        place, legal = state.place or 0, state.legal()
        due = state.due - state.now.put[place]
        fits = {strength: _fit(said(strength, legal, due), token) for strength in set(strengths)}
        chances[place] = [
            chance * fits[strength] for chance, strength in zip(chances[place], strengths, strict=True)
        ]
        state = state.after(token)
    return tuple(
        Possible((hand,), (1,)) if hand else Possible(others, [*accumulate(chances[place])])
        for place, hand in enumerate(seen)
    )


def _fit(expected: str, token: str) -> float:
    if expected == token:
        return 1
    return OTHER_AMOUNT if expected[0] == token[0] else OTHER_CALL


SAMPLING: Final = BouillotteSampling()
