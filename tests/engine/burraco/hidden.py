"""What a seat of Burraco cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.burraco.cards import cards_in
from engine.burraco.game import BURRACO
from engine.burraco.play import SEATS, SIZE, State
from engine.errors import RuleError
from engine.packs import Dealt, in_order


def shuffle_burraco(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """Two cards change places that this seat has not seen: in other hands, in the stock or in a pozzetto."""
    setting, now = state.setting, state.now
    options = {"semi_clean": setting.semi_clean}
    dealt = BURRACO.boards.hands(text)
    for _try in range(2):
        hands = [[*hand] for hand in dealt.values()]
        stock = [*BURRACO.boards.stock(text)]
        # In the stock only what nobody has drawn yet, in the pozzetti only those that nobody has taken.
        places = [(hands[place], at) for place in range(4) for at in range(SIZE) if SEATS[place] != seat]
        places += [(stock, at) for at in range(len(stock) - len(now.stock), len(stock))]
        places += [(stock, SIZE * pozzetto + at) for pozzetto in range(2) for at in range(SIZE)]
        (one, here), (other, there) = rng.sample(places, 2)
        one[here], other[there] = other[there], one[here]
        found = str(Dealt(tuple(in_order(hand) for hand in hands), tuple(stock)))
        try:
            twin = BURRACO.replay(found, setting.dealer, options, state.history)
        except RuleError:
            continue
        if isinstance(twin, State) and _seen(twin, seat) == _seen(state, seat):
            return found, state.history
    return text, state.history


def _seen(state: State, seat: str | None) -> object:
    """What the seat holds, and what all have been told: at the end also what the cards in hand cost."""
    now = state.now
    score = state.score().total if state.is_over else None
    own = now.hands[SEATS.index(seat)] if seat else ()
    return own, now.pile, now.melds, [len(cards_in(hand)) for hand in now.hands], score
