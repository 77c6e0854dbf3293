"""Small charts as SVG, drawn by the server: they print, need no script, and have their figures in a table behind.

Colours come from static/css/components.css by classes (s1, s2, s3 for what is brought out, the rest muted). Each
chart is drawn twice, wide and narrow, because letters in a scaled picture would be too small on a phone; the style
sheet shows the one that fits.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.figures import decimal_text

Value = int | float | None

LETTER = 6.4  # the mean width of a letter of the charts' type, in units of the drawing
LINE_GAP = 15.0  # two labels stand at least this far apart
HIGHLIGHTS = 3


@dataclass(frozen=True, slots=True)
class Series:
    """A named line: one value a round, None where there is none (not yet in, withdrawn)."""

    label: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A named amount; `strong` brings it out."""

    label: str
    value: int | float
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the drawing's area lies within the picture: (0, 0) is the picture's upper left corner."""

    width: int
    height: float
    left: float
    right: float
    top: float = 14.0
    bottom: float = 26.0

    def across(self, place: int, count: int) -> float:
        """The x of the place-th of `count` steps."""
        span = self.width - self.left - self.right
        return round(self.left + (span * place / (count - 1) if count > 1 else span / 2), 1)

    def down(self, share: float) -> float:
        """The y of a share of the height, 0 at the top, 1 at the foot."""
        return round(self.top + (self.height - self.top - self.bottom) * share, 1)


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the two drawings of a chart."""

    name: str
    width: int
    label_letters: int
    steps: int


@dataclass(frozen=True, slots=True)
class Lines:
    """What all lines of one drawing share: where they lie, which are brought out, what stands at their ends."""

    frame: Frame
    variant: Variant
    ranks: dict[str, int]
    labels: dict[str, str]
    foot: float
    top: float

    def down(self, value: float) -> float:
        """The y of a value."""
        return self.frame.down(_share(value, self.top, self.foot))


VARIANTS = (
    Variant("wide", width=680, label_letters=26, steps=16),
    Variant("narrow", width=350, label_letters=19, steps=8),
)


def bump_chart(
    series: Sequence[Series],
    *,
    rounds: Sequence[object],
    title: str,
    highlight: Iterable[str] = (),
    description: str = "",
) -> SafeString:
    """Places after each round, best at the top; up to three series (by label) are brought out, the rest muted."""
    depth = max((int(value) for line in series for value in line.values if value is not None), default=1)
    ranks = _ranks(series, list(highlight))

    def draw(variant: Variant) -> SafeString:
        labels = {line.label: f"{line.values[-1] or '–'}  {line.label}" for line in series if line.values}
        frame = Frame(
            width=variant.width,
            height=40 + 25 * max(depth, 2),
            left=26,
            right=_label_room(labels.values(), variant),
        )
        lines = Lines(frame, variant, ranks, labels, foot=depth, top=1)
        body = _places(frame, depth) + _steps(frame, rounds, variant) + _lines(lines, series)
        return _picture(variant, frame, title, description, body)

    return _figure(title, draw, _table(_("Pair"), rounds, series))


def line_chart(
    series: Sequence[Series],
    *,
    steps: Sequence[object],
    title: str,
    highlight: Iterable[str] = (),
    description: str = "",
    of_what: str = "",
) -> SafeString:
    """Amounts over steps, with a scale of round numbers at the left; `of_what` heads the table's first column."""
    known = [value for line in series for value in line.values if value is not None]
    ticks = _ticks(min(known, default=0), max(known, default=1))
    ranks = _ranks(series, list(highlight) or [line.label for line in series[:1]])

    def draw(variant: Variant) -> SafeString:
        labels = {line.label: line.label for line in series} if len(series) > 1 else {}
        frame = Frame(
            width=variant.width,
            height=220,
            left=14 + LETTER * max(len(decimal_text(tick)) for tick in ticks),
            right=_label_room(labels.values(), variant),
        )
        lines = Lines(frame, variant, ranks, labels, foot=ticks[0], top=ticks[-1])
        body = _scale(frame, ticks) + _steps(frame, steps, variant) + _lines(lines, series)
        return _picture(variant, frame, title, description, body)

    return _figure(title, draw, _table(of_what or _("Name"), steps, series))


