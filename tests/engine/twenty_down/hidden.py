"""What a seat of Twenty Down cannot know, dealt otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.errors import RuleError
from engine.packs import is_card, read_cards
from engine.twenty_down.game import TWENTY_DOWN
from engine.twenty_down.play import CARDS, State
from tests.engine.renaming import TRIES, in_other_names, renamed_deal


def shuffle_twenty_down(
    text: str, state: State, seat: str | None, rng: random.Random
) -> tuple[str, Sequence[str]]:
    """Others' cards, discards and the stock, as far as the tricks allow."""
    known = {token for token in state.history if is_card(token)}
    place = int(seat or 0) - 1
    if seat is not None:
        known |= {*state.now.hands[place]}
        draws = [token for token in state.history if token[:1] in "x-"]
        for at, token in zip(state.setting.order, draws, strict=False):
            known |= {*read_cards(token[1:])} if at == place and token[:1] == "x" else set()
    pool = [card for card in CARDS.cards if card not in known]
    for attempt in range(TRIES):
        some = rng.sample(pool, len(pool) if attempt < 3 else min(len(pool), 2 + attempt % 5))
        names = dict(zip(some, rng.sample(some, len(some)), strict=True))
        other = renamed_deal(text, names)
        tokens = [in_other_names(token, names) for token in state.history]
        options = {**TWENTY_DOWN.read_options({}), "late": state.setting.late}
        try:
            twin = TWENTY_DOWN.replay(other, str(state.setting.dealer + 1), options, tokens)
        except RuleError:
            continue
        if other != text and twin.turn == state.turn:
            return other, twin.history
    return text, state.history
