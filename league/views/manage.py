"""Running a competition: its pairs, its draw, its state, and what a director corrects."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.contest.consequences import consequences, sentence
from league import policies
from league.errors import LeagueError
from league.forms.desk import AdjustmentForm, DrawForm, EnterForm, LotsForm, ReasonForm
from league.models import Adjustment, Competition, Division, Entry, Partnership
from league.selectors import manage as reads
from league.services import adjustments, competitions, draws, entries, lots, withdrawals
from league.views import lookup
from league.views.desk import acting
from league.views.refusals import show_in, told
from league.views.rendering import render_for
from league.wording import said


def _directed(request: HttpRequest, club: str, competition: str) -> Competition:
    found = lookup.competition(request, club, competition)
    policies.require(acting(request), "competition.set_up", found)
    return found


def _back(competition: Competition) -> HttpResponse:
    return redirect("competition_manage", competition.club.slug, competition.slug)


@require_safe
@login_required
@told
def show(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The pairs by division, the draw, and what can be done with the competition now."""
    found = _directed(request, club, competition)
    return _page(request, found)


def _page(request: HttpRequest, competition: Competition, **forms: Any) -> HttpResponse:
    is_drawn = competition.rounds.exists()
    context = {
        "competition": competition,
        "divisions": reads.divisions_with_entries(competition),
        "is_drawn": is_drawn,
        "may_be_redrawn": draws.may_be_redrawn(competition),
        "enter": forms.get("enter") or _enter_form(None, competition, is_drawn),
        "draw": forms.get("draw") or DrawForm(),
        "late": forms.get("late"),
    }
    status = 422 if any(getattr(form, "errors", None) for form in forms.values()) else 200
    return render_for(request, competition.club, "league/desk/manage.html", context, status=status)


