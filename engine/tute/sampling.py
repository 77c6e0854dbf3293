"""Deals that a seat of Tute could be in, by what all have seen: what was played, shown and could not be played."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.unseen import dealt_unseen
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import SUITS, Dealt, in_order
from engine.tute.cards import ABOVE, CARDS, IN_SUIT, NUMBER, POINTS, bits_of, cards_in, numbers_in
from engine.tute.play import (
    CUARENTA,
    DECLARATIONS,
    SEATS,
    TRICKS,
    TUTE,
    WRITTEN,
    Now,
    Setting,
    State,
    shown_by,
    with_hands,
)

#: How often nobody knows why a card was played.
ANY_CARD: Final = 0.2


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat knows: how the deal stands without the cards, who played which, and where the others can be."""

    now: Now
    played: tuple[int, ...]
    up: str
    known: tuple[int, ...]
    """By seat, in the order of the turn: the cards that it is known to hold still."""
    sizes: tuple[int, ...]
    """How many cards of each seat are not known."""
    unseen: tuple[str, ...]
    barred: tuple[frozenset[str], ...]
    """TU7 to TU9: the cards that a seat cannot hold, as it played otherwise."""


class TuteSampling(Sampling):
    """Every deal that agrees with the view is equally likely."""

    def sample(self, view: View, rng: random.Random) -> State:
        """TU20."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        dealt = dealt_unseen(seen.unseen, seen.sizes, seen.barred, rng)
        held = tuple(known | bits_of(cards) for known, cards in zip(seen.known, dealt, strict=True))
        hands = [cards_in(bits | played) for bits, played in zip(held, seen.played, strict=True)]
        written = tuple(in_order(hands[SEATS.index(seat)]) for seat in WRITTEN)
        setting = Setting(Dealt(written), seen.up, view.dealer, _may_undertrump(view))
        return State(setting, view.history, with_hands(seen.now, held, setting))

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Declares the most; gives a partner points, takes tricks with points, keeps points from others."""
        if not isinstance(state, State):
            raise TypeError(state)
        legal, now = state.legal(), state.now
        if legal[-1] in DECLARATIONS:
            return next((token for token in (TUTE, CUARENTA) if token in legal), legal[-1])
        if len(legal) == 1 or not now.trick or rng.random() < ANY_CARD:
            return legal[int(rng.random() * len(legal))]
        trumps = IN_SUIT[SUITS.index(state.setting.trump)]
        is_partners = (now.taker - now.turn) % 2 == 0
        beating = now.playable & ABOVE[now.best]
        if not beating and not trumps >> now.best & 1:
            beating = now.playable & trumps
        cards = numbers_in(now.playable)
        if is_partners or (beating and not beating & trumps):
            return CARDS[max(cards, key=POINTS.__getitem__)]
        return CARDS[min(cards, key=POINTS.__getitem__)]


def _may_undertrump(view: Zones) -> bool:
    return dict(view.options)["under_trump"] is True


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    dealer, trump = view.dealer, view.trump
    first = (SEATS.index(dealer) + 1) % 4
    state = State(
        Setting(Dealt(()), "A" + trump, dealer, _may_undertrump(view)), (), Now((0, 0, 0, 0), first, 0)
    )
    played, known, barred = [0] * 4, [0] * 4, [0] * 4
    # Which of the dealer's trumps was shown does not matter once it was played.
    up = view.upcard
    for token in view.history:
        turn = state.now.turn
        if token in DECLARATIONS:
            known[turn] |= bits_of(shown_by(token, trump))
        else:
            played[turn] |= 1 << NUMBER[token]
            barred[turn] |= _cannot_hold(state, NUMBER[token])
            up = up or (token if SEATS[turn] == dealer and token[1] == trump else "")
        state = state.after(token)
    if view.upcard:
        known[SEATS.index(dealer)] |= bits_of((view.upcard,))
    for zone in view.seats:
        if zone.seat == view.seat:
            known[SEATS.index(zone.seat)] = bits_of(zone.cards)
    holding = tuple(bits & ~gone for bits, gone in zip(known, played, strict=True))
    sizes = [TRICKS - gone.bit_count() - bits.bit_count() for gone, bits in zip(played, holding, strict=True)]
    out = sum(played) | sum(holding)
    return Seen(
        state.now,
        tuple(played),
        up,
        holding,
        tuple(sizes),
        tuple(card for number, card in enumerate(CARDS) if not out >> number & 1),
        tuple(frozenset(cards_in(bits)) for bits in barred),
    )


def _cannot_hold(state: State, card: int) -> int:
    """TU7 to TU9: what a seat that plays this card does not hold."""
    now, trumps = state.now, IN_SUIT[SUITS.index(state.setting.trump)]
    if not now.trick:
        return 0
    led, beats = now.trick[0] // 10, ABOVE[now.best]
    if card // 10 == led:
        return 0 if beats >> card & 1 else beats & IN_SUIT[led]
    if trumps >> card & 1:
        return IN_SUIT[led] | (0 if not trumps >> now.best & 1 or beats >> card & 1 else beats)
    if state.setting.under_trump or not trumps >> now.best & 1:
        return IN_SUIT[led] | trumps
    return IN_SUIT[led] | beats


SAMPLING: Final = TuteSampling()
