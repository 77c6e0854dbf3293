"""Sending a scoresheet: from the preview, or by a device that kept it while there was no connection."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games import front
from games import policies as games_policies
from games.models import Scoresheet
from games.records import parsing as readings
from games.records.display.preview import to_settle
from games.records.parsing import Reading
from games.scoresheets.forms import SendForm
from games.scoresheets.queries import matches
from games.scoresheets.services import scoresheets
from games.scoresheets.views.scoresheets import content_of, open_fixture, preview
from league.errors import Conflict, Invalid
from league.models import Fixture
from league.web.officials import actor_of
from league.web.refusals import told

SENT, REFUSED = "sent", "refused"


@login_required
@require_POST
@told
def send(request: HttpRequest, pk: int) -> HttpResponse:
    """Submits the sheet; a repetition with the same key makes no second version.

    A script that asks for JSON is told the outcome in words, and where to go next: a device says it when it can.
    """
    try:
        fixture = open_fixture(request, pk)
    except PermissionDenied as refusal:
        if not wants_json(request):
            raise
        return _told(request, REFUSED, str(refusal), "match", pk)
    form = SendForm(request.POST)
    if not form.is_valid():
        words = _("Part of the scoresheet was lost on the way. Please check it again.")
        return _told(request, REFUSED, words, "scoresheet", pk)
    content = content_of(form.cleaned_data["content"])
    read = readings.read(fixture=fixture, content=content, options=readings.options_of(fixture))
    if not _is_as_seen(read, form.cleaned_data):
        return _shown_first(request, fixture, content, read)
    try:
        sheet = scoresheets.submit(
            actor=actor_of(request),
            fixture=fixture,
            content=read.content,
            origin=origin_of(request, fixture),
            signed=form.cleaned_data["signed"],
            reason=form.cleaned_data["reason"],
            key=form.cleaned_data["key"],
        )
    except Invalid:
        return _shown_first(request, fixture, content, read)
    except Conflict as refusal:
        return _told(request, REFUSED, refusal.message, "match", pk)
    words = _sent(sheet)
    return _told(request, SENT, words, "match", pk)


def _sent(sheet: Scoresheet) -> str:
    """What happens with the sheet now."""
    if sheet.verdict == Scoresheet.Verdict.CONFIRMED:
        return _(
            "Saved. It counts, because all sides signed the paper. The standings will be updated in a moment."
        )
    who = matches.waited_for(sheet)
    return _("Sent. %(who)s can now confirm it. Until then you can still correct it.") % {"who": who}


def _is_as_seen(read: Reading, given: dict[str, Any]) -> bool:
    """Whether the sheet reads as the preview showed it; one that had no preview must be beyond doubt."""
    if given["digest"]:
        return read.is_accepted and read.digest == given["digest"]
    return read.is_accepted and not read.suspicious


def _told(request: HttpRequest, outcome: str, words: str, name: str, pk: int) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"outcome": outcome, "message": words, "next": reverse(name, args=[pk])})
    if outcome == SENT:
        messages.success(request, words)
    else:
        messages.error(request, words)
    return redirect(name, pk)


def _shown_first(request: HttpRequest, fixture: Fixture, content: Any, read: Reading) -> HttpResponse:
    """The rules or the seats are not what they were when the sheet was checked: nothing is sent unseen."""
    if wants_json(request):
        return _told(request, REFUSED, _why_not(fixture, read), "scoresheet", fixture.pk)
    messages.warning(request, _("Something has changed since you last saw this. Please check it again."))
    return preview(request, fixture, content)


def _why_not(fixture: Fixture, read: Reading) -> str:
    places = front.of(fixture.round.competition.game).places
    found = to_settle(fixture, read, places)
    if not found:
        return _("Something has changed since you last saw this. Please check it again.")
    first = _("%(where)s: %(what)s") % {"where": found[0].where, "what": found[0].message}
    if len(found) == 1:
        return first
    more = ngettext("and one more", "and %(count)d more", len(found) - 1) % {"count": len(found) - 1}
    return _("%(first)s (%(more)s)") % {"first": first, "more": more}


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, which follows no redirects."""
    return request.headers.get("Accept") == "application/json"


def origin_of(request: HttpRequest, fixture: Fixture) -> str:
    """Whether a player enters the sheet or an official for others."""
    if games_policies.enters_as_official(request.user, fixture):
        return Scoresheet.Origin.OFFICIAL
    return Scoresheet.Origin.PAGE
