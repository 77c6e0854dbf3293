"""What the entry of a scoresheet begins with."""

from typing import Any

from games import front
from games.models import Scoresheet, ScoresheetDraft
from games.records import parsing as readings
from games.records.parsing import options_of
from league.models import Fixture


def beginning(
    *, fixture: Fixture, draft: ScoresheetDraft | None, newest: Scoresheet | None
) -> dict[str, Any]:
    """What the entry begins with: the person's draft, else the newest version to be corrected, else an empty sheet."""
    content: Any = draft.content if draft else newest.content if newest else {}
    given = content if isinstance(content, dict) else {}
    reading = readings.read(fixture=fixture, content=given, options=options_of(fixture))
    deals = given["deals"] if isinstance(given.get("deals"), list) else []
    found: dict[str, Any] = {
        **reading.seating.as_json(),
        "deals": [deal if isinstance(deal, dict) else {} for deal in deals[: readings.MOST_DEALS]],
    }
    page = given.get("page")
    place = front.of(fixture.round.competition.game).place_in_sheet(
        fixture, page if isinstance(page, dict) else None, is_empty=not found["deals"]
    )
    return {**found, "page": place} if place else found
