"""Convention cards: a pair's own page of signals, open to everybody who may see the pair; and the usual system."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from games.selectors.conventions import convention_card
from games.services.tables.opening import CASUAL_GAME
from league.models import Competition, Entry, Partnership
from league.views.rendering import render_for


@require_safe
def pair_card(request: HttpRequest, pk: int) -> HttpResponse:
    """The card of a pair, for opponents and for paper."""
    pair: Partnership = get_object_or_404(Partnership.objects.with_players(), pk=pk)
    if pair.merged_into_id is not None:
        return redirect("pair_card", pk=pair.merged_into_id)
    visible = Entry.objects.filter(
        partnership=pair, competition__in=Competition.objects.visible_to(request.user)
    )
    if not request.user.is_authenticated and not visible.exists():
        raise Http404
    context = {"pair": pair, "card": convention_card(CASUAL_GAME)}
    return render_for(request, pair.club, "games/convention_card.html", context)


@require_safe
def usual_card(request: HttpRequest) -> HttpResponse:
    """The system that everybody plays who has agreed on nothing else: robots, and partners of an evening."""
    return render(request, "games/convention_card.html", {"card": convention_card(CASUAL_GAME)})
