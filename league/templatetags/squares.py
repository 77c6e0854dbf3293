"""The cells of a cross-table: of sixty pairs there are 3,600, too many for a template to decide about each."""

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, pgettext

from league.results.queries.cross_table import Cell, CrossRow, InRound, Leg, Opponents, OpponentsRow

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


@register.simple_tag
def round_cells(table: Opponents, row: OpponentsRow) -> SafeString:
    """What a row's pair did in each round: the opponent's number and where, then the result, led to the match."""
    before, after = reverse("match", args=[ANY]).rsplit(str(ANY), 1)
    places = (pgettext("at home", "H"), pgettext("away", "A"))
    label = gettext("Round %(number)d")
    return mark_safe(  # noqa: S308 - safe pieces
        "".join(
            format_html(
                '<td data-label="{}">{}</td>', label % {"number": number}, _met(met, (before, after), places)
            )
            for number, met in zip(table.drawn, row.rounds, strict=True)
        )
    )


def _met(met: InRound, address: tuple[str, str], places: tuple[str, str]) -> SafeString:
    if met.leg is None:
        if not met.is_bye:
            return NONE
        return format_html(
            '<span class="soft">{}</span>', gettext("asked out") if met.is_requested else gettext("bye")
        )
    leg, numbers = met.leg, ", ".join(map(str, met.numbers))
    place = places[0 if leg.is_home else 1]
    if met.partner:
        values = {"partner": met.partner, "others": numbers}
        numbers, place = gettext("%(partner)s v. %(others)s") % values, "·"
    return format_html(
        '<div class="{}"><abbr title="{}">{}</abbr> <small class="soft">{}</small> <a href="{}{}{}">{}</a></div>',
        _css(leg), met.names, numbers, place,
        address[0], leg.fixture, address[1], _result(leg),
    )  # fmt: skip


def _result(leg: Leg) -> str:
    """The result; of a match to come only that it is one: its round stands above."""
    return leg.text if leg.outcome or leg.status == "void" else gettext("to play")


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
    """How it ended, as static/css/statuses.css colours it."""
    outcome = OUTCOMES.get(leg.outcome, "soft to-play")
    walkover = " walkover" if leg.status == "walkover" else ""
    return f"{outcome}{walkover} heat-{leg.strength}" if leg.strength else f"{outcome}{walkover}"
