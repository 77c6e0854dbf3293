"""The start page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.home.queries import clubs
from league.models import User
from league.results.queries import competitions, my


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, the clubs, and for a person who is logged in the next steps first."""
    user = request.user
    mine = my.matches(user, at=timezone.now()) if isinstance(user, User) else None
    own_clubs = my.clubs(user) if isinstance(user, User) else ()
    context = {
        "clubs": clubs.listed(user),
        "running": competitions.running(user),
        "mine": mine,
        "own_clubs": own_clubs,
    }
    return render(request, "league/home.html", context)
