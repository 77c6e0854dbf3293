"""What all charts share: the two sizes, where things lie, letters and their width, the figure with its table."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import blake2b
from math import ceil

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.web.number_format import decimal_text

Value = int | float | Fraction | None
Amount = int | float | Fraction

TYPE = 13  # the size of a chart's letters, in units of the drawing: about one pixel of the screen
HIGHLIGHTS = 3
STEP_ROOM = 90.0  # what the name of a step may take on an axis

# Widths of letters in parts of their size, somewhat above those of the site's type, bold included.
NARROW_LETTERS = frozenset("ijlIftr.,:;'’|!()[]- /1")
WIDE_LETTERS = frozenset("mwMWOQ@%—…ÆŒæœ")


@dataclass(frozen=True, slots=True)
class Series:
    """A named line: one value a round, None where there is none (not yet in, withdrawn)."""

    label: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the two drawings of a chart: how wide, how much room a name may take, how many steps are named.

    `key` begins the ids of this very drawing.
    """

    name: str
    width: int
    label_room: float
    steps: int
    key: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether there is room for names at both ends."""
        return self.name == "wide"


VARIANTS = (
    Variant("wide", width=760, label_room=190, steps=20),
    Variant("narrow", width=350, label_room=132, steps=8),
)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the drawing's area lies within the picture: (0, 0) is the picture's upper left corner."""

    width: int
    height: float
    left: float
    right: float
    top: float = 14.0
    bottom: float = 26.0

    @property
    def end(self) -> float:
        """The x of the area's right edge."""
        return self.width - self.right

    @property
    def foot(self) -> float:
        """The y of the area's lower edge."""
        return self.height - self.bottom

    def across(self, place: int, count: int) -> float:
        """The x of the place-th of `count` steps."""
        span = self.end - self.left
        return round(self.left + (span * place / (count - 1) if count > 1 else span / 2), 1)

    def down(self, share: float) -> float:
        """The y of a share of the height, 0 at the top, 1 at the foot."""
        return round(self.top + (self.foot - self.top) * share, 1)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished drawing: its frame, and what lies in it."""

    frame: Frame
    body: SafeString


# The figure


def figure(
    title: str, draw: Callable[[Variant], Drawing], table: SafeString, *, description: str = ""
) -> SafeString:
    """Both drawings and the table; ids are made of the content, so that two charts of one name keep apart."""
    key = "chart-" + blake2b(f"{title}\n{description}\n{table}".encode(), digest_size=5).hexdigest()
    named = [replace(variant, key=f"{key}-{variant.name}") for variant in VARIANTS]
    pictures = join(_picture(variant, draw(variant), title, description) for variant in named)
    return format_html(
        '<figure class="chart">{}<details class="more"><summary>{}</summary>'
        '<div class="table-frame compact sticky" role="region" tabindex="0" aria-label="{}">{}</div>'
        "</details></figure>",
        pictures,
        _("The same as a table"),
        title,
        table,
    )


def _picture(variant: Variant, drawing: Drawing, title: str, description: str) -> SafeString:
    return format_html(
        '<svg class="{name}" viewBox="0 0 {width} {height}" direction="ltr" role="img" '
        'aria-labelledby="{key}-title {key}-desc">'
        '<title id="{key}-title">{title}</title><desc id="{key}-desc">{description}</desc>{body}</svg>',
        name=variant.name,
        width=drawing.frame.width,
        height=ceil(drawing.frame.height),
        key=variant.key,
        title=title,
        description=description or _("The figures are in the table below the picture."),
        body=drawing.body,
    )


def table(
    first: str, columns: Sequence[object], rows: Iterable[tuple[object, Sequence[object]]]
) -> SafeString:
    """The figures behind a picture: a head, and a row a name."""
    heads = format_html_join("", '<th scope="col" class="number">{}</th>', ((column,) for column in columns))
    body = format_html_join(
        "",
        '<tr><th scope="row">{}</th>{}</tr>',
        (
            (name, format_html_join("", '<td class="number">{}</td>', ((cell,) for cell in cells)))
            for name, cells in rows
        ),
    )
    return format_html(
        '<table><thead><tr><th scope="col">{}</th>{}</tr></thead><tbody>{}</tbody></table>',
        first,
        heads,
        body,
    )


def table_of(first: str, columns: Sequence[object], series: Sequence[Series]) -> SafeString:
    """The table of lines: a row a line, a column a step."""
    return table(
        first, columns, ((line.label, [decimal_text(value) for value in line.values]) for line in series)
    )


def join(parts: Iterable[SafeString]) -> SafeString:
    """Safe pieces, one after the other."""
    return mark_safe("".join(parts))  # noqa: S308 - each piece is safe


# Marks


def written(
    text: object, x: float, y: float, *, anchor: str = "start", css: str = "", room: float = 0
) -> SafeString:
    """Text whose middle stands at the height y, shortened where `room` says how wide it may be."""
    return format_html(
        '<text{} x="{}" y="{}" font-size="{}"{}>{}</text>',
        format_html(' class="{}"', css) if css else "",
        round(x, 1),
        round(y + 4.5, 1),
        TYPE,
        format_html(' text-anchor="{}"', anchor) if anchor != "start" else "",
        shortened(str(text), room) if room else text,
    )


def ruled(x1: float, y1: float, x2: float, y2: float, css: str = "grid") -> SafeString:
    """A straight line."""
    return format_html(
        '<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>',
        css,
        round(x1, 1),
        round(x2, 1),
        round(y1, 1),
        round(y2, 1),
    )


def box(
    x: float, y: float, width: float, height: float, *, css: str = "bar", more: SafeString | None = None
) -> SafeString:
    """A rectangle with soft corners."""
    return format_html(
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="3"{}/>',
        css,
        round(x, 1),
        round(y, 1),
        round(width, 1),
        round(height, 1),
        more or "",
    )


def step_margin(steps: Sequence[object]) -> float:
    """The room beside the area that the name of its first or last step needs."""
    return widest(steps, STEP_ROOM) / 2 + 2


def steps_named(frame: Frame, steps: Sequence[object], variant: Variant, *, y: float) -> SafeString:
    """The names of the steps, as many as there is room for; the last is always among them."""
    texts = [shortened(str(step), STEP_ROOM) for step in steps]
    room = widest(texts) + 6
    apart = (frame.end - frame.left) / max(len(texts) - 1, 1)
    # None nearer to the next than its width, and no more than can be read in passing.
    every = next((n for n in range(1, len(texts)) if n * apart >= room), max(len(texts), 1))
    every = max(every, ceil(len(texts) / variant.steps))
    return join(
        written(text, frame.across(place, len(texts)), y, anchor="middle", css="step")
        for place, text in enumerate(texts)
        if (len(texts) - 1 - place) % every == 0
    )


def ranks_of(series: Sequence[Series], strong: Iterable[str]) -> dict[str, int]:
    """Which lines are brought out: up to three, numbered by the order in which they were asked for."""
    present = {line.label for line in series}
    chosen = [label for label in dict.fromkeys(strong) if label in present][:HIGHLIGHTS]
    return {label: place for place, label in enumerate(chosen, start=1)}


def css_of(rank: int) -> str:
    """The class of a line: brought out, or muted."""
    return f"s{rank}" if rank else "muted"


# Letters


def text_width(text: str, size: float = TYPE) -> float:
    """How wide the text is at most, near enough: a script's letters as wide as its kind usually is."""
    return sum(_letter_width(letter) for letter in text) * size


def _letter_width(letter: str) -> float:
    if letter in NARROW_LETTERS:
        return 0.36
    if letter in WIDE_LETTERS:
        return 0.92
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if not letter.isascii() and not letter.isalpha():
        return 0.8
    return 0.66 if letter.isupper() else 0.54


def shortened(text: str, room: float) -> str:
    """The text, cut with an ellipsis where it is wider than the room."""
    if text_width(text) <= room:
        return text
    kept = text
    while kept and text_width(kept.rstrip() + "…") > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def widest(texts: Iterable[object], room: float = float("inf")) -> float:
    """The width of the widest text once each is cut to the room."""
    return max((text_width(shortened(str(text), room)) for text in texts), default=0.0)


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