def bar_chart(bars: Sequence[Bar], *, title: str, amount: str, description: str = "") -> SafeString:
    """Named amounts as lying bars, in the order given; negative ones go to the left. `amount` names the figure."""
    values = [bar.value for bar in bars]
    ends = (min([0, *values]), max([0, *values]))
    ends = ends if ends != (0, 0) else (0, 1)

    def draw(variant: Variant) -> SafeString:
        left = 8 + LETTER * min(max((len(bar.label) for bar in bars), default=1), variant.label_letters)
        room = LETTER * max((len(decimal_text(value)) for value in values), default=1) + 10
        frame = Frame(variant.width, 8 + 26 * max(len(bars), 1), left, right=room, top=4, bottom=4)
        body = format_html_join(
            "",
            "{}",
            ((_bar(frame, place, bar, ends, variant.label_letters),) for place, bar in enumerate(bars)),
        )
        return _picture(variant, frame, title, description, body)

    lines = [Series(bar.label, (bar.value,)) for bar in bars]
    return _figure(title, draw, _table(_("Name"), [amount], lines))


# Parts of a drawing


def _picture(variant: Variant, frame: Frame, title: str, description: str, body: SafeString) -> SafeString:
    key = f"chart-{slugify(title)}-{variant.name}"
    return format_html(
        '<svg class="{name}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{key}-title {key}-desc">'
        '<title id="{key}-title">{title}</title><desc id="{key}-desc">{description}</desc>{body}</svg>',
        name=variant.name,
        width=frame.width,
        height=round(frame.height),
        key=key,
        title=title,
        description=description or _("The figures are in the table below the picture."),
        body=body,
    )


def _figure(title: str, draw: Callable[[Variant], SafeString], table: SafeString) -> SafeString:
    pictures = format_html_join("", "{}", ((draw(variant),) for variant in VARIANTS))
    return format_html(
        '<figure class="chart">{}<details class="more"><summary>{}</summary>'
        '<div class="table-frame compact sticky" role="region" tabindex="0" aria-label="{}">{}</div>'
        "</details></figure>",
        pictures,
        _("The same as a table"),
        title,
        table,
    )


def _table(first: str, columns: Sequence[object], series: Sequence[Series]) -> SafeString:
    heads = format_html_join("", '<th scope="col" class="number">{}</th>', ((column,) for column in columns))
    rows = format_html_join(
        "",
        '<tr><th scope="row">{}</th>{}</tr>',
        (
            (
                line.label,
                format_html_join(
                    "", '<td class="number">{}</td>', ((decimal_text(value),) for value in line.values)
                ),
            )
            for line in series
        ),
    )
    return format_html(
        '<table><thead><tr><th scope="col">{}</th>{}</tr></thead><tbody>{}</tbody></table>',
        first,
        heads,
        rows,
    )


def _places(frame: Frame, depth: int) -> SafeString:
    return format_html_join(
        "",
        '<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        '<text x="{}" y="{}" font-size="13" text-anchor="end">{}</text>',
        (
            (frame.left, frame.width - frame.right, y, y, frame.left - 12, y + 4.5, place)
            for place in range(1, depth + 1)
            for y in [frame.down(_share(place, 1, depth))]
        ),
    )


def _scale(frame: Frame, ticks: Sequence[int | float]) -> SafeString:
    return format_html_join(
        "",
        '<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        '<text x="{}" y="{}" font-size="13" text-anchor="end">{}</text>',
        (
            (
                "axis" if tick == 0 else "grid",
                frame.left,
                frame.width - frame.right,
                y,
                y,
                frame.left - 8,
                y + 4.5,
                decimal_text(tick),
            )
            for tick in ticks
            for y in [frame.down(_share(tick, ticks[-1], ticks[0]))]
        ),
    )


def _steps(frame: Frame, steps: Sequence[object], variant: Variant) -> SafeString:
    every = ceil(len(steps) / variant.steps) if steps else 1
    return format_html_join(
        "",
        '<text x="{}" y="{}" font-size="13" text-anchor="middle">{}</text>',
        (
            (frame.across(place, len(steps)), frame.height - 6, step)
            for place, step in enumerate(steps)
            if (len(steps) - 1 - place) % every == 0
        ),
    )


def _lines(lines: Lines, series: Sequence[Series]) -> SafeString:
    """Every line with its label at the right; muted ones first, so that what matters lies on top."""
    lasts = ((line.label, line.values[-1]) for line in series if line.values)
    heights = _apart([(label, lines.down(last)) for label, last in lasts if last is not None])
    ordered = sorted(series, key=lambda line: -lines.ranks.get(line.label, HIGHLIGHTS + 1))
    return format_html_join("", "{}", ((_line(lines, line, heights),) for line in ordered))


