"""Lines through points."""

from collections.abc import Sequence

Point = tuple[float, float]


def curve(points: Sequence[Point | None]) -> str:
    """Gentle curves through the points, level at each of them; a gap where a point is missing."""
    steps: list[str] = []
    before: Point | None = None
    for point in points:
        if point is not None:
            x, y = point
            if before is None:
                # A line of its own length, so that a single point between gaps is seen as well.
                steps.append(f"M{x} {y}h0")
            else:
                middle = round((before[0] + x) / 2, 1)
                steps.append(f"C{middle} {before[1]} {middle} {y} {x} {y}")
        before = point
    return "".join(steps)


def straight(points: Sequence[Point | None]) -> str:
    """Straight lines from point to point; a gap where a point is missing."""
    steps: list[str] = []
    before: Point | None = None
    for point in points:
        if point is not None:
            steps.append(f"{'L' if before else 'M'}{point[0]} {point[1]}{'' if before else 'h0'}")
        before = point
    return "".join(steps)
