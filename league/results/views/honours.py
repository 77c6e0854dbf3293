"""A club's roll of honour."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.results.queries import honours
from league.web import lookup
from league.web.rendering import render_for

SEASONS_A_PAGE = 20


@require_safe
def roll(request: HttpRequest, club: str) -> HttpResponse:
    """The winners and final places of every past season that the visitor may see, the newest first."""
    found = lookup.club(club)
    page = lookup.page(request, honours.past(found, request.user), SEASONS_A_PAGE)
    seasons = [(each, honours.tables_of(each.end.places.all())) for each in page.object_list]
    return render_for(request, found, "league/honours.html", {"page": page, "seasons": seasons})
