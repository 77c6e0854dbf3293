"""A novice at Brag, by a rule of thumb: no hand so strong that another is worth nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from engine.brag.hands import PACK, Strength, Variant, groupings, strength, token_of
from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.text import Word, gettext_noop

#: How much stronger than a hand of three chance cards the best of several is: by the hand's place, the power to which
#: its rank among all hands is raised. Found by trying.
POWERS: Final = {2: (24, 8), 3: (30, 10, 3)}


@cache
def _all_strengths(order: str) -> tuple[Strength, ...]:
    return tuple(sorted(strength(hand, order) for hand in combinations(PACK, 3)))


@cache
def rank_of(found: Strength, order: str) -> float:
    """The part of all hands of three that are weaker."""
    every = _all_strengths(order)
    return (bisect_left(every, found) + 1) / len(every)


def promise(hands: Sequence[tuple[str, ...]], variant: Variant) -> float:
    """How good a grouping is: the chance that enough of its hands are the best, very roughly."""
    powers = POWERS[len(hands)]
    chances = [
        rank_of(strength(hand, variant.order), variant.order) ** power
        for hand, power in zip(hands, powers, strict=True)
    ]
    if len(chances) == 2:
        return chances[0] * chances[1]
    one, two, three = chances
    return one * two + one * three + two * three - 2 * one * two * three


def best_groupings(cards: tuple[str, ...], variant: Variant, most: int) -> list[tuple[tuple[str, ...], ...]]:
    """The groupings that promise most, the best first."""
    found = groupings(cards, variant)
    return sorted(found, key=lambda hands: -promise(hands, variant))[:most]


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
        return token_of(best_groupings(view.compositions[0].cards, self.variant, 1)[0])
