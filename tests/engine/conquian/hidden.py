"""What a seat of Conquian cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.conquian.game import CONQUIAN
from engine.conquian.melds import CARDS
from engine.conquian.play import SEATS, State
from engine.packs import Dealt, in_order, read_deal


def shuffle_conquian(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """The cards that others hold still and those of the stock, exchanged between them."""
    dealt = read_deal(text, CARDS.pack, (10, 10))
    hands = [[*hand] for hand in dealt.hands]
    stock = [*dealt.stock]
    others = [place for place, each in enumerate(SEATS) if each != seat]
    held = {place: CARDS.cards_in(state.now.hands[place]) for place in others}
    pool = [card for cards in held.values() for card in cards] + stock[state.now.turned :]
    rng.shuffle(pool)
    for place in others:
        hands[place] = [card for card in hands[place] if card not in held[place]]
        hands[place] += [pool.pop() for _card in held[place]]
    stock[state.now.turned :] = pool
    found = str(Dealt((in_order(hands[0]), in_order(hands[1])), tuple(stock)))
    CONQUIAN.read_deal(found)
    return found, state.history
