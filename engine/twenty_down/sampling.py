"""Deals of Twenty Down that a seat could be in, by what was given, played and could not be followed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.unseen import dealt_unseen
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import cards_text, in_order, read_cards, without
from engine.twenty_down.novice import STRONG, by_worth, given, named, played, strength
from engine.twenty_down.play import (
    CARDS,
    DECLARE,
    DISCARD,
    DRAW,
    FIRST,
    IN,
    KEEP,
    MOST_DISCARDED,
    OUT,
    PLAY,
    PLAYERS,
    TRICKS,
    Setting,
    State,
    begun,
)

#: So many deals are tried for one in which everybody said of being in what a novice would.
TRIES: Final = 8
#: How often nobody knows why a card was played.
ANY_CARD: Final = 0.2


class Seen(NamedTuple):
    """What a seat knows."""

    draws: tuple[tuple[int, str], ...]
    """Who exchanged, and what the seat saw of it."""
    answers: tuple[tuple[int, bool], ...]
    """TD5: who said whether they are in."""
    played: tuple[tuple[str, ...], ...]
    barred: tuple[frozenset[str], ...]


class TwentyDownSampling(Sampling):
    """Every deal that agrees with the view."""

    def sample(self, view: View, rng: random.Random) -> State:
        """TD16."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen, late = _seen(view), bool(dict(view.options)["late"])
        hands, rest = _hands(view, seen, rng)
        for _try in range(TRIES if seen.answers else 0):
            if not _surprise(view, seen, hands):
                break
            hands, rest = _hands(view, seen, rng)
        given_back, stock = _undone(view, seen, hands, rest, rng)
        tokens = [given_back.pop() if token[:1] == DISCARD else token for token in view.history]
        if not view.trump:
            hands = [[*hand, *(rest.pop() for _card in range(TRICKS - FIRST))] for hand in hands]
        else:
            hands = [rng.sample(hand, len(hand)) for hand in hands]
        first = tuple(in_order(hand[:FIRST]) for hand in hands)
        second = tuple(in_order(hand[FIRST:]) for hand in hands)
        state = begun(Setting(first, second, (*stock, *rest), int(view.dealer) - 1, late))
        for token in tokens:
            state = state.after(token)
        return state

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """What a novice would do comes first; of exchanges only those of the cards that can best be spared."""
        if not isinstance(state, State):
            raise TypeError(state)
        now = state.now
        if now.phase != DRAW:
            first = _novices(state)
            return (first, *(token for token in state.legal() if token != first))
        spared = by_worth(now.hands[now.turn], now.trump)
        rows = [spared[:size] for size in range(MOST_DISCARDED + 1)]
        return tuple(dict.fromkeys((_novices(state), *map(_exchange, rows))))

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """What a novice does, mostly."""
        if not isinstance(state, State):
            raise TypeError(state)
        if state.now.phase == PLAY:
            legal = state.legal()
            if len(legal) == 1 or rng.random() < ANY_CARD:
                return legal[int(rng.random() * len(legal))]
        return _novices(state)


def _hands(view: Zones, seen: Seen, rng: random.Random) -> tuple[list[list[str]], list[str]]:
    """The hands as they were before the first trick, and the cards that nobody has got."""
    own = [
        card for place, token in seen.draws if str(place + 1) == view.seat for card in read_cards(token[1:])
    ]
    gone = {*own, *(card for cards in seen.played for card in cards)}
    gone |= {card for zone in view.seats for card in zone.cards}
    unseen = [card for card in CARDS.cards if card not in gone]
    # Before trump is named nobody has seen the last three cards of a hand.
    whole = TRICKS if view.trump else FIRST
    missing = [
        0 if zone.cards else whole - len(cards) for zone, cards in zip(view.seats, seen.played, strict=True)
    ]
    dealt = dealt_unseen(unseen, (*missing, len(unseen) - sum(missing)), (*seen.barred, ()), rng)
    hands = [
        [*zone.cards, *cards, *gone_by]
        for zone, cards, gone_by in zip(view.seats, dealt, seen.played, strict=False)
    ]
    return hands, list(dealt[PLAYERS])


def _surprise(view: Zones, seen: Seen, hands: Sequence[Sequence[str]]) -> bool:
    """Whether somebody else is in with a weak hand, or out with a strong one."""
    return any(
        (strength(tuple(hands[place]), view.trump) >= STRONG) != is_in
        for place, is_in in seen.answers
        if str(place + 1) != view.seat
    )


def _novices(state: State) -> str:
    """What a novice would do here."""
    now = state.now
    hand = now.hands[now.turn]
    if now.phase == PLAY:
        return played(state.legal(), tuple(card for _place, card in now.trick), now.trump)
    if now.phase == DECLARE:
        return IN if strength(hand, now.trump) >= STRONG else OUT
    return _exchange(given(hand, now.trump)) if now.phase == DRAW else named(hand)


def _exchange(cards: Sequence[str]) -> str:
    return DISCARD + cards_text(in_order(cards)) if cards else KEEP


def _undone(
    view: Zones, seen: Seen, hands: list[list[str]], rest: list[str], rng: random.Random
) -> tuple[list[str], list[str]]:
    """The exchanges taken back in these hands, the last one first: their tokens, the last first, and what was drawn."""
    tokens: list[str] = []
    stock: list[str] = []
    for place, token in reversed(seen.draws):
        is_own = str(place + 1) == view.seat
        size = len(token) // 2 if is_own else int(token[1:])
        come = rng.sample(hands[place], size)
        out = list(read_cards(token[1:])) if is_own else [rest.pop() for _card in range(size)]
        hands[place] = [*(without(hands[place], come) or ()), *out]
        stock = [*come, *stock]
        tokens.append(DISCARD + cards_text(out))
    return tokens, stock


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    """Who did what; and in which suits a seat has shown that it has nothing left."""
    order = [(int(view.dealer) - 1 + step) % PLAYERS for step in range(1, PLAYERS + 1)]
    cards: list[list[str]] = [[] for _seat in view.seats]
    barred: list[set[str]] = [set() for _seat in view.seats]
    options = dict(view.options)
    is_late = bool(options["late"])
    drawing = view.history[0 if is_late else 1 :][:PLAYERS]
    draws = tuple((place, token) for place, token in zip(order, drawing, strict=False) if token != KEEP)
    said = (token == IN for token in view.history if token in {IN, OUT})
    answers = tuple(zip(order[1:], said, strict=False))
    tricks = options["tricks"]
    if not isinstance(tricks, tuple):
        raise TypeError(tricks)
    for trick in tricks:
        led = trick[0][1][1]
        for place, card in trick:
            cards[place].append(card)
            if card[1] != led:
                barred[place] |= {each for each in CARDS.cards if each[1] == led}
                barred[place] |= {each for each in CARDS.cards if each[1] == view.trump != card[1]}
    return Seen(draws, answers, tuple(map(tuple, cards)), tuple(map(frozenset, barred)))


SAMPLING: Final = TwentyDownSampling()
