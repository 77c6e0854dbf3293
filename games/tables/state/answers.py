"""What a request about a table is answered with: the same for pages and for programs."""

from typing import Any

from django.utils import timezone

from games.tables.state import spectators
from games.tables.state.reader import Standing
from games.tables.state.seat_view import Told, view_for
from games.tables.state.snapshot import TableSnapshot


def told(
    facts: TableSnapshot, standing: Standing, window: str = "", *, before: Told | None = None
) -> dict[str, Any]:
    """The version, and the table as this visitor may see it now; with the steps since what they were told before."""
    at = timezone.now()
    view = view_for(facts=facts, reader=standing.reader(facts, window), at=at, since=before)
    return {"version": view["version"], "now": at.isoformat(), "view": view}


def told_since(
    facts: TableSnapshot, standing: Standing, since: str, window: str = "", *, before: Told | None = None
) -> dict[str, Any]:
    """The same; only the version where that is still `since`, and the visitor is not behind."""
    reader = standing.reader(facts, window)
    version = spectators.version_for(facts, reader.seat)
    is_same = since.isascii() and since.isdecimal() and version == int(since[:12])
    if is_same and not spectators.is_behind(facts, reader.seat):
        return {"version": version, "now": timezone.now().isoformat(), "view": None}
    return told(facts, standing, window, before=before)
