"""Deals of Poch that a seat could be in, by what was paid, shown, played and stopped."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import in_order
from engine.poch.board import COURT, HAND, higher, pack_of, paid_cards
from engine.poch.novice import led, staked
from engine.poch.play import PLAY, Rules, Setting, State, begun

#: How often nobody knows why something was staked or led; and how often a deal is tried before any will do.
ANYTHING: Final = 0.15
TRIES: Final = 20


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat knows of who was dealt which cards."""

    known: tuple[frozenset[str], ...]
    unseen: tuple[str, ...]
    """The other cards that somebody can have been dealt."""


class PochSampling(Sampling):
    """Every deal that agrees with the view; what the suit of the first lead tells of a hand is left out."""

    def sample(self, view: View, rng: random.Random) -> State:
        """PO18."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        options: dict[str, Any] = dict(view.options)
        seen = _seen(view)
        rules = Rules(options["limit"], options["raises"], options["sequence_chip"])
        paid = dict(options["best"])
        for _try in range(TRIES):
            unseen = rng.sample(seen.unseen, len(seen.unseen))
            hands = tuple(
                in_order([*known, *(unseen.pop() for _card in range(HAND - len(known)))])
                for known in seen.known
            )
            setting = Setting(hands, view.upcard, int(view.dealer) - 1, rules, tuple(options["before"]))
            if setting.best == paid:
                break
        state = begun(setting)
        for token in view.history:
            state = state.after(token)
        return state

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """What a novice does, mostly."""
        if not isinstance(state, State) or state.place is None:
            raise TypeError(state)
        legal = state.legal()
        if len(legal) == 1 or rng.random() < ANYTHING:
            return legal[int(rng.random() * len(legal))]
        hand = state.now.hands[state.place]
        if state.now.phase != PLAY:
            return staked(state.setting.hands[state.place], legal, legal[0])
        return led(legal, hand, {state.setting.up, *state.history})


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    options: dict[str, Any] = dict(view.options)
    cards, trump = pack_of(len(view.seats)), view.trump
    known: list[set[str]] = [
        {*zone.cards, *(card for meld in zone.melds for card in meld)} for zone in view.seats
    ]
    paid = dict(options["best"])
    known = [cards_of | {*paid_cards(paid, trump, place)} for place, cards_of in enumerate(known)]
    barred = {rank + trump for rank in COURT if rank not in paid}
    before = ""
    for place, card in options["played"]:
        known[place].add(card)
        barred |= {higher(before)} if before and card != higher(before) else set()
        before = card
    if before and options["begins"]:
        # PO13: nobody has the next card.
        barred.add(higher(before))
    elif before and view.turn is not None:
        known[int(view.turn) - 1].add(higher(before))
    out = {view.upcard, *barred, *(card for each in known for card in each)}
    return Seen(tuple(map(frozenset, known)), tuple(card for card in cards if card not in out))


SAMPLING: Final = PochSampling()
