"""How a competition is played in the browser: the director's page of its terms."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.models import OnlinePlay, Table
from games.tables.forms import OnlinePlayForm
from games.tables.services import opening
from league import policies
from league.errors import LeagueError
from league.web import lookup
from league.web.officials import acting, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def desk_online(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Whether matches may be played online, and under which terms; what is open keeps its own."""
    found = lookup.competition(request, club, competition)
    policies.require(acting(request), "competition.set_up", found)
    online = OnlinePlay.objects.filter(competition=found).first() or OnlinePlay(competition=found)
    form = OnlinePlayForm(posted(request), instance=online)
    if request.method == "POST" and form.is_valid():
        terms: dict[str, Any] = dict(form.cleaned_data)
        is_open = terms.pop("is_open")
        try:
            opening.set_online(actor=acting(request), competition=found, is_open=is_open, terms=terms)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Saved. This applies to tables opened from now on."))
            return redirect("desk_online", found.club.slug, found.slug)
    context = {
        "competition": found,
        "form": form,
        "open_tables": Table.objects.open().filter(fixture__round__stage__competition=found).count(),
        "director_url": lookup.director_page(found),
    }
    return render_for(
        request, found.club, "games/online_terms.html", context, status=422 if form.errors else 200
    )
