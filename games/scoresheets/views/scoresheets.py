"""Entering a scoresheet: the page, what the server says while it is filled in, and the preview."""

import json
from typing import Any
from urllib.parse import urlencode
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

from games import embargo, front
from games.comparisons.reckoning import effects
from games.models import Scoresheet, ScoresheetDraft
from games.proof import participations, typed_sheets
from games.records import parsing as readings
from games.records.display import robot_hands
from games.records.display.preview import to_settle
from games.records.display.shown import ShownSheet
from games.records.parsing import Reading, read_content
from games.scoresheets import drafts, entry_links
from games.scoresheets.queries import matches
from games.scoresheets.queries.outlook import outlook, turned
from games.scoresheets.services import scoresheets
from games.scoresheets.services.matches import may_say_why
from league import policies
from league.actors import Visitor
from league.errors import Invalid, LeagueError
from league.models import Fixture, User
from league.web import lookup
from league.web.officials import actor_of
from league.web.refusals import told
from league.web.rendering import kept_on_device, render_for


@login_required
@require_http_methods(["GET", "POST"])
@told
def scoresheet(request: HttpRequest, pk: int) -> HttpResponse:
    """The page to enter a sheet on; posted to, it shows the sheet as it was read. Teams have theirs in the rooms."""
    if lookup.fixture(request, pk).is_team_match:
        return redirect("match", pk)
    fixture = open_fixture(request, pk)
    closed = closed_because(request, fixture)
    if closed:
        messages.warning(request, closed)
        return redirect("match", pk)
    if request.method == "POST":
        return preview(request, fixture, content_of(request.POST.get("content", "")))
    sheets = matches.sheets_of(readings.match_of(fixture))
    draft = matches.draft_of(request.user, fixture)
    # Who only brings the paper to the site begins with nothing, not with what somebody else has entered.
    newest = sheets[0] if sheets and embargo.sees_sheets(visitor=request.user, fixture=fixture) else None
    if newest is not None:
        participations.judged(actor=actor_of(request), fixture=fixture, at=timezone.now())
    content = drafts.beginning(fixture=fixture, draft=draft, newest=newest)
    page = front.of(fixture.round.competition.game).sheet_page(
        request, fixture, content, saved=saved_at(fixture, draft)
    )
    if page is None:
        return redirect("plain_sheet", pk, 1)
    return kept_on_device(page) if policies.side_of(request.user, fixture) else page


@require_POST
def reading(request: HttpRequest, pk: int) -> HttpResponse:
    """Keeps the draft and says how it reads, as JSON; refusals are JSON as well, with words for the person."""
    if not isinstance(request.user, User):
        words = _("You’re logged out. What you typed is saved here. Please log in again and come back.")
        login = f"{reverse('account_login')}?{urlencode({'next': reverse('scoresheet', args=[pk])})}"
        return JsonResponse({"error": words, "login": login}, status=403)
    fixture = lookup.fixture(request, pk)
    entry_links.attach(request.user, request.session, fixture)
    if not policies.may(request.user, "sheet.enter", fixture):
        return _refusal(
            _("Only the players of this match and the club’s scorers can enter this scoresheet."), 403
        )
    try:
        question = json_of(request)
        content = question.get("content")
        if not isinstance(content, dict):
            raise Invalid(_("That isn’t a scoresheet."))
        scoresheets.save_draft(actor=actor_of(request), fixture=fixture, content=content)
    except LeagueError as refusal:
        return _refusal(refusal.message, 400)
    read = readings.read(fixture=fixture, content=content, options=readings.options_of(fixture))
    own = front.of(fixture.round.competition.game)
    with timezone.override(fixture.round.competition.club.time_zone):
        return JsonResponse(own.sheet_answer(fixture, read, content, question.get("focus")))


def shown_to(user: Visitor, fixture: Fixture, read: Reading) -> ShownSheet:
    """What was typed, and where robots acted by the sheet before, if the person sees that one."""
    is_seen = embargo.sees_sheets(visitor=user, fixture=fixture)
    return front.shown_sheet(fixture, read, robot_hands.of_newest(fixture) if is_seen else None)


def preview(request: HttpRequest, fixture: Fixture, content: Any) -> HttpResponse:
    """The sheet as read, before it is sent; or, when the engine refuses it, all that is still to be settled."""
    read = readings.read(fixture=fixture, content=content, options=readings.options_of(fixture))
    own = matches.own_entry(request.user, fixture)
    changed = effects.shown_correction(request.user, fixture, read) if read.is_accepted else None
    if changed is not None:
        participations.judged(actor=actor_of(request), fixture=fixture, at=timezone.now())
    context = {
        "fixture": fixture,
        "sheet": shown_to(request.user, fixture, read),
        "is_accepted": read.is_accepted,
        "to_settle": to_settle(fixture, read, front.of(fixture.round.competition.game).places),
        "content": json.dumps(content if isinstance(content, dict) else {}),
        "digest": read.digest,
        "key": uuid4().hex,
        "scoresheet_url": reverse("scoresheet", args=[fixture.pk]),
        "may_be_signed": typed_sheets.counts_signed(request.user, fixture),
        "may_say_why": may_say_why(fixture),
        "opponents": matches.others(fixture, own.pk if own else None),
        "outlook": outlook(fixture, scores=tuple(read.total.values()))
        if read.is_accepted and not lookup.is_directed_elsewhere(fixture.round.competition)
        else None,
        "turned": turned(fixture, ranks=list(read.ranks.values()), scores=list(read.total.values()))
        if read.is_accepted
        else None,
        "effects": changed,
        "played_early": matches.played_early(fixture, at=timezone.now()),
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
    entry_links.attach(request.user, request.session, fixture)
    if not policies.may(request.user, "sheet.enter", fixture):
        raise PermissionDenied(
            _("Only the players of this match and the club’s scorers can enter this scoresheet.")
        )
    return fixture


def closed_because(request: HttpRequest, fixture: Fixture) -> str:
    """Why no sheet can be entered now; empty when one can."""
    sheets = matches.sheets_of(readings.match_of(fixture))
    pending = next((sheet for sheet in sheets if sheet.verdict == Scoresheet.Verdict.PENDING), None)
    return matches.closed_because(visitor=request.user, fixture=fixture, pending=pending, at=timezone.now())


def json_of(request: HttpRequest) -> dict[str, Any]:
    """The request's JSON object. Raises Invalid."""
    try:
        found = read_content(request.body)
    except (ValueError, RawPostDataException):
        # The latter for a form: its body was read as one.
        found = None
    if not isinstance(found, dict):
        raise Invalid(_("We couldn’t read that as a scoresheet."))
    return found


def content_of(text: str) -> Any:
    """A sheet's content from a form field; if it cannot be read, an empty sheet, which the engine refuses."""
    try:
        return read_content(text)
    except ValueError:
        return {}


def _refusal(message: str, status: int) -> JsonResponse:
    return JsonResponse({"error": message}, status=status)
