"""Deals of Pontoon that a seat could be in: orders of the pack that lead to what it has seen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from engine.errors import DealError
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import Json, View
from engine.game.zones import Zones
from engine.pontoon.novice import chosen
from engine.pontoon.play import (
    BANKER,
    BEST,
    BET,
    BETTING,
    BUST,
    BUY,
    OVER,
    PACK,
    PLAIN,
    PONTOON,
    PUNTERS,
    Hand,
    Setting,
    State,
    begun,
)
from engine.text import gettext_noop

#: So many orders are tried.
TRIES: Final = 200
#: How often a hand is filled from the cards that are left, before the whole order is drawn again.
FILLS: Final = 400
#: How a hand stands for all to see: still to come, being played, stuck, or done without sticking.
WAITS, PLAYS, STUCK, DONE = "waits", "plays", "stuck", "done"


class PontoonSampling(Sampling):
    """Orders of the pack that agree with the view: hand by hand what lies face down is drawn until it will do."""

    def sample(self, view: View, rng: random.Random) -> State:
        """PN16."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        options: dict[str, Any] = dict(view.options)
        drawn, shape = options["drawn"], options["shape"]
        unseen = [card for card in PACK if card not in drawn]
        for _try in range(TRIES):
            rng.shuffle(unseen)
            order = _filled(drawn, shape[1], [*unseen], rng)
            if not order:
                continue
            setting = Setting(order, len(view.seats), int(view.dealer) - 1, options["min"], options["max"])
            state = begun(setting)
            for token in view.history:
                state = state.after(token)
            if shape_of(state) == shape:
                return state
        raise DealError("unseen", gettext_noop("No deal has these cards where they were seen."))

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """What a stake wins grows in line with it: only the least and the most are tried."""
        legal = state.legal()
        amounts = [token for token in legal if token.startswith((BET, BUY))]
        return [token for token in legal if token not in amounts[1:-1]]

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """What a novice does."""
        if not isinstance(state, State):
            raise TypeError(state)
        legal = state.legal()
        if len(legal) == 1:
            return legal[0]
        hand = state.now.hands[state.place or 0][0] if state.now.phase == BETTING else state.hand
        return chosen(hand.cards, legal, is_banker=state.place == state.setting.dealer)


def _filled(
    drawn: Sequence[str], hands: Sequence[Sequence[Any]], unseen: list[str], rng: random.Random
) -> tuple[str, ...]:
    """An order of the pack in which every hand is as it was seen; empty where the cards ran out."""
    cards = list(drawn)
    for places, _stake, stands in (hand for own in hands for hand in own):
        hidden = [at for at in places if not cards[at]]
        if not hidden:
            continue
        for _fill in range(FILLS):
            picked = rng.sample(unseen, len(hidden))
            for at, card in zip(hidden, picked, strict=True):
                cards[at] = card
            if _will_do(tuple(cards[at] for at in places), stands):
                break
        else:
            return ()
        unseen = [card for card in unseen if card not in picked]
    return (*cards, *unseen)


def _will_do(cards: tuple[str, ...], stands: str) -> bool:
    """PN6 to PN10: whether a hand of these cards came to stand like this."""
    hand = Hand(cards)
    if stands == WAITS:
        return True
    if stands == DONE and len(cards) == 2:
        return hand.kind == PONTOON
    is_played = Hand(cards[:2]).kind == PLAIN and (len(cards) == 2 or Hand(cards[:-1]).lowest < BEST)
    return is_played and hand.kind != BUST


def shape_of(state: State) -> tuple[Json, ...]:
    """What all see of how the deal stands: whose turn it is, how many hands of each place are bust, and of the others
    which of the cards that were drawn they have, their stakes, and whether they wait, are being played, or are done.
    """
    now, setting = state.now, state.setting
    number = {card: at for at, card in enumerate(setting.pack)}
    is_passed, hands = now.phase in {BANKER, OVER}, dict[int, tuple[Json, ...]]()
    current = state.hand if now.phase == PUNTERS else None
    for place in reversed(setting.punters):
        own: list[Json] = []
        for hand in reversed(now.hands[place]):
            stands = STUCK if hand.is_done else DONE if is_passed else PLAYS if hand is current else WAITS
            is_passed = is_passed or hand is current
            own.insert(0, (tuple(number[card] for card in hand.cards), hand.stake, stands))
        hands[place] = tuple(own)
    bank = tuple(number[card] for card in now.hands[setting.dealer][0].cards)
    hands[setting.dealer] = ((bank, 0, WAITS if now.phase == BETTING else STUCK),)
    return (
        state.turn,
        tuple(hands[place] for place in range(setting.players)),
        tuple(len(own) for own in now.busted),
    )


SAMPLING: Final = PontoonSampling()
