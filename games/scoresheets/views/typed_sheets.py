"""Sheets that were typed from the paper, to be compared by somebody else: one after the other, on one page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.scoresheets.queries.to_confirm import typed_to_confirm
from league.web.officials import official
from league.web.refusals import told
from league.web.rendering import render_for


@require_safe
@never_cache
@login_required
@told
def show(request: HttpRequest, club: str) -> HttpResponse:
    """The totals beside the photos of the paper, and a button for each."""
    found = official(request, club)
    context = {
        "waiting": typed_to_confirm(found, request.user),
        "confirm_from": reverse("desk_typed_sheets", args=[found.slug]),
    }
    return render_for(request, found, "games/typed_sheets.html", context)
