"""How often each result occurred: a histogram, with par and your own result marked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.web.charts.drawing import (
    Amount,
    Drawing,
    Frame,
    Variant,
    box,
    css_of,
    figure,
    join,
    ruled,
    shortened,
    table,
    text_width,
    widest,
    written,
)
from league.web.charts.scales import round_step, share
from league.web.number_format import decimal_text

HEIGHT = 230.0
MOST_BINS = {"wide": 24, "narrow": 12}
COUNTS = 4  # about so many numbers on the scale of counts


@dataclass(frozen=True, slots=True)
class Bins:
    """Neighbouring ranges of equal width, each from its lower bound to just below the next, and what is in them."""

    low: Fraction
    width: Fraction
    counts: tuple[int, ...]

    @property
    def high(self) -> Fraction:
        """The upper bound of the last."""
        return self.low + self.width * len(self.counts)

    def of(self, value: Amount) -> int:
        """The number of the range in which a value lies."""
        return floor((Fraction(value) - self.low) / self.width)


@dataclass(frozen=True, slots=True)
class Histogram:
    """What the pieces of one drawing share."""

    frame: Frame
    bins: Bins
    top: int

    @property
    def column(self) -> float:
        """How wide a column is."""
        return (self.frame.end - self.frame.left) / len(self.bins.counts)

    def across(self, value: Amount) -> float:
        """The x of a value: single values stand in the middle of their range."""
        middle = self.bins.width / 2 if self.bins.width == 1 else 0
        return self.frame.left + (self.frame.end - self.frame.left) * share(
            Fraction(value) + middle, self.bins.low, self.bins.high
        )

    def down(self, count: int) -> float:
        """The y of a count."""
        return self.frame.down(share(count, self.top, 0))


def distribution_chart(
    values: Sequence[Amount],
    *,
    title: str,
    amount: str,
    par: Amount | None = None,
    own: Amount | None = None,
    own_label: str = "",
    description: str = "",
) -> SafeString:
    """How many results of each amount there are, par as a line, your own range highlighted and named.

    `amount` names the figure ("Points of N-S"), `own_label` your own result ("your table" when nothing is said).
    """
    marked = [value for value in (par, own) if value is not None]
    mine = own_label or _("your table")

    def draw(variant: Variant) -> Drawing:
        bins = bins_of(values, marked, most=MOST_BINS[variant.name])
        step = int(round_step(Fraction(max([1, *bins.counts]), COUNTS), least=Fraction(1)))
        top = step * -(-max([1, *bins.counts]) // step)
        heads = 20.0 * len(marked)
        left = 14 + widest([decimal_text(top)])
        frame = Frame(variant.width, HEIGHT + 10 + heads, left, 16, top=24 + heads, bottom=44)
        drawn = Histogram(frame, bins, top)
        pieces = [_counts(drawn, step), *_columns(drawn, own), _bounds(drawn, variant, amount)]
        if own is not None:
            pieces.append(_mark(drawn, own, f"{mine} {decimal_text(own)}", "own", y=frame.top - 10 - heads))
        if par is not None:
            pieces.append(_mark(drawn, par, _par_text(par), "par", y=frame.top - 30))
        return Drawing(frame, join([*pieces, *_figures(drawn)]))

    return figure(title, draw, _table(values, par, own, amount, mine), description=description)


def bins_of(values: Sequence[Amount], more: Sequence[Amount] = (), *, most: int) -> Bins:
    """Ranges with round bounds that hold all values, and `more` besides (uncounted): single ones while they fit."""
    known = [Fraction(value) for value in (*values, *more)]
    low, high = min(known, default=Fraction(0)), max(known, default=Fraction(0))
    width = round_step((high - low + 1) / most, least=Fraction(1))
    while floor(high / width) - floor(low / width) + 1 > most:
        width = round_step(width * Fraction(3, 2), least=Fraction(1))
    first = floor(low / width)
    found = Counter(floor(Fraction(value) / width) - first for value in values)
    count = floor(high / width) - first + 1
    return Bins(first * width, width, tuple(found[number] for number in range(count)))


def _counts(drawn: Histogram, step: int) -> SafeString:
    frame = drawn.frame
    return join(
        part
        for count in range(0, drawn.top + 1, step)
        for y in [drawn.down(count)]
        for part in (
            ruled(frame.left, y, frame.end, y, "grid" if count else "axis"),
            written(decimal_text(count), frame.left - 8, y, anchor="end", css="axis-number"),
        )
    )


def _columns(drawn: Histogram, own: Amount | None) -> list[SafeString]:
    """A column for each range that holds something; yours is highlighted."""
    frame, bins = drawn.frame, drawn.bins
    mine = None if own is None else bins.of(own)
    return [
        format_html(
            '<g class="each {}">{}</g>',
            css_of(int(number == mine)),
            box(x + 1, drawn.down(count), max(drawn.column - 2, 1.0), frame.foot - drawn.down(count)),
        )
        for number, count in enumerate(bins.counts)
        if count
        for x in [frame.left + drawn.column * number]
    ]


def _figures(drawn: Histogram) -> list[SafeString]:
    """The counts above their columns, where they are wide enough; drawn last, so that no mark goes through one."""
    return [
        written(
            decimal_text(count),
            drawn.frame.left + drawn.column * (number + 0.5),
            drawn.down(count) - 9,
            anchor="middle",
            css="figure",
        )
        for number, count in enumerate(drawn.bins.counts)
        if count and text_width(decimal_text(count)) <= drawn.column
    ]


def _bounds(drawn: Histogram, variant: Variant, amount: str) -> SafeString:
    """The values below the columns, as many as there is room for, and below them what they are."""
    frame, bins = drawn.frame, drawn.bins
    marks = [bins.low + bins.width * number for number in range(len(bins.counts) + (bins.width != 1))]
    every = max(1, -(-(widest([decimal_text(mark) for mark in marks]) + 8) // drawn.column))
    named = join(
        written(decimal_text(mark), drawn.across(mark), frame.foot + 14, anchor="middle", css="step")
        for number, mark in enumerate(marks)
        if number % int(every) == 0
    )
    middle = (frame.left + frame.end) / 2
    title = shortened(amount, variant.width - 20)
    return join([named, written(title, middle, frame.foot + 33, anchor="middle")])


def _mark(drawn: Histogram, value: Amount, text: str, css: str, *, y: float) -> SafeString:
    """A line through the picture at a value, with its name above, pushed inwards at the edges."""
    frame = drawn.frame
    x = drawn.across(value)
    label = shortened(text, frame.width - 8)
    half = text_width(label) / 2
    count = drawn.bins.counts[drawn.bins.of(value)]
    foot = drawn.down(count) - 18 if css == "own" and count else frame.foot
    middle = min(max(x, half + 2), frame.width - half - 2)
    return format_html(
        '<g class="mark {}">{}{}</g>',
        css,
        ruled(x, y + 4, x, foot, "at"),
        written(label, middle, y - 6, anchor="middle"),
    )


def _par_text(par: Amount) -> str:
    return _("par %(points)s") % {"points": decimal_text(par)}


def _table(
    values: Sequence[Amount], par: Amount | None, own: Amount | None, amount: str, mine: str
) -> SafeString:
    """Every value with how often it occurred; par and your own are named beside theirs."""
    found = Counter(values)
    marked = [value for value in (par, own) if value is not None]
    rows = []
    for value in sorted({*found, *marked}):
        names = [name for name, at in ((_("par"), par), (mine, own)) if at == value]
        rows.append((decimal_text(value), [decimal_text(found[value]), ", ".join(names) or "–"]))
    return table(amount, [_("How often"), _("Mark")], rows)
