"""What the cards of a deal could have made: the part of the match page that appears when it has been worked out."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.matches.queries import best_of_deal
from league.web import lookup
from league.web.rendering import render_for


@require_safe
def deal_analysis(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The analysis of a deal, as it stands; for a reader who comes by the address, the deal on the match page."""
    fixture = lookup.fixture(request, pk)
    best = best_of_deal(fixture=fixture, visitor=request.user, number=number)
    if best is None:
        raise Http404
    if "HX-Request" not in request.headers:
        return redirect(f"{reverse('match', args=[pk])}#best-{number}")
    return render_for(request, fixture.round.competition.club, best.template, {"best": best})
