"""Amounts over steps: a line chart with a scale of round numbers."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

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
    css_of,
    figure,
    join,
    ranks_of,
    ruled,
    step_margin,
    steps_named,
    straight,
    table_of,
    widest,
    written,
)
from league.web.charts.scales import apart, scale, share
from league.web.number_format import decimal_text

LINE_GAP = 15.0  # two labels stand at least this far apart
LEADER = 20.0  # at least so far from a line's end stands its name; further where a step's name comes between
HEIGHT = 230.0


@dataclass(frozen=True, slots=True)
class Lines:
    """What all lines of one drawing share: where they lie, which are brought out, where their names stand."""

    frame: Frame
    variant: Variant
    ticks: Sequence[Fraction]
    ranks: Mapping[str, int]
    heights: Sequence[float | None]
    values_room: float
    lead: float  # the room in which a line's end and its name are joined

    def down(self, value: float | Fraction) -> float:
        """The y of a value."""
        return self.frame.down(share(value, self.ticks[-1], self.ticks[0]))


def line_chart(
    series: Sequence[Series],
    *,
    steps: Sequence[object],
    title: str,
    highlight: Iterable[str] = (),
    description: str = "",
    of_what: str = "",
    marked: Collection[int] = (),
    here: int | None = None,
) -> SafeString:
    """Amounts over steps, with a scale of round numbers at the left; `of_what` heads the table's first column.

    The first line has a dot at each step that is `marked`; a rule stands at the step `here`.
    """
    ticks = scale([value for line in series for value in line.values if value is not None])
    ranks = ranks_of(series, list(highlight) or [line.label for line in series[:1]])
    is_named = len(series) > 1
    lasts = [line.values[-1] if line.values else None for line in series]

    def draw(variant: Variant) -> Drawing:
        values_room = widest([decimal_text(last) for last in lasts]) if is_named else 0
        names = widest((line.label for line in series), variant.label_room) if is_named else 0
        lead = max(LEADER, step_margin(steps) + 2)
        frame = Frame(
            width=variant.width,
            height=max(HEIGHT, 40 + LINE_GAP * (len(series) + 1)),
            left=max(12 + widest([decimal_text(tick) for tick in ticks]), step_margin(steps)),
            right=names + values_room + lead + 18 if is_named else max(14.0, step_margin(steps)),
        )
        bare = Lines(frame, variant, ticks, ranks, [None] * len(series), values_room, lead)
        lines = replace(bare, heights=_heights(bare, lasts)) if is_named else bare
        order = sorted(range(len(series)), key=lambda index: -ranks.get(series[index].label, HIGHLIGHTS + 1))
        ground = [_scale(lines), steps_named(frame, steps, variant, y=frame.foot + 16)]
        marks = _marks(lines, series[0], marked, here) if series else SafeString("")
        return Drawing(frame, join([*ground, *(_line(lines, series, index) for index in order), marks]))

    return figure(title, draw, table_of(of_what or _("Name"), steps, series), description=description)


def _heights(lines: Lines, lasts: Sequence[float | Fraction | None]) -> list[float | None]:
    """Where each name stands: beside its line's end, or as near as the others let it; below all, without an end."""
    frame = lines.frame
    known = [last for last in lasts if last is not None]
    wished = [lines.down(last) if last is not None else frame.foot for last in lasts]
    if not known:
        return [None] * len(lasts)
    return list(apart(wished, LINE_GAP, 8.0, frame.height - 8.0))


def _scale(lines: Lines) -> SafeString:
    frame = lines.frame
    return join(
        part
        for tick in lines.ticks
        for y in [lines.down(tick)]
        for part in (
            ruled(frame.left, y, frame.end, y, "axis" if tick == 0 else "grid"),
            written(decimal_text(tick), frame.left - 8, y, anchor="end", css="axis-number"),
        )
    )


def _marks(lines: Lines, line: Series, marked: Collection[int], here: int | None) -> SafeString:
    frame, count = lines.frame, len(line.values)
    dots = join(
        format_html(
            '<circle class="marked" cx="{}" cy="{}" r="3.5"/>', frame.across(place, count), lines.down(value)
        )
        for place, value in enumerate(line.values)
        if place in marked and value is not None
    )
    x = frame.across(here, count) if here is not None else 0
    return join([dots, ruled(x, frame.top, x, frame.foot, "here") if here is not None else SafeString("")])


def _line(lines: Lines, series: Sequence[Series], index: int) -> SafeString:
    line, frame = series[index], lines.frame
    rank, count = lines.ranks.get(line.label, 0), len(line.values)
    points: list[Point | None] = [
        None if value is None else (frame.across(place, count), lines.down(value))
        for place, value in enumerate(line.values)
    ]
    known = [point for point in points if point is not None]
    path = straight(points)
    dots = join(
        format_html('<circle class="dot" cx="{}" cy="{}" r="4"/>', x, y)
        for x, y in (known if rank and count <= lines.variant.steps else known[-1:])
        if rank
    )
    return format_html(
        '<g class="each {}"><title>{}</title>{}<path class="line" stroke-width="{}" d="{}"/>{}{}</g>',
        css_of(rank),
        line.label,
        format_html('<path class="hit" d="{}"/>', path) if path else "",
        "2.75" if rank else "1.5",
        path,
        dots,
        _name(lines, line, lines.heights[index], points),
    )


def _name(lines: Lines, line: Series, y: float | None, points: Sequence[Point | None]) -> SafeString:
    """The last value and the name at the right, joined to the line's end where they stand elsewhere."""
    if y is None:
        return SafeString("")
    end = lines.frame.end
    last = points[-1] if points else None
    x = end + lines.lead + lines.values_room
    return join(
        [
            ruled(end + 5, last[1], end + lines.lead - 5, y, "leader") if last else SafeString(""),
            written(decimal_text(line.values[-1] if line.values else None), x, y, anchor="end", css="place"),
            written(line.label, x + 8, y, room=lines.variant.label_room),
        ]
    )
