"""A competition: its table, fixtures, cross-table and progress; and a club's roll of honour."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league import extension, policies
from league.actors import Reader
from league.fixtures import queries as fixtures
from league.models import Competition, User
from league.results import pictures
from league.results.queries import (
    bracket,
    competitions,
    cross_table,
    honours,
    ladder,
    my,
    progress,
    season,
    standings_view,
)
from league.standings import queries as standings
from league.standings import round_names
from league.web import keeping, lookup
from league.web.rendering import render_for

NO_CONTENT = 204
SEASONS_A_PAGE = 20
TABS = (
    ("competition", gettext_lazy("Standings")),
    ("competition_fixtures", gettext_lazy("Fixtures")),
    ("competition_cross_table", gettext_lazy("Cross-table")),
    ("competition_progress", gettext_lazy("Progress")),
)
# The parts of the page that are redrawn while a visitor looks at it.
PARTS = ("next", "round", "wall")
# Of these a page of its own shows one, large, on the wall of the room.
WALL = "wall"


@require_safe
def competition(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The standings, which keep themselves up to date; or what a format without standings shows instead."""
    found = lookup.competition(request, club, competition)
    pages = extension.layer().pages.get(found.stage.format)
    if pages is not None:
        shown: HttpResponse = pages.front(request, found)
        return shown
    mine = fixtures.own_entries(request.user, found)
    context = {
        **frame(request, found, "competition"),
        **_standings(request, found, mine),
        **{name: _part(request, found, name, mine) for name in PARTS if name != WALL},
        "rules": keeping.kept("rules", (found.pk,), partial(_rules, found)),
    }
    return render_for(request, found.club, "league/competition.html", context)


