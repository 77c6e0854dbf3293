"""Two tables that played the same board, hand by hand."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.events.queries.side_by_side import side_by_side
from games.events.views.events import event_of
from league.results.views.competitions import frame
from league.web.rendering import render_for

LARGEST_KEY = 2**63 - 1


@require_safe
def compare(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The tables that `a` and `b` name at the `board`; without them, what can be chosen."""
    found = event_of(request, club, competition)
    asked = {name: _key(request.GET.get(name)) for name in ("board", "a", "b")}
    shown = side_by_side(
        competition=found, visitor=request.user, board=asked["board"], one=asked["a"], other=asked["b"]
    )
    context = {**frame(request, found, "compare_tables"), "shown": shown, "asked": asked}
    return render_for(request, found.club, "games/compare_tables.html", context)


def _key(text: str | None) -> int | None:
    """The key that a query names; nothing where it names none."""
    if not text or not (text.isascii() and text.isdecimal() and len(text) < 20):
        return None
    key = int(text)
    return key if 0 < key <= LARGEST_KEY else None
