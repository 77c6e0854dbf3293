"""Where amounts lie: round numbers for a scale, shares of a height, labels kept apart."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, isfinite

from league.web.charts.drawing import Amount

STEPS = 5  # about so many steps between the lowest and the highest number of a scale


def share(value: Amount, top: Amount, foot: Amount) -> float:
    """How far down a value lies between the value at the top and the one at the foot."""
    return float((Fraction(value) - Fraction(top)) / (Fraction(foot) - Fraction(top))) if foot != top else 0.5


def scale(values: Sequence[Amount]) -> list[Fraction]:
    """Round numbers from at or below the least value to at or above the greatest; nought is one if it is near."""
    known = [Fraction(value) for value in values if isfinite(value)]
    low, high = min(known, default=Fraction(0)), max(known, default=Fraction(1))
    if low > 0 and low < (high - low) * Fraction(3, 2):
        low = Fraction(0)
    if high < 0 and -high < (high - low) * Fraction(3, 2):
        high = Fraction(0)
    high = high if high > low else low + 1
    step = round_step((high - low) / STEPS)
    return [step * count for count in range(floor(low / step), ceil(high / step) + 1)]


def round_step(rough: Fraction, *, least: Fraction | None = None) -> Fraction:
    """The smallest of 1, 2, 5, 10 ... times a power of ten that is not below `rough`, nor below `least`."""
    wanted = max(rough, least) if least is not None else rough
    power = Fraction(1)
    while power > wanted:
        power /= 10
    while power * 10 <= wanted:
        power *= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= wanted)


def apart(wished: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Heights near the wished ones, none nearer to another than the gap, all from low to high where they fit.

    Neighbours that would touch form a block around the mean of what its members wished; order is kept.
    """
    order = sorted(range(len(wished)), key=lambda index: (wished[index], index))
    blocks: list[tuple[float, int]] = []  # the height of a block's first member, and how many it has
    for index in order:
        blocks.append((wished[index], 1))
        while len(blocks) > 1 and blocks[-2][0] + gap * blocks[-2][1] > blocks[-1][0]:
            (above, count), (below, more) = blocks[-2], blocks[-1]
            together = (above * count + (below - gap * count) * more) / (count + more)
            blocks[-2:] = [(together, count + more)]
    heights = [start + gap * place for start, count in blocks for place in range(count)]
    heights = _kept_within(heights, gap, low, high)
    placed = dict(zip(order, heights, strict=True))
    return [round(placed[index], 1) for index in range(len(wished))]


def _kept_within(heights: list[float], gap: float, low: float, high: float) -> list[float]:
    """Heights in order, pushed back into the range from either end; the upper end counts more."""
    for place in reversed(range(len(heights))):
        most = high if place == len(heights) - 1 else heights[place + 1] - gap
        heights[place] = min(heights[place], most)
    for place in range(len(heights)):
        least = low if place == 0 else heights[place - 1] + gap
        heights[place] = max(heights[place], least)
    return heights
