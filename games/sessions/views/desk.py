"""The director's page of an evening under way: the clock and its buttons, missing tables, pairs that come and go."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.models import Evening
from games.scoresheets.queries.to_confirm import to_confirm
from games.sessions import services as evenings
from games.sessions.forms import JoiningForm, LeavingForm
from games.sessions.queries import rooms, steps
from games.sessions.queries.late_options import joined_late, late_options
from games.sessions.queries.leave_options import STAND_IN, leave_options, left_pairs
from games.sessions.sections import REPLACED
from games.sessions.views.setup import directed
from league.competitions.services import competitions
from league.errors import Conflict, LeagueError
from league.manage.services import setups
from league.models import Competition, Entry, Lineup
from league.web import lookup
from league.web.officials import acting, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for

MINUTES = (1, 2, 5)
LONGEST_NUMBER = 9


@require_safe
@login_required
@told
def show(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The control of the room; a draft is set up in its steps."""
    found = directed(request, club, competition)
    if found.state == Competition.State.DRAFT:
        return redirect(steps.url_of(found, steps.next_step(found)))
    now = timezone.now()
    seen = rooms.room(found, request.user, at=now)
    context = {
        "competition": found,
        "seen": seen,
        "clock": seen.clock,
        "now": int(now.timestamp()),
        "ends": int(seen.clock.ends.at.timestamp()) if seen.clock.ends else 0,
        "minutes": MINUTES,
        "waiting": to_confirm(found, request.user),
        "confirm_from": request.path,
        "is_running": found.state == Competition.State.RUNNING,
        "left": [
            {"entry": pair.entry, "number": pair.entry.number % REPLACED, "reason": pair.reason}
            for pair in left_pairs(found, request.user)
        ],
        "joined": joined_late(found),
    }
    return render_for(request, found.club, "games/evening/desk.html", context)


