"""Setting up a season: step by step in any order, each kept in the draft at once, with an undo for every act."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.competitions.services import competitions, drafts
from league.draws import queries as explained
from league.errors import LeagueError
from league.manage.forms.setup import CompetitionForm, PublishedForm
from league.manage.queries import setup_steps
from league.manage.services import setups
from league.manage.views import setup_parts
from league.manage.views.setup_parts import Refused, SetupStep
from league.models import Competition, DraftChange
from league.web import lookup
from league.web.officials import (
    acting,
    official,
    posted,
    seen_of,
)
from league.web.refusals import came_from, told
from league.web.rendering import render_for

DRAFT = Competition.State.DRAFT


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def new(request: HttpRequest, club: str) -> HttpResponse:
    """The first step of a new competition: once it has a name it is a draft, which can be left and taken up again."""
    found = official(request, club, "competition.set_up")
    form = CompetitionForm(posted(request), club=found, game=request.GET.get("game", ""))
    if request.method == "POST" and form.is_valid():
        try:
            made = competitions.set_up(
                actor=acting(request), club=found, data=setup_parts.usual(found, form.changes())
            )
        except LeagueError as refusal:
            form.show(refusal)
        else:
            said = _("%(name)s is now a draft. Only directors can see it until you publish it.")
            messages.success(request, said % {"name": made})
            return redirect(_where(request, made, "competition"))
    context = {"form": form, "steps": setup_steps.names("competition"), "step": "competition"}
    status = 422 if form.errors else 200
    return render_for(request, found, "league/desk/setup/competition.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def step(request: HttpRequest, club: str, competition: str, step: str) -> HttpResponse:
    """One step of a draft; what was sent is kept before anything else is done, so that nothing typed is lost."""
    found = _draft(request, club, competition)
    if lookup.is_directed_elsewhere(found):
        return redirect(lookup.director_page(found))
    if step not in setup_steps.STEPS:
        raise Http404
    if found.state != DRAFT:
        return redirect("competition_manage", found.club.slug, found.slug)
    part = setup_parts.PARTS[step]
    if "preview" in request.POST:
        return render_for(request, found.club, *setup_parts.live_preview(request, found, part))
    if request.method == "POST":
        try:
            target = part.save(request, found)
            return redirect(target or _where(request, found, step))
        except Refused as refused:
            return _page(request, found, step, part, forms=refused.forms)
    return _page(request, found, step, part, forms=part.forms(request, found))


def _page(
    request: HttpRequest, competition: Competition, step: str, part: SetupStep, *, forms: dict[str, Any]
) -> HttpResponse:
    foreseen = setup_steps.foreseen(competition)
    context = {
        "competition": competition,
        "step": step,
        "steps": setup_steps.steps(competition, step, foreseen),
        "foreseen": foreseen,
        "advice": explained.advice(competition) if step == "preview" else [],
        "history": setup_steps.history(competition),
        "newest": drafts.newest(competition),
        "following": setup_steps.STEPS[setup_steps.after(step)],
        **forms,
        **part.context(competition, forms),
    }
    is_refused = any(getattr(form, "is_bound", False) and form.errors for form in forms.values())
    template = f"league/desk/setup/{step}.html"
    return render_for(request, competition.club, template, context, status=422 if is_refused else 200)


def _where(request: HttpRequest, competition: Competition, step: str) -> str:
    """The step that was asked for, else the one that follows."""
    wanted = request.POST.get("go", "")
    return setup_steps.url_of(competition, wanted if wanted in setup_steps.STEPS else setup_steps.after(step))


def _draft(request: HttpRequest, club: str, competition: str) -> Competition:
    found = lookup.competition(request, club, competition)
    official(request, club, "competition.set_up")
    return found


@require_POST
@login_required
@told
def undo(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Undoes an act of the history, and what was done since."""
    found = _draft(request, club, competition)
    change = get_object_or_404(DraftChange, pk=pk, competition_id=found.pk)
    drafts.undo(actor=acting(request), change=change, seen=seen_of(request))
    messages.success(request, _("Undone: %(what)s.") % {"what": change})
    if lookup.is_directed_elsewhere(found):
        return redirect(came_from(request, lookup.director_page(found)))
    step = request.POST.get("step", "")
    return redirect(setup_steps.url_of(found, step if step in setup_steps.STEPS else "preview"))


@require_POST
@login_required
@told
def bring_back(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Makes a deleted draft again."""
    found = official(request, club, "competition.set_up")
    change = get_object_or_404(DraftChange, pk=pk, club=found)
    made = drafts.bring_back(actor=acting(request), change=change)
    messages.success(request, _("You have restored %(name)s with its settings and entries.") % {"name": made})
    if lookup.is_directed_elsewhere(made):
        return redirect(lookup.director_page(made))
    return redirect(setup_steps.url_of(made, setup_steps.next_step(made)))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def edit(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """What can still change once the pairs play by it; a draft is set up in its steps."""
    edited = _draft(request, club, competition)
    if lookup.is_directed_elsewhere(edited):
        return redirect(lookup.director_page(edited))
    if edited.state == DRAFT:
        return redirect(setup_steps.url_of(edited, "competition"))
    form = PublishedForm(posted(request), club=edited.club, competition=edited)
    if request.method == "POST" and form.is_valid():
        try:
            setups.save(actor=acting(request), competition=edited, changes=form.changes())
        except LeagueError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("Your changes to %(name)s are saved.") % {"name": edited.name})
            return redirect("competition_manage", edited.club.slug, edited.slug)
    status = 422 if form.errors else 200
    context = {"form": form, "competition": edited, "now": timezone.now()}
    return render_for(request, edited.club, "league/desk/edit.html", context, status=status)
