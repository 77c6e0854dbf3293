"""Opening tables: a match's, a casual one of a club, and one for practice."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from games.models import Board, Table
from games.services.tables import opening
from games.table_forms import CasualTableForm, PracticeForm
from games.views.sending import wants_json
from games.views.table_play import person_of
from league.errors import Invalid
from league.models import Club
from league.views import lookup
from league.views.refusals import told


def _shown(request: HttpRequest, table: Table) -> HttpResponse:
    address = f"/tables/{table.pk}/"
    if wants_json(request):
        return JsonResponse({"table": table.pk, "url": address})
    return redirect(address)


@login_required
@require_POST
@told
def match_table(request: HttpRequest, pk: int) -> HttpResponse:
    """The online table of a match, opened if there is none."""
    fixture = lookup.fixture(request, pk)
    return _shown(request, opening.open_match(actor=person_of(request), fixture=fixture))


@login_required
@require_POST
@told
def casual_table(request: HttpRequest, club: str) -> HttpResponse:
    """A table for whoever of the club sits down."""
    found = get_object_or_404(Club, slug=club)
    form = CasualTableForm(request.POST)
    if not form.is_valid():
        raise Invalid(" ".join(str(error) for errors in form.errors.values() for error in errors))
    terms: dict[str, Any] = dict(form.cleaned_data)
    options = {"deals": terms.pop("deals")}
    table = opening.open_casual(actor=person_of(request), club=found, terms=terms, options=options)
    return _shown(request, table)


@login_required
@require_POST
@told
def practice(request: HttpRequest, club: str) -> HttpResponse:
    """A player alone with three robots."""
    found = get_object_or_404(Club, slug=club)
    form = PracticeForm(request.POST)
    if not form.is_valid():
        raise Invalid(" ".join(str(error) for errors in form.errors.values() for error in errors))
    key = form.cleaned_data["board"]
    board = (
        get_object_or_404(Board.objects.select_related("board_set__competition__club"), pk=key)
        if key
        else None
    )
    robot = form.cleaned_data["robot"]
    table = opening.practise(actor=person_of(request), club=found, robot=robot, board=board)
    return _shown(request, table)
