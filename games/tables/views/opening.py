"""Opening tables: a match's, a casual one of a club, and one for practice."""

from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from games.models import Board, Table, TableDeal
from games.scoresheets.views.sending import wants_json
from games.tables.forms import CasualTableForm, PracticeForm
from games.tables.services import opening
from games.tables.views.play import person_of
from league.errors import Invalid
from league.models import Club, Lineup
from league.web import lookup
from league.web.refusals import told


def _check(form: BaseForm) -> None:
    """Raises Invalid with every fault and the field that it is about."""
    if form.is_valid():
        return
    faults = [
        f"{form[name].label}: {error}" if name in form.fields else str(error)
        for name, errors in form.errors.items()
        for error in errors
    ]
    raise Invalid(" ".join(faults))


def shown(request: HttpRequest, table: Table) -> HttpResponse:
    """To the table; a script is told where that is."""
    address = table.get_absolute_url()
    if wants_json(request):
        return JsonResponse({"table": table.pk, "url": address})
    return redirect(address)


@login_required
@require_POST
@told
def match_table(request: HttpRequest, pk: int) -> HttpResponse:
    """The online table of a match, opened if there is none."""
    fixture = lookup.fixture(request, pk)
    return shown(request, opening.open_match(actor=person_of(request), fixture=fixture))


@login_required
@require_POST
@told
def casual_table(request: HttpRequest, club: str) -> HttpResponse:
    """A table at which any member of the club may sit."""
    found = get_object_or_404(Club, slug=club)
    form = CasualTableForm(request.POST)
    _check(form)
    return shown(request, opening.open_casual(actor=person_of(request), club=found, **form.opened()))


@login_required
@require_POST
@told
def practice_again(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A deal that the person practised, once more."""
    table = get_object_or_404(Table, pk=pk)
    deal = get_object_or_404(TableDeal.objects.select_related("table__club"), table=table, number=number)
    return shown(request, opening.practise_again(actor=person_of(request), deal=deal))


@login_required
@require_POST
@told
def practice(request: HttpRequest, club: str) -> HttpResponse:
    """A player alone with robots."""
    found = get_object_or_404(Club, slug=club)
    form = PracticeForm(request.POST)
    _check(form)
    given = form.cleaned_data
    board_key = given["board"]
    board = (
        get_object_or_404(Board.objects.select_related("board_set__competition__club"), pk=board_key)
        if board_key
        else None
    )
    table = opening.practise(
        actor=person_of(request),
        club=found,
        robot=given["robot"],
        partner=given["partner"],
        seat=given["seat"],
        deal=given["deal"],
        board=board,
        game_key=given["game"],
        players=given.get("players"),
        pair=get_object_or_404(Lineup.objects.with_players(), pk=given["pair"]) if given["pair"] else None,
    )
    return shown(request, table)