@require_POST
@login_required
@told
def act(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """A button of the page: the clock, the end, a reopening, or a lay-out or a draft taken back."""
    found = directed(request, club, competition)
    name = request.POST.get("act", "")
    if name not in ACTS:
        raise Conflict(_("Please choose what to do."))
    target = ACTS[name](request, found)
    return target or redirect(lookup.director_page(found))


def _number(request: HttpRequest, name: str) -> int:
    given = request.POST.get(name, "")
    if not (given.isascii() and given.isdecimal() and len(given) <= LONGEST_NUMBER):
        raise Conflict(_("Something has changed since you last saw this. Please check it again."))
    return int(given)


def _next(request: HttpRequest, competition: Competition) -> None:
    number = _number(request, "number")
    evenings.next_round(actor=acting(request), competition=competition, number=number, at=timezone.now())


def _pause(request: HttpRequest, competition: Competition) -> None:
    number = _number(request, "number")
    evenings.pause(actor=acting(request), competition=competition, number=number, at=timezone.now())


def _resume(request: HttpRequest, competition: Competition) -> None:
    number = _number(request, "number")
    evenings.resume(actor=acting(request), competition=competition, number=number, at=timezone.now())


def _minutes(request: HttpRequest, competition: Competition) -> None:
    evenings.add_minutes(
        actor=acting(request),
        competition=competition,
        number=_number(request, "number"),
        minutes=_number(request, "minutes"),
        paused_seconds=_number(request, "paused_seconds"),
    )


def _finish(request: HttpRequest, competition: Competition) -> None:
    evenings.finish(actor=acting(request), competition=competition, at=timezone.now())
    messages.success(request, _("The evening is finished. Its ranking is final."))


def _reopen(request: HttpRequest, competition: Competition) -> None:
    reason = request.POST.get("reason", "")
    competitions.reopen(actor=acting(request), competition=competition, reason=reason)


def _take_back(request: HttpRequest, competition: Competition) -> None:
    evenings.take_back(actor=acting(request), competition=competition)
    messages.success(request, _("Undone. The evening is a draft again, and its boards are kept."))


def _delete(request: HttpRequest, competition: Competition) -> HttpResponse:
    competitions.discard(actor=acting(request), competition=competition)
    messages.success(
        request, _("You have deleted the draft %(name)s. You can restore it below.") % {"name": competition}
    )
    return redirect("desk", competition.club.slug)


ACTS: dict[str, Callable[[HttpRequest, Competition], HttpResponse | None]] = {
    "next": _next,
    "pause": _pause,
    "resume": _resume,
    "minutes": _minutes,
    "finish": _finish,
    "reopen": _reopen,
    "take_back": _take_back,
    "delete": _delete,
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def late(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """A pair that comes late: what is possible with its consequences, and the one that is chosen."""
    found = _under_way(request, club, competition)
    form = JoiningForm(posted(request), competition=found)
    options = late_options(found)
    if request.method == "POST" and form.is_valid():
        try:
            # A pair that is typed is made for this, or not at all.
            with transaction.atomic():
                entry = evenings.late_pair(
                    actor=acting(request),
                    competition=found,
                    lineup=_pair(request, found, form),
                    option=request.POST.get("option", ""),
                    at=timezone.now(),
                )
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            said = _("%(pair)s are number %(number)d. Their seats are on the room page.")
            messages.success(request, said % {"pair": entry, "number": entry.number})
            return redirect(lookup.director_page(found))
    context = {"competition": found, "form": form, "options": options}
    status = 422 if form.errors else 200
    return render_for(request, found.club, "games/evening/late.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def leave(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """A pair that leaves: the ways to go on without it with their consequences, and the one that is chosen."""
    found = _under_way(request, club, competition)
    entry = _entry(found, pk)
    form = LeavingForm(posted(request))
    joining = JoiningForm(posted(request), competition=found)
    chosen = request.POST.get("option", "")
    is_stand_in = chosen.startswith(STAND_IN)
    is_valid = form.is_valid() and (not is_stand_in or joining.is_valid())
    if request.method == "POST" and is_valid:
        try:
            with transaction.atomic():
                evenings.pair_leaves(
                    actor=acting(request),
                    entry=entry,
                    option=chosen,
                    reason=form.cleaned_data["reason"],
                    at=timezone.now(),
                    stand_in=_pair(request, found, joining) if is_stand_in else None,
                    is_house=is_stand_in and bool(joining.cleaned_data.get("is_house")),
                )
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("%(pair)s have left. You can undo this below.") % {"pair": entry})
            return redirect(lookup.director_page(found))
    context = {
        "competition": found,
        "entry": entry,
        "form": form,
        "joining": joining if is_stand_in or request.method != "POST" else JoiningForm(competition=found),
        "options": leave_options(entry, Evening.objects.get(pk=found.pk)),
        "chosen": chosen,
    }
    status = 422 if request.method == "POST" else 200
    return render_for(request, found.club, "games/evening/leave.html", context, status=status)


@require_POST
@login_required
@told
def take_back(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Undoes that a pair joined or left."""
    found = _under_way(request, club, competition)
    entry = _entry(found, pk)
    if entry.withdrawn_at:
        reason = request.POST.get("reason", "") or _("undone")
        evenings.take_back_leaving(actor=acting(request), entry=entry, reason=reason, at=timezone.now())
        messages.success(request, _("%(pair)s play on.") % {"pair": entry})
    else:
        evenings.take_back_late(actor=acting(request), entry=entry, at=timezone.now())
        messages.success(request, _("%(pair)s didn’t join after all.") % {"pair": entry})
    return redirect(lookup.director_page(found))


def _under_way(request: HttpRequest, club: str, competition: str) -> Competition:
    found = directed(request, club, competition)
    if found.state != Competition.State.RUNNING:
        raise Conflict(_("Pairs can join and leave only while the evening is running."))
    return found


def _entry(competition: Competition, pk: int) -> Entry:
    entry: Entry = get_object_or_404(Entry.objects.with_pairs(), pk=pk, competition=competition)
    return entry


def _pair(request: HttpRequest, competition: Competition, form: Any) -> Lineup:
    return setups.who_joins(
        actor=acting(request),
        competition=competition,
        chosen=form.cleaned_data["lineup"],
        typed=form.cleaned_data["typed"],
    )
