"""Setting an evening up: four steps in any order, each kept in the draft at once, with an undo for every act."""

from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.seating import side_titles
from games.sessions import services as evenings
from games.sessions.forms import USUAL_ROUNDS, EveningForm, LengthForm, MovementForm, WaysForm
from games.sessions.queries import steps
from games.sessions.queries.movement_words import ways
from games.sessions.queries.steps import SectionPlan
from games.sessions.sections import of_draft
from league import policies
from league.competitions.services import drafts
from league.errors import LeagueError
from league.manage.forms.entries import NumbersForm, PairsForm
from league.manage.queries import setup_steps
from league.manage.services import setups
from league.models import Club, Competition, Entry
from league.web import lookup
from league.web.officials import (
    acting,
    official,
    posted,
    seen_of,
)
from league.web.refusals import show_in, told
from league.web.rendering import render_for

DRAFT = Competition.State.DRAFT
LONGEST_KEY = 12
USUAL_TIME = time(19, 30)


class Refused(Exception):
    """What was sent cannot be kept as it is; the forms say why."""

    def __init__(self, forms: dict[str, Any]) -> None:
        super().__init__()
        self.forms = forms


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def new(request: HttpRequest, club: str) -> HttpResponse:
    """The first step of a new evening: once it has a name and a day it is a draft."""
    found = official(request, club, "competition.set_up")
    form = EveningForm(posted(request), club=found, initial=_usual(found))
    if request.method == "POST" and form.is_valid():
        try:
            made = evenings.make(actor=acting(request), club=found, data=form.plan())
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            said = _("%(name)s is now a draft. Only directors can see it until the pairs have their seats.")
            messages.success(request, said % {"name": made})
            return redirect(steps.url_of(made, "pairs"))
    context = {"form": form, "steps": steps.names("what"), "step": "what"}
    status = 422 if form.errors else 200
    return render_for(request, found, "games/evening/setup/what.html", context, status=status)


def _usual(club: Club) -> dict[str, Any]:
    """Tonight at half past seven, at the club's own place."""
    today = timezone.localdate(timezone=ZoneInfo(club.time_zone))
    return {
        "name": _("Duplicate evening"),
        "starts_on": today,
        "play_time": USUAL_TIME,
        "place": club.place,
    }


@require_safe
@login_required
@told
def movements(request: HttpRequest, club: str) -> HttpResponse:
    """Every way to play for so many pairs and so long, with how evenly each compares them; nothing is written."""
    found = official(request, club, "competition.set_up")
    form = WaysForm(request.GET or None)
    context = {"form": form, **_ways(form)}
    return render_for(request, found, "games/evening/movements.html", context)


def _ways(form: WaysForm) -> dict[str, Any]:
    if not form.is_valid():
        return {}
    given = form.cleaned_data
    unit = {name: given[name] for name in ("boards_a_round", "minutes_a_round")}
    rounds = form.wanted(**unit) or USUAL_ROUNDS
    of_players = given["partners_change"]
    return {"rounds": rounds, "ways": ways(given["pairs"], rounds, of_players=of_players, **unit)}


def directed(request: HttpRequest, club: str, competition: str) -> Competition:
    """The evening of that address, for those who run it."""
    found = lookup.competition(request, club, competition)
    policies.require(acting(request), "evening.run", found)
    if not found.stage.is_evening:
        raise Http404
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def step(request: HttpRequest, club: str, competition: str, step: str) -> HttpResponse:
    """One step of a draft; what was sent is kept before anything else is done."""
    found = directed(request, club, competition)
    if step not in steps.STEPS:
        raise Http404
    if found.state != DRAFT:
        return redirect("evening_desk", found.club.slug, found.slug)
    forms = FORMS[step](request, found)
    if request.method == "POST":
        try:
            return redirect(SAVES[step](request, found, forms) or _where(request, found, step))
        except Refused as refused:
            forms = refused.forms
    return _page(request, found, step, forms)


def _page(request: HttpRequest, competition: Competition, step: str, forms: dict[str, Any]) -> HttpResponse:
    found = steps.plans(competition)
    context = {
        "competition": competition,
        "step": step,
        "steps": steps.steps(competition, step, found),
        "plans": found,
        "sides": tuple(side_titles(competition.game).values()),
        "lengths": steps.lengths(found),
        "boards": steps.boards_of(competition, found),
        "history": setup_steps.history(competition),
        "newest": drafts.newest(competition),
        "following": steps.STEPS[steps.after(step)],
        "is_ready": all(each.section.movement for each in found),
        **forms,
        **({"movements": _with_plans(forms, found)} if step == "movement" else {}),
    }
    bound = [each for form in forms.values() for each in (form if isinstance(form, list) else [form])]
    is_refused = any(getattr(each, "is_bound", False) and each.errors for each in bound)
    template = f"games/evening/setup/{step}.html"
    return render_for(request, competition.club, template, context, status=422 if is_refused else 200)


def _with_plans(
    forms: dict[str, Any], found: tuple[SectionPlan, ...]
) -> list[tuple[SectionPlan, MovementForm]]:
    return list(zip(found, forms["movement_forms"], strict=True))


def _where(request: HttpRequest, competition: Competition, step: str) -> str:
    wanted = request.POST.get("go", "")
    chosen = wanted if wanted in steps.STEPS else steps.after(step)
    return steps.url_of(competition, chosen)


