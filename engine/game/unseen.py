"""Cards that nobody has shown, dealt by chance among places that can hold them: for sampling in any game."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from engine.errors import DealError
from engine.text import gettext_noop

Allowed: TypeAlias = tuple[tuple[int, ...], ...]


def dealt_unseen(
    cards: Sequence[str], sizes: Sequence[int], barred: Sequence[Collection[str]], rng: random.Random
) -> tuple[tuple[str, ...], ...]:
    """As many of the cards to each place as its size says, none to a place where it is barred.

    Every such deal is equally likely. Raises DealError when there is none.
    """
    shuffled = rng.sample(cards, len(cards))
    if not any(barred):
        ends = [sum(sizes[:place]) for place in range(len(sizes) + 1)]
        return tuple(tuple(shuffled[one:end]) for one, end in pairwise(ends))
    places = range(len(sizes))
    may_lie = {card: tuple(place for place in places if card not in barred[place]) for card in cards}
    # Cards that may lie in the same places stand beside each other: so there are few cases to count.
    shuffled.sort(key=lambda card: (len(may_lie[card]), may_lie[card]))
    allowed = tuple(may_lie[card] for card in shuffled)
    left = tuple(sizes)
    found: list[list[str]] = [[] for _place in places]
    for number, card in enumerate(shuffled):
        rest = allowed[number + 1 :]
        open_places = [place for place in allowed[number] if left[place]]
        ways = [_ways(rest, _less(left, place)) for place in open_places]
        if not sum(ways):
            raise DealError("unseen", gettext_noop("No deal has these cards where they were seen."))
        chosen = rng.choices(open_places, ways)[0]
        found[chosen].append(card)
        left = _less(left, chosen)
    return tuple(map(tuple, found))


def _less(left: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*left[:place], left[place] - 1, *left[place + 1 :])


@lru_cache(maxsize=1 << 16)
def _ways(allowed: Allowed, left: tuple[int, ...]) -> int:
    """In how many ways cards that may lie in these places fill what is left there."""
    if not allowed:
        return 1
    return sum(_ways(allowed[1:], _less(left, place)) for place in allowed[0] if left[place])
