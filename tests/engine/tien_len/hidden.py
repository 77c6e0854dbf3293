"""What a seat of Tien Len cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.packs import Dealt, in_order, read_cards
from engine.tien_len.combinations import CARDS, PACK, numbers_of
from engine.tien_len.game import TIEN_LEN
from engine.tien_len.play import State, begun


def shuffle_tien_len(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """The cards that others hold still, and those that nobody was dealt, exchanged as far as who led allows."""
    setting, players = state.setting, len(state.now.sizes)
    held = [{CARDS[number] for number in numbers_of(hand)} for hand in state.now.hands]
    first = [set(read_cards(hand)) for hand in text.split(" ")]
    others = [place for place in range(players) if str(place + 1) != seat]
    options = {
        "bombs": setting.rules.bombs,
        "pass_is_final": setting.rules.pass_is_final,
        "twos_in_sequences": setting.rules.twos,
        "leader": None if setting.lowest >= 0 else str(setting.leader + 1),
    }
    for _try in range(8):
        pool = [card for card in PACK if not any(card in hand for hand in first)]
        pool += [card for place in others for card in sorted(held[place])]
        rng.shuffle(pool)
        hands = [set(hand) for hand in first]
        for place in others:
            hands[place] = (first[place] - held[place]) | {pool.pop() for _card in held[place]}
        found = str(Dealt(tuple(in_order(hand) for hand in hands)))
        twin = TIEN_LEN.start(found, str(setting.dealer + 1), options, players)
        is_alike = twin.setting.leader == setting.leader and (
            twin.setting.lowest == setting.lowest or not (state.history or seat == state.turn)
        )
        if is_alike and begun(setting).turn == twin.turn:
            return found, state.history
    return text, state.history
