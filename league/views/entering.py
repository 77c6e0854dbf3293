"""A pair joins a competition after its draw."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import LeagueError
from league.forms.entering import LateEntryForm
from league.models import Competition
from league.services import entries
from league.views.desk import acting
from league.views.manage import back, directed, manage_page
from league.views.refusals import show_in, told


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def enter(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Enters a pair, its consequences shown first; before the draw that is a step of the set-up."""
    found = directed(request, club, competition)
    if request.method != "POST" or not found.rounds.exists():
        return back(found)
    return _enter_late(request, found)


def _enter_late(request: HttpRequest, competition: Competition) -> HttpResponse:
    form = LateEntryForm(request.POST, competition=competition)
    if not form.is_valid():
        return manage_page(request, competition, enter=form)
    division, pair = form.cleaned_data["division"], form.cleaned_data["partnership"]
    catch_up = bool(form.cleaned_data["catch_up"])
    chosen = {"division": division, "partnership": pair, "at": timezone.now(), "catch_up": catch_up}
    try:
        foreseen = entries.preview(**chosen)
        if foreseen.late is not None and "confirmed" not in request.POST:
            late = {
                "plan": foreseen.late,
                "may_be_redrawn": foreseen.may_be_redrawn,
                "pair": pair,
                "division": division,
                "catch_up": catch_up,
            }
            return manage_page(request, competition, enter=form, late=late)
        entries.enter(actor=acting(request), **chosen)
    except LeagueError as refusal:
        show_in(form, refusal)
        return manage_page(request, competition, enter=form)
    messages.success(request, _("%(pair)s: entered in %(division)s.") % {"pair": pair, "division": division})
    return back(competition)
