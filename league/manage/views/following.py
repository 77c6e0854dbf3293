"""The next season from this one."""

from dataclasses import asdict
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import LeagueError, NotAllowed
from league.manage.forms.following import FollowingForm
from league.manage.views.manage import back, directed
from league.models import Competition
from league.seasons.queries import ending as endings
from league.seasons.queries import following as reads
from league.seasons.services import following
from league.web.officials import acting, posted
from league.web.refusals import told
from league.web.rendering import render_for


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def begin(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Name and first day of the next season, with everybody's division in it; and the button that makes the draft."""
    found = directed(request, club, competition)
    there = Competition.objects.filter(follows=found).select_related("club").first()
    if there is not None:
        return back(there)
    if found.state != Competition.State.FINISHED:
        return redirect("competition_finish", found.club.slug, found.slug)
    at = timezone.now()
    proposal = reads.proposed(found, today=timezone.localdate(at, ZoneInfo(found.club.time_zone)))
    form = FollowingForm(posted(request), club=found.club, initial=asdict(proposal))
    if request.method == "POST" and form.is_valid():
        try:
            made = following.begin(actor=acting(request), competition=found, at=at, **form.changes())
        except NotAllowed:
            raise
        except LeagueError as refusal:
            form.show(refusal)
        else:
            said = _("%(name)s is now a draft. Only directors can see it until you publish it.")
            messages.success(request, said % {"name": made})
            return back(made)
    context = {"competition": found, "form": form, "ending": endings.of_competition(found, at=at)}
    status = 422 if form.errors else 200
    return render_for(request, found.club, "league/desk/following.html", context, status=status)
