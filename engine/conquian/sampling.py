"""Deals of Conquian that a seat could be in: what the other holds and the rest of the stock are all that is unknown."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.card_bits import numbers_in
from engine.conquian.melds import CARDS
from engine.conquian.novice import loosest
from engine.conquian.play import (
    DISCARD,
    FORCE,
    HAND,
    LAY,
    PASS,
    SEATS,
    STOCK,
    Now,
    Setting,
    State,
    begun,
    lay_token,
)
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import View
from engine.game.zones import Zones

#: What the view writes before a card that was turned.
TURN: Final = "="
#: How often somebody passes a card that could be laid, or lays fewer cards than possible.
ANY_ACTION: Final = 0.15


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat knows: how the deal stands but for the other's hand, and what came from the hands before."""

    now: Now
    turned: tuple[int, ...]
    gone: tuple[int, int]
    """By seat: the cards of its hand that it laid or discarded."""
    held: int
    """How many cards the other holds."""
    unseen: tuple[int, ...]
    tokens: tuple[str, ...]


class ConquianSampling(Sampling):
    """Every deal that agrees with the view is equally likely."""

    def sample(self, view: View, rng: random.Random) -> State:
        """CQ16."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        me = SEATS.index(view.seat or SEATS[0])
        unseen = rng.sample(seen.unseen, len(seen.unseen))
        theirs = sum(1 << card for card in unseen[: seen.held])
        mine = seen.now.hands[me]
        hands = (mine, theirs) if me == 0 else (theirs, mine)
        dealt = (hands[0] | seen.gone[0], hands[1] | seen.gone[1])
        setting = Setting(dealt, (*seen.turned, *unseen[seen.held :]), SEATS.index(view.dealer))
        return State(setting, seen.tokens, seen.now._replace(hands=hands))

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Lays as much as possible, discards what goes with nothing, forces now and then."""
        if not isinstance(state, State):
            raise TypeError(state)
        now = state.now
        if now.phase == DISCARD:
            hand, turn = now.hands[now.turn], now.turn
            if rng.random() < ANY_ACTION:
                cards = numbers_in(hand)
                return CARDS.cards[cards[int(rng.random() * len(cards))]]
            gone = sum(1 << card for card in now.dead)
            return CARDS.cards[loosest(hand, now.down[turn], gone, now.down[1 - turn])]
        found = state.layings
        if found and rng.random() >= ANY_ACTION:
            return lay_token(max(found, key=int.bit_count))
        legal = state.legal()
        return legal[int(rng.random() * len(legal))]


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    """The deal played through with what all have seen: hands that begin empty end as the cards that left them."""
    turned = tuple(CARDS.number[token[1:]] for token in view.history if token[0] == TURN)
    tokens = tuple(token for token in view.history if token[0] != TURN)
    stock = (*turned, *(-1 for _card in range(STOCK - len(turned))))
    state, gone = begun(Setting((0, 0), stock, SEATS.index(view.dealer))), [0, 0]
    for token in tokens:
        if token[0] == LAY:
            gone[state.now.turn] |= CARDS.bits_of(token[at : at + 2] for at in range(1, len(token), 2))
        elif token not in {PASS, FORCE}:
            gone[state.now.turn] |= 1 << CARDS.number[token]
        state = state.after(token)
    me = SEATS.index(view.seat or SEATS[0])
    mine = CARDS.bits_of(view.seats[me].cards)
    out = mine | gone[0] | gone[1] | sum(1 << card for card in turned)
    unseen = tuple(card for card in range(len(CARDS.cards)) if not out >> card & 1)
    hands = (mine, 0) if me == 0 else (0, mine)
    held = HAND - gone[1 - me].bit_count()
    return Seen(state.now._replace(hands=hands), turned, (gone[0], gone[1]), held, unseen, tokens)


SAMPLING: Final = ConquianSampling()
