"""A novice at Brag, by a rule of thumb: no hand so strong that another is worth nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from engine.brag.hands import PACK, SIZE, Strength, Variant, laid, patterns, strength, token_of
from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.text import Word, gettext_noop

#: How much stronger than a hand of three chance cards the best of several is: by the hand's place, the power to which
#: its rank among all hands is raised. Found by trying.
POWERS: Final = {2: (24, 8), 3: (30, 10, 3)}
TWO: Final = 2


@cache
def _all_strengths(order: str) -> tuple[Strength, ...]:
    return tuple(sorted(strength(hand, order) for hand in combinations(PACK, SIZE)))


@cache
def rank_of(found: Strength, order: str) -> float:
    """The part of all hands of three that are weaker."""
    every = _all_strengths(order)
    return (bisect_left(every, found) + 1) / len(every)


def _promise(chances: Sequence[tuple[float, ...]]) -> float:
    """How good a grouping is: the chance that enough of its hands are the best, very roughly."""
    if len(chances) == TWO:
        return chances[0][1] * chances[1][2]
    one, two, three = chances[0][1], chances[1][2], chances[2][3]
    return one * two + one * three + two * three - 2 * one * two * three


@lru_cache(maxsize=1 << 16)
def _chances(hand: tuple[str, ...], variant: Variant) -> tuple[float, ...]:
    """The rank of a hand, and its chance in each place."""
    rank = rank_of(strength(hand, variant.order), variant.order)
    return rank, *(rank**power for power in POWERS[variant.hands])


@lru_cache(maxsize=256)
def promises(cards: tuple[str, ...], variant: Variant) -> tuple[float, ...]:
    """What each of the groupings promises, in their order."""
    each: dict[tuple[int, ...], tuple[float, ...]] = {
        at: _chances(tuple(cards[i] for i in at), variant) for at in combinations(range(len(cards)), SIZE)
    }
    return tuple(
        _promise(sorted([each[at] for at in pattern], reverse=True))
        for pattern in patterns(len(cards), variant.hands)
    )


@lru_cache(maxsize=256)
def best_grouping(cards: tuple[str, ...], variant: Variant) -> str:
    """The grouping that promises most, as it is written. The cards are in the order of a hand."""
    found = promises(cards, variant)
    pattern = patterns(len(cards), variant.hands)[found.index(max(found))]
    return token_of(laid(([cards[at] for at in hand] for hand in pattern), variant.order))


class Novice(Robot):
    """Weighs its own cards only, whoever plays."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Divides its cards so that no hand is wasted."))

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    def token(self, view: View) -> str:
        """The grouping that promises most. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not view.compositions:
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        return best_grouping(view.compositions[0].cards, self.variant)
