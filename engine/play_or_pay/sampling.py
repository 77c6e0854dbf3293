"""Deals of Play or Pay that a seat could be in, by what was played and what was paid for."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
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
#: So many unseen hands are dealt by counting all deals.
EXACT: Final = 2
#: How often cards are dealt and swapped before the deals are counted after all.
SHUFFLES: Final = 50


class Seen(NamedTuple):
    """What a seat knows: who played what, and which cards are not where."""

    played: tuple[tuple[str, ...], ...]
    barred: tuple[frozenset[str], ...]
    unseen: tuple[str, ...]


class PlayOrPaySampling(Sampling):
    """Deals that agree with the view: with three players each of them is equally likely, with more nearly so."""

    def sample(self, view: View, rng: random.Random) -> State:
        """PY9."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        sizes = [0 if zone.seat == view.seat else zone.held for zone in view.seats]
        dealt = _swapped(seen, sizes, rng) or dealt_unseen(seen.unseen, sizes, seen.barred, rng)
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


def _swapped(seen: Seen, sizes: Sequence[int], rng: random.Random) -> tuple[tuple[str, ...], ...]:
    """Dealt by chance, then cards swapped that lie where they can't; empty where that finds no deal.

    Counting the deals, as dealt_unseen does, takes too long where more than two hands are unseen.
    """
    places = [place for place, size in enumerate(sizes) for _card in range(size)]
    if sum(map(bool, sizes)) <= EXACT:
        return ()
    for _shuffle in range(SHUFFLES):
        cards = rng.sample(seen.unseen, len(seen.unseen))
        if all(_put_right(cards, at, places, seen, rng) for at in range(len(cards))):
            ends = [0, *accumulate(sizes)]
            return tuple(tuple(cards[one:end]) for one, end in pairwise(ends))
    return ()


def _put_right(cards: list[str], at: int, places: list[int], seen: Seen, rng: random.Random) -> bool:
    """Swap the card at this number with one that may lie here, and it there, if it may not lie here itself."""
    here = seen.barred[places[at]]
    if cards[at] not in here:
        return True
    others = [
        other
        for other, card in enumerate(cards)
        if card not in here and cards[at] not in seen.barred[places[other]]
    ]
    if others:
        other = rng.choice(others)
        cards[at], cards[other] = cards[other], cards[at]
    return bool(others)


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
