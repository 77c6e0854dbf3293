"""Deciding on a scoresheet: the other side confirms or rejects it, a director reopens a confirmed one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.comparisons.reckoning import effects
from games.models import Scoresheet
from games.proof import participations
from games.records import parsing as readings
from games.scoresheets.forms import ConfirmForm, RejectForm, ReopenForm
from games.scoresheets.queries import matches as reading
from games.scoresheets.queries.outlook import of_reopening, turned
from games.scoresheets.queries.to_confirm import typed_to_confirm
from games.scoresheets.services import matches, scoresheets
from league import policies
from league.errors import LeagueError
from league.models import Fixture
from league.web import lookup
from league.web.officials import actor_of, official
from league.web.refusals import came_from, show_in, told
from league.web.rendering import render_for


@login_required
@require_POST
@told
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Agree to the very version that was shown; `next` is the page to go on with."""
    fixture = lookup.fixture(request, pk)
    form = ConfirmForm(request.POST)
    if not form.is_valid():
        messages.error(
            request, _("We don’t know which scoresheet you meant. Please check it here and confirm it again.")
        )
        return redirect("match", pk)
    sheet = _sheet(fixture, form.cleaned_data["version"])
    confirmed = scoresheets.confirm(
        actor=actor_of(request),
        sheet=sheet,
        digest=form.cleaned_data["digest"],
        key=form.cleaned_data["key"],
    )
    if confirmed.verdict == Scoresheet.Verdict.CONFIRMED:
        messages.success(request, _("Confirmed. The standings will be updated in a moment."))
    else:
        messages.success(request, _("Thank you. It counts once the others have confirmed it too."))
    if "next" in request.POST:
        return HttpResponseRedirect(came_from(request))
    return redirect("match", pk)


@login_required
@require_http_methods(["GET", "POST"])
@told
def reject(request: HttpRequest, pk: int) -> HttpResponse:
    """Disagree with a version, and say why."""
    fixture = lookup.fixture(request, pk)
    form = RejectForm(request.POST or None)
    sheet = _rejected_sheet(request, fixture)
    # A sheet that counted by silence is still rejected by a side that had said nothing.
    if not policies.may(request.user, "sheet.object", sheet):
        policies.require(actor_of(request), "sheet.judge", sheet)
    if request.method == "POST" and form.is_valid():
        try:
            scoresheets.reject(
                actor=actor_of(request),
                sheet=sheet,
                reason=form.cleaned_data["reason"],
                key=form.cleaned_data["key"],
            )
        except LeagueError as refusal:
            if refusal.code == "invalid":
                show_in(form, refusal)
            else:
                messages.error(request, refusal.message)
                return redirect("match", pk)
        else:
            messages.success(
                request, _("Rejected. %(who)s can read why and enter it again.") % {"who": sheet.entered_by}
            )
            return redirect("match", pk)
    context = {"fixture": fixture, "form": form, "sheet": sheet}
    return render_for(request, fixture.round.competition.club, "games/reject.html", context)


def _rejected_sheet(request: HttpRequest, fixture: Fixture) -> Scoresheet:
    version = request.POST.get("version") or request.GET.get("version") or ""
    return _sheet(fixture, int(version) if version.isdecimal() and len(version) < 6 else 0)


@login_required
@require_http_methods(["GET", "POST"])
@told
def reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a confirmed result back: what that does to the table comes first, then the reason."""
    fixture = lookup.fixture(request, pk)
    if not policies.may(request.user, "match.reopen", fixture):
        raise PermissionDenied(_("Only a director who isn’t playing in this match can reopen it."))
    form = ReopenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        matches.reopen(actor=actor_of(request), fixture=fixture, reason=form.cleaned_data["reason"])
        messages.success(
            request, _("Reopened. The match has no result until a scoresheet is confirmed again.")
        )
        return redirect("match", pk)
    match = readings.match_of(fixture)
    confirmed = next((s for s in reading.sheets_of(match) if s.verdict == Scoresheet.Verdict.CONFIRMED), None)
    changed = effects.shown_reopening(actor_of(request), fixture) if confirmed else None
    if changed is not None:
        participations.judged(actor=actor_of(request), fixture=fixture, at=timezone.now())
    context = {
        "fixture": fixture,
        "form": form,
        "sheet": confirmed,
        "outlook": of_reopening(fixture) if confirmed else None,
        "turned": turned(fixture, ranks=None) if confirmed else None,
        "effects": changed,
        "now": timezone.now(),
    }
    return render_for(request, fixture.round.competition.club, "games/reopen.html", context)


def _sheet(fixture: Fixture, version: int) -> Scoresheet:
    for sheet in reading.sheets_of(readings.match_of(fixture)):
        if sheet.version == version:
            return sheet
    raise Http404


@require_safe
@never_cache
@login_required
@told
def typed_sheets(request: HttpRequest, club: str) -> HttpResponse:
    """Sheets that others typed from the paper: the totals beside the photos, and a button for each."""
    found = official(request, club)
    context = {
        "waiting": typed_to_confirm(found, request.user),
        "confirm_from": reverse("desk_typed_sheets", args=[found.slug]),
    }
    return render_for(request, found, "games/typed_sheets.html", context)
