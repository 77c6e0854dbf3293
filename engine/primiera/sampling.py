"""Deals of Primiera and Primero that a seat could be in, by what was shown, given and drawn."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import in_order, read_cards, without
from engine.primiera import play, vying
from engine.primiera.drawing import DISCARD, count_of
from engine.primiera.hands import HAND, NUMERUS, PACK, Hand, old_kind_of
from engine.primiera.novice import given, said, waste

#: How often nobody knows why something was said or given.
ANYTHING: Final = 0.08
#: Of so many deals the likeliest is taken.
TRIES: Final = 5


def _dealt_back(view: Zones, rng: random.Random) -> tuple[tuple[Hand, ...], tuple[str, ...], list[str]]:
    """Hands and stock as they were dealt, and every action whole: the draws undone, the last one first."""
    players, first = len(view.seats), int(view.dealer) % len(view.seats)
    actors = [(first + number) % players for number in range(len(view.history))]
    own = [
        read_cards(token[1:])
        for place, token in zip(actors, view.history, strict=True)
        if token[:1] == DISCARD and str(place + 1) == view.seat
    ]
    seen = {card for cards in own for card in cards} | {card for zone in view.seats for card in zone.cards}
    unseen = [card for card in PACK if card not in seen]
    rng.shuffle(unseen)
    hands = [list(zone.cards) or [unseen.pop() for _card in range(HAND)] for zone in view.seats]
    stock: list[str] = []
    tokens = list(view.history)
    for number in reversed(range(len(tokens))):
        token, place = tokens[number], actors[number]
        if token[:1] != DISCARD:
            continue
        size = count_of(token)
        come = rng.sample(hands[place], size)
        gone = (
            read_cards(token[1:]) if str(place + 1) == view.seat else [unseen.pop() for _card in range(size)]
        )
        hands[place] = [*(without(hands[place], come) or ()), *gone]
        stock = [*come, *stock]
        tokens[number] = DISCARD + "".join(in_order(gone))
    return tuple(map(in_order, hands)), (*stock, *unseen), tokens


def _options(view: View) -> tuple[Zones, Mapping[str, Any]]:
    if not isinstance(view, Zones):
        raise TypeError(view)
    return view, dict(view.options)


class PrimieraSampling(Sampling):
    """Every deal that agrees with the view."""

    def sample(self, view: View, rng: random.Random) -> play.State:
        """PM20."""
        zones, options = _options(view)
        hands, stock, tokens = _dealt_back(zones, rng)
        names = ("ante", "second_stake", "draws", "best_suit", "sets")
        rules = play.Rules(*(options[name] for name in names))
        state = play.begun(play.Setting(hands, stock, int(zones.dealer) - 1, rules, options["pot"]))
        for token in tokens:
            state = state.after(token)
        return state

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Claims what is there, draws to a suit or to four."""
        if not isinstance(state, play.State) or state.place is None:
            raise TypeError(state)
        legal = state.legal()
        if state.now.phase == play.CLAIMS or len(legal) == 1 or rng.random() < ANYTHING:
            return legal[0] if state.now.phase == play.CLAIMS else legal[int(rng.random() * len(legal))]
        hand, stock = state.now.drawn.hands[state.place], len(state.now.drawn.stock)
        return DISCARD + "".join(given(hand, stock) or waste(hand))


class PrimeroSampling(Sampling):
    """Deals that agree with the view, likelier ones more often: others would have said the same with these cards."""

    def sample(self, view: View, rng: random.Random) -> vying.State:
        """PR11."""
        zones, options = _options(view)
        rules = vying.Rules(options["ante"], options["limit"], options["raises"])
        found: list[tuple[int, vying.State]] = []
        while len(found) < TRIES and not (found and not found[-1][0]):
            hands, stock, tokens = _dealt_back(zones, rng)
            state = vying.begun(vying.Setting(hands, stock, int(zones.dealer) - 1, rules, options["pot"]))
            odd = 0
            for token in tokens:
                if str(state.now.turn + 1) != zones.seat:
                    odd += _is_odd(state, token)
                state = state.after(token)
            found.append((odd, state))
        # What others have said tells of their cards.
        return min(found, key=lambda each: each[0])[1]

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """Of stakes only the least and the highest."""
        legal = state.legal()
        stakes = [token for token in legal if token[:1] == vying.STAKE]
        return [token for token in legal if token not in stakes[1:-1]]

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Draws to a suit or to four, stakes on good cards."""
        if not isinstance(state, vying.State) or state.place is None:
            raise TypeError(state)
        legal, hand = state.legal(), state.now.drawn.hands[state.place]
        if rng.random() < ANYTHING:
            return legal[int(rng.random() * len(legal))]
        if not state.is_drawing:
            return said(hand, legal)
        out = given(hand, len(state.now.drawn.stock)) if old_kind_of(hand) == NUMERUS else ()
        return DISCARD + "".join(out) if out else vying.WAIT


def _is_odd(state: vying.State, token: str) -> bool:
    """Whether a novice would have done something else: given another number of cards, or said something else."""
    hand = state.now.drawn.hands[state.now.turn]
    if not state.is_drawing:
        return said(hand, state.legal())[0] != token[0]
    out = given(hand, len(state.now.drawn.stock)) if old_kind_of(hand) == NUMERUS else ()
    return len(out) != (0 if token == vying.WAIT else count_of(token))


PRIMIERA_SAMPLING: Final = PrimieraSampling()
PRIMERO_SAMPLING: Final = PrimeroSampling()