# What and when


def _what_forms(request: HttpRequest, competition: Competition) -> dict[str, Any]:
    plan = evenings.plan_of(competition)
    initial = {name: getattr(plan, name) for name in EveningForm.base_fields}
    return {"form": EveningForm(posted(request), club=competition.club, initial=initial)}


def _save_what(request: HttpRequest, competition: Competition, forms: dict[str, Any]) -> str:
    form: EveningForm = forms["form"]
    if not form.is_valid():
        raise Refused(forms)
    try:
        evenings.edit(actor=acting(request), competition=competition, data=form.plan())
    except LeagueError as refusal:
        show_in(form, refusal)
        raise Refused(forms) from refusal
    return ""


# Pairs


def _pair_forms(request: HttpRequest, competition: Competition) -> dict[str, Any]:
    data = posted(request)
    entering = PairsForm(data, competition=competition)
    del entering.fields["file"]
    division: Any = entering.fields["division"]
    division.label = _("Section")
    return {"form": entering, "numbers": NumbersForm(data, competition=competition)}


def _save_pairs(request: HttpRequest, competition: Competition, forms: dict[str, Any]) -> str:
    """Numbers first, then the pairs ticked and typed, then what the button does."""
    form, numbers, actor = forms["form"], forms["numbers"], acting(request)
    if not all([form.is_valid(), numbers.is_valid()]):
        raise Refused(forms)
    given = form.cleaned_data
    pairs = form.fields["lineups"].queryset if "all" in request.POST else given["lineups"]
    try:
        if numbers.has_changed():
            setups.arrange(actor=actor, competition=competition, places=numbers.places())
        setups.enter(
            actor=actor,
            division=given["division"],
            chosen=list(pairs),
            typed=given["typed"],
            at=timezone.now(),
            are_different=given["are_different"],
        )
        _take_out(request, competition)
        _for_the_house(request, competition)
        if "lots" in request.POST:
            setups.draw_numbers(actor=actor, competition=competition)
        elif "share" in request.POST:
            setups.share_out(actor=actor, competition=competition)
    except LeagueError as refusal:
        show_in(form, refusal)
        if refusal.code == "same_person":
            form.ask_whether_different()
        raise Refused(forms) from refusal
    stays = {"all", "add", "remove", "house", "place", "lots", "share", "keep"} & set(request.POST)
    return steps.url_of(competition, "pairs") if stays else ""


def _take_out(request: HttpRequest, competition: Competition) -> None:
    entry = _pressed(request, competition, "remove")
    if entry is not None:
        setups.remove(actor=acting(request), entry=entry)
        messages.success(request, _("%(pair)s: removed.") % {"pair": entry})


def _for_the_house(request: HttpRequest, competition: Competition) -> None:
    for button, is_house in (("house", True), ("place", False)):
        entry = _pressed(request, competition, button)
        if entry is not None:
            evenings.set_house(actor=acting(request), entry=entry, is_house=is_house)


def _pressed(request: HttpRequest, competition: Competition, button: str) -> Entry | None:
    """Whose button of that name was pressed."""
    key = request.POST.get(button, "")
    if not key:
        return None
    number = int(key) if key.isascii() and key.isdecimal() and len(key) < LONGEST_KEY else 0
    found: Entry = get_object_or_404(Entry.objects.with_pairs(), pk=number, competition=competition)
    return found


# Movement


def _movement_forms(request: HttpRequest, competition: Competition) -> dict[str, Any]:
    data = posted(request)
    terms = steps.terms(competition)
    asked = LengthForm(request.GET or None)
    length = asked.wanted(boards_a_round=terms.boards_a_round, minutes_a_round=terms.minutes_a_round)
    forms = [MovementForm(data, section=each, terms=terms, length=length) for each in of_draft(competition)]
    return {"movement_forms": forms, "length_form": asked, "length": length}


def _save_movement(request: HttpRequest, competition: Competition, forms: dict[str, Any]) -> str:
    all_forms: list[MovementForm] = forms["movement_forms"]
    chosen = [form for form in all_forms if form.offered]
    if not all(form.is_valid() for form in chosen):
        raise Refused(forms)
    for form in chosen:
        if form.has_changed() or not form.section.is_chosen:
            try:
                evenings.choose_movement(
                    actor=acting(request), division=form.section.division, choice=form.choice()
                )
            except LeagueError as refusal:
                show_in(form, refusal)
    if any(form.errors for form in chosen):
        raise Refused(forms)
    return steps.url_of(competition, "movement") + "#preview" if "keep" in request.POST else ""


# Seats


def _start_forms(_request: HttpRequest, _competition: Competition) -> dict[str, Any]:
    return {}


def _start(request: HttpRequest, competition: Competition, _forms: dict[str, Any]) -> str:
    if "start" not in request.POST:
        return ""
    evenings.start(actor=acting(request), competition=competition, at=timezone.now(), seen=seen_of(request))
    messages.success(request, _("Everyone has a seat. The first round begins when you start it."))
    return lookup.director_page(competition)


FORMS = {"what": _what_forms, "pairs": _pair_forms, "movement": _movement_forms, "start": _start_forms}
SAVES = {"what": _save_what, "pairs": _save_pairs, "movement": _save_movement, "start": _start}
