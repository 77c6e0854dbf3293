"""The director's desk: one page that says what to do next."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league import policies
from league.actors import Actor
from league.errors import NotAllowed
from league.models import Club, User
from league.selectors import desk
from league.views import lookup
from league.views.refusals import told
from league.views.rendering import render_for


def acting(request: HttpRequest) -> Actor:
    """The person behind a request, for services; views that need one are for people who are logged in."""
    if isinstance(request.user, User):
        return request.user
    raise NotAllowed("")


def official(request: HttpRequest, slug: str, action: str = "club.desk") -> Club:
    """The club, for those who may do `action` in it."""
    club = lookup.club(slug)
    policies.require(acting(request), action, club)
    return club


@require_safe
@login_required
@told
def show(request: HttpRequest, club: str) -> HttpResponse:
    """Everything that waits for a director, the most urgent first."""
    found = official(request, club)
    now = timezone.now()
    context = {
        "matters": desk.matters(found, at=now),
        "tiles": desk.tiles(found, at=now),
        "deadlines": desk.deadlines(found, at=now),
        "competitions": found.competitions.select_related("season"),
        "may_set_up": policies.may(request.user, "competition.set_up", found),
        "may_manage_members": policies.may(request.user, "club.members", found),
    }
    if request.headers.get("X-Requested-With") == "live":
        return render(request, "league/desk/matters.html", {**context, "club": found})
    return render_for(request, found, "league/desk/desk.html", context)