def _enter_form(data: Any, competition: Competition, is_drawn: bool) -> EnterForm:
    taken = competition.entries.values("partnership")
    free = Partnership.objects.present().with_players().filter(club=competition.club).exclude(pk__in=taken)
    return EnterForm(
        data,
        divisions=competition.divisions.order_by("level"),
        pairs=free.order_by("player_a__name", "pk"),
        is_drawn=is_drawn,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def enter(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Enters a pair. After the draw the consequences are shown first, and carried out with "confirmed"."""
    found = _directed(request, club, competition)
    if request.method != "POST":
        return _back(found)
    form = _enter_form(request.POST, found, found.rounds.exists())
    if not form.is_valid():
        return _page(request, found, enter=form)
    division, pair = form.cleaned_data["division"], form.cleaned_data["partnership"]
    catch_up = bool(form.cleaned_data.get("catch_up"))
    chosen = {"division": division, "partnership": pair, "at": timezone.now(), "catch_up": catch_up}
    try:
        foreseen = entries.preview(**chosen)
        if foreseen.late is not None and "confirmed" not in request.POST:
            late = {"plan": foreseen.late, "pair": pair, "division": division, "catch_up": catch_up}
            return _page(request, found, enter=form, late=late)
        entries.enter(actor=acting(request), **chosen)
    except LeagueError as refusal:
        show_in(form, refusal)
        return _page(request, found, enter=form)
    messages.success(request, _("%(pair)s: entered in %(division)s.") % {"pair": pair, "division": division})
    return _back(found)


@require_POST
@login_required
@told
def draw(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Draws the rounds, or takes the draw of a draft back."""
    found = _directed(request, club, competition)
    if "take_back" in request.POST:
        draws.take_back(actor=acting(request), competition=found)
        messages.success(request, _("The draw is taken back."))
        return _back(found)
    form = DrawForm(request.POST)
    if not form.is_valid():
        return _page(request, found, draw=form)
    draws.draw(actor=acting(request), competition=found, order=form.cleaned_data["order"])
    messages.success(request, _("The rounds are drawn. Look at the calendar, then publish it."))
    return _back(found)


@require_POST
@login_required
@told
def change_state(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Publishes a draft, finishes a running competition, reopens a finished one, or deletes a draft."""
    found = _directed(request, club, competition)
    actor = acting(request)
    match request.POST.get("to"):
        case "running" if found.state == Competition.State.FINISHED:
            competitions.reopen(actor=actor, competition=found, reason=request.POST.get("reason", ""))
        case "running":
            competitions.publish(actor=actor, competition=found)
            messages.success(request, _("Published: everybody sees the fixtures now."))
        case "finished":
            competitions.finish(actor=actor, competition=found)
            messages.success(request, _("Finished. The table is final."))
        case "deleted":
            competitions.discard(actor=actor, competition=found)
            messages.success(request, _("The draft is deleted."))
            return redirect("desk", found.club.slug)
        case _:
            messages.error(request, _("Choose what should become of the competition."))
    return _back(found)


def _entry(request: HttpRequest, club: str, competition: str, pk: int) -> Entry:
    found = _directed(request, club, competition)
    entry: Entry = get_object_or_404(Entry.objects.with_pairs(), pk=pk, competition=found)
    return entry


def _with_reason(
    request: HttpRequest, entry: Entry, write: Callable[..., Any], template: str, context: dict[str, Any]
) -> HttpResponse:
    """A page that asks for the reason and then writes; what the service refuses stands at the form's top."""
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            write(actor=acting(request), at=timezone.now(), **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Done. The table follows in a moment."))
            return _back(entry.competition)
    shown = {"entry": entry, "competition": entry.competition, "form": form, **context}
    status = 422 if form.errors else 200
    return render_for(request, entry.competition.club, template, shown, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def withdraw(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """What a withdrawal would do, and the button that does it."""
    entry = _entry(request, club, competition, pk)
    if entry.withdrawn_at:
        messages.error(request, _("This pair has withdrawn already."))
        return _back(entry.competition)
    seen = withdrawals.preview(entry=entry)
    name_of = reads.names_of(entry.division).__getitem__
    changes = [said(sentence(change, name_of)) for change in consequences(seen.before, seen.after)]
    context = {"seen": seen, "changes": changes}
    write = partial(withdrawals.withdraw, entry=entry)
    return _with_reason(request, entry, write, "league/desk/withdraw.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def reinstate(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Takes a withdrawal back."""
    entry = _entry(request, club, competition, pk)
    return _with_reason(
        request, entry, partial(withdrawals.reinstate, entry=entry), "league/desk/reinstate.html", {}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def adjust(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Gives or takes league points, with the reason."""
    entry = _entry(request, club, competition, pk)
    form = AdjustmentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            adjustments.adjust(actor=acting(request), entry=entry, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Done. The table follows in a moment."))
            return _back(entry.competition)
    context = {"entry": entry, "competition": entry.competition, "form": form}
    status = 422 if form.errors else 200
    return render_for(request, entry.competition.club, "league/desk/adjust.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def revoke(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Takes an adjustment back."""
    found = _directed(request, club, competition)
    adjustment = get_object_or_404(
        Adjustment.objects.select_related("entry__competition__club"), pk=pk, entry__competition=found
    )
    write = partial(adjustments.revoke, adjustment=adjustment)
    context = {"adjustment": adjustment}
    return _with_reason(request, adjustment.entry, write, "league/desk/revoke.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def lots_view(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Draws lots among pairs that nothing else separates, and shows earlier draws."""
    found = _directed(request, club, competition)
    division = get_object_or_404(Division, pk=pk, competition=found)
    form = LotsForm(request.POST or None, division=division)
    if request.method == "POST" and form.is_valid():
        try:
            lots.draw(actor=acting(request), division=division, entries=list(form.cleaned_data["entries"]))
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Lots are drawn and recorded."))
            return redirect("division_lots", found.club.slug, found.slug, division.pk)
    context = {
        "competition": found,
        "division": division,
        "form": form,
        "draws": reads.lot_draws(division),
    }
    status = 422 if form.errors else 200
    return render_for(request, found.club, "league/desk/lots.html", context, status=status)
