"""What a seat of Kowah cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from engine.errors import RuleError
from engine.kowah.game import KOWAH
from engine.kowah.play import State
from engine.packs import Dealt, in_order

TRIES = 2


def shuffle_kowah(text: str, state: State, seat: str | None, rng: random.Random) -> tuple[str, Sequence[str]]:
    """Cards that others have held since the deal and nobody has seen, and what is left of the stock."""
    setting, now = state.setting, state.now
    drawn = list(setting.stock[: now.drawn])
    for _try in range(TRIES):
        hands = [list(hand) for hand in setting.hands]
        kept: list[list[str]] = [[] for _hand in hands]
        for place, hand in enumerate(hands):
            if str(place + 1) == seat or now.shown[place]:
                continue
            held = Counter(now.hands[place]) - Counter(now.known[place]) - Counter(drawn)
            for card in (Counter(hand) & held).elements():
                hand.remove(card)
                kept[place].append(card)
        rest = list(setting.stock[now.drawn :])
        pool = [*rest, *(card for cards in kept for card in cards)]
        rng.shuffle(pool)
        for place, cards in enumerate(kept):
            hands[place] += [pool.pop() for _card in cards]
        found = str(Dealt(tuple(map(in_order, hands)), (*drawn, *pool)))
        try:
            twin = KOWAH.own(
                KOWAH.replay(
                    found, str(setting.dealer + 1), KOWAH.read_options({}), state.history, len(hands)
                )
            )
        except RuleError:
            continue
        assert isinstance(twin, State)
        if twin.now._replace(hands=()) == now._replace(hands=()):
            return found, state.history
    return text, state.history
