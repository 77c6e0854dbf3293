"""What players do about a match to come: agree on another time, postpone it, name a substitute."""

import re
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league import policies
from league.errors import Conflict, Invalid, LeagueError
from league.fixtures import arranging
from league.fixtures import queries as fixture_selectors
from league.fixtures.services import dates, substitutions
from league.fixtures.services import fixtures as fixture_services
from league.home.forms.players import (
    AnswerForm,
    CancelSubstituteForm,
    PostponeForm,
    ProposalForm,
    SubstituteForm,
)
from league.models import DateProposal, Fixture, Player, Substitution, User
from league.people.services import players as player_services
from league.results.queries import my
from league.web import lookup
from league.web.refusals import show_in, told
from league.web.rendering import render_for

REFUSED = 422
CLOCK = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d", re.ASCII)
form_page = require_http_methods(["GET", "HEAD", "POST"])


@form_page
@login_required
def fixture_dates(request: HttpRequest, pk: int) -> HttpResponse:
    """Propose another time, or answer the proposal of the other pair."""
    fixture, actor = _of(request, pk, "fixture.propose_date")
    with timezone.override(fixture.round.competition.club.time_zone):
        chosen = request.GET.get("at", "")
        starts_at = chosen if CLOCK.fullmatch(chosen) else _suggested(fixture)
        form = ProposalForm(
            request.POST if request.method == "POST" else None, initial={"starts_at": starts_at}
        )
        is_valid = request.method == "POST" and form.is_valid()
    if is_valid and _proposed(actor, fixture, form):
        messages.success(request, _("Proposed. The other side can accept or decline."))
        return redirect("fixture_dates", pk=fixture.pk)
    return _page(request, fixture, form, "league/fixture_dates.html")


def _suggested(fixture: Fixture) -> datetime | None:
    """The match's own time; once that is over the same hour of that weekday next to come."""
    if fixture.starts_at is None:
        return None
    starts = timezone.localtime(fixture.starts_at)
    late = timezone.now() - starts
    return starts if late < timedelta() else starts + timedelta(weeks=late // timedelta(weeks=1) + 1)


@require_POST
@login_required
@told
def fixture_date_answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Accepts or declines the open proposal, or withdraws your own."""
    fixture, actor = _of(request, pk, "fixture.propose_date")
    form = AnswerForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("Choose whether you accept or decline."))
    proposals = DateProposal.objects.filter(fixture=fixture)
    proposal = get_object_or_404(proposals, pk=form.cleaned_data["proposal"])
    messages.success(request, _answered(actor, proposal, form.cleaned_data["answer"]))
    return redirect("fixture_dates", pk=fixture.pk)


def _answered(actor: User, proposal: DateProposal, given: str) -> str:
    """Does what was answered; the words that say so."""
    now = timezone.now()
    if given == "withdraw":
        dates.withdraw(actor=actor, proposal=proposal, at=now)
        return _("You have withdrawn your proposal. The match keeps its time.")
    accept = given == "accept"
    dates.answer(actor=actor, proposal=proposal, accept=accept, at=now)
    return _("The new time is set.") if accept else _("Declined. The match keeps its time.")


@form_page
@login_required
def fixture_postpone(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes the match off its date, with a reason."""
    fixture, actor = _of(request, pk, "fixture.postpone")
    with timezone.override(fixture.round.competition.club.time_zone):
        may_set_date = policies.may(actor, "fixture.arrange", fixture)
        form = PostponeForm(request.POST if request.method == "POST" else None, may_set_date=may_set_date)
        is_valid = request.method == "POST" and form.is_valid()
    if is_valid and _postponed(actor, fixture, form):
        messages.success(request, _("The match is postponed. Agree on a new time soon."))
        return redirect("fixture_dates" if policies.plays_in(actor, fixture) else "match", pk=fixture.pk)
    return _page(request, fixture, form, "league/fixture_postpone.html")


@form_page
@login_required
def fixture_substitute(request: HttpRequest, pk: int) -> HttpResponse:
    """Names somebody who plays instead of a member of the pair, in this match alone."""
    fixture, actor = _of(request, pk, "fixture.substitute")
    form = SubstituteForm(
        request.POST if request.method == "POST" else None,
        fixture=fixture,
        absent=_who_may_be_absent(actor, fixture),
        reader=actor,
    )
    if request.method == "POST" and form.is_valid() and _appointed(actor, fixture, form):
        messages.success(request, _("You have named the substitute."))
        return redirect("fixture_substitute", pk=fixture.pk)
    return _page(request, fixture, form, "league/fixture_substitute.html")


@require_POST
@login_required
@told
def fixture_substitute_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """The absent player plays after all."""
    fixture, actor = _of(request, pk, "fixture.substitute")
    form = CancelSubstituteForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("Choose which substitute is not needed."))
    found = Substitution.objects.select_related("fixture", "absent", "substitute", "entry")
    substitution = get_object_or_404(found, pk=form.cleaned_data["substitution"], fixture=fixture)
    substitutions.cancel(actor=actor, substitution=substitution)
    back = fixture.substitutions.filter(absent=substitution.absent_id).select_related("substitute").first()
    name = back.substitute if back else substitution.absent
    messages.success(request, _("%(name)s plays after all.") % {"name": name})
    return redirect("fixture_substitute", pk=fixture.pk)


