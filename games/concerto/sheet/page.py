"""The page on which a scoresheet of Concerto is entered, and what it is told after a change."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from games import front
from games.concerto import values
from games.concerto.sheet import entry
from games.records import match_parts
from games.records import parsing as readings
from games.records.display.deal_names import DealNames
from games.records.parsing import Reading
from league.models import Fixture
from league.web.rendering import render_for

Json = dict[str, Any]


def sheet_page(request: HttpRequest, fixture: Fixture, content: Json, *, saved: str) -> HttpResponse:
    """The page, with all that its script needs to begin."""
    reading = readings.read(fixture=fixture, content=content, options=readings.options_of(fixture))
    data = values.page_data(fixture, content)
    data |= {"person": request.user.pk, "draft": content, "saved": saved}
    focus = entry.read_focus({**content.get("page", {}), "whole": True}, data["deals"], data["hands"])
    data["reading"] = entry.answer(fixture=fixture, reading=reading, content=content, focus=focus)
    context = {
        "fixture": fixture,
        "front": front.of(fixture.round.competition.game),
        "data": data,
        "deal_numbers": [DealNames(data["boards"]).number(deal) for deal in range(data["deals"])],
        "sides": data["sides"],
        "pad": values.pad(),
    }
    return render_for(request, fixture.round.competition.club, "concerto/scoresheet.html", context)


def sheet_answer(fixture: Fixture, reading: Reading, content: Json, focus: Any) -> Json:
    """What the page shows after a change."""
    read = entry.read_focus(focus, match_parts.deal_count(fixture), values.hand_count(fixture))
    return entry.answer(fixture=fixture, reading=reading, content=content, focus=read)
