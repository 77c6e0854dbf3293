"""The end of a competition: what is in the way, plans for the next season, and finishing it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import LeagueError
from league.manage.forms.ending import EndingForm
from league.manage.services import setups
from league.manage.views.manage import back, directed
from league.models import Competition
from league.seasons.queries import ending as endings
from league.seasons.services import finishing
from league.web.officials import acting
from league.web.refusals import show_in, told
from league.web.rendering import render_for


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def show(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Everybody's way to the next season as it stands, what a director says of it, and the button that finishes."""
    found = directed(request, club, competition)
    if found.state == Competition.State.DRAFT:
        return back(found)
    at, actor = timezone.now(), acting(request)
    if request.method == "POST" and "finish" in request.POST:
        finishing.finish(actor=actor, competition=found, at=at, seen=request.POST.get("seen", ""))
        messages.success(request, _("Finished. The table is final."))
        return redirect("competition_finish", found.club.slug, found.slug)
    ending = endings.of_competition(found, at=at)
    form = EndingForm(request.POST if request.method == "POST" else None, ending=ending)
    if request.method == "POST" and form.is_valid():
        try:
            lineups = [setups.lineup_of(found, each) for each in form.cleaned_data["newcomers"]]
            finishing.prepare(actor=actor, competition=found, said=form.said(lineups), at=at)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Saved. The movements below are up to date."))
            return redirect("competition_finish", found.club.slug, found.slug)
    context = {
        "competition": found,
        "ending": ending,
        "form": form,
        "following": finishing.published_successor(found),
    }
    status = 422 if form.errors else 200
    return render_for(request, found.club, "league/desk/finish.html", context, status=status)
