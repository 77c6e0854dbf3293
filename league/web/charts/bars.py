"""Lying bars: named amounts, and a pair's matches in order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.web.charts.drawing import (
    STEP_ROOM,
    Amount,
    Drawing,
    Frame,
    Variant,
    box,
    figure,
    join,
    ruled,
    table,
    text_width,
    widest,
    written,
)
from league.web.charts.scales import share
from league.web.number_format import decimal_text, signed_text

ROW = 26.0
THICK = 16.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A named amount; `strong` brings it out."""

    label: str
    value: Amount
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """A match seen from one pair: when, against whom, the score in words, and by how much it was won or lost.

    `outcome` is W, D or L. Without a difference (a walkover) no bar is drawn, only what `score` says.
    """

    step: str
    opponent: str
    score: str
    difference: int | None
    outcome: str


@dataclass(frozen=True, slots=True)
class Ends:
    """The amounts at the left and the right edge; nought lies between them."""

    low: Fraction
    high: Fraction

    def across(self, frame: Frame, value: Amount) -> float:
        """The x of an amount."""
        return frame.left + (frame.end - frame.left) * share(value, self.low, self.high)


def bar_chart(bars: Sequence[Bar], *, title: str, amount: str, description: str = "") -> SafeString:
    """Named amounts as lying bars, in the order given; negative ones go to the left. `amount` names the figure."""
    ends = _ends([bar.value for bar in bars])

    def draw(variant: Variant) -> Drawing:
        room = widest([decimal_text(bar.value) for bar in bars]) + 12
        labels = widest((bar.label for bar in bars), variant.label_room)
        lead = room if ends.low < 0 else 0
        frame = Frame(variant.width, 8 + ROW * max(len(bars), 1), labels + 14 + lead, room, top=4, bottom=4)
        rows = (
            _bar(frame, place, bar, ends, label_x=labels + 6, room=variant.label_room)
            for place, bar in enumerate(bars)
        )
        return Drawing(frame, join([_nought(frame, ends), *rows]))

    rows = [(bar.label, [decimal_text(bar.value)]) for bar in bars]
    return figure(title, draw, table(_("Name"), [amount], rows), description=description)


def form_chart(matches: Sequence[Played], *, title: str, description: str = "") -> SafeString:
    """A pair's matches in order: won to the right, lost to the left, as far as by how many points."""
    ends = _ends([match.difference or 0 for match in matches])

    def draw(variant: Variant) -> Drawing:
        steps = widest((match.step for match in matches), STEP_ROOM)
        names = widest((match.opponent for match in matches), variant.label_room)
        figures = widest(signed_text(match.difference) for match in matches) + 10
        letter = 22.0
        left = steps + names + 24
        frame = Frame(
            variant.width, 8 + ROW * max(len(matches), 1), left + figures, figures + letter, top=4, bottom=4
        )
        columns = (steps + 2, steps + 12, frame.width - 10)
        rows = (
            _match(
                frame,
                place,
                match,
                ends,
                columns=columns,
                room=variant.label_room,
                lane=(frame.left - figures + 4, frame.end + figures - 4),
            )
            for place, match in enumerate(matches)
        )
        return Drawing(frame, join([_nought(frame, ends), *rows]))

    columns = [_("Opponent"), _("Score"), _("Difference"), _("Result")]
    lines = [
        (match.step, [match.opponent, match.score, signed_text(match.difference), _outcome(match.outcome)])
        for match in matches
    ]
    return figure(title, draw, table(_("Round"), columns, lines), description=description)


def _ends(values: Sequence[Amount]) -> Ends:
    low, high = (Fraction(end([0, *values])) for end in _EXTREMES)
    return Ends(low, high) if low != high else Ends(Fraction(0), Fraction(1))


_EXTREMES: tuple[Callable[[Sequence[Amount]], Amount], ...] = (min, max)


def _nought(frame: Frame, ends: Ends) -> SafeString:
    x = ends.across(frame, 0)
    return ruled(x, frame.top, x, frame.foot, "axis")


def _bar(frame: Frame, place: int, bar: Bar, ends: Ends, *, label_x: float, room: float) -> SafeString:
    y = frame.top + ROW * (place + 0.5)
    return format_html(
        '<g class="each {}">{}{}{}</g>',
        "s1" if bar.strong else "muted",
        written(bar.label, label_x, y, anchor="end", room=room),
        _stroke(frame, ends, bar.value, y, "bar"),
        _figure(frame, ends, bar.value, decimal_text(bar.value), y),
    )


def _stroke(frame: Frame, ends: Ends, value: Amount, y: float, css: str) -> SafeString:
    """The bar itself, at least a hair wide."""
    zero, end = ends.across(frame, 0), ends.across(frame, value)
    width = max(abs(end - zero), 1.0)
    return box(zero if value >= 0 else zero - width, y - THICK / 2, width, THICK, css=css)


def _figure(frame: Frame, ends: Ends, value: Amount, text: str, y: float) -> SafeString:
    """The figure beyond the bar's end, on the side to which it goes."""
    x = ends.across(frame, value)
    if value < 0:
        return written(text, x - 6, y, anchor="end", css="figure")
    return written(text, x + 6, y, css="figure")


def _match(
    frame: Frame,
    place: int,
    match: Played,
    ends: Ends,
    *,
    columns: tuple[float, float, float],
    room: float,
    lane: tuple[float, float],
) -> SafeString:
    """A match in its row; `lane` is where bars and figures may lie, from the left to the right."""
    y = frame.top + ROW * (place + 0.5)
    step_x, name_x, letter_x = columns
    css = {"W": "won", "L": "lost"}.get(match.outcome, "drawn")
    if match.difference is None:
        bar = _words(match.score, ends.across(frame, 0), y, lane)
    else:
        bar = join(
            [
                _stroke(frame, ends, match.difference, y, "bar") if match.difference else SafeString(""),
                _figure(frame, ends, match.difference, signed_text(match.difference), y),
            ]
        )
    return format_html(
        '<g class="each {}"><title>{}</title>{}{}{}{}</g>',
        css,
        f"{match.step}, {match.opponent}: {match.score}",
        written(match.step, step_x, y, anchor="end", css="step", room=STEP_ROOM),
        written(match.opponent, name_x, y, room=room),
        bar,
        written(_letter(match.outcome), letter_x, y, anchor="middle", css="letter"),
    )


def _words(text: str, nought: float, y: float, lane: tuple[float, float]) -> SafeString:
    """Words in place of a bar: right of nought, else left of it, else over it in the middle of the lane."""
    low, high = lane
    width = text_width(text)
    if nought + 6 + width <= high:
        return written(text, nought + 6, y, css="figure")
    if nought - 6 - width >= low:
        return written(text, nought - 6, y, anchor="end", css="figure")
    return written(text, (low + high) / 2, y, anchor="middle", css="figure", room=high - low)


def _letter(outcome: str) -> str:
    match outcome:
        case "W":
            return pgettext("letter for a match won", "W")
        case "L":
            return pgettext("letter for a match lost", "L")
        case "D":
            return pgettext("letter for a match drawn", "D")
    return ""


def _outcome(outcome: str) -> str:
    return {"W": _("won"), "D": _("drawn"), "L": _("lost")}.get(outcome, "–")
