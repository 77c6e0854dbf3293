"""Entering a scoresheet: the page, what the server says while it is filled in, the preview, and sending it."""

import json
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse, RawPostDataException
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST

from games import policies as games_policies
from games import readings
from games.contents import read_content
from games.forms import SendForm
from games.models import Scoresheet, ScoresheetDraft
from games.selectors import entry, matches, values
from games.selectors.outlook import outlook
from games.selectors.preview import to_settle
from games.selectors.sheets import shown_sheet
from games.services import scoresheets
from games.views.judging import actor_of
from league import policies
from league.errors import Conflict, Invalid, LeagueError
from league.models import Fixture, User
from league.views import lookup
from league.views.refusals import told
from league.views.rendering import render_for


@login_required
@require_http_methods(["GET", "POST"])
@told
def scoresheet(request: HttpRequest, pk: int) -> HttpResponse:
    """The page to enter a sheet on; posted to, it shows the sheet as it was read."""
    fixture = open_fixture(request, pk)
    closed = closed_because(request, fixture)
    if closed:
        messages.warning(request, closed)
        return redirect("match", pk)
    if request.method == "POST":
        return preview(request, fixture, content_of(request.POST.get("content", "")))
    sheets = matches.sheets_of(matches.match_of(fixture))
    draft = matches.draft_of(request.user, fixture)
    content = entry.beginning(fixture=fixture, draft=draft, newest=sheets[0] if sheets else None)
    reading = readings.read(fixture=fixture, content=content, options=matches.options_of(fixture))
    data = values.page_data(fixture, content)
    data |= {"person": request.user.pk, "draft": content, "saved": saved_at(fixture, draft)}
    focus = entry.read_focus(content.get("page"), data["deals"], data["hands"])
    data["reading"] = entry.answer(fixture=fixture, reading=reading, content=content, focus=focus)
    context = {
        "fixture": fixture,
        "data": data,
        "deal_numbers": range(1, data["deals"] + 1),
        "sides": data["sides"],
        "pad": values.pad(),
    }
    return render_for(request, fixture.round.competition.club, "games/scoresheet.html", context)


@require_POST
def reading(request: HttpRequest, pk: int) -> HttpResponse:
    """Keeps the draft and says how it reads, as JSON; refusals are JSON as well, with words for the person."""
    if not isinstance(request.user, User):
        return _refusal(
            _("You are logged out. What you typed is kept here; log in again and come back."), 403
        )
    fixture = lookup.fixture(request, pk)
    if not policies.may(request.user, "sheet.enter", fixture):
        return _refusal(_("Only the two pairs and the club’s scorers enter this scoresheet."), 403)
    try:
        question = json_of(request)
        content = question.get("content")
        if not isinstance(content, dict):
            raise Invalid(_("That is not a scoresheet."))
        scoresheets.save_draft(actor=actor_of(request), fixture=fixture, content=content)
    except LeagueError as refusal:
        return _refusal(refusal.message, 400)
    read = readings.read(fixture=fixture, content=content, options=matches.options_of(fixture))
    focus = entry.read_focus(question.get("focus"), values.deal_count(fixture), values.hand_count(fixture))
    with timezone.override(fixture.round.competition.club.time_zone):
        return JsonResponse(entry.answer(fixture=fixture, reading=read, content=content, focus=focus))


@login_required
@require_POST
@told
def send(request: HttpRequest, pk: int) -> HttpResponse:
    """Submits the sheet that the preview showed; a repetition with the same key makes no second version.

    A script that asks for JSON is told where to go next, or that the server has something to show first.
    """
    fixture = open_fixture(request, pk)
    form = SendForm(request.POST)
    if not form.is_valid():
        messages.error(
            request, _("Something of the scoresheet was lost on the way. Please check it once more.")
        )
        return _on(request, "scoresheet", pk)
    content = content_of(form.cleaned_data["content"])
    read = readings.read(fixture=fixture, content=content, options=matches.options_of(fixture))
    if not read.is_accepted or read.digest != form.cleaned_data["digest"]:
        return _shown_first(request, fixture, content)
    try:
        sheet = scoresheets.submit(
            actor=actor_of(request),
            fixture=fixture,
            content=read.content,
            origin=origin_of(request, fixture),
            key=form.cleaned_data["key"],
        )
    except Invalid:
        return _shown_first(request, fixture, content)
    except Conflict as refusal:
        messages.error(request, refusal.message)
        return _on(request, "match", pk)
    who = matches.others(fixture, sheet.entered_for_id)
    messages.success(request, _("Sent. Now %(who)s can confirm it.") % {"who": who})
    return _on(request, "match", pk)


