"""Running a competition: how far it is, its state, and what a director corrects."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.contest.standings.changes import consequences, sentence
from league import policies
from league.competitions.services import competitions
from league.draws.services import draws, lots
from league.entries.services import adjustments, late_entries, season_substitutes, withdrawals
from league.errors import LeagueError
from league.manage.forms.entries import (
    AdjustmentForm,
    LateEntryForm,
    LotsForm,
    ReasonForm,
    SeasonSubstituteForm,
)
from league.manage.queries import manage as reads
from league.manage.queries import setup_steps
from league.manage.services import setups
from league.models import Adjustment, Competition, Entry
from league.seasons.services import finishing
from league.web import lookup
from league.web.officials import acting, posted, seen_of
from league.web.refusals import show_in, told
from league.web.rendering import render_for
from league.web.wording import in_words


def directed(request: HttpRequest, club: str, competition: str) -> Competition:
    """The competition, for those who direct it; a 404 where its format has pages of its own for that."""
    found = lookup.competition(request, club, competition)
    policies.require(acting(request), "competition.set_up", found)
    if lookup.is_directed_elsewhere(found):
        raise Http404
    return found


def back(competition: Competition) -> HttpResponse:
    """To the page where the competition is managed."""
    return redirect("competition_manage", competition.club.slug, competition.slug)


@require_safe
@login_required
@told
def show(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """How far the competition is and what comes next; its pairs; penalties; substitutes. A draft: its set-up."""
    found = lookup.competition(request, club, competition)
    policies.require(acting(request), "competition.set_up", found)
    if lookup.is_directed_elsewhere(found):
        return redirect(lookup.director_page(found))
    if found.state == Competition.State.DRAFT and found.stage.is_on_one_day:
        return redirect("register", found.club.slug, found.slug)
    if found.state == Competition.State.DRAFT:
        return redirect(setup_steps.url_of(found, setup_steps.next_step(found)))
    return manage_page(request, found)


def manage_page(
    request: HttpRequest,
    competition: Competition,
    *,
    enter: LateEntryForm | None = None,
    late: dict[str, Any] | None = None,
) -> HttpResponse:
    """The page, with what is wrong in `enter`, or what the late entry of a pair would do."""
    overview = reads.overview(competition, at=timezone.now())
    context = {
        "competition": competition,
        "overview": overview,
        "steps": reads.steps(competition, overview),
        "divisions": reads.divisions_with_entries(competition),
        "adjustments": reads.adjustments(competition),
        "substitutes": reads.substitutes(competition),
        "following": Competition.objects.filter(follows=competition).first(),
        "enter": enter or LateEntryForm(competition=competition),
        "late": late,
        "takes_late": late_entries.takes_late(competition),
        "may_be_redrawn": overview.is_drawn and draws.may_be_redrawn(competition),
    }
    status = 422 if enter is not None and enter.errors else 200
    return render_for(request, competition.club, "league/desk/manage.html", context, status=status)


@require_POST
@login_required
@told
def change_state(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Publishes a draft, reopens a finished competition, or deletes a draft."""
    found = directed(request, club, competition)
    actor = acting(request)
    match request.POST.get("to"):
        case "running" if found.state == Competition.State.FINISHED:
            finishing.reopen(actor=actor, competition=found, reason=request.POST.get("reason", ""))
        case "running":
            setups.publish(actor=actor, competition=found, seen=seen_of(request))
            said = _('Published. Everyone can now see the fixtures. <a href="%(url)s">View them</a>')
            fixtures = reverse("competition_fixtures", args=[found.club.slug, found.slug])
            messages.success(request, format_html(said % {"url": "{}"}, fixtures))
        case "deleted":
            competitions.discard(actor=actor, competition=found)
            messages.success(
                request, _("You have deleted the draft %(name)s. You can restore it below.") % {"name": found}
            )
            return redirect("desk", found.club.slug)
        case _:
            messages.error(request, _("Choose what you want to do with the competition."))
    return back(found)


def entry_of(request: HttpRequest, club: str, competition: str, pk: int) -> Entry:
    """A pair of the competition, for those who direct it."""
    found = directed(request, club, competition)
    entry: Entry = get_object_or_404(Entry.objects.with_pairs(), pk=pk, competition=found)
    return entry


def _noticed(request: HttpRequest, competition: Competition, done: str, *undo: str) -> None:
    """Says what was done and what follows, with the way to the table, and to taking it back (address, words)."""
    links = [(competition.get_absolute_url(), _("View the table")), *zip(undo[::2], undo[1::2], strict=True)]
    said = format_html("{} {}", done, _("The table will be updated in a moment."))
    shown = format_html_join("", ' <a href="{}">{}</a>', links)
    messages.success(request, format_html("{}{}", said, shown))


