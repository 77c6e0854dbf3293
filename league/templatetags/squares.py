"""The cells of a cross-table: of sixty pairs there are 3,600, too many for a template to decide about each."""

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import pgettext

from league.results.queries.cross_table import Cell, CrossRow, Leg

register = template.Library()

OUTCOMES = {"W": "won", "L": "lost", "D": "drawn"}
SELF = SafeString('<td class="self"></td>')
NONE = SafeString('<span class="none">–</span>')
ANY = 0


@register.simple_tag
def cross_cells(row: CrossRow) -> SafeString:
    """The results of a row's pair against each of the others, each led to its match."""
    # One look for the address of all matches: they differ by their number only.
    before, after = reverse("match", args=[ANY]).rsplit(str(ANY), 1)
    places = (pgettext("at home", "H"), pgettext("away", "A"))
    return mark_safe("".join(_cell(cell, (before, after), places) for cell in row.cells))  # noqa: S308 - safe pieces


def _cell(cell: Cell, address: tuple[str, str], places: tuple[str, str]) -> SafeString:
    if cell.is_self:
        return SELF
    legs = format_html_join(
        "",
        '<div class="{}"><a href="{}{}{}">{}</a> <small class="soft">{}</small></div>',
        (
            (_css(leg), address[0], leg.fixture, address[1], leg.text, places[0 if leg.is_home else 1])
            for leg in cell.legs
        ),
    )
    return format_html('<td data-label="{}">{}</td>', cell.opponent, legs or NONE)


def _css(leg: Leg) -> str:
    outcome = OUTCOMES.get(leg.outcome, "soft to-play")
    return f"{outcome} heat-{leg.strength}" if leg.strength else outcome
