"""The places of everybody, round by round: a bump chart.

Everyone has a row of the picture in each round, those who share a place as well: they take the rows that the place
leaves free (1, 2, 2, 4), with a band that holds them together. So no line hides another, and no label meets one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.web.charts.drawing import (
    HIGHLIGHTS,
    Drawing,
    Frame,
    Point,
    Series,
    Variant,
    box,
    css_of,
    curve,
    figure,
    join,
    ranks_of,
    ruled,
    step_margin,
    steps_named,
    table_of,
    widest,
    written,
)

ROW = 24.0
TALL = 10  # from so many rows on, the rounds are named above as well
NONE = "–"


@dataclass(frozen=True, slots=True)
class Bumps:
    """What all lines of one drawing share. `rows` has the row of each series in each round, None where it has none."""

    frame: Frame
    variant: Variant
    series: Sequence[Series]
    rows: Sequence[Sequence[int | None]]
    ends: Sequence[int]
    ranks: dict[str, int]
    places_room: float

    @property
    def count(self) -> int:
        """How many rounds there are."""
        return max((len(rows) for rows in self.rows), default=0)

    def across(self, step: int) -> float:
        """The x of a round."""
        return self.frame.across(step, self.count)

    def down(self, row: int) -> float:
        """The y of a row."""
        return round(self.frame.top + ROW * (row + 0.5), 1)


def bump_chart(
    series: Sequence[Series],
    *,
    rounds: Sequence[object],
    title: str,
    highlight: Iterable[str] = (),
    description: str = "",
) -> SafeString:
    """Places after each round, best at the top; up to three series (by label) are brought out, the rest muted."""
    strong = list(highlight)
    rows = rows_of(series)
    ends = end_rows(rows)
    taken = [row for line in rows for row in line if row is not None]
    depth = max([2, *(row + 1 for row in (*taken, *ends))])

    def draw(variant: Variant) -> Drawing:
        places_room = widest([*range(1, depth + 1), *(_place(line, len(line.values) - 1) for line in series)])
        names = widest((line.label for line in series), variant.label_room)
        both = variant.is_wide and len(rounds) > 1
        top = 24.0 if depth > TALL else 4.0
        frame = Frame(
            width=variant.width,
            height=top + ROW * depth + 26,
            left=max(places_room + 16 + (names + 10 if both else 0), step_margin(rounds)),
            right=max(places_room + names + 28, step_margin(rounds)),
            top=top,
        )
        bumps = Bumps(frame, variant, series, rows, ends, ranks_of(series, strong), places_room)
        return Drawing(frame, join([_ground(bumps, depth, rounds), *_lines(bumps)]))

    return figure(title, draw, table_of(_("Name"), rounds, series), description=description)


def rows_of(series: Sequence[Series]) -> list[list[int | None]]:
    """The row of each series in each round: that of its place, or the next free one below where it shares it.

    Who shares a place keeps the order of the round before; at first that in which the series are given.
    """
    count = max((len(line.values) for line in series), default=0)
    rows: list[list[int | None]] = [[None] * len(line.values) for line in series]
    before = list(range(len(series)))
    for step in range(count):
        known = [
            (int(value), before[index], index)
            for index, line in enumerate(series)
            if step < len(line.values) and (value := line.values[step]) is not None
        ]
        lowest = -1
        for place, _before, index in sorted(known):
            lowest = max(place - 1, lowest + 1)
            rows[index][step] = before[index] = lowest
    return rows


def end_rows(rows: Sequence[Sequence[int | None]]) -> list[int]:
    """The row of each name at the right: where its line ends; those without a place below all others."""
    lasts = [line[-1] if line else None for line in rows]
    free = max((row for row in lasts if row is not None), default=-1)
    ends: list[int] = []
    for row in lasts:
        free += row is None
        ends.append(free if row is None else row)
    return ends


# The ground


def _ground(bumps: Bumps, depth: int, rounds: Sequence[object]) -> SafeString:
    frame, variant = bumps.frame, bumps.variant
    numbered = max((row + 1 for rows in bumps.rows for row in rows if row is not None), default=0)
    lines = [ruled(frame.left, bumps.down(row), frame.end, bumps.down(row)) for row in range(numbered)]
    numbers = [
        written(row + 1, frame.left - 12, bumps.down(row), anchor="end", css="axis-number")
        for row in range(numbered)
    ]
    heads = [steps_named(frame, rounds, variant, y=frame.foot + 14)]
    if depth > TALL:
        heads.append(steps_named(frame, rounds, variant, y=frame.top - 12))
    return join([*lines, *numbers, *heads, *_ties(bumps)])


def _ties(bumps: Bumps) -> list[SafeString]:
    """A band behind those who share a place after a round."""
    bands: list[SafeString] = []
    for step in range(bumps.count):
        shared: dict[int, list[int]] = {}
        for line, rows in zip(bumps.series, bumps.rows, strict=True):
            if step < len(rows) and (row := rows[step]) is not None:
                shared.setdefault(int(line.values[step] or 0), []).append(row)
        bands += [
            box(
                bumps.across(step) - 4,
                bumps.down(min(rows)) - 4,
                8,
                ROW * (max(rows) - min(rows)) + 8,
                css="tie",
            )
            for rows in shared.values()
            if len(rows) > 1
        ]
    return bands


# The lines


def _lines(bumps: Bumps) -> list[SafeString]:
    """Every line with its names; muted ones first, so that what matters lies on top."""
    order = sorted(
        range(len(bumps.series)),
        key=lambda index: -bumps.ranks.get(bumps.series[index].label, HIGHLIGHTS + 1),
    )
    return [_line(bumps, index) for index in order]


def _line(bumps: Bumps, index: int) -> SafeString:
    line, rows = bumps.series[index], bumps.rows[index]
    rank = bumps.ranks.get(line.label, 0)
    points: list[Point | None] = [
        None if row is None else (bumps.across(step), bumps.down(row)) for step, row in enumerate(rows)
    ]
    path = curve(points)
    is_gone = not rows or rows[-1] is None
    return format_html(
        '<g class="each {}{}"><title>{}</title>{}<path class="line" stroke-width="{}" d="{}"/>{}{}</g>',
        css_of(rank),
        " gone" if is_gone else "",
        line.label,
        format_html('<path class="hit" d="{}"/>', path) if path else "",
        "3" if rank else "1.75",
        path,
        _marks(bumps, points, is_strong=bool(rank)),
        _names(bumps, line, rows, bumps.ends[index]),
    )


def _marks(bumps: Bumps, points: Sequence[Point | None], *, is_strong: bool) -> SafeString:
    """A dot at every round for who is brought out, at both ends of the line for all; a cross where it breaks off."""
    known = [point for point in points if point is not None]
    if not known:
        return SafeString("")
    roomy = bumps.count < 2 or bumps.across(1) - bumps.across(0) >= 12
    chosen = known if is_strong and roomy else list(dict.fromkeys([known[0], known[-1]]))
    size = "4.5" if is_strong else "3.5"
    if points[-1] is None:
        x, y = chosen.pop()
        cross = format_html(
            '<path class="broken" d="M{} {}l8 8m0 -8l-8 8"/>', round(x - 4, 1), round(y - 4, 1)
        )
    else:
        cross = SafeString("")
    dots = (format_html('<circle class="dot" cx="{}" cy="{}" r="{}"/>', x, y, size) for x, y in chosen)
    return join([*dots, cross])


def _names(bumps: Bumps, line: Series, rows: Sequence[int | None], end: int) -> SafeString:
    """The name with its place at the right, and where there is room at the left as well."""
    frame, room = bumps.frame, bumps.variant.label_room
    right, y = frame.end + 14, bumps.down(end)
    place = _place_shown(bumps, line)
    parts = [
        box(right - 4, y - ROW / 2, frame.width - right + 4, ROW, css="hit"),
        written(place, right + bumps.places_room, y, anchor="end", css="place"),
        written(line.label, right + bumps.places_room + 8, y, room=room),
    ]
    if bumps.variant.is_wide and bumps.count > 1 and rows and rows[0] is not None:
        start = frame.left - 22 - bumps.places_room
        parts.append(written(line.label, start, bumps.down(rows[0]), anchor="end", room=room))
    return join(parts)


def _place_shown(bumps: Bumps, line: Series) -> str:
    """The last place, with = where somebody shares it."""
    step = len(line.values) - 1
    place = _place(line, step)
    sharing = sum(_place(other, step) == place for other in bumps.series)
    return f"{place}=" if place != NONE and sharing > 1 else place


def _place(line: Series, step: int) -> str:
    value = line.values[step] if 0 <= step < len(line.values) else None
    return NONE if value is None else str(int(value))