def _with_reason(
    request: HttpRequest,
    entry: Entry,
    write: Callable[..., Any],
    template: str,
    context: dict[str, Any],
    *,
    done: str,
    undo: tuple[str, ...] = (),
) -> HttpResponse:
    """A page that asks for the reason and then writes; what the service refuses stands at the form's top."""
    form = ReasonForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            write(actor=acting(request), at=timezone.now(), **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            _noticed(request, entry.competition, done, *undo)
            return back(entry.competition)
    shown = {"entry": entry, "competition": entry.competition, "form": form, **context}
    status = 422 if form.errors else 200
    return render_for(request, entry.competition.club, template, shown, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def withdraw(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """What a withdrawal would do, and the button that does it."""
    entry = entry_of(request, club, competition, pk)
    if entry.withdrawn_at:
        messages.error(request, _("They have already withdrawn."))
        return back(entry.competition)
    seen = withdrawals.preview(entry=entry, actor=acting(request))
    name_of = reads.names_of(entry.division).__getitem__
    changes = [in_words(sentence(change, name_of)) for change in consequences(seen.before, seen.after)]
    context = {"seen": seen, "changes": changes}
    write = partial(withdrawals.withdraw, entry=entry)
    done = _("%(pair)s have withdrawn. Walkovers: %(walkovers)d. Matches not played: %(voided)d.") % {
        "pair": entry,
        "walkovers": len(seen.walkovers),
        "voided": len(seen.voided) + len(seen.own),
    }
    again = reverse("entry_reinstate", args=[entry.competition.club.slug, entry.competition.slug, entry.pk])
    undo = (again, _("Undo"))
    return _with_reason(request, entry, write, "league/desk/withdraw.html", context, done=done, undo=undo)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def reinstate(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Takes a withdrawal back."""
    entry = entry_of(request, club, competition, pk)
    done = _("%(pair)s are back in the competition, and their results count.") % {"pair": entry}
    write = partial(withdrawals.reinstate, entry=entry)
    return _with_reason(request, entry, write, "league/desk/reinstate.html", {}, done=done)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def substitute(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Changes one player of a pair for the rest of the season, or takes that back; what it does is shown first."""
    entry = entry_of(request, club, competition, pk)
    standing = season_substitutes.of(entry)
    # A page that was open while another director changed somebody does what it says, or is refused.
    is_back = "absent" not in request.POST if request.method == "POST" else standing is not None
    form: forms.Form = (
        ReasonForm(posted(request)) if is_back else SeasonSubstituteForm(posted(request), entry=entry)
    )
    if request.method == "POST" and form.is_valid():
        write = season_substitutes.end if is_back else season_substitutes.appoint
        try:
            write(actor=acting(request), entry=entry, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            done = (
                _("%(pair)s: the change is taken back.") if is_back else _("%(pair)s: the player is changed.")
            )
            messages.success(request, done % {"pair": entry})
            return back(entry.competition)
    context = {
        "entry": entry,
        "competition": entry.competition,
        "form": form,
        "standing": standing,
        "seen": season_substitutes.preview(entry=entry),
    }
    status = 422 if form.errors else 200
    template = "league/desk/season_substitute.html"
    return render_for(request, entry.competition.club, template, context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def adjust(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Gives or takes league points, with the reason."""
    entry = entry_of(request, club, competition, pk)
    form = AdjustmentForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = adjustments.adjust(actor=acting(request), entry=entry, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            found = entry.competition
            undo = reverse("adjustment_revoke", args=[found.club.slug, found.slug, made.pk])
            said = {"pair": entry, "points": reads.shown_points(made.points), "why": made.reason}
            done = _("%(pair)s: %(points)s, “%(why)s”.") % said
            _noticed(request, found, done, undo, _("Withdraw"))
            return back(found)
    context = {"entry": entry, "competition": entry.competition, "form": form}
    status = 422 if form.errors else 200
    return render_for(request, entry.competition.club, "league/desk/adjust.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def revoke(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Takes an adjustment back."""
    found = directed(request, club, competition)
    adjustment = get_object_or_404(
        Adjustment.objects.select_related("entry__competition__club"), pk=pk, entry__competition=found
    )
    write = partial(adjustments.revoke, adjustment=adjustment)
    context = {"adjustment": adjustment, "points": reads.shown_points(adjustment.points)}
    done = _("%(pair)s: %(points)s no longer count.") % {
        "pair": adjustment.entry,
        "points": context["points"],
    }
    return _with_reason(request, adjustment.entry, write, "league/desk/revoke.html", context, done=done)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def lots_view(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Draws lots among pairs that nothing else separates, and shows earlier draws."""
    found = directed(request, club, competition)
    division = get_object_or_404(found.stage.divisions, pk=pk)
    form = LotsForm(posted(request), division=division)
    if request.method == "POST" and form.is_valid():
        try:
            lots.draw(actor=acting(request), division=division, entries=list(form.cleaned_data["entries"]))
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("The lots are drawn and recorded."))
            return redirect("division_lots", found.club.slug, found.slug, division.pk)
    context = {
        "competition": found,
        "division": division,
        "form": form,
        "draws": reads.lot_draws(division),
    }
    status = 422 if form.errors else 200
    return render_for(request, found.club, "league/desk/lots.html", context, status=status)
