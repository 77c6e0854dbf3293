"""An evening of individuals at tables as a director runs it: what and when, who is there, on to the draw."""

from datetime import time
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.competitions.services.competitions import usual_game
from league.draws.services import rounds
from league.errors import LeagueError
from league.manage.forms.evenings import EveningForm, RegisterForm
from league.manage.services import evenings
from league.manage.views.manage import back, directed
from league.models import Competition, Division
from league.web.officials import acting, official, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for

USUAL_TIME = time(19, 30)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def new(request: HttpRequest, club: str) -> HttpResponse:
    """A new evening: its draft is kept, and the list of who is there comes next."""
    found = official(request, club, "competition.set_up")
    initial = {
        "name": _("Evening at tables"),
        "game": request.GET.get("game") or usual_game(found),
        "starts_on": timezone.localdate(timezone=ZoneInfo(found.time_zone)),
        "play_time": USUAL_TIME,
        "place": found.place,
    }
    form = EveningForm(posted(request), games=evenings.suitable_games(), initial=initial)
    if form.is_valid():
        try:
            made = evenings.make(actor=acting(request), club=found, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            return redirect("register", found.slug, made.slug)
    status = 422 if form.errors else 200
    return render_for(request, found, "league/desk/evening_new.html", {"form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def register(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Who is there: keeps the list, and goes on to the draw of the next round where that was asked for."""
    found = directed(request, club, competition)
    if not found.stage.has_register or found.state == Competition.State.FINISHED:
        raise Http404
    divisions = list(found.stage.divisions.order_by("level"))
    division = next((each for each in divisions if str(each.pk) == request.GET.get("division")), divisions[0])
    form = RegisterForm(posted(request), division=division)
    if form.is_valid():
        try:
            return _keep(request, division, form)
        except LeagueError as refusal:
            show_in(form, refusal)
    following = rounds.next_round(division) if found.state == Competition.State.RUNNING else None
    context = {
        "competition": found,
        "form": form,
        "following": following,
        "divisions": [
            (each.name, _address(each), each == division) for each in divisions[len(divisions) < 2 :]
        ],
    }
    status = 422 if form.errors else 200
    return render_for(request, found.club, "league/desk/who_is_here.html", context, status=status)


def _address(division: Division) -> str:
    """The page of who is there in this division."""
    competition = division.competition
    return f"{reverse('register', args=[competition.club.slug, competition.slug])}?division={division.pk}"


def _keep(request: HttpRequest, division: Division, form: RegisterForm) -> HttpResponse:
    done = evenings.register(
        actor=acting(request),
        division=division,
        came=form.came(),
        left=form.left(),
        typed=form.cleaned_data["typed"],
        at=timezone.now(),
        begins="begin" in request.POST,
    )
    if done.came or done.left:
        said = _("Came: %(came)d. Left: %(left)d.") % {"came": done.came, "left": done.left}
        messages.success(request, said)
    competition = Competition.objects.get(pk=division.stage.competition_id)
    slugs = (competition.club.slug, competition.slug)
    following = rounds.next_round(division)
    if following is not None and ("draw" in request.POST or "begin" in request.POST):
        return redirect("round_draw", *slugs, division.pk, following.number)
    if competition.state == Competition.State.DRAFT or competition.stage.divisions.count() > 1:
        return redirect(_address(division))
    return back(competition)
