"""The page of one table in the browser."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import front
from games.models.chat import LONGEST_LINE
from games.tables.queries.end import again, end_words
from games.tables.queries.labels import table_keys, table_labels
from games.tables.queries.lists import may_ask, title_of
from games.tables.state import facts as reading
from games.tables.state.seat_view import OPEN, view_for
from games.tables.views.play import table_of
from league import policies
from league.actors import Guest
from league.web.rendering import render_for


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
            **table_labels(
                found.game, replaces_absent=found.replaces_absent, is_match=found.fixture_id is not None
            ),
            **end_words(found),
        },
        "is_guest": isinstance(standing.visitor, Guest),
        "may_host": facts.state in OPEN and policies.may(standing.visitor, "table.host", found),
        "may_ask": may_ask(standing.visitor, found),
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
