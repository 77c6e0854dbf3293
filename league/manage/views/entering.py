"""A pair joins a competition after its draw."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.entries.services import entries
from league.entries.services.late_entries import AT_FREE_DATES, takes_late
from league.errors import LeagueError
from league.manage.forms.entries import LateEntryForm
from league.manage.queries import late_ways
from league.manage.services import setups
from league.manage.views.manage import back, directed, manage_page
from league.models import Competition
from league.web.officials import acting
from league.web.refusals import show_in, told


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def enter(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Enters a pair, its consequences shown first; before the draw that is a step of the set-up."""
    found = directed(request, club, competition)
    if request.method != "POST" or not takes_late(found):
        return back(found)
    return _enter_late(request, found)


def _enter_late(request: HttpRequest, competition: Competition) -> HttpResponse:
    form = LateEntryForm(request.POST, competition=competition)
    if not form.is_valid():
        return manage_page(request, competition, enter=form)
    division, chosen_row = form.cleaned_data["division"], form.cleaned_data["lineup"]
    pair = setups.lineup_of(competition, chosen_row)
    at, catch_up = timezone.now(), bool(form.cleaned_data.get("catch_up"))
    foreseen = {}
    try:
        for key, way in late_ways.ways(division, catch_up=catch_up).items():
            foreseen[key] = (way, entries.preview(division=division, lineup=pair, at=at, way=way))
        chosen = foreseen.get(request.POST.get("way", ""))
        if chosen is None and any(each.late for _way, each in foreseen.values()):
            late = {
                "options": late_ways.shown(foreseen),
                "may_be_redrawn": any(each.may_be_redrawn for _way, each in foreseen.values()),
                "pair": chosen_row,
                "division": division,
                "catch_up": catch_up,
            }
            return manage_page(request, competition, enter=form, late=late)
        way = chosen[0] if chosen is not None else AT_FREE_DATES
        entries.enter(actor=acting(request), division=division, lineup=pair, at=at, way=way)
    except LeagueError as refusal:
        show_in(form, refusal)
        return manage_page(request, competition, enter=form)
    messages.success(request, _("%(pair)s: entered in %(division)s.") % {"pair": pair, "division": division})
    return back(competition)
