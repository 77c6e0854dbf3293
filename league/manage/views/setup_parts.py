"""What each step of setting up a season shows and keeps."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from engine.contest.points.parsing import read_scheme
from engine.contest.standings.ranking import read_tie_breaks
from engine.errors import ContestError
from league.competitions.calendars import Calendar
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.entries.services import typed_entries
from league.errors import LeagueError, NotAllowed
from league.extension import GamePort
from league.fixtures import arranging
from league.imports.services import imports
from league.manage.forms.entries import NumbersForm, PairsForm
from league.manage.forms.points import PointsForm
from league.manage.forms.setup import (
    CalendarForm,
    CompetitionForm,
    DivisionsForm,
    StepForm,
)
from league.manage.queries import manage, setup_steps
from league.manage.queries.worked_example import Example, example_for
from league.manage.services import setups
from league.models import Club, Competition, Entry, Player
from league.results.queries import competitions as rules
from league.results.queries import ladder
from league.web.officials import acting
from league.web.refusals import show_in

USUAL_LEAD = timedelta(days=14)
Forms: TypeAlias = dict[str, Any]


class Refused(Exception):
    """What was sent cannot be kept as it is; the forms say why."""

    def __init__(self, forms: Forms) -> None:
        super().__init__()
        self.forms = forms


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step: its forms, how they are kept (gives where to go, "" for the next step), and what else it shows."""

    forms: Callable[[HttpRequest, Competition], Forms]
    save: Callable[[HttpRequest, Competition], str]
    context: Callable[[Competition, Forms], dict[str, Any]] = lambda _competition, _forms: {}


def usual(club: Club, changes: dict[str, Any]) -> Setup:
    """The set-up of a new competition: what its first step says, and what usually works for the rest."""
    today = timezone.localdate(timezone=ZoneInfo(club.time_zone))
    first = today + USUAL_LEAD
    if club.weekday is not None:
        first += timedelta(days=(club.weekday - first.weekday()) % 7)
    if club.play_time is not None:
        changes = {"play_time": club.play_time, **changes}
    return Setup(starts_on=first, place=club.place, **changes)


def _simple(form_class: type[StepForm], context: Callable[[Competition, Forms], dict[str, Any]]) -> SetupStep:
    """A step with one form whose fields are those of the set-up."""

    def forms(request: HttpRequest, competition: Competition) -> Forms:
        data = request.POST if request.method == "POST" else None
        return {"form": form_class(data, club=competition.club, competition=competition)}

    def save(request: HttpRequest, competition: Competition) -> str:
        form = forms(request, competition)["form"]
        if not form.is_valid():
            raise Refused({"form": form})
        try:
            setups.save(actor=acting(request), competition=competition, changes=form.changes())
        except LeagueError as refusal:
            _refuse(refusal, form)
        return ""

    return SetupStep(forms, save, context)


def _refuse(refusal: LeagueError, form: StepForm) -> None:
    if isinstance(refusal, NotAllowed):
        raise PermissionDenied(refusal.message) from refusal
    form.show(refusal)
    raise Refused({"form": form}) from refusal


# Pairs


def _pair_forms(request: HttpRequest, competition: Competition) -> Forms:
    data = request.POST if request.method == "POST" else None
    files = request.FILES if request.method == "POST" else None
    return {"form": PairsForm(data, files, competition=competition)}


def _save_pairs(request: HttpRequest, competition: Competition) -> str:
    """What is ticked and typed is entered first, whichever button was pressed; then that button's work is done."""
    form = _pair_forms(request, competition)["form"]
    if not form.is_valid():
        raise Refused({"form": form})
    given, actor, at = form.cleaned_data, acting(request), timezone.now()
    pairs = form.fields["lineups"].queryset if "all" in request.POST else given["lineups"]
    try:
        setups.enter(
            actor=actor,
            division=given["division"],
            chosen=list(pairs),
            typed=given["typed"],
            at=at,
            are_different=given["are_different"],
        )
        if given["file"]:
            batch = imports.preview(
                actor=actor,
                club=competition.club,
                kind=typed_entries.kind_for(competition),
                upload=given["file"],
            )
            page = reverse("desk_import_batch", args=[competition.club.slug, batch.pk])
            return f"{page}?for={competition.slug}"
        _take_out(request, competition)
    except LeagueError as refusal:
        show_in(form, refusal)
        if refusal.code == "same_person":
            form.ask_whether_different()
        raise Refused({"form": form}) from refusal
    stays = {"all", "add", "remove"} & set(request.POST)
    return setup_steps.url_of(competition, "pairs") if stays else ""


def _take_out(request: HttpRequest, competition: Competition) -> None:
    key = request.POST.get("remove", "")
    if key:
        number = int(key) if key.isascii() and key.isdecimal() and len(key) < 12 else 0
        entry = get_object_or_404(Entry.objects.with_pairs(), pk=number, competition=competition)
        setups.remove(actor=acting(request), entry=entry)
        said = _("%(pair)s: removed.") % {"pair": entry}
        messages.success(request, format_html('{} <a href="#history">{}</a>', said, _("Undo it below")))


