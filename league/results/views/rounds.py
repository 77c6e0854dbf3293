"""One round of a competition."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from league import extension
from league.fixtures import queries as fixtures
from league.results.queries import competitions
from league.web import lookup
from league.web.rendering import render_for


@require_safe
def round_page(request: HttpRequest, club: str, competition: str, number: int) -> HttpResponse:
    """The fixtures of all divisions, who sits out, and the way to the rounds before and after."""
    found = lookup.competition(request, club, competition)
    played = get_object_or_404(found.stage.rounds, number=number)
    at = timezone.now()
    numbers = list(found.stage.rounds.order_by("number").values_list("number", flat=True))
    context = {
        "competition": found,
        "head": competitions.head(found, at=at),
        "round": fixtures.of_round(played, request.user, at=at),
        "parts": extension.layer().round_parts(played),
        "before": max((each for each in numbers if each < number), default=None),
        "after": min((each for each in numbers if each > number), default=None),
    }
    return render_for(request, found.club, "league/round.html", context)