@require_safe
def standings_live(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The tables alone, or 204 while they are those of the query's `version`."""
    found = _league(request, club, competition)
    seen = request.GET.get("version", "")
    now = standings_view.version(found, at=timezone.now())
    if seen == now:
        return HttpResponse(status=NO_CONTENT)
    context = _standings(request, found, fixtures.own_entries(request.user, found))
    answer = HttpResponse(context["standings"])
    answer["X-Live-Url"] = context["standings_url"]
    if not standings_view.is_same_table(seen, context["version"]):
        answer["X-Live-Announce"] = quote(_("The standings have changed."))
    return answer


@require_safe
def now_live(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """One of the PARTS of the page, or 204 while it looks as it did."""
    name = request.GET.get("part", "")
    if name not in PARTS:
        raise Http404
    find = _league if name == WALL else lookup.competition
    found = find(request, club, competition)
    part = _part(request, found, name, fixtures.own_entries(request.user, found))
    if request.GET.get("version") == part.version:
        return HttpResponse(status=NO_CONTENT)
    return HttpResponse(part.html, headers={"X-Live-Url": part.url})


@require_safe
def competition_wall(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The matches of the round that is played and the standings in turn, large, without anything to press."""
    found = _league(request, club, competition)
    context = {
        "competition": found,
        "part": _part(request, found, WALL, fixtures.own_entries(request.user, found)),
    }
    return render_for(request, found.club, "league/competition_on_wall.html", context)


@require_safe
def competition_fixtures(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """All fixtures by round."""
    found = lookup.competition(request, club, competition)
    rounds = fixtures.by_round(found, request.user, at=timezone.now())
    context = {**frame(request, found, "competition_fixtures"), "rounds": rounds}
    return render_for(request, found.club, "league/competition_fixtures.html", context)


@require_safe
def competition_cross_table(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Every pair against every other; in a Swiss everybody's opponents by round."""
    found = _league(request, club, competition)
    if not found.is_for_two or not found.stage.has_rounds_for_all:
        raise Http404
    if found.stage.is_swiss:
        opponents = cross_table.by_round(found, request.user)
        context = {**frame(request, found, "competition_cross_table"), "tables": opponents}
        return render_for(request, found.club, "league/competition_opponents.html", context)
    tables = cross_table.of_competition(found, request.user)
    context = {**frame(request, found, "competition_cross_table"), "tables": tables}
    return render_for(request, found.club, "league/competition_cross_table.html", context)


@require_safe
def competition_progress(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """How the season went, as pictures and as tables."""
    found = _league(request, club, competition)
    if not found.stage.has_rounds_for_all:
        raise Http404
    went = progress.of_competition(found, request.user)
    sums = season.of_competition(found, request.user, at=timezone.now())
    divisions = [
        {"name": each.name, "pictures": pictures.of_division(each, summed)}
        for each, summed in zip(went, sums, strict=True)
    ]
    context = {**frame(request, found, "competition_progress"), "progress": divisions}
    return render_for(request, found.club, "league/competition_progress.html", context)


@dataclass(frozen=True, slots=True)
class LivePart:
    """A part of the page as it looks now, and where to ask whether it has changed."""

    html: SafeString
    version: str
    url: str


def _address(competition: Competition, name: str) -> str:
    return reverse(name, args=[competition.club.slug, competition.slug])


def _league(request: HttpRequest, club: str, competition: str) -> Competition:
    """The competition of that address, if it is one with standings."""
    found = lookup.competition(request, club, competition)
    if extension.layer().pages.get(found.stage.format) is not None:
        raise Http404
    return found


def frame(request: HttpRequest, competition: Competition, tab: str) -> dict[str, Any]:
    """What all pages of a competition show around their content."""
    head, tabs, stages = keeping.kept(
        "head", (competition.pk, policies.roles_of(request.user)), partial(_frame, competition, request.user)
    )
    return {
        "competition": competition,
        "head": head,
        "tabs": [
            {"label": label, "url": _address(competition, name), "is_current": name == tab}
            for name, label in tabs
        ],
        "may_manage": policies.may(request.user, "competition.set_up", competition),
        "stages": stages,
    }


def _frame(competition: Competition, user: Reader) -> tuple[Any, ...]:
    pages = extension.layer().pages.get(competition.stage.format)
    head = competitions.head(competition, at=timezone.now())
    # Rounds by the clock of a room close when the director says so.
    if pages or competition.stage.is_on_one_day:
        head = replace(head, current_closes=None)
    tabs = (*(pages.tabs if pages else _tabs(competition)), *extension.layer().tabs(competition))
    return head, tabs, competitions.stages(competition, user)


def _rules(competition: Competition) -> SafeString:
    context = {
        "competition": competition,
        "rules": competitions.rules(competition),
        "terms": ladder.terms(competition) if competition.stage.is_ladder else (),
    }
    return render_to_string("league/competition_rules.html", context)


def _tabs(competition: Competition) -> tuple[tuple[str, Any], ...]:
    """A square of everyone against everyone is for matches of two; a knock-out has its bracket instead of tables."""
    if competition.stage.is_ladder:
        return ("competition", gettext_lazy("Ladder")), ("competition_fixtures", gettext_lazy("Matches"))
    if competition.stage.is_bracket:
        return ("competition", gettext_lazy("Bracket")), TABS[1]
    if competition.stage.is_at_tables:
        return TABS[0], TABS[1], ("who_met", gettext_lazy("Who met whom")), TABS[3]
    return tuple(tab for tab in TABS if competition.is_for_two or tab[0] != "competition_cross_table")


def _standings(request: HttpRequest, competition: Competition, mine: frozenset[int]) -> dict[str, Any]:
    if competition.stage.is_ladder or competition.stage.is_bracket:
        # What a reader can do stands in them.
        html, version = _tables(competition, request.user, mine, request)
    else:
        make, key = partial(_tables, competition, request.user, mine), (competition.pk, tuple(sorted(mine)))
        html, version = keeping.kept("standings", key, make, club=competition.club)
    address = f"{_address(competition, 'competition_standings_live')}?{urlencode({'version': version})}"
    return {"standings": html, "version": version, "standings_url": address}


def _tables(
    competition: Competition, user: Reader, mine: frozenset[int], request: HttpRequest | None = None
) -> tuple[SafeString, str]:
    """The tables, the bracket or the ladder as the page shows them, and their version."""
    at = timezone.now()
    context: dict[str, Any] = {"competition": competition, "club": competition.club}
    if competition.stage.is_ladder or competition.stage.is_bracket:
        # Read before what is shown: if it changes in between, the next question finds another version.
        version = standings_view.version(competition, at=at)
        if competition.stage.is_ladder:
            context["ladders"] = ladder.of_competition(competition, user, at=at)
        else:
            context["brackets"] = bracket.of_competition(competition, user)
    else:
        stored = standings.current(competition)
        version = standings_view.version(competition, at=at, stored=stored)
        context["divisions"] = standings_view.of_competition(
            competition, user, at=at, mine=mine, stored=stored
        )
    with timezone.override(competition.club.time_zone):
        return render_to_string("league/competition_standings.html", context, request), version


def _part(request: HttpRequest, competition: Competition, name: str, mine: frozenset[int]) -> LivePart:
    user = request.user
    key = (competition.pk, user.pk if name == "next" else tuple(sorted(mine)))
    make = partial(_draw, competition, user, name, mine)
    html = keeping.kept(name, key, make, club=competition.club)
    version = sha256(html.encode()).hexdigest()[:16]
    query = urlencode({"part": name, "version": version})
    return LivePart(html, version, f"{_address(competition, 'competition_now_live')}?{query}")


def _draw(competition: Competition, user: Reader, name: str, mine: frozenset[int]) -> SafeString:
    at = timezone.now()
    context: dict[str, Any] = {"competition": competition}
    if name == "next" and isinstance(user, User):
        context["mine"] = my.matches(user, at=at, competition=competition)
        context["plays"] = mine
    # A bracket or a ladder says it all by itself.
    if name == "round" and competition.stage.has_rounds_for_all:
        now = fixtures.current_round(competition, at=at)
        context["now"] = fixtures.of_round(now, user, at=at, current=now, mine=mine) if now else None
    if name == WALL:
        context |= _on_wall(competition, user, at)
    return SafeString(render_to_string(f"league/competition_{name}.html", context).strip())


def _on_wall(competition: Competition, user: Reader, at: datetime) -> dict[str, Any]:
    """The round drawn last, or the one that is played, with the tables; a bracket, or the order of a ladder."""
    if competition.stage.is_ladder:
        return {"ladders": ladder.of_competition(competition, user, at=at)}
    if competition.stage.is_bracket:
        return {"brackets": bracket.of_competition(competition, user)}
    if competition.stage.is_by_round:
        now = fixtures.last_drawn(competition)
    else:
        now = fixtures.current_round(competition, at=at)
    return {
        "now": fixtures.of_round(now, user, at=at) if now else None,
        "tables": standings_view.of_competition(competition, user, at=at),
    }


@require_safe
def round_page(request: HttpRequest, club: str, competition: str, number: int) -> HttpResponse:
    """The fixtures of all divisions, who sits out, and the way to the rounds before and after."""
    found = lookup.competition(request, club, competition)
    played = get_object_or_404(found.stage.rounds, number=number)
    at = timezone.now()
    rounds = list(found.stage.rounds.order_by("number"))
    names = round_names.of_rounds(rounds)
    beside = [{"number": each.number, "name": names[each.pk]} for each in rounds]
    place = [each.number for each in rounds].index(number)
    context = {
        "competition": found,
        "head": competitions.head(found, at=at),
        "round": fixtures.of_round(played, request.user, at=at, names=names),
        "parts": extension.layer().round_parts(played),
        "before": beside[place - 1] if place else None,
        "after": beside[place + 1] if place + 1 < len(beside) else None,
        "drawn": [each for each in found.stage.divisions.all() if each.fixtures.filter(round=played).exists()]
        if found.stage.is_by_round
        else [],
        "resting": fixtures.resting(played, request.user),
        "may_print": policies.may(request.user, "paper.ask", found),
    }
    return render_for(request, found.club, "league/round.html", context)


@require_safe
def club_honours(request: HttpRequest, club: str) -> HttpResponse:
    """The winners and final places of every past season that the visitor may see, the newest first."""
    found = lookup.club(club)
    page = lookup.stretch(request, honours.past(found, request.user), SEASONS_A_PAGE)
    seasons = [(each, honours.tables_of(each.end.places.all())) for each in page.object_list]
    return render_for(request, found, "league/honours.html", {"page": page, "seasons": seasons})