def _pair_context(competition: Competition, _forms: Forms) -> dict[str, Any]:
    return {"divisions": manage.divisions_with_entries(competition)}


# Divisions and numbers


def _division_forms(request: HttpRequest, competition: Competition) -> Forms:
    data = request.POST if request.method == "POST" else None
    return {
        "form": DivisionsForm(data, club=competition.club, competition=competition),
        "numbers": NumbersForm(data, competition=competition),
    }


def _save_divisions(request: HttpRequest, competition: Competition) -> str:
    forms = _division_forms(request, competition)
    form, numbers, actor = forms["form"], forms["numbers"], acting(request)
    if not all([form.is_valid(), numbers.is_valid()]):
        raise Refused(forms)
    try:
        if numbers.has_changed():
            setups.arrange(actor=actor, competition=competition, places=numbers.places())
        setups.save(actor=actor, competition=competition, changes=form.changes())
        if "lots" in request.POST:
            setups.draw_numbers(actor=actor, competition=competition)
        elif "grades" in request.POST:
            setups.seed_by_grades(actor=actor, competition=competition, at=timezone.now())
        elif "share" in request.POST:
            setups.share_out(actor=actor, competition=competition)
    except LeagueError as refusal:
        form.show(refusal)
        raise Refused(forms) from refusal
    stays = {"lots", "grades", "share", "keep"} & set(request.POST)
    return f"{setup_steps.url_of(competition, 'divisions')}#numbers" if stays else ""


# Calendar, points and preview


def _calendar_context(competition: Competition, forms: Forms) -> dict[str, Any]:
    """The calendar as the form describes it; none while a part of it makes no sense."""
    form = forms["form"]
    shown: Competition | None = competition
    if form.is_bound:
        try:
            changes = form.changes() if form.is_valid() else None
            wanted = replace(competitions.setup_of(competition), **changes) if changes else None
            shown = competitions.build(competition.club, wanted) if wanted else None
        except LeagueError as refusal:
            form.show(refusal)
            shown = None
    if shown is None:
        return {"calendar": None, "is_guess": False}
    calendar, is_guess = setup_steps.calendar(shown, setup_steps.sizes(competition))
    return {"calendar": calendar, "is_guess": is_guess, "away": _away(competition, calendar)}


def _away(competition: Competition, calendar: Calendar) -> dict[date, list[Player]]:
    return arranging.away(competition, [each.dates.starts_on for each in calendar.rounds])


def _points_context(competition: Competition, forms: Forms) -> dict[str, Any]:
    form: PointsForm = forms["form"]
    if not form.is_bound:
        worth = {"points": competition.points, "tie_breaks": competition.tie_breaks}
        return {"example": example_of(form.port, worth)}
    return {"example": example_of(form.port, form.changes()) if form.is_valid() else None}


def example_of(port: GamePort, changes: dict[str, Any]) -> Example | None:
    """What these points and tie-breaks make of a few results; None where they make no sense, and for teams."""
    if "points" not in changes or changes["points"].get("by") == "teams":
        return None
    try:
        scheme = read_scheme(changes["points"])
        ties = [metric.key for metric in read_tie_breaks(list(changes["tie_breaks"]))]
    except ContestError:
        return None
    if not all(scheme.fits(sides) for sides in port.sides):
        return None
    return example_for(port, scheme, ties)


def _preview_context(competition: Competition, _forms: Forms) -> dict[str, Any]:
    calendar, _is_guess = setup_steps.calendar(competition, setup_steps.sizes(competition))
    return {
        "away": _away(competition, calendar),
        "rules": rules.rules(competition),
        "terms": ladder.terms(competition) if competition.stage.is_ladder else (),
        "overview": manage.overview(competition, at=timezone.now()),
        "today": timezone.localdate(timezone=ZoneInfo(competition.club.time_zone)),
    }


def live_preview(
    request: HttpRequest, competition: Competition, part: SetupStep
) -> tuple[str, dict[str, Any]]:
    """The template and context of what changes while a form is being filled in; nothing is written."""
    forms = part.forms(request, competition)
    template = "example" if isinstance(forms.get("form"), PointsForm) else "calendar_preview"
    shown = part if template == "example" else PARTS["calendar"]
    if not isinstance(forms.get("form"), PointsForm | CalendarForm):
        forms = {"form": CalendarForm(None, club=competition.club, competition=competition)}
    return f"league/desk/setup/{template}.html", {**forms, **shown.context(competition, forms)}


def _nothing(_competition: Competition, _forms: Forms) -> dict[str, Any]:
    return {}


PARTS: dict[str, SetupStep] = {
    "competition": _simple(CompetitionForm, _nothing),
    "pairs": SetupStep(_pair_forms, _save_pairs, _pair_context),
    "divisions": SetupStep(_division_forms, _save_divisions),
    "calendar": _simple(CalendarForm, _calendar_context),
    "points": _simple(PointsForm, _points_context),
    "preview": SetupStep(
        lambda _request, _competition: {}, lambda _request, _competition: "", _preview_context
    ),
}
