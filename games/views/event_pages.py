"""A duplicate event as readers follow it: ranking, scorecards, the whole field, and a round of a league."""

from typing import Any
from urllib.parse import quote, urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Duplicate
from games.selectors import event_facts, field_tables, scorecards
from games.selectors import round_comparisons as rounds
from games.selectors.rankings import Ranking
from games.views import event_pictures
from league.models import Competition, Entry
from league.selectors.fixtures import own_entries
from league.views import lookup
from league.views.competitions import frame
from league.views.rendering import render_for

NO_CONTENT = 204
FIELD_PAGE = 60
LONGEST_PAGE = 5


@require_safe
def event_ranking(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """How the pairs of a duplicate league compare over all rounds; an evening shows that on its own page."""
    found = event_of(request, club, competition)
    if found.format == Competition.Format.EVENING:
        return redirect(found)
    return ranking_page(request, found, "event_ranking")


def ranking_page(request: HttpRequest, competition: Competition, tab: str) -> HttpResponse:
    """The ranking under that tab, with what there is to know about the event."""
    context = {
        **frame(request, competition, tab),
        **_ranking(request, competition),
        "facts": event_facts.facts_of(competition),
    }
    return render_for(request, competition.club, "games/event_ranking.html", context)


@require_safe
@never_cache
def ranking_live(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The ranking alone, or 204 while it is that of the query's `version`."""
    found = event_of(request, club, competition)
    if request.GET.get("version", "") == event_facts.version(found):
        return HttpResponse(status=NO_CONTENT)
    context = _ranking(request, found)
    answer = render_for(request, found.club, "games/_rankings.html", context)
    answer["X-Live-Url"] = context["live_url"]
    answer["X-Live-Announce"] = quote(_("The ranking has changed."))
    return answer


@require_safe
def scorecard(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """A pair's way through the event."""
    found = event_of(request, club, competition)
    entry = get_object_or_404(Entry.objects.with_pairs(), competition=found, pk=pk)
    card = scorecards.scorecard(entry=entry, competition=found, visitor=request.user)
    context = {
        "competition": found,
        "card": card,
        "picture": event_pictures.of_scorecard(card),
    }
    return render_for(request, found.club, "games/scorecard.html", context)


@require_safe
def field(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Every pair by every board."""
    found = event_of(request, club, competition)
    shown = [
        (ranking, lookup.page(request, list(ranking.rows), FIELD_PAGE))
        for ranking in _long_enough(request, field_tables.fields(found))
    ]
    boards = field_tables.boards_of(found)
    lines = field_tables.rows(
        boards, [row for _each, page in shown for row in page.object_list], request.user
    )
    own = own_entries(request.user, found)
    context = {
        **frame(request, found, "event_field"),
        "boards": boards,
        "own": own,
        "tables": [
            (ranking, page, [lines[row.pair.entry] for row in page.object_list])
            for ranking, page in shown
            if page.object_list
        ],
        "pictures": event_pictures.of_field([ranking for ranking, _page in shown], own),
    }
    return render_for(request, found.club, "games/event_field.html", context)


def _long_enough(request: HttpRequest, fields: tuple[Ranking, ...]) -> list[Ranking]:
    """The fields that have rows on the page asked for: of two one may end before the other."""
    asked = request.GET.get("page") or "1"
    if not asked.isascii() or not asked.isdecimal() or len(asked) > LONGEST_PAGE:
        raise Http404
    before = (int(asked) - 1) * FIELD_PAGE
    chosen = [each for each in fields if before == 0 or len(each.rows) > before]
    if (fields and not chosen) or before < 0:
        raise Http404
    return chosen


@require_safe
def round_comparison(request: HttpRequest, club: str, competition: str, number: int) -> HttpResponse:
    """League points and comparison of a round side by side: a page of its own, and a part of the round's."""
    found = event_of(request, club, competition)
    if found.format == Competition.Format.EVENING:
        return redirect("round", club, competition, number)
    shown = rounds.round_comparison(competition=found, number=number, visitor=request.user)
    if shown is None:
        raise Http404
    part = "HX-Request" in request.headers
    context = {
        **({"competition": found} if part else frame(request, found, "event_ranking")),
        "shown": shown,
    }
    return render_for(
        request,
        found.club,
        "games/_round_comparison.html" if part else "games/round_comparison.html",
        context,
    )


def event_of(request: HttpRequest, club: str, competition: str) -> Competition:
    """The competition of that address, if its tables play the same boards."""
    found = lookup.competition(request, club, competition)
    if not Duplicate.objects.filter(competition=found).exists():
        raise Http404
    return found


def _ranking(request: HttpRequest, competition: Competition) -> dict[str, Any]:
    # Read before the rankings: if they change in between, the next question finds another version.
    version = event_facts.version(competition)
    address = reverse("event_ranking_live", args=[competition.club.slug, competition.slug])
    return {
        "competition": competition,
        "shown": event_facts.ranked(competition, request.user),
        "live_url": f"{address}?{urlencode({'version': version})}",
    }
