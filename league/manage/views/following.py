"""The next season from this one, and who plays in it again."""

from dataclasses import asdict
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import policies
from league.errors import LeagueError, NotAllowed
from league.manage.forms.following import CopyForm, FollowingForm, LaterStageForm
from league.manage.views.manage import back, directed
from league.models import Competition, SeasonAnswer, User
from league.results.queries import competitions as later
from league.seasons.queries import answers
from league.seasons.queries import ending as endings
from league.seasons.queries import following as reads
from league.seasons.services import following, stages
from league.web import lookup
from league.web.form_fields import MOST_DIGITS
from league.web.officials import acting, posted
from league.web.refusals import told
from league.web.rendering import render_for


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def begin(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Name and first day of the next season, with everybody's division in it; and the button that makes the draft."""
    found = directed(request, club, competition)
    there = Competition.objects.filter(follows=found).select_related("club").first()
    if there is not None:
        return back(there)
    if found.state != Competition.State.FINISHED:
        return redirect("competition_finish", found.club.slug, found.slug)
    at = timezone.now()
    proposal = reads.proposed(found, today=timezone.localdate(at, ZoneInfo(found.club.time_zone)))
    form = FollowingForm(posted(request), club=found.club, initial=asdict(proposal))
    if request.method == "POST" and form.is_valid():
        try:
            made = following.begin(actor=acting(request), competition=found, at=at, **form.changes())
        except NotAllowed:
            raise
        except LeagueError as refusal:
            form.show(refusal)
        else:
            said = _("%(name)s is now a draft. Only directors can see it until you publish it.")
            messages.success(request, said % {"name": made})
            return redirect("competition_answers", made.club.slug, made.slug)
    context = {"competition": found, "form": form, "ending": endings.of_competition(found, at=at)}
    status = 422 if form.errors else 200
    return render_for(request, found.club, "league/desk/following.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def later_stage(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """A stage after this one, for those who stand in some of its places; with the button that makes the draft."""
    found = lookup.competition(request, club, competition)
    policies.require(acting(request), "competition.set_up", found)
    if found.state != Competition.State.FINISHED:
        is_elsewhere = lookup.is_directed_elsewhere(found)
        finish = reverse("competition_finish", args=[found.club.slug, found.slug])
        return redirect(lookup.director_page(found) if is_elsewhere else finish)
    today = timezone.localdate(timezone=ZoneInfo(found.club.time_zone))
    initial = {"name": _("%(name)s: final") % {"name": found}, "starts_on": today}
    form = LaterStageForm(posted(request), club=found.club, initial=initial, after=found)
    if request.method == "POST" and form.is_valid():
        data = stages.LaterStage(**form.cleaned_data)
        try:
            made = stages.begin(actor=acting(request), competition=found, data=data)
        except NotAllowed:
            raise
        except LeagueError as refusal:
            form.show(refusal)
        else:
            said = _("%(name)s is now a draft. Only directors can see it until you publish it.")
            messages.success(request, said % {"name": made})
            return redirect(lookup.director_page(made))
    context = {"competition": found, "form": form, "stages": later.stages(found, request.user)}
    status = 422 if form.errors else 200
    return render_for(request, found.club, "league/desk/later_stage.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def copy(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """A draft like this competition, an evening too, whatever its state."""
    found = lookup.competition(request, club, competition)
    policies.require(acting(request), "competition.set_up", found)
    today = timezone.localdate(timezone=ZoneInfo(found.club.time_zone))
    proposal = reads.proposed(found, today=today)
    form = CopyForm(posted(request), club=found.club, initial=asdict(proposal))
    if request.method == "POST" and form.is_valid():
        try:
            made = following.copy(actor=acting(request), competition=found, **form.changes())
        except NotAllowed:
            raise
        except LeagueError as refusal:
            form.show(refusal)
        else:
            said = _("%(name)s is now a draft. Only directors can see it until you publish it.")
            messages.success(request, said % {"name": made})
            return redirect(lookup.director_page(made))
    context = {"competition": found, "form": form, "back": lookup.director_page(found)}
    return render_for(
        request, found.club, "league/desk/copy.html", context, status=422 if form.errors else 200
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def asked(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Who plays again, who does not, who has not said; asking them, answering for them, and filling the divisions."""
    found = directed(request, club, competition)
    if found.follows is None or found.state != Competition.State.DRAFT:
        return back(found)
    if request.method == "POST":
        _act(request, found)
        return redirect("competition_answers", found.club.slug, found.slug)
    lines = answers.lines(found)
    context = {
        "competition": found,
        "lines": lines,
        "yes": sum(line.row.is_in is True for line in lines),
        "no": sum(line.row.is_in is False for line in lines),
        "silent": sum(line.row.is_in is None for line in lines),
        "unlike": [line.row.lineup for line in lines if line.is_unlike],
        "was_asked": any(line.asked for line in lines),
    }
    return render_for(request, found.club, "league/desk/answers.html", context)


def _act(request: HttpRequest, competition: Competition) -> None:
    actor, at = acting(request), timezone.now()
    match request.POST.get("act"):
        case "ask":
            count = following.ask(actor=actor, competition=competition, at=at)
            said = ngettext("You asked %(count)d person.", "You asked %(count)d people.", count)
            nobody = _("Nobody was asked: everyone with an account has answered, or was asked today.")
            messages.success(request, said % {"count": count} if count else nobody)
        case "fill" | "fill_yes" as act:
            following.refill(actor=actor, competition=competition, with_silent=act == "fill", at=at)
            messages.success(request, _("The divisions are filled again."))
        case "yes" | "no" as said_so:
            key = request.POST.get("row", "")
            is_key = key.isascii() and key.isdecimal() and len(key) <= MOST_DIGITS
            row = get_object_or_404(competition.answers, pk=int(key) if is_key else 0)
            following.answer(actor=actor, row=row, is_in=said_so == "yes", at=at)
            messages.success(request, _("Saved. Fill the divisions again once you have the answers."))
        case _:
            messages.error(request, _("Choose what you want to do."))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """ "Are you in again?", for both partners: yes or no. Nobody else learns that they were asked."""
    user = request.user
    rows = SeasonAnswer.objects.select_related(
        "competition__club", "competition__season", "answered_by", "lineup"
    )
    row = rows.filter(pk=pk).first()
    if row is None or not isinstance(user, User) or not policies.may(user, "season.answer", row):
        return render(request, "league/season_answer.html", {"row": None}, status=404)
    said = request.POST.get("answer")
    if said in {"yes", "no"}:
        following.answer(actor=user, row=row, is_in=said == "yes", at=timezone.now())
        messages.success(request, _("Thank you. The directors see your answer."))
        return redirect("season_answer", pk)
    context = {"row": row, "is_open": row.competition.state == Competition.State.DRAFT}
    status = 422 if request.method == "POST" else 200
    return render_for(request, row.competition.club, "league/season_answer.html", context, status=status)