@form_page
@login_required
@told
def substitute_answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Somebody who was asked to be a substitute says whether they can play."""
    fixture = lookup.fixture(request, pk)
    actor = _person(request)
    asked = fixture_selectors.asked_to_play(actor).filter(fixture=fixture)
    if request.method == "POST":
        answer, row = request.POST.get("answer"), asked.first()
        # The page may be old: a yes to one question is none to another.
        if row is None or request.POST.get("substitution", str(row.pk)) != str(row.pk):
            raise Conflict(_("You are no longer asked to play, or you have already answered."))
        if answer not in {"yes", "no"}:
            raise Invalid(_("Choose whether you can play."))
        substitutions.answer(actor=actor, substitution=row, accept=answer == "yes")
        said = (
            _("Thank you. You play for %(name)s.")
            if answer == "yes"
            else _("Noted. The others are told that you can’t play for %(name)s.")
        )
        messages.success(request, said % {"name": row.absent})
        return redirect("my")
    context = {"asked": fixture_selectors.with_lines(asked), "fixture": fixture}
    return render_for(request, fixture.round.competition.club, "league/substitute_answer.html", context)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def _of(request: HttpRequest, pk: int, action: str) -> tuple[Fixture, User]:
    """The fixture and the person, who may do this there."""
    fixture = lookup.fixture(request, pk)
    if not isinstance(request.user, User) or not policies.may(request.user, action, fixture):
        raise PermissionDenied(_("Only the two sides and the directors of the club can do this."))
    return fixture, request.user


def _page(request: HttpRequest, fixture: Fixture, form: forms.Form, template: str) -> HttpResponse:
    competition = fixture.round.competition
    at = timezone.now()
    context: dict[str, Any] = {
        "competition": competition,
        "fixture": fixture,
        "line": fixture_selectors.lines([fixture])[0],
        "match": my.match_of(request.user, fixture, at=at) if isinstance(request.user, User) else None,
        "form": form,
        "substitutions": [
            (each, substitutions.may_decide_for(actor=request.user, fixture=fixture, entry=each.entry))
            for each in fixture.substitutions.select_related("absent", "substitute", "entry")
        ],
        "is_open": fixture.status in {Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED},
        "arranging": arranging.of(fixture, request.user, at=at),
    }
    status = REFUSED if form.is_bound and form.errors else None
    return render_for(request, competition.club, template, context, status=status)


def _who_may_be_absent(actor: User, fixture: Fixture) -> list[Player]:
    """The players whose place this person may give to a substitute."""
    entries = fixture.entries
    if not policies.may(actor, "fixture.arrange", fixture):
        own = policies.entry_of(actor, fixture)
        entries = () if own is None else (own,)
    return [player for entry in entries for player in entry.lineup.players]


def _proposed(actor: User, fixture: Fixture, form: ProposalForm) -> bool:
    given = form.cleaned_data
    try:
        dates.propose(
            actor=actor,
            fixture=fixture,
            starts_at=given["starts_at"],
            at=timezone.now(),
            message=given["message"],
        )
    except LeagueError as refusal:
        show_in(form, refusal)
        return False
    return True


def _postponed(actor: User, fixture: Fixture, form: PostponeForm) -> bool:
    given = form.cleaned_data
    try:
        fixture_services.postpone(
            actor=actor, fixture=fixture, reason=given["reason"], starts_at=given.get("starts_at")
        )
    except LeagueError as refusal:
        show_in(form, refusal)
        return False
    return True


def _appointed(actor: User, fixture: Fixture, form: SubstituteForm) -> bool:
    given = form.cleaned_data
    match = {"actor": actor, "fixture": fixture, "absent": given["absent"], "reason": given["reason"]}
    try:
        if given["guest"]:
            name, email = form.guest_named()
            player_services.appoint_guest(**match, name=name, email=email)
        else:
            substitutions.appoint(**match, substitute=given["substitute"])
    except LeagueError as refusal:
        show_in(form, refusal)
        return False
    return True
