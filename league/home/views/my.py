"""What waits for the person who is logged in."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league import extension
from league.clubs.services import invitations
from league.models import User
from league.results.queries import my


@require_safe
@login_required
def my_page(request: HttpRequest) -> HttpResponse:
    """The next match, what to confirm and to answer, the latest results, the person's clubs."""
    user = request.user
    if not isinstance(user, User):
        raise Http404
    now = timezone.now()
    context = {
        "mine": my.matches(user, at=now),
        "events": extension.layer().own_events(user=user, at=now),
        "results": my.results(user),
        "own_clubs": my.clubs(user),
        "invitations": invitations.waiting_for(user=user, at=now),
    }
    return render(request, "league/my.html", context)
