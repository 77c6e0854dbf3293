"""Bars of several parts: how many of each kind, row by row."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from league.web.charts.drawing import (
    Drawing,
    Frame,
    Variant,
    box,
    figure,
    join,
    table,
    text_width,
    widest,
    written,
)
from league.web.number_format import decimal_text

ROW = 26.0
THICK = 18.0
SWATCH = 12.0
MOST_PARTS = 5  # kinds that can be told apart: by tone, outline and hatching


@dataclass(frozen=True, slots=True)
class Stack:
    """A named row of counts, one for each part of the chart."""

    label: str
    counts: tuple[int, ...]
    strong: bool = False


def stacked_chart(
    stacks: Sequence[Stack], *, parts: Sequence[str], title: str, of_what: str, description: str = ""
) -> SafeString:
    """Counts as the parts of lying bars, in the order given, with their figures in them; up to five parts."""
    if len(parts) > MOST_PARTS:
        raise ValueError(f"{len(parts)} parts cannot be told apart; {MOST_PARTS} can")
    most = max((sum(stack.counts) for stack in stacks), default=0) or 1

    def draw(variant: Variant) -> Drawing:
        labels = widest((stack.label for stack in stacks), variant.label_room)
        legend, legend_height = _legend(parts, variant)
        head = legend_height + 6
        height = head + 4 + ROW * max(len(stacks), 1)
        frame = Frame(variant.width, height, labels + 14, 8, top=head, bottom=4)
        rows = (_row(frame, place, stack, most=most, variant=variant) for place, stack in enumerate(stacks))
        return Drawing(frame, join([_hatching(variant), legend, *rows]))

    rows = [(stack.label, [decimal_text(count) for count in stack.counts]) for stack in stacks]
    return figure(title, draw, table(of_what, parts, rows), description=description)


def _hatching(variant: Variant) -> SafeString:
    return format_html(
        '<defs><pattern id="{}-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect class="hatch-ground" width="6" height="6"/><line class="hatch" x1="0" x2="0" y1="0" y2="6"/>'
        "</pattern></defs>",
        variant.key,
    )


def _part(x: float, y: float, width: float, height: float, *, number: int, variant: Variant) -> SafeString:
    hatched = format_html(' fill="url(#{}-hatch)"', variant.key) if number == 2 else None
    return box(x, y, width, height, css=f"part p{number + 1}", more=hatched)


def _legend(parts: Sequence[str], variant: Variant) -> tuple[SafeString, float]:
    """The parts' names with a swatch each, in as many lines as they need, and how high that is."""
    x, y, pieces = 2.0, 12.0, []
    for number, part in enumerate(parts):
        width = SWATCH + 6 + text_width(part) + 16
        if x > 2 and x + width > variant.width:
            x, y = 2.0, y + 20
        pieces.append(_part(x, y - SWATCH / 2, SWATCH, SWATCH, number=number, variant=variant))
        pieces.append(written(part, x + SWATCH + 6, y, room=variant.width - SWATCH - 12))
        x += width
    return join(pieces), y + 12 if parts else 0.0


def _row(frame: Frame, place: int, stack: Stack, *, most: int, variant: Variant) -> SafeString:
    y = frame.top + ROW * (place + 0.5)
    unit = (frame.end - frame.left) / most
    x, pieces = frame.left, []
    for number, count in enumerate(stack.counts):
        if count > 0:
            width = max(unit * count - 2, 1.0)
            pieces.append(_part(x, y - THICK / 2, width, THICK, number=number, variant=variant))
            text = decimal_text(count)
            if text_width(text) + 4 <= width:
                pieces.append(written(text, x + width / 2, y, anchor="middle", css=f"on-p{number + 1}"))
            x += unit * count
    return format_html(
        '<g class="each {}">{}{}</g>',
        "s1" if stack.strong else "muted",
        written(stack.label, frame.left - 8, y, anchor="end", room=variant.label_room),
        join(pieces),
    )
