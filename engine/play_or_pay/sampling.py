"""Deals of Play or Pay that a seat could be in, by what was played and what was paid for."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Final, NamedTuple

from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.unseen import dealt_unseen
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import in_order
from engine.play_or_pay.novice import begins
from engine.play_or_pay.play import PACK, PAY, Setting, State, begun, follows

#: How often nobody knows why a sequence was begun with a card.
ANY_CARD: Final = 0.2


class Seen(NamedTuple):
    """What a seat knows: who played what, and which cards are not where."""

    played: tuple[tuple[str, ...], ...]
    barred: tuple[frozenset[str], ...]
    unseen: tuple[str, ...]


class PlayOrPaySampling(Sampling):
    """Every deal that agrees with the view is equally likely."""

    def sample(self, view: View, rng: random.Random) -> State:
        """PY9."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        sizes = [0 if zone.seat == view.seat else zone.held for zone in view.seats]
        dealt = dealt_unseen(seen.unseen, sizes, seen.barred, rng)
        hands = tuple(
            in_order([*zone.cards, *cards, *played])
            for zone, cards, played in zip(view.seats, dealt, seen.played, strict=True)
        )
        state = begun(Setting(hands, int(view.dealer) - 1))
        for token in view.history:
            state = state.after(token)
        return state

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Begins its longest suit."""
        legal = state.legal()
        if len(legal) == 1 or rng.random() < ANY_CARD:
            return legal[int(rng.random() * len(legal))]
        return begins(legal)


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    players = len(view.seats)
    played: list[list[str]] = [[] for _seat in view.seats]
    barred: list[set[str]] = [set() for _seat in view.seats]
    turn, last, laid = int(view.dealer) % players, "", 0
    for token in view.history:
        if token == PAY:
            barred[turn].add(follows(last))
        else:
            played[turn].append(token)
            last, laid = token, laid + 1
        if laid == len(PACK) // 4:
            last, laid = "", 0
        else:
            turn = (turn + 1) % players
    own = {card for zone in view.seats for card in zone.cards}
    gone = own | {card for cards in played for card in cards}
    unseen = tuple(card for card in PACK if card not in gone)
    return Seen(tuple(map(tuple, played)), tuple(frozenset(each - gone) for each in barred), unseen)


SAMPLING: Final = PlayOrPaySampling()
