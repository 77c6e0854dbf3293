"""Replays: a finished deal step by step, from a match's confirmed sheet or from a table; and its file for others."""

from http.client import NO_CONTENT
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import game
from games import front
from games.analysis.services.analyses import ask_expert
from games.models import Table, TableDeal
from games.tables.guest_keys import guests_in
from games.tables.queries import week as own_week
from games.tables.queries.felt_replay import felt_replay, views_of
from games.tables.queries.finished_deals import FinishedDeal, deal_of_match, deal_of_table
from games.tables.queries.labels import table_labels
from games.tables.queries.own import has_kept, kept_deals
from games.tables.queries.played import EVERYBODY, Played
from games.tables.queries.practice import PractisedBoard, practised_board
from games.tables.services import analyses
from games.tables.state.replays import replay_of
from games.tables.views.play import person_of, table_of
from league.actors import Visitor
from league.models import Club
from league.web import lookup
from league.web.refusals import told
from league.web.rendering import render_for

LONGEST_STEP = 4


@never_cache
@require_safe
def match_replay(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A deal of a match, where the sheet says who did what; for whom the embargo lets."""
    fixture = lookup.fixture(request, pk)
    found = deal_of_match(fixture=fixture, visitor=request.user, number=number)
    expert_url = reverse("match_expert", args=[pk, number])
    return _page(
        request,
        fixture.round.competition.club,
        found,
        reverse("match_replay", args=[pk, number]),
        ask_url=expert_url,
        live_url=expert_url,
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@told
def match_expert(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Asks what the best player would have done in a match's deal; read, it says when that is there, as below."""
    fixture = lookup.fixture(request, pk)
    found = deal_of_match(fixture=fixture, visitor=request.user, number=number)
    if found is None or found.analysis is None:
        raise Http404
    if request.method != "POST":
        return _reload_unless(found.is_waiting)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    ask_expert(analysis=found.analysis, cards=found.played.card_versions)
    return redirect("match_replay", pk, number)


@never_cache
@require_safe
def table_replay_page(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A deal of a table that is over; also for who has kept it from their time as a guest there."""
    visitor: Visitor = request.user
    if has_kept(visitor, pk, number):
        table = Table.objects.with_match().get(pk=pk)
    else:
        table, standing = table_of(request, pk)
        visitor = standing.visitor
    found = deal_of_table(table=table, visitor=visitor, number=number)
    practised = practised_board(table=table, number=number, visitor=visitor) if found else None
    return _page(
        request,
        table.club,
        found,
        reverse("table_replay_page", args=[pk, number]),
        practised,
        ask_url=reverse("table_analysis", args=[pk, number]),
        live_url=reverse("table_analysis_live", args=[pk, number]),
    )


@login_required
@require_POST
@told
def table_analysis(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Asks what the cards of a table's deal could have made; its replay shows it when it has been worked out."""
    table, _standing = table_of(request, pk)
    deal = get_object_or_404(TableDeal.objects.select_related("table"), table=table, number=number)
    if replay_of(table, number, visitor=request.user) is None:
        raise Http404
    only_par = request.POST.get("only") == "par"
    analyses.request(actor=person_of(request), deal=deal, asks_expert=not only_par)
    if request.headers.get("HX-Request"):
        return _reload_unless(is_waiting=False)
    return redirect("table_replay_page", pk, number)


@never_cache
@require_safe
def table_analysis_live(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """For a replay that waits for its analysis: 204 until it is there, then the word to reload the page."""
    table, standing = table_of(request, pk)
    found = deal_of_table(table=table, visitor=standing.visitor, number=number)
    if found is None:
        raise Http404
    return _reload_unless(found.is_waiting)


def _reload_unless(is_waiting: bool) -> HttpResponse:
    return HttpResponse(status=NO_CONTENT) if is_waiting else HttpResponse(headers={"HX-Refresh": "true"})


def _page(
    request: HttpRequest,
    club: Club | None,
    found: FinishedDeal | None,
    address: str,
    practised: PractisedBoard | None = None,
    *,
    ask_url: str,
    live_url: str,
) -> HttpResponse:
    if found is None:
        raise Http404
    own = front.of(found.played.game)
    if not own.replay_template:
        return _on_felt(request, club, found, address)
    if request.GET.get("format") == "pbn":
        return _pbn(found)
    shown = own.replay(
        found.played,
        step=_step(request),
        seen_from=_seat(request, found.played),
        costs=found.costs,
        analysis=found.analysis,
    )
    context: dict[str, Any] = {
        "found": found,
        "replay": shown,
        "address": address,
        "ask_url": ask_url,
        "live_url": live_url,
        "views": own.replay_views(found.played.names),
        "everybody": EVERYBODY,
        "practised": practised,
    }
    return render_for(request, club, own.replay_template, context)


def _on_felt(request: HttpRequest, club: Club | None, found: FinishedDeal, address: str) -> HttpResponse:
    """The deal on the common felt, whose script steps through it."""
    seen_from = request.GET.get("as", EVERYBODY)
    context = {
        "found": found,
        "replay": felt_replay(found.played, number=found.number, seen_from=seen_from),
        "words": table_labels(found.played.game),
        "address": address,
        "views": views_of(found.played),
        "seen_from": seen_from,
    }
    return render_for(request, club, "games/replay.html", context)


def _step(request: HttpRequest) -> int:
    text = request.GET.get("step", "0")
    if text == "end":
        return 10**LONGEST_STEP
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_STEP else 0


def _seat(request: HttpRequest, played: Played) -> str:
    chosen = request.GET.get("as", EVERYBODY)
    return chosen if chosen in game.get(played.game).seats(played.players) else EVERYBODY


def _pbn(found: FinishedDeal) -> HttpResponse:
    answer = HttpResponse(found.as_pbn(), content_type="application/x-pbn")
    answer["Content-Disposition"] = f'attachment; filename="deal-{found.number}.pbn"'
    return answer


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def week(request: HttpRequest) -> HttpResponse:
    """What the person practised in seven days; a press asks what the cards of those deals could make."""
    person, at = person_of(request), timezone.now()
    if request.method == "POST":
        analyses.request_all(actor=person, deals=own_week.deals_of(person, at=at))
        return redirect("week")
    context = {
        "week": own_week.week(user=person, at=at),
        "kept": kept_deals(person),
        "guests": guests_in(request.COOKIES),
    }
    return render(request, "games/week.html", context)
