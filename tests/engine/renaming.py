"""Cards that a seat does not know under other names: in the hands, in the stock, in secret actions."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from engine.errors import RuleError
from engine.game import Game
from engine.packs import cards_text, read_cards

#: So many others are tried before the deal is left as it is.
TRIES = 12
_ROW = re.compile(r"(?:[2-9TJQKA][shdc])+")


def in_other_names(text: str, names: Mapping[str, str], *, is_sorted: bool = True) -> str:
    """A hand, a stock or an action with the cards' other names; a hand is written in its order."""

    def renamed(row: re.Match[str]) -> str:
        cards = [names.get(card, card) for card in read_cards(row.group())]
        return cards_text(cards) if is_sorted else "".join(cards)

    return _ROW.sub(renamed, text)


def renamed_deal(text: str, names: Mapping[str, str]) -> str:
    """The whole deal; the stock keeps its order."""
    hands, bar, stock = text.partition(" | ")
    return in_other_names(hands, names) + bar + in_other_names(stock, names, is_sorted=False)


def shuffled_names(
    game: Game,
    text: str,
    state: Any,
    rng: random.Random,
    *,
    known: Collection[str],
    agrees: Callable[[Any], bool],
    pack: Iterable[str],
) -> tuple[str, Sequence[str]]:
    """Another deal of the same game with its actions, if one is found that ``agrees`` with what all have seen.

    ``state.setting.dealer`` is the dealer's place; as many play as there are hands.
    """
    pool = [card for card in pack if card not in known]
    players = len(text.split(" | ", maxsplit=1)[0].split(" "))
    dealer = str(state.setting.dealer + 1)
    for attempt in range(TRIES):
        some = rng.sample(pool, len(pool) if attempt < 3 else min(len(pool), 2 + attempt % 5))
        names = dict(zip(some, rng.sample(some, len(some)), strict=True))
        other = renamed_deal(text, names)
        tokens = [in_other_names(token, names) for token in state.history]
        try:
            twin = game.replay(other, dealer, game.read_options({}), tokens, players)
        except RuleError:
            continue
        if other != text and agrees(twin):
            return other, twin.history
    return text, state.history
