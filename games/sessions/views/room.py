"""The room of an evening on one page, and on the wall: clock, tables, who sits out, where everybody sits next."""

import re
from datetime import datetime
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.comparisons.reckoning import rankings
from games.models import SectionMovement
from games.scoresheets.queries.to_confirm import to_confirm
from games.sessions.queries import rooms, table_rooms
from league import policies
from league.models import Competition
from league.results.views.competitions import LivePart, frame
from league.web import lookup
from league.web.rendering import render_for

NO_CONTENT = 204
LONGEST_SEARCH = 60
#: What the two pages show, and which addresses keep them up to date.
ROOM, SCREEN = "room", "screen"
# A clock that goes on is no news, and the token of a form is another one each time.
TICKING = re.compile(
    r' data-(?:now|left)="-?\d+"|<b data-digits>[^<]*</b>|<input type="hidden" name="csrfmiddlewaretoken"[^>]*>'
)


@require_safe
def room(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """What everybody in the room wants to know now; `q` finds somebody by name."""
    found = _running(request, club, competition)
    context = {
        **frame(request, found, "evening_room"),
        "room": _part(request, found, ROOM),
        "wanted": _wanted(request),
        "is_official": policies.may(request.user, "club.desk", found),
    }
    return render_for(request, found.club, "games/evening/room.html", context)


@require_safe
@never_cache
def room_live(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The room alone, or 204 while it is what the query's `version` was."""
    return _live(request, _running(request, club, competition), ROOM)


@require_safe
def screen(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The same for the wall: large, up to date on its own, without anything to press."""
    found = _running(request, club, competition)
    context = {"competition": found, "part": _part(request, found, SCREEN)}
    return render_for(request, found.club, "games/evening/screen.html", context)


@require_safe
@never_cache
def screen_live(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The wall's content alone, or 204."""
    return _live(request, _running(request, club, competition), SCREEN)


def _running(request: HttpRequest, club: str, competition: str) -> Competition:
    found = lookup.competition(request, club, competition)
    if not found.stage.is_evening and not found.stage.is_at_tables:
        raise Http404
    return found


def _live(request: HttpRequest, competition: Competition, name: str) -> HttpResponse:
    part = _part(request, competition, name)
    if request.GET.get("version") == part.version:
        return HttpResponse(status=NO_CONTENT)
    return HttpResponse(part.html, headers={"X-Live-Url": part.url})


def _wanted(request: HttpRequest) -> str:
    return " ".join(request.GET.get("q", "")[:LONGEST_SEARCH].split())


def _part(request: HttpRequest, competition: Competition, name: str) -> LivePart:
    at = timezone.now()
    wanted = _wanted(request)
    with timezone.override(competition.club.time_zone):
        if competition.stage.is_at_tables:
            name_of_part = f"tables_{name}"
            context = _at_tables(request, competition, name, wanted, at)
        else:
            name_of_part, context = name, _context(request, competition, name, wanted, at)
        html = render_to_string(f"games/evening/{name_of_part}_now.html", context, request).strip()
    version = sha256(TICKING.sub("", html).encode()).hexdigest()[:16]
    query = {"version": version, **({"q": wanted} if wanted else {})}
    address = reverse(f"evening_{name}_live", args=[competition.club.slug, competition.slug])
    return LivePart(SafeString(html), version, f"{address}?{urlencode(query)}")


def _at_tables(
    request: HttpRequest, competition: Competition, name: str, wanted: str, at: datetime
) -> dict[str, Any]:
    seen = table_rooms.room(competition, request.user, at=at)
    return {
        "club": competition.club,
        "competition": competition,
        "seen": seen,
        "wanted": wanted,
        "found": seen.find(wanted) if wanted else (),
        "waiting": to_confirm(competition, request.user) if name == ROOM else (),
        "confirm_from": reverse("evening_room", args=[competition.club.slug, competition.slug]),
    }


def _context(
    request: HttpRequest, competition: Competition, name: str, wanted: str, at: datetime
) -> dict[str, Any]:
    seen = rooms.room(competition, request.user, at=at)
    return {
        "club": competition.club,
        "competition": competition,
        "seen": seen,
        "clock": seen.clock,
        "now": int(at.timestamp()),
        "ends": int(seen.clock.ends.at.timestamp()) if seen.clock.ends else 0,
        "wanted": wanted,
        "found": seen.find(wanted) if wanted else (),
        "waiting": to_confirm(competition, request.user) if name == ROOM else (),
        "confirm_from": reverse("evening_room", args=[competition.club.slug, competition.slug]),
        "pages": _pages(competition) if name == SCREEN and _shows_ranking(competition, seen.clock) else (),
    }


def _shows_ranking(competition: Competition, clock: rooms.Clock) -> bool:
    """At the end; of a barometer after each round, whose boards all tables have played."""
    if clock.state == "finished":
        return True
    sections = SectionMovement.objects.filter(division__stage__competition=competition)
    return sections.filter(barometer=True).exists()


def _pages(competition: Competition) -> list[dict[str, Any]]:
    """The rankings one after the other, each followed by the pairs with too few boards for a place."""
    pages = []
    for ranking in rankings.of_event(competition):
        apart = _("%(field)s: fewer than %(needed)d boards") % {
            "field": ranking.title,
            "needed": ranking.boards_needed,
        }
        for title, is_apart in ((ranking.title, False), (apart, True)):
            rows = [row for row in ranking.rows if row.is_apart == is_apart]
            if rows:
                pages.append({"title": title, "rows": rows})
    return pages
