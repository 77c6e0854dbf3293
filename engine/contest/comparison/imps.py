"""International match points: what a difference of scores is worth, and victory points from their sum.

Sources: the IMP scale of Law 78B of duplicate bridge; the continuous victory point scale of the World Bridge
Federation (2013).
"""

from __future__ import annotations

from bisect import bisect_right
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Final

from engine.errors import ContestError
from engine.text import gettext_noop

#: A difference of so much is worth 1, 2, ... 24 IMPs.
THRESHOLDS: Final = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600,
    750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip

#: What a point counts on the scale, where nothing else is said.
USUAL_SCALE: Final = Fraction(10)

MOST_BOARDS: Final = 200

_BOARDS = gettext_noop("Victory points only work for matches of 1 to %(most)s boards, not %(boards)s.")
_PLACES: Final = Decimal("0.01")
_TOP: Final = 20


def imps(difference: Fraction | int, scale: Fraction = USUAL_SCALE) -> int:
    """The IMPs that a difference of so many points wins (or loses, below 0)."""
    won = bisect_right(THRESHOLDS, abs(Fraction(difference)) * scale)
    return won if difference > 0 else -won


def victory_points(margin: int, boards: int) -> tuple[Fraction, Fraction]:
    """The victory points, to a hundredth, of a match won by so many IMPs (lost, below 0): own, and the others'.

    They add up to 20. Raises ContestError as `victory_point_scale` does.
    """
    scale = victory_point_scale(boards)
    won = scale[min(abs(margin), len(scale) - 1)]
    return (won, _TOP - won) if margin >= 0 else (_TOP - won, won)


@lru_cache(maxsize=MOST_BOARDS)
def victory_point_scale(boards: int) -> tuple[Fraction, ...]:
    """The winner's victory points for a margin of 0, 1, 2, ... IMPs; the last counts for all above.

    With t the golden section and B = 15 times the root of the boards, a margin of m is worth
    10 + 10 (1 - t^(3m/B)) / (1 - t^3), to two decimals. Rounding may leave a step that is larger than the one
    before it; a hundredth more on its lower end mends that. Raises ContestError for a match of no boards, or of more
    than 200.
    """
    if not 1 <= boards <= MOST_BOARDS:
        raise ContestError("boards", _BOARDS, boards=boards, most=MOST_BOARDS)
    with localcontext() as context:
        context.prec = 40
        golden = (Decimal(5).sqrt() - 1) / 2
        full = 15 * Decimal(boards).sqrt()
        whole = 1 - golden**3
        each = golden ** (3 / full)
        values: list[int] = []
        left = Decimal(1)
        while len(values) < full:
            exact = 10 + 10 * (1 - left) / whole
            values.append(int(exact.quantize(_PLACES, ROUND_HALF_UP).scaleb(2)))
            left *= each
    return tuple(Fraction(value, 100) for value in _without_dents([*values, 100 * _TOP]))


def _without_dents(values: list[int]) -> list[int]:
    """The scale with every step at most as large as the one before it."""
    changed = True
    while changed:
        changed = False
        for place in range(1, len(values) - 1):
            while values[place + 1] - values[place] > values[place] - values[place - 1]:
                values[place] += 1
                changed = True
    return values
