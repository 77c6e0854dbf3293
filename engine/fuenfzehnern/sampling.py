"""Deals of Fünfzehnern that a seat could be in, by what was played, forced and could not be followed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.card_bits import numbers_in
from engine.fuenfzehnern.novice import chosen
from engine.fuenfzehnern.play import CARDS, HAND, Now, Setting, State, begun, pack_of
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.unseen import dealt_unseen
from engine.game.values import View
from engine.game.zones import Zones

#: How often nobody knows why a card was played.
ANY_CARD: Final = 0.2
#: How often a deal is tried in which every lead was free, before any will do.
TRIES: Final = 20


@dataclass(frozen=True, slots=True)
class Lead:
    """FZ5, FZ6: a lead of another suit than the bound one: the seat held what beats it, or nothing of its suit."""

    seat: int
    higher: int
    bound: int
    before: int
    """What the seat had played before."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat knows: how the deal stands but for the others' hands, and where cards can be."""

    now: Now
    dealer: int
    played: tuple[int, ...]
    known: tuple[int, ...]
    unseen: tuple[str, ...]
    sizes: tuple[int, ...]
    barred: tuple[frozenset[str], ...]
    leads: tuple[Lead, ...]


class FuenfzehnernSampling(Sampling):
    """Every deal that agrees with the view is equally likely."""

    def sample(self, view: View, rng: random.Random) -> State:
        """FZ10."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        for _try in range(TRIES):
            dealt = dealt_unseen(seen.unseen, seen.sizes, seen.barred, rng)
            hands = tuple(
                known | CARDS.bits_of(cards) for known, cards in zip(seen.known, dealt, strict=True)
            )
            first = tuple(hand | gone for hand, gone in zip(hands, seen.played, strict=True))
            if all(_was_free(lead, first[lead.seat]) for lead in seen.leads):
                break
        return State(Setting(first, seen.dealer), view.history, seen.now._replace(hands=hands))

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Leads what nobody can beat, takes points, gives few."""
        if not isinstance(state, State):
            raise TypeError(state)
        now, playable = state.now, state.playable
        if rng.random() < ANY_CARD:
            cards = numbers_in(playable)
            return CARDS.cards[cards[int(rng.random() * len(cards))]]
        is_last = len(now.trick) == len(now.hands) - 1
        return CARDS.cards[chosen(playable, now.trick, now.played | now.hands[now.turn], is_last=is_last)]


def _was_free(lead: Lead, hand: int) -> bool:
    left = hand & ~lead.before
    return not lead.higher & ~left or not left & lead.bound


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    """The deal played through with what all have seen: each card changes its bit in hands that begin empty."""
    players = len(view.seats)
    me, dealer = int(view.seat or 1) - 1, int(view.dealer) - 1
    state = begun(Setting((0,) * players, dealer))
    barred, leads = [0] * players, []
    for token in view.history:
        now, card = state.now, CARDS.number[token[:2]]
        suit = CARDS.suit_of[card]
        if now.trick:
            led = CARDS.suit_of[now.trick[0]]
            barred[now.turn] |= 0 if led >> card & 1 else led
            barred[now.turn] |= 1 << now.ace if now.ace >= 0 else 0
        elif now.bond >= 0 and suit != CARDS.in_suit[now.bond]:
            higher = CARDS.above[card] & ~now.played
            leads += [Lead(now.turn, higher, CARDS.in_suit[now.bond], now.hands[now.turn])] if higher else []
        state = state.after(token)
        # FZ7: the ace is another player's.
        barred[now.turn] |= 1 << state.now.ace if len(token) > 2 and state.now.ace >= 0 else 0
    now = state.now
    mine = CARDS.bits_of(view.seats[me].cards)
    kings = [CARDS.bits_of(card for meld in zone.melds for card in meld) for zone in view.seats]
    known = tuple(mine if place == me else king for place, king in enumerate(kings))
    out = now.played | sum(known)
    unseen = tuple(card for card in pack_of(players) if not out >> CARDS.number[card] & 1)
    sizes = tuple(
        HAND - gone.bit_count() - held.bit_count() for gone, held in zip(now.hands, known, strict=True)
    )
    bars = tuple(frozenset(CARDS.cards_in(bits)) for bits in barred)
    others = tuple(lead for lead in leads if lead.seat != me)
    return Seen(now, dealer, now.hands, known, unseen, sizes, bars, others)


SAMPLING: Final = FuenfzehnernSampling()
