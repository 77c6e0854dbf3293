"""Scoresheets on paper, to be filled in at the table: one match's, or a whole round's."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.papers.queries.blank_sheets import PaperSheet, paper_sheet, to_print
from games.papers.services import papers
from league.models import Fixture
from league.web import lookup
from league.web.rendering import render_for


@require_safe
def sheet_print(request: HttpRequest, pk: int) -> HttpResponse:
    """One match's sheet, whatever has become of the match: paper may be wanted again."""
    fixture = lookup.fixture(request, pk)
    club = fixture.round.competition.club
    with timezone.override(club.time_zone):
        context = {"sheets": [_sheet(request, fixture)], "back": fixture.get_absolute_url()}
    return render_for(request, club, "games/print_sheets.html", context)


@require_safe
def round_print(request: HttpRequest, club: str, competition: str, number: int) -> HttpResponse:
    """The sheets of all matches of a round that are still to be played, one a page."""
    found = lookup.competition(request, club, competition)
    played = get_object_or_404(found.stage.rounds, number=number)
    with timezone.override(found.club.time_zone):
        sheets = [_sheet(request, fixture) for fixture in to_print(played)]
    context = {"sheets": sheets, "back": reverse("round", args=[club, competition, number])}
    return render_for(request, found.club, "games/print_sheets.html", context)


def _sheet(request: HttpRequest, fixture: Fixture) -> PaperSheet:
    # Printed at a computer of the club's own network, the sheet is still to be opened from anywhere.
    site = papers.site_for_paper(request.build_absolute_uri("/"))
    return paper_sheet(fixture, address=site + reverse("scoresheet", args=[fixture.pk]))
