"""The director's pages of boards: making and importing sets, and what is done with a set until all have played."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import policies as games_policies
from games.boards.forms import (
    AS_DEALT,
    BoardReasonForm,
    ComparisonForm,
    FillForm,
    MakeForm,
    ReasonForm,
    TakeInForm,
    UploadForm,
    VersionForm,
)
from games.boards.queries import extra
from games.boards.queries import sets as board_sets
from games.boards.queries.sets import SetPage
from games.boards.services import (
    boards,
    imports,
    releases,
    versions,
)
from games.comparisons.services import comparisons
from games.models import Board, BoardSet, Duplicate
from games.options import has_board_files
from league import policies
from league.errors import LeagueError
from league.models import Competition, Round
from league.standings import round_names
from league.web import lookup
from league.web.officials import acting, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for

LARGEST_NUMBER = 6
SETTINGS = ("measure", "method", "tops", "least_share")


@require_safe
@login_required
@told
def show(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """All sets of a competition by round, and where one is still to be made."""
    found = _directed(request, club, competition)
    is_duplicate = Duplicate.objects.filter(competition=found).exists()
    places = board_sets.places(found) if is_duplicate else ()
    context = {
        "competition": found,
        "is_duplicate": is_duplicate,
        "places": places,
        "has_files": has_board_files(found.game),
        "next_place": next((each for each in places if each.current is None), None),
    }
    return render_for(request, found.club, "games/desk_boards/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def comparison(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """How the boards are compared and the pairs ranked; with a reason it changes, also when results are there."""
    found = lookup.competition(request, club, competition)
    policies.require(acting(request), "comparison.settings", found)
    now = get_object_or_404(Duplicate.objects.values(*SETTINGS), competition=found)
    form = ComparisonForm(posted(request), initial=now)
    if request.method == "POST" and form.is_valid():
        try:
            comparisons.change_settings(actor=acting(request), competition=found, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Saved. All scores and places will be updated."))
            return redirect(found)
    context = {"competition": found, "form": form}
    return render_for(request, found.club, "games/desk_boards/comparison.html", context, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def make(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """A new sealed set, for a round or for the whole evening."""
    found = _directed(request, club, competition)
    played = _round(request, found)
    deals = boards.deals_of(found) if played else None
    name = f"{found}, {round_names.of_round(played)}" if played else str(found)
    initial = {"source": _("The name of the competition and the round"), "value": name, "count": 24}
    form = MakeForm(posted(request), initial=initial, deals=deals)
    if request.method == "POST" and form.is_valid():
        wanted = {key: form.cleaned_data[key] for key in ("count", "first_number", "reserve", "delayed")}
        try:
            made = boards.make(actor=acting(request), competition=found, round=played, **wanted)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("The boards are sealed. Everyone can now see the commitment."))
            return _to_set(made)
    context = {"competition": found, "round": played, "form": form, "deals": deals}
    context["has_files"] = has_board_files(found.game)
    return render_for(request, found.club, "games/desk_boards/make.html", context, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def take_in(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """A file of boards: what was understood of it first, then the same sealed as a set."""
    found = _directed(request, club, competition)
    if not has_board_files(found.game):
        raise Http404
    played = _round(request, found)
    preview = None
    if "token" in request.POST:
        token = TakeInForm(request.POST)
        if not token.is_valid():
            raise Http404
        made = imports.take_in(
            actor=acting(request), competition=found, round=played, token=token.cleaned_data["token"]
        )
        messages.success(request, _("The boards are sealed. Everyone can now see the commitment."))
        return _to_set(made)
    form = UploadForm(posted(request), request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            preview = _previewed(request, found, played, form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
    context = {"competition": found, "round": played, "form": form, "preview": preview}
    status = 422 if form.errors or (preview and not preview.is_accepted) else 200
    return render_for(request, found.club, "games/desk_boards/import.html", context, status=status)


def _previewed(
    request: HttpRequest, competition: Competition, played: Round | None, given: dict[str, Any]
) -> imports.Preview:
    file = given["file"]
    return imports.read_file(
        actor=acting(request),
        competition=competition,
        round=played,
        data=file.read(imports.LARGEST_FILE + 1),
        name=file.name or "",
        format_key=given["format"],
        first_number=given["first_number"],
    )


@require_safe
@login_required
@told
def show_set(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """One set: how far it is, and everything that can be done with it."""
    return _set_page(request, _set(request, club, competition, pk))


@require_POST
@login_required
@told
def act(request: HttpRequest, club: str, competition: str, pk: int, act: str) -> HttpResponse:
    """Does one of ACTS to the set; what is missing is said beside the form."""
    found = _set(request, club, competition, pk)
    if act not in ACTS:
        raise Http404
    form = _forms(found)[act](request.POST)
    if form.is_valid():
        try:
            message = ACTS[act](request, found, form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, message)
            return _to_set(found)
    return _set_page(request, found, {act: form})


def _fill(request: HttpRequest, found: BoardSet, given: dict[str, Any]) -> str:
    boards.fill_delayed(actor=acting(request), board_set=found, value=given["value"])
    return _("You have filled in the value. The boards can now be dealt.")


def _release(request: HttpRequest, found: BoardSet, given: dict[str, Any]) -> str:
    boards.release(actor=acting(request), board_set=found, reason=given["reason"])
    return _("The key and the cards are now public.")


def _release_board(request: HttpRequest, found: BoardSet, given: dict[str, Any]) -> str:
    board = _board(found, given["board"])
    boards.release(actor=acting(request), board_set=found, board=board, reason=given["reason"])
    return _("The cards of board %(number)d are now public.") % {"number": board.number}


def _discard(request: HttpRequest, found: BoardSet, given: dict[str, Any]) -> str:
    boards.discard(actor=acting(request), board_set=found, reason=given["reason"])
    return _("You have discarded the boards. You can now create new ones.")


def _substitute(request: HttpRequest, found: BoardSet, given: dict[str, Any]) -> str:
    board = _board(found, given["board"])
    boards.substitute_reserve(actor=acting(request), board=board, reason=given["reason"])
    return _("A reserve board is now board %(number)d. Please print or deal it again.") % {
        "number": board.number
    }


ACTS: dict[str, Callable[[HttpRequest, BoardSet, dict[str, Any]], str]] = {
    "fill": _fill,
    "release": _release,
    "release-board": _release_board,
    "discard": _discard,
    "reserve": _substitute,
}


def _forms(found: BoardSet) -> dict[str, Callable[..., forms.Form]]:
    sealed = board_sets.in_play(found).filter(released_at=None)
    played = [(str(each.pk), str(each.number)) for each in sealed]

    def about_board(data: Any = None) -> forms.Form:
        return BoardReasonForm(data, boards=played, auto_id="id_board_%s")

    def about_reserve(data: Any = None) -> forms.Form:
        return BoardReasonForm(data, boards=played, auto_id="id_reserve_%s")

    return {
        "fill": lambda data=None: FillForm(data, auto_id="id_fill_%s"),
        "release": lambda data=None: ReasonForm(data, auto_id="id_release_%s"),
        "release-board": about_board,
        "discard": lambda data=None: ReasonForm(data, auto_id="id_discard_%s"),
        "reserve": about_reserve,
    }


def _set_page(
    request: HttpRequest, found: BoardSet, bound: dict[str, forms.Form] | None = None
) -> HttpResponse:
    page = board_sets.set_page(found)
    drawn = {name: make_form() for name, make_form in _forms(found).items()}
    drawn.update(bound or {})
    # What was just refused says why, also where it is offered no more.
    offered = [name for name in dict.fromkeys([*_offered(page), *(bound or {})]) if name in drawn]
    context = {
        "competition": found.competition,
        "board_set": found,
        "page": page,
        "held_back": releases.held_back(found),
        "forms": {name.replace("-", "_"): drawn[name] for name in offered},
        "may_take_cards": games_policies.may_take_cards(request.user, found),
        "may_release": policies.may(request.user, "boards.release", found),
    }
    return render_for(
        request,
        found.competition.club,
        "games/desk_boards/set.html",
        context,
        status=422 if bound else 200,
    )


def _offered(page: SetPage) -> list[str]:
    """What can be done with the set as it is now."""
    if page.board_set.discarded_at is not None:
        return []
    discard = [] if boards.is_begun(page.board_set) else ["discard"]
    if page.board_set.released_at is not None:
        return discard
    if page.is_waiting_for_value:
        return ["fill", *discard]
    last = extra.for_misdeals(page.board_set)
    spare = any(line.state == "spare" and line.board.place <= last for line in page.boards)
    return ["release", "release-board", *discard, *(["reserve"] if spare else [])]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def tables(request: HttpRequest, club: str, competition: str, pk: int, number: int) -> HttpResponse:
    """The tables of a board, and which version of it each has played."""
    found = _set(request, club, competition, pk)
    board = get_object_or_404(Board, board_set=found, pk=number)
    board.board_set = found
    lines = board_sets.tables_of(board)
    choices = [(str(line.play.pk), f"{line.where}: {line.play.fixture}") for line in lines]
    form = VersionForm(posted(request), tables=choices)
    if request.method == "POST" and form.is_valid():
        chosen = [line.play for line in lines if line.play.pk in form.cleaned_data["tables"]]
        try:
            versions.mark_versions(
                actor=acting(request),
                plays=chosen,
                version=form.cleaned_data["version"].removeprefix(AS_DEALT),
                reason=form.cleaned_data["reason"],
            )
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Marked. The comparison will be updated in a moment."))
            return redirect("desk_board_tables", club, competition, pk, number)
    context = {
        "competition": found.competition,
        "board_set": found,
        "board": board,
        "lines": lines,
        "form": form,
    }
    return render_for(
        request, found.competition.club, "games/desk_boards/tables.html", context, status=_status(form)
    )


def _directed(request: HttpRequest, club: str, slug: str) -> Competition:
    found = lookup.competition(request, club, slug)
    policies.require(acting(request), "boards.make", found)
    return found


def _set(request: HttpRequest, club: str, competition: str, pk: int) -> BoardSet:
    directed = _directed(request, club, competition)
    found: BoardSet = get_object_or_404(
        BoardSet.objects.select_related("round__stage__competition__club", "made_by"),
        competition=directed,
        pk=pk,
    )
    found.competition = directed
    return found


def _board(found: BoardSet, pk: int) -> Board:
    return get_object_or_404(
        Board.objects.select_related("board_set__competition__club"), board_set=found, pk=pk
    )


def _round(request: HttpRequest, competition: Competition) -> Round | None:
    """The round that the query names, else the next one without boards; None for an evening."""
    if competition.stage.is_evening:
        return None
    given = request.GET.get("round", "")
    if not given:
        return board_sets.next_round(competition)
    if not (given.isascii() and given.isdecimal() and len(given) <= LARGEST_NUMBER):
        raise Http404
    return get_object_or_404(
        Round.objects.select_related("stage__competition"), stage__competition=competition, number=int(given)
    )


def _to_set(found: BoardSet) -> HttpResponse:
    competition = found.competition
    return redirect("desk_board_set", competition.club.slug, competition.slug, found.pk)


def _status(form: forms.Form) -> int:
    return 422 if form.errors else 200
