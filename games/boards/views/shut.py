"""The boards of a match that are still shut: a neutral official, its sides or an owner say whether they may open."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.boards.forms import NameForm, ReasonForm
from games.boards.queries import shut as reading
from games.boards.services import neutrals, releases
from league.errors import LeagueError
from league.models import Fixture
from league.web import lookup
from league.web.officials import actor_of
from league.web.refusals import show_in, told
from league.web.rendering import render_for


@login_required
@require_http_methods(["GET", "POST"])
@told
def match_boards(request: HttpRequest, pk: int) -> HttpResponse:
    """Why the boards are shut, and each way to open them that this visitor has."""
    fixture = lookup.fixture(request, pk)
    page = reading.shut_boards(fixture=fixture, visitor=request.user)
    if page is None:
        raise Http404
    if not page.has_something:
        raise PermissionDenied(_("Only people who can decide about these boards can see this page."))
    step, actor = request.POST.get("step", ""), actor_of(request)
    reason = ReasonForm(request.POST if step in {"vouch", "early"} else None)
    name = NameForm(request.POST if step == "name" else None)
    link = ""
    if request.method == "POST":
        try:
            if step == "consent":
                releases.consent(actor=actor_of(request), fixture=fixture)
                return _done(request, fixture, _("Noted. Your side agrees."))
            if step == "vouch" and reason.is_valid():
                given = reason.cleaned_data["reason"]
                releases.vouch(actor=actor_of(request), fixture=fixture, reason=given)
                return _done(request, fixture, _("The boards of this match no longer have to wait."))
            if step == "early" and reason.is_valid():
                given = reason.cleaned_data["reason"]
                neutrals.let_play_early(actor=actor, fixture=fixture, reason=given, at=timezone.now())
                return _done(request, fixture, _("This match can now be played. Everyone can read why."))
            if step == "name" and name.is_valid():
                given = name.cleaned_data["name"]
                token = neutrals.invite(actor=actor, fixture=fixture, name=given, at=timezone.now())
                link = request.build_absolute_uri(reverse("neutral_decision", args=[token]))
        except LeagueError as refusal:
            messages.error(request, refusal.message)
            return redirect("match", pk)
    context = {"fixture": fixture, "page": page, "why": reading.why_shut(fixture)}
    context |= {"reason": reason, "name": name, "link": link}
    status = 422 if reason.errors or name.errors else 200
    return render_for(
        request, fixture.round.competition.club, "games/match_boards.html", context, status=status
    )


def _done(request: HttpRequest, fixture: Fixture, words: str) -> HttpResponse:
    messages.success(request, words)
    return redirect("match", fixture.pk)


@login_required
@require_http_methods(["GET", "POST"])
@told
def neutral_decision(request: HttpRequest, token: str) -> HttpResponse:
    """What an owner's link leads to: one match, and one decision about its boards."""
    found = neutrals.invitation(token, at=timezone.now())
    if found is None:
        return render(request, "games/neutral_decision_over.html", status=404)
    fixture = Fixture.with_rooms.with_pairs().get(pk=found.fixture_id)
    neutrals.check_outside(actor=actor_of(request), found=found, fixture=fixture)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            neutrals.decide(
                actor=actor_of(request),
                token=token,
                opens=request.POST.get("step") == "open",
                reason=form.cleaned_data["reason"],
                at=timezone.now(),
            )
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Thank you. We keep your decision with the match."))
            return redirect("home")
    context = {"fixture": fixture, "found": found, "form": form, "why": reading.why_shut(fixture)}
    status = 422 if form.errors else 200
    return render_for(
        request, fixture.round.competition.club, "games/neutral_decision.html", context, status=status
    )