def _line(lines: Lines, line: Series, heights: dict[str, float]) -> SafeString:
    frame, rank, count = lines.frame, lines.ranks.get(line.label, 0), len(line.values)
    points = [
        None if value is None else (frame.across(place, count), lines.down(value))
        for place, value in enumerate(line.values)
    ]
    known = [point for point in points if point is not None]
    dots = format_html_join(
        "", '<circle class="dot" cx="{}" cy="{}" r="4.5" stroke-width="1.5"/>', known[-1:] if rank else []
    )
    return format_html(
        '<g class="{}"><title>{}</title><path class="line" stroke-width="{}" d="{}"/>{}{}</g>',
        f"s{rank}" if rank else "muted",
        line.label,
        "2.75" if rank else "1.75",
        _path(points),
        dots,
        _end_label(lines, line.label, heights),
    )


def _end_label(lines: Lines, label: str, heights: dict[str, float]) -> SafeString:
    if label not in lines.labels or label not in heights:
        return SafeString("")
    return format_html(
        '<text x="{}" y="{}" font-size="13" xml:space="preserve">{}</text>',
        round(lines.frame.width - lines.frame.right + 12, 1),
        heights[label] + 4.5,
        _shortened(lines.labels[label], lines.variant.label_letters),
    )


def _bar(frame: Frame, place: int, bar: Bar, ends: tuple[float, float], letters: int) -> SafeString:
    low, high = ends
    span = frame.width - frame.left - frame.right
    zero = frame.left + span * (0 - low) / (high - low)
    end = frame.left + span * (bar.value - low) / (high - low)
    y = frame.top + 26 * place
    return format_html(
        '<g class="{css}"><text x="{label_x}" y="{text_y}" font-size="13" text-anchor="end">{label}</text>'
        '<rect class="bar" x="{x}" y="{y}" width="{width}" height="16" rx="3"/>'
        '<text x="{value_x}" y="{text_y}" font-size="13">{value}</text></g>',
        css="s1" if bar.strong else "muted",
        label_x=round(frame.left - 8, 1),
        text_y=y + 17,
        label=_shortened(bar.label, letters),
        x=round(min(zero, end), 1),
        y=y + 4,
        width=round(max(abs(end - zero), 1), 1),
        value_x=round(max(zero, end) + 6, 1),
        value=decimal_text(bar.value),
    )


# Sums


def _share(value: float, top: float, foot: float) -> float:
    """How far down a value lies between the value at the top and the one at the foot."""
    return (value - top) / (foot - top) if foot != top else 0.5


def _ranks(series: Sequence[Series], strong: Sequence[str]) -> dict[str, int]:
    present = {line.label for line in series}
    chosen = [label for label in strong if label in present][:HIGHLIGHTS]
    return {label: place for place, label in enumerate(chosen, start=1)}


def _path(points: Sequence[tuple[float, float] | None]) -> str:
    """Gentle curves through the points, level at each of them; a gap where a point is missing."""
    steps: list[str] = []
    before: tuple[float, float] | None = None
    for point in points:
        if point is not None:
            x, y = point
            if before is None:
                steps.append(f"M{x} {y}")
            else:
                middle = round((before[0] + x) / 2, 1)
                steps.append(f"C{middle} {before[1]} {middle} {y} {x} {y}")
        before = point
    return "".join(steps)


def _apart(ends: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Heights for labels, in order from the top, none nearer to the one above than a line of text."""
    heights: dict[str, float] = {}
    lowest = float("-inf")
    for label, height in sorted(ends, key=lambda end: end[1]):
        lowest = max(height, lowest + LINE_GAP)
        heights[label] = round(lowest, 1)
    return heights


def _label_room(labels: Iterable[str], variant: Variant) -> float:
    longest = max((len(_shortened(label, variant.label_letters)) for label in labels), default=0)
    return 18 + LETTER * longest if longest else 12


def _shortened(label: str, letters: int) -> str:
    return label if len(label) <= letters else label[: letters - 1].rstrip() + "…"


def _ticks(low: int | float, high: int | float) -> list[int | float]:
    """Round numbers from at or below `low` to at or above `high`, four to seven of them; nought is one if near."""
    if low > 0 and low < (high - low) * 1.5:
        low = 0
    high = high if high > low else low + 1
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [round(step * count, 6) for count in range(floor(low / step), ceil(high / step) + 1)]
