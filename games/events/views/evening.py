"""The page of a duplicate evening: its ranking."""

from django.http import HttpRequest, HttpResponse

from games.events.views.events import ranking_page
from league.models import Competition


def evening_page(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Who made what on the boards so far, with the ways to the room, the scorecards and the boards."""
    return ranking_page(request, competition, "competition")
