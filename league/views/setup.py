"""Setting up a competition: one form, with the calendar as it will be."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.calendars import Calendar, calendar
from league.errors import LeagueError
from league.forms.setup import SetupForm, initial_of
from league.models import Club
from league.services import competitions
from league.views import lookup
from league.views.desk import acting, official
from league.views.refusals import told
from league.views.rendering import render_for


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def new(request: HttpRequest, club: str) -> HttpResponse:
    """A new competition. "Preview" shows the calendar and writes nothing."""
    found = official(request, club, "competition.set_up")
    form = SetupForm(request.POST or None, initial={"place": found.place})
    planned = _planned(found, form)
    if _is_preview(request):
        return _preview(request, form, planned)
    if request.method == "POST" and planned is not None:
        try:
            made = competitions.set_up(actor=acting(request), club=found, data=form.setup())
        except LeagueError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("%(name)s is set up. Now enter the pairs.") % {"name": made})
            return redirect("competition_manage", found.slug, made.slug)
    return _page(request, found, form, planned, {"heading": _("New competition")})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def edit(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Changes a competition, as far as its state allows."""
    found = official(request, club, "competition.set_up")
    edited = lookup.competition(request, club, competition)
    form = SetupForm(request.POST or None, initial=initial_of(edited), game=edited.game)
    planned = _planned(found, form)
    if _is_preview(request):
        return _preview(request, form, planned)
    if request.method == "POST" and planned is not None:
        try:
            competitions.edit(actor=acting(request), competition=edited, data=form.setup())
        except LeagueError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("competition_manage", found.slug, edited.slug)
    return _page(request, found, form, planned, {"heading": edited.name, "competition": edited})


def _is_preview(request: HttpRequest) -> bool:
    return (
        request.method == "POST" and request.headers.get("HX-Request") == "true" and "preview" in request.POST
    )


def _planned(club: Club, form: SetupForm) -> Calendar | None:
    """The calendar that the form describes; None (and errors in the form) when it describes none."""
    if not form.is_bound or not form.is_valid():
        return None
    try:
        row = competitions.build(club, form.setup())
    except LeagueError as refusal:
        form.show(refusal)
        return None
    return calendar(row, form.cleaned_data["pairs"])


def _preview(request: HttpRequest, form: SetupForm, planned: Calendar | None) -> HttpResponse:
    return render(request, "league/desk/calendar.html", {"form": form, "calendar": planned})


def _page(
    request: HttpRequest, club: Club, form: SetupForm, planned: Calendar | None, context: dict[str, Any]
) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    shown = {"form": form, "calendar": planned, **context}
    return render_for(request, club, "league/desk/setup.html", shown, status=status)
