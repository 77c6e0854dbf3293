"""A duplicate event as readers follow it: ranking, scorecards, the whole field, and a round of a league."""

from typing import Any
from urllib.parse import quote, urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.comparisons import handicaps
from games.events.queries import event_facts, field_tables, scorecards, usebio
from games.events.queries import round_comparisons as rounds
from games.events.views import pictures, ranking_parts
from games.models import Duplicate
from league.fixtures.queries import own_entries
from league.models import Competition, Entry, Fixture
from league.results.views.competitions import frame
from league.web import lookup
from league.web.rendering import render_for

NO_CONTENT = 204
FIELD_PAGE = 60
PAIRS_A_PAGE = 60
#: Matches to come whose handicap is told.
MOST_COMING = 60


@require_safe
def usebio_file(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """An evening's released boards and its ranking, for bridge programs; of pairs, as those programs know them."""
    found = event_of(request, club, competition)
    if not found.stage.is_evening or found.stage.partners_change:
        raise Http404
    answer = HttpResponse(usebio.file_of(found), content_type="application/xml; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{found.slug}-usebio.xml"'
    answer["X-Robots-Tag"] = "noindex"
    return answer


@require_safe
def event_ranking(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """How the pairs of a duplicate league compare over all rounds; an evening shows that on its own page."""
    found = event_of(request, club, competition)
    if found.stage.is_evening:
        return redirect(found)
    return ranking_page(request, found, "event_ranking")


def ranking_page(request: HttpRequest, competition: Competition, tab: str) -> HttpResponse:
    """The ranking under that tab, with what there is to know about the event."""
    context = {
        **frame(request, competition, tab),
        **_ranking(request, competition, tab),
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
    # What was asked for is the page around it: the links within lead there, without the version.
    asked: Any = request.GET.copy()
    asked.pop("version", None)
    request.GET = asked
    tab = "competition" if found.stage.is_evening else "event_ranking"
    context = _ranking(request, found, tab)
    answer = render_for(request, found.club, "games/_rankings.html", context)
    answer["X-Live-Url"] = context["live_url"]
    answer["X-Live-Announce"] = quote(_("The ranking has changed."))
    return answer


@require_safe
def handicap(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The rankings with handicap, and what is given in the matches to come."""
    found = lookup.competition(request, club, competition)
    share = handicaps.share_of(found)
    if not share or found.state == Competition.State.DRAFT:
        raise Http404
    coming = Fixture.objects.of_competition(found.pk).unplayed().with_pairs().in_order()
    context = {
        **frame(request, found, "handicap"),
        "share": share,
        "listed": handicaps.of_competition(found),
        "coming": handicaps.of_matches(coming[:MOST_COMING]),
    }
    return render_for(request, found.club, "games/handicap.html", context)


@require_safe
def scorecard(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """A pair's way through the event."""
    found = event_of(request, club, competition)
    entry = get_object_or_404(Entry.with_rooms.with_pairs(), competition=found, pk=pk)
    card = scorecards.scorecard(entry=entry, competition=found, visitor=request.user)
    context = {
        "competition": found,
        "card": card,
        "picture": pictures.of_scorecard(card),
    }
    return render_for(request, found.club, "games/scorecard.html", context)


@require_safe
def field(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Every pair by every board."""
    found = event_of(request, club, competition)
    shown = [
        (part.ranking, part.page)
        for part in ranking_parts.paged(request, field_tables.fields(found), FIELD_PAGE)
    ]
    boards = field_tables.boards_of(found)
    lines = field_tables.rows(
        found, boards, [row for _each, page in shown for row in page.object_list], request.user
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
        "pictures": pictures.of_field([ranking for ranking, _page in shown], own),
    }
    return render_for(request, found.club, "games/event_field.html", context)


@require_safe
def round_comparison(request: HttpRequest, club: str, competition: str, number: int) -> HttpResponse:
    """League points and comparison of a round side by side: a page of its own, and a part of the round's."""
    found = event_of(request, club, competition)
    if found.stage.is_evening:
        return redirect("round", club, competition, number)
    shown = rounds.round_comparison(competition=found, number=number, visitor=request.user)
    if shown is None:
        raise Http404
    part = "HX-Request" in request.headers
    here = reverse("round_comparison", args=[club, competition, number])
    context = {
        **({"competition": found} if part else frame(request, found, "event_ranking")),
        "shown": shown,
        "page": lookup.page(request, list(shown.pairs), PAIRS_A_PAGE),
        "is_part": part,
        "here": here,
        "mine": _own_lines(shown, here),
    }
    return render_for(
        request,
        found.club,
        "games/_round_comparison.html" if part else "games/round_comparison.html",
        context,
    )


def _own_lines(shown: rounds.RoundComparison, here: str) -> list[tuple[rounds.PairInRound, str]]:
    """The visitor's own pairs, each with the address where it stands in the list."""
    found = []
    for place, line in enumerate(shown.pairs):
        if line.is_mine:
            number = place // PAIRS_A_PAGE + 1
            found.append((line, f"{here}{f'?page={number}' if number > 1 else ''}#own-{line.pair.entry}"))
    return found


def event_of(request: HttpRequest, club: str, competition: str) -> Competition:
    """The competition of that address, if its tables play the same boards."""
    found = lookup.competition(request, club, competition)
    if not Duplicate.objects.filter(competition=found).exists():
        raise Http404
    return found


def _ranking(request: HttpRequest, competition: Competition, tab: str) -> dict[str, Any]:
    # Read before the rankings: if they change in between, the next question finds another version.
    version = event_facts.version(competition)
    address = reverse("event_ranking_live", args=[competition.club.slug, competition.slug])
    shown = event_facts.ranked(competition, request.user)
    asked = {name: request.GET[name] for name in ("section", "page") if name in request.GET}
    return {
        "competition": competition,
        "shown": shown,
        **ranking_parts.parts(request, shown, ranking_parts.address(competition, tab)),
        "live_url": f"{address}?{urlencode({**asked, 'version': version})}",
    }


def evening_page(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Who made what on the boards so far, with the ways to the room, the scorecards and the boards."""
    return ranking_page(request, competition, "competition")
