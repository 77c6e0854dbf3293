"""Who takes part in a competition: entering pairs, taking them out, moving them between divisions."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league.errors import LeagueError
from league.forms.entering import EnterPairsForm, LateEntryForm, MoveForm
from league.models import Competition
from league.services import entries
from league.views.desk import acting
from league.views.manage import back, directed, entry_of, manage_page
from league.views.refusals import show_in, told


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def enter(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Enters pairs: all that are ticked before the draw; after it one, its consequences shown first."""
    found = directed(request, club, competition)
    if request.method != "POST":
        return back(found)
    return _enter_late(request, found) if found.rounds.exists() else _enter_all(request, found)


def _enter_all(request: HttpRequest, competition: Competition) -> HttpResponse:
    form = EnterPairsForm(request.POST, competition=competition)
    if not form.is_valid():
        return manage_page(request, competition, enter=form)
    division, pairs = form.cleaned_data["division"], list(form.cleaned_data["partnerships"])
    try:
        entries.enter_all(actor=acting(request), division=division, partnerships=pairs, at=timezone.now())
    except LeagueError as refusal:
        show_in(form, refusal)
        return manage_page(request, competition, enter=form)
    said = ngettext(
        "%(count)d pair is entered in %(division)s.",
        "%(count)d pairs are entered in %(division)s.",
        len(pairs),
    )
    messages.success(request, said % {"count": len(pairs), "division": division})
    return back(competition)


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


@require_POST
@login_required
@told
def remove(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Takes a pair out before the draw."""
    entry = entry_of(request, club, competition, pk)
    entries.remove(actor=acting(request), entry=entry)
    messages.success(request, _("%(pair)s: taken out.") % {"pair": entry})
    return back(entry.competition)


@require_POST
@login_required
@told
def move(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Puts a pair into another division before the draw."""
    entry = entry_of(request, club, competition, pk)
    form = MoveForm(request.POST, entry=entry)
    if not form.is_valid():
        messages.error(request, _("Choose the division to which the pair moves."))
        return back(entry.competition)
    division = form.cleaned_data["division"]
    entries.move(actor=acting(request), entry=entry, division=division)
    messages.success(request, _("%(pair)s: moved to %(division)s.") % {"pair": entry, "division": division})
    return back(entry.competition)
