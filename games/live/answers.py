"""What a request about a table is answered with: the same for pages and for programs."""

from typing import Any

from django.utils import timezone

from games.live.known import Facts
from games.live.standing import Standing
from games.live.views import is_behind, view_for


def told(facts: Facts, standing: Standing, window: str = "") -> dict[str, Any]:
    """The version, and the table as this visitor may see it now."""
    at = timezone.now()
    view = view_for(facts=facts, reader=standing.reader(facts, window), at=at)
    return {"version": facts.version, "now": at.isoformat(), "view": view}


def told_since(facts: Facts, standing: Standing, since: str, window: str = "") -> dict[str, Any]:
    """The same; only the version where that is still `since`, and the visitor is not behind."""
    is_same = since.isascii() and since.isdecimal() and facts.version == int(since[:12])
    if is_same and not is_behind(facts, standing.reader(facts, window)):
        return {"version": facts.version, "now": timezone.now().isoformat(), "view": None}
    return told(facts, standing, window)
