"""Setting up a competition: one form, with the calendar as it will be."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import LeagueError
from league.forms.setup import SetupForm
from league.forms.setup_summaries import folded_parts
from league.models import Club, Competition
from league.services import competitions
from league.views import lookup
from league.views.desk import acting, official, posted
from league.views.refusals import told
from league.views.rendering import render_for

USUAL_LEAD = timedelta(days=14)
Write = Callable[[], Competition]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def new(request: HttpRequest, club: str) -> HttpResponse:
    """A new competition. "Preview" shows the calendar and writes nothing."""
    found = official(request, club, "competition.set_up")
    today = timezone.localdate(timezone=ZoneInfo(found.time_zone))
    usual = {"place": found.place, "starts_on": today + USUAL_LEAD}
    form = SetupForm(posted(request), club=found, initial=usual)

    def write() -> Competition:
        return competitions.set_up(actor=acting(request), club=found, data=form.setup())

    context = {"heading": _("New competition")}
    return _answer(request, form, write, _("%(name)s is set up. Now enter the pairs."), context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def edit(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Changes a competition, as far as its state allows."""
    found = official(request, club, "competition.set_up")
    edited = lookup.competition(request, club, competition)
    form = SetupForm(posted(request), club=found, edited=edited)

    def write() -> Competition:
        return competitions.edit(actor=acting(request), competition=edited, data=form.setup())

    return _answer(request, form, write, _("Saved."), {"heading": edited.name, "competition": edited})


def _answer(
    request: HttpRequest, form: SetupForm, write: Write, success: str, context: dict[str, Any]
) -> HttpResponse:
    """Writes what was sent and goes on; or shows the form, with the calendar, where it is a preview or refused."""
    is_preview = "preview" in request.POST
    if is_preview and request.headers.get("HX-Request") == "true":
        return _render(request, form, "league/desk/setup_preview.html", {}, status=200)
    if form.is_bound and form.is_valid() and _is_accepted(form):
        made = None if is_preview else _written(form, write)
        if made is not None:
            messages.success(request, success % {"name": made})
            return redirect("competition_manage", made.club.slug, made.slug)
    status = 422 if form.is_bound and form.errors else 200
    return _render(request, form, "league/desk/setup.html", context, status=status)


def _is_accepted(form: SetupForm) -> bool:
    """Whether the service would take what the form says; if not, its faults are in the form."""
    try:
        competitions.build(form.club, form.setup())
    except LeagueError as refusal:
        form.show(refusal)
    return not form.errors


def _written(form: SetupForm, write: Write) -> Competition | None:
    try:
        return write()
    except LeagueError as refusal:
        form.show(refusal)
    return None


def _render(
    request: HttpRequest, form: SetupForm, template: str, context: dict[str, Any], *, status: int
) -> HttpResponse:
    club: Club = form.club
    shown = {"form": form, "calendar": form.planned(), "folded": folded_parts(form), **context}
    return render_for(request, club, template, shown, status=status)
