"""Which part of an event's rankings a page shows: all that fits on one, else section by section, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games.comparisons.reckoning.rankings import Ranking, RankingRow
from games.events.queries.event_facts import RankedEvent
from league.models import Competition
from league.web import lookup

#: As many rows stand on a page, whatever the number of fields that share it.
ROWS_A_PAGE = 60
PAIRS_A_PAGE = 120
LONGEST_PAGE = 5


@dataclass(frozen=True, slots=True)
class FieldPart:
    """A field's ranking and the rows of it that are shown."""

    ranking: Ranking
    page: Page[Any]


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """The visitor's row in a ranking of the whole event, and the address where it stands in the list."""

    ranking: Ranking
    row: RankingRow
    url: str


def parts(request: HttpRequest, shown: RankedEvent, here: str) -> dict[str, Any]:
    """What the templates of rankings are drawn from; `here` is the address of the page.

    The query's `section` is a division's level, "" the whole event; `page` counts from 1. Raises Http404 beyond them.
    """
    every = (*shown.whole, *shown.sections)
    fits = sum(len(each.rows) for each in every) <= ROWS_A_PAGE
    wanted = "" if fits else request.GET.get("section", "")
    chosen = [each for each in every if each.level == wanted]
    if wanted and not chosen:
        raise Http404
    tables = paged(request, chosen, ROWS_A_PAGE if fits else _size(chosen))
    return {
        "tables": tables,
        "longest": max(
            (each.page for each in tables), key=lambda page: page.paginator.num_pages, default=None
        ),
        "below": paged(request, shown.sections, ROWS_A_PAGE) if fits else [],
        "sections": [] if fits or not shown.sections else _tabs(every, wanted, here),
        "waiting": lookup.page(request, list(shown.waiting), PAIRS_A_PAGE) if shown.waiting else None,
        "mine": [
            OwnPlace(each, row, _where(each, row, ROWS_A_PAGE if fits else _size(shown.whole), here))
            for each, row in shown.mine
        ],
    }


def paged(request: HttpRequest, fields: Sequence[Ranking], size: int) -> list[FieldPart]:
    """The page that is asked for of each of these fields: of two one may end before the other."""
    asked = request.GET.get("page") or "1"
    if not asked.isascii() or not asked.isdecimal() or len(asked) > LONGEST_PAGE:
        raise Http404
    before = (int(asked) - 1) * size
    chosen = [each for each in fields if before == 0 or len(each.rows) > before]
    if (fields and not chosen) or before < 0:
        raise Http404
    return [FieldPart(each, lookup.page(request, list(each.rows), size)) for each in chosen]


def _size(fields: Sequence[Ranking]) -> int:
    """How many rows of each of these fields a page has."""
    return ROWS_A_PAGE // max(1, len(fields))


def _tabs(every: Sequence[Ranking], wanted: str, here: str) -> list[tuple[str, str, bool]]:
    """Label, address and whether it is shown: the whole event, then each section."""
    names = {each.level: each.section or _("All sections") for each in every}
    return [
        (name, f"{here}?section={level}" if level else here, level == wanted) for level, name in names.items()
    ]


def _where(ranking: Ranking, row: RankingRow, size: int, here: str) -> str:
    number = ranking.rows.index(row) // size + 1
    query = f"?{urlencode({'page': number})}" if number > 1 else ""
    return f"{here}{query}#own-{ranking.anchor}"


def address(competition: Competition, tab: str) -> str:
    """The page that shows the rankings under that tab."""
    if tab == "competition":
        return competition.get_absolute_url()
    return reverse(tab, args=[competition.club.slug, competition.slug])
