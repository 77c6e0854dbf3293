"""What a seat of Tute cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.errors import RuleError
from engine.packs import Dealt, in_order, without
from engine.tute.cards import cards_in
from engine.tute.game import TUTE_FOR_FOUR
from engine.tute.play import SEATS, WRITTEN, State


def shuffle_tute(text: str, state: State, seat: str | None, rng: random.Random) -> tuple[str, Sequence[str]]:
    """The cards that others hold and nobody was shown, exchanged between them as far as what they played allows."""
    zones = {zone.seat: zone for zone in TUTE_FOR_FOUR.view(state, seat).seats}
    shown = {card for zone in zones.values() for meld in zone.melds for card in meld} | {state.setting.up}
    others = [each for each in SEATS if each != seat]
    held = {
        each: [card for card in cards_in(state.now.hands[SEATS.index(each)]) if card not in shown]
        for each in others
    }
    pool = [card for cards in held.values() for card in cards]
    rng.shuffle(pool)
    hands = {each: state.setting.hand(each) for each in WRITTEN}
    for each, cards in held.items():
        hands[each] = in_order((*(without(hands[each], cards) or ()), *pool[: len(cards)]))
        del pool[: len(cards)]
    found = f"{Dealt(tuple(hands.values()))} | {state.setting.up}"
    options = {"under_trump": state.setting.under_trump}
    try:
        TUTE_FOR_FOUR.replay(found, state.setting.dealer, options, state.history)
    except RuleError:
        return text, state.history
    return found, state.history