def _on(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"next": reverse(name, args=[pk])})
    return redirect(name, pk)


def _shown_first(request: HttpRequest, fixture: Fixture, content: Any) -> HttpResponse:
    """The rules or the seats are not what they were when the sheet was checked: nothing is sent unseen."""
    if wants_json(request):
        return JsonResponse({"show": True})
    messages.warning(request, _("This is not quite what you saw before. Please look at it once more."))
    return preview(request, fixture, content)


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, which follows no redirects."""
    return request.headers.get("Accept") == "application/json"


def preview(request: HttpRequest, fixture: Fixture, content: Any) -> HttpResponse:
    """The sheet as read, before it is sent; or, when the engine refuses it, all that is still to be settled."""
    read = readings.read(fixture=fixture, content=content, options=matches.options_of(fixture))
    own = matches.own_entry(request.user, fixture)
    context = {
        "fixture": fixture,
        "sheet": shown_sheet(fixture, read),
        "is_accepted": read.is_accepted,
        "to_settle": to_settle(read),
        "content": json.dumps(content if isinstance(content, dict) else {}),
        "digest": read.digest,
        "key": uuid4().hex,
        "scoresheet_url": reverse("scoresheet", args=[fixture.pk]),
        "opponents": matches.others(fixture, own.pk if own else None),
        "outlook": outlook(fixture, home_score=read.total["home"], away_score=read.total["away"])
        if read.is_accepted
        else None,
    }
    return render_for(request, fixture.round.competition.club, "games/preview.html", context)


def saved_at(fixture: Fixture, draft: ScoresheetDraft | None) -> str:
    """When the draft was last saved, on the club's clock; empty without one."""
    if draft is None:
        return ""
    local = timezone.localtime(draft.updated_at, ZoneInfo(fixture.round.competition.club.time_zone))
    return date_format(local, pgettext("time of day", "H:i"))


def open_fixture(request: HttpRequest, pk: int) -> Fixture:
    """The fixture, if this person may enter its sheet: else a 404 or a 403 that says who may."""
    fixture = lookup.fixture(request, pk)
    if not policies.may(request.user, "sheet.enter", fixture):
        raise PermissionDenied(_("Only the two pairs and the club’s scorers enter this scoresheet."))
    return fixture


def closed_because(request: HttpRequest, fixture: Fixture) -> str:
    """Why no sheet can be entered now; empty when one can."""
    sheets = matches.sheets_of(matches.match_of(fixture))
    pending = next((sheet for sheet in sheets if sheet.verdict == Scoresheet.Verdict.PENDING), None)
    return matches.closed_because(visitor=request.user, fixture=fixture, pending=pending, at=timezone.now())


def origin_of(request: HttpRequest, fixture: Fixture) -> str:
    """Whether a player enters the sheet or an official for others."""
    if games_policies.enters_as_official(request.user, fixture):
        return Scoresheet.Origin.OFFICIAL
    return Scoresheet.Origin.PAGE


def json_of(request: HttpRequest) -> dict[str, Any]:
    """The request's JSON object. Raises Invalid."""
    try:
        found = read_content(request.body)
    except (ValueError, RawPostDataException):
        # The latter for a form: its body was read as one.
        found = None
    if not isinstance(found, dict):
        raise Invalid(_("That could not be read as a scoresheet."))
    return found


def content_of(text: str) -> Any:
    """A sheet's content from a form field; what cannot be read is an empty sheet, of which the engine complains."""
    try:
        return read_content(text)
    except ValueError:
        return {}


def _refusal(message: str, status: int) -> JsonResponse:
    return JsonResponse({"error": message}, status=status)
