"""The pages of tables in the browser: all of them, and one."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine import game
from games.live import facts as reading
from games.live.views import view_for
from games.selectors.table_end import again, end_words
from games.selectors.table_lists import table_lists, title_of
from games.selectors.table_words import table_keys, table_words
from games.services.tables.opening import CASUAL_GAME
from games.table_forms import CasualTableForm, PracticeForm
from games.views.table_play import table_of
from league.views.rendering import render_for


@never_cache
@require_safe
def table_list(request: HttpRequest) -> HttpResponse:
    """One's own tables, those that can be watched, and where to open one."""
    context = {
        "lists": table_lists(visitor=request.user),
        "form": CasualTableForm(),
        "practice": PracticeForm(),
        "robots": game.get(CASUAL_GAME).robots(),
    }
    return render(request, "games/tables.html", context)


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
            **table_words(found.game, replaces_absent=found.replaces_absent),
            **end_words(found),
        },
        "again": again(table=found, visitor=request.user),
        "keys": table_keys(),
        "socket_url": f"/tables/{found.pk}/socket/",
        "club_section": "tables",
    }
    return render_for(request, found.club, "games/table.html", context)
