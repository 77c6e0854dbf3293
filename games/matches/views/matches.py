"""The match page: deal by deal, how it came to count, and what the visitor can do next."""

from functools import partial
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games import front
from games.events.queries import awards
from games.fixture_boards import is_sealed
from games.matches.queries import as_context, best_of_deal, match_page, news_since
from games.matches.views import team_matches
from games.proof import participations
from games.scoresheets.services import silence
from games.tables.queries.lists import online_step
from league import policies
from league.actors import Visitor
from league.fixtures.queries import FixtureLine, asked_to_play, with_lines
from league.models import Fixture, Substitution, User
from league.querysets import UNSETTLED
from league.standings import round_names
from league.standings.services import ladders
from league.web import keeping, lookup
from league.web.rendering import kept_on_device, render_for

LONGEST_VERSION = 5


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """A match, in the newest version of its sheet that counts, or the one that `version` names."""
    fixture = lookup.bare_fixture(request, pk)
    if fixture.is_team_match:
        lookup.read_whole(fixture)
        return team_matches.page(request, fixture)
    version = _version(request.GET.get("version"))
    make = partial(_draw, request, fixture, version)
    if _is_kept(request, fixture):
        title, main, is_own = keeping.kept("match", (pk, request.user.pk, version), make)
    else:
        title, main, is_own = make()
    context = {"title": title, "main": keeping.with_tokens(main, request)}
    shown = render_for(request, fixture.round.competition.club, "games/match.html", context)
    return kept_on_device(shown) if is_own else shown


def _is_kept(request: HttpRequest, fixture: Fixture) -> bool:
    """Whether its page may be kept for who asks: nothing of sealed boards, nothing that waits for somebody's word, and
    nothing by a request that is shown nothing."""
    waits = fixture.status in {Fixture.Status.TO_CONFIRM, *UNSETTLED}
    return request.method == "GET" and not waits and not is_sealed(fixture)


def _draw(request: HttpRequest, fixture: Fixture, version: int | None) -> tuple[str, str, bool]:
    """The title, the page without its frame, and whether the person plays in the match."""
    lookup.read_whole(fixture)
    page = match_page(fixture=fixture, visitor=request.user, version=version, at=timezone.now())
    if page is None:
        raise Http404
    competition = fixture.round.competition
    # Who asks for the head alone is shown nothing.
    if request.method == "GET" and isinstance(request.user, User):
        if page.steps.silence and page.steps.judge:
            silence.shown(sheet=page.steps.judge, user=request.user, at=timezone.now())
        if page.is_open and (page.sheet is not None or page.tells_of_deals):
            participations.judged(actor=request.user, fixture=fixture, at=timezone.now())
    context = {
        **as_context(page),
        "competition": competition,
        "club": competition.club,
        "front": front.of(competition.game),
        "round_name": round_names.of_fixture(fixture),
        "round_url": (ladders.of_fixture(fixture) or fixture.round).get_absolute_url(),
        "key": keeping.KEY,
        "csrf_token": keeping.TOKEN,
        "player_awards": awards.to_object_to(fixture)
        if page.boards and policies.plays_in(request.user, fixture)
        else [],
        "online": online_step(visitor=request.user, fixture=fixture),
        "asked": _asked(request.user, fixture),
        "live_url": f"{reverse('match_live', args=[fixture.pk])}?seen={page.state}"
        if page.is_watched
        else "",
    }
    with timezone.override(competition.club.time_zone):
        main = render_to_string("games/match_main.html", context, request)
    return str(fixture), main, policies.side_of(request.user, fixture) is not None


@require_safe
def match_live(request: HttpRequest, pk: int) -> HttpResponse:
    """What has happened to the match since the page was opened that asks; 204 while nothing has."""
    fixture = lookup.fixture(request, pk)
    news = news_since(request.GET.get("seen", ""), fixture=fixture, visitor=request.user)
    if news is None:
        return HttpResponse(status=204)
    answer = render(request, "games/match_news.html", {"news": news, "fixture": fixture})
    answer["X-Live-Url"] = f"{reverse('match_live', args=[pk])}?seen={news.state}"
    answer["X-Live-Announce"] = quote(news.text)
    return answer


def _asked(visitor: Visitor, fixture: Fixture) -> list[tuple[Substitution, FixtureLine]]:
    """The question whether this visitor can be a substitute, where they are asked."""
    if not isinstance(visitor, User) or not any(each.is_waiting for each in fixture.substitutions.all()):
        return []
    return with_lines(asked_to_play(visitor).filter(fixture=fixture))


def _version(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_VERSION):
        raise Http404
    return int(text)


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
