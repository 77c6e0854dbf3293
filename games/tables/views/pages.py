"""The pages of tables in the browser: all of them, and one."""

from hashlib import sha256
from http.client import NO_CONTENT
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine import game
from games import front
from games.models.chat import LONGEST_LINE
from games.tables.forms import CasualTableForm
from games.tables.queries.end import again, end_words
from games.tables.queries.lists import TableLists, table_lists, title_of
from games.tables.queries.practice import practice_offer
from games.tables.queries.words import table_keys, table_words
from games.tables.state import facts as reading
from games.tables.state.seat_view import OPEN, view_for
from games.tables.views.play import table_of
from league import policies
from league.actors import Guest
from league.results.views.competitions import Part
from league.web.rendering import render_for


@never_cache
@require_safe
def table_list(request: HttpRequest) -> HttpResponse:
    """One's own tables, those that can be watched, and where to open one."""
    lists = table_lists(visitor=request.user)
    chosen = next(
        (each for each in game.all_games() if each.key == request.GET.get("game")), game.all_games()[0]
    )
    context = {
        "lists": lists,
        "part": _lists(request, lists),
        "games": game.all_games(),
        "game": chosen,
        "clubs": [
            (club, CasualTableForm(initial={"game": chosen.key}, auto_id=f"{club.slug}-%s"))
            for club in lists.clubs
        ],
        "offer": practice_offer(chosen),
    }
    return render(request, "games/tables.html", context)


@never_cache
@require_safe
def table_list_live(request: HttpRequest) -> HttpResponse:
    """The lists alone, or 204 while they look as they did."""
    part = _lists(request, table_lists(visitor=request.user))
    if request.GET.get("version") == part.version:
        return HttpResponse(status=NO_CONTENT)
    return HttpResponse(part.html, headers={"X-Live-Url": part.url})


def _lists(request: HttpRequest, lists: TableLists) -> Part:
    html = render_to_string("games/_table_lists.html", {"lists": lists}, request).strip()
    version = sha256(html.encode()).hexdigest()[:16]
    return Part(SafeString(html), version, f"{reverse('table_list_live')}?{urlencode({'version': version})}")


@never_cache
@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """One table: at a seat for who holds one, from outside for everybody else who may watch."""
    found, standing = table_of(request, pk)
    facts = reading.current(pk)
    at = timezone.now()
    context: dict[str, Any] = {
        "table": found,
        "title": title_of(found),
        "fixture": found.fixture,
        "view": view_for(facts=facts, reader=standing.reader(facts), at=at),
        "words": {
            **table_words(
                found.game, replaces_absent=found.replaces_absent, is_match=found.fixture_id is not None
            ),
            **end_words(found),
        },
        "is_guest": isinstance(standing.visitor, Guest),
        "may_host": facts.state in OPEN and policies.may(standing.visitor, "table.host", found),
        "again": again(table=found, visitor=standing.visitor),
        "keys": table_keys(found.game),
        "front": front.of(found.game),
        "urls": _urls(found.pk),
        "longest_line": LONGEST_LINE,
        "club_section": "tables",
    }
    return render_for(request, found.club, "games/table.html", context)


def _urls(pk: int) -> dict[str, str]:
    """Where the page's script asks and sends."""
    return {
        "view": reverse("table_view", args=[pk]),
        "act": reverse("table_act", args=[pk]),
        "step": reverse("table_step", args=[pk, "name"]),
        "hint": reverse("table_hint", args=[pk]),
        "meaning": reverse("table_meaning", args=[pk, 0]),
        "reasons": reverse("table_reasons", args=[pk, "seat"]),
        "socket": f"/tables/{pk}/socket/",
        "tables": reverse("table_list"),
        "replay": reverse("table_replay_page", args=[pk, 0]),
    }
