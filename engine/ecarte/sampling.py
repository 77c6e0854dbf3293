"""Deals of Écarté that a seat could be in, by what it holds and gave, and what all have seen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine.card_bits import numbers_in
from engine.ecarte.novice import kept, promise, worth
from engine.ecarte.play import (
    ANSWER,
    CARDS,
    DISCARD,
    EXCHANGE,
    KING,
    MOST_TRICKS,
    SEATS,
    SPEAK,
    TRICK,
    State,
    start,
)
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.unseen import dealt_unseen
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import SUITS, Dealt, cards_text, in_order

#: How often nobody knows why a card was played or an exchange made.
ANY_ACTION: Final = 0.2


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat knows of the other's cards and of the stock."""

    exchanges: tuple[tuple[int, str, int], ...]
    """By whom, which cards where the seat knows them, how many."""
    played: tuple[tuple[str, ...], tuple[str, ...]]
    known: tuple[str, ...]
    """What the other is known to hold still."""
    barred: frozenset[str]
    """EC11: what the other cannot hold, as it played otherwise."""
    unseen: tuple[str, ...]


class EcarteSampling(Sampling):
    """Every deal that agrees with the view; what was drawn and given in secret is any of what it can have been."""

    def sample(self, view: View, rng: random.Random) -> State:
        """EC17."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        me = SEATS.index(view.seat or SEATS[0])
        other = 1 - me
        missing = view.seats[other].held - len(seen.known)
        sizes = (missing, len(seen.unseen) - missing)
        theirs, rest = dealt_unseen(seen.unseen, sizes, (seen.barred, ()), rng)
        hands: list[list[str]] = [[], []]
        hands[me] = [*view.seats[me].cards, *seen.played[me]]
        hands[other] = [*seen.known, *theirs, *seen.played[other]]
        deal, tokens = _dealt_back(view, seen, hands, list(rest), rng)
        chosen: dict[str, Any] = dict(view.options)
        state = start(deal, view.dealer, chosen["wanted"], chosen["before"])
        for token in tokens:
            state = state.after(token)
        return state

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """Of exchanges only those of the least cards."""
        if not isinstance(state, State):
            raise TypeError(state)
        if state.now.phase != EXCHANGE:
            return state.legal()
        hand = CARDS.cards_in(state.now.hands[state.now.turn])
        trump = state.setting.up[1]
        cards = sorted(hand, key=lambda card: (worth(card, trump), CARDS.number[card] % CARDS.ranks))
        return [DISCARD + cards_text(cards[:size]) for size in range(min(len(cards), state.left) + 1)]

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """Stands on likely tricks, keeps what is good, shows the king, takes a trick cheaply."""
        if not isinstance(state, State):
            raise TypeError(state)
        now, trump = state.now, state.setting.up[1]
        if now.phase == TRICK:
            return _likely_card(state, rng)
        hand = CARDS.cards_in(now.hands[now.turn])
        if now.phase in {SPEAK, ANSWER}:
            is_strong = promise(hand, trump) >= 100 * MOST_TRICKS - int(rng.random() * 100)
            return state.legal()[is_strong ^ (now.phase == SPEAK)]
        keeping = kept(hand, trump)
        given = sorted({*hand} - {*keeping}, key=lambda card: worth(card, trump))[: state.left]
        return DISCARD + cards_text(given)


def _likely_card(state: State, rng: random.Random) -> str:
    legal, now = state.legal(), state.now
    if legal[-1] == KING:
        return KING
    if len(legal) == 1 or now.led < 0 or rng.random() < ANY_ACTION:
        return legal[int(rng.random() * len(legal))]
    # What must be played takes the trick, or nothing does: the least will do.
    cards = numbers_in(state.playable)
    plain = [card for card in cards if not state.setting.trumps >> card & 1]
    return CARDS.cards[min(plain or cards, key=lambda card: card % CARDS.ranks)]


def _dealt_back(
    view: Zones, seen: Seen, hands: list[list[str]], rest: list[str], rng: random.Random
) -> tuple[str, list[str]]:
    """The deal that led to these hands, and all its actions: the exchanges undone, the last one first."""
    drawn: list[list[str]] = []
    given: list[str] = []
    for seat, cards, size in reversed(seen.exchanges):
        come = rng.sample(hands[seat], size)
        gone = [cards[at : at + 2] for at in range(1, len(cards), 2)] if cards else rest[:size]
        if not cards:
            del rest[:size]
        hands[seat] = [*(card for card in hands[seat] if card not in come), *gone]
        drawn.append(come)
        given.append(DISCARD + cards_text(gone))
    stock = [view.upcard, *(card for cards in reversed(drawn) for card in cards), *rest]
    deal = Dealt((in_order(hands[0]), in_order(hands[1])), tuple(stock))
    return str(deal), [given.pop() if token[:1] == DISCARD else token for token in view.history]


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    me = SEATS.index(view.seat or SEATS[0])
    elder = 1 - SEATS.index(view.dealer)
    trump = CARDS.in_suit[SUITS.index(view.trump)]
    exchanges: list[tuple[int, str, int]] = []
    played: tuple[list[str], list[str]] = ([], [])
    known, barred, led, turn = "", 0, -1, elder
    gone: list[str] = []
    for token in view.history:
        if token[:1] == DISCARD:
            seat = elder if len(exchanges) % 2 == 0 else 1 - elder
            is_mine = seat == me
            size = len(token) // 2 if is_mine else int(token[1:])
            exchanges.append((seat, token if is_mine else "", size))
            gone += [token[at : at + 2] for at in range(1, len(token), 2)] if is_mine else []
        elif token == KING:
            known = "" if turn == me else "K" + view.trump
        elif token in CARDS.number:
            card = CARDS.number[token]
            played[turn].append(token)
            if led < 0:
                led, turn = card, 1 - turn
            else:
                barred |= 0 if turn == me else _cannot_hold(led, card, trump)
                beats = (CARDS.above[led] | (trump & ~CARDS.suit_of[led])) >> card & 1
                led, turn = -1, turn if beats else 1 - turn
    known = "" if known in played[1 - me] else known
    out = {view.upcard, *gone, *played[0], *played[1], known}
    out |= {card for zone in view.seats for card in zone.cards}
    return Seen(
        tuple(exchanges),
        (tuple(played[0]), tuple(played[1])),
        (known,) if known else (),
        frozenset(CARDS.cards_in(barred)),
        tuple(card for card in CARDS.cards if card not in out),
    )


def _cannot_hold(led: int, card: int, trump: int) -> int:
    """EC11: what a seat that plays this card on that one does not hold."""
    follow = CARDS.suit_of[led]
    if follow >> card & 1:
        return 0 if CARDS.above[led] >> card & 1 else CARDS.above[led]
    return follow if trump >> card & 1 else follow | trump


SAMPLING: Final = EcarteSampling()
