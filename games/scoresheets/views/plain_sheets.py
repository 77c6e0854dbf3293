"""The scoresheet in plain fields, deal by deal: for browsers without scripts and for people who like to type."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from engine import game
from games import embargo, front
from games.fixture_boards import numbers_of
from games.proof import participations
from games.records import match_parts
from games.records import parsing as readings
from games.records.parsing import Reading
from games.records.plain_form import TotalsForm
from games.scoresheets import drafts
from games.scoresheets.forms import SeatsForm
from games.scoresheets.queries import matches
from games.scoresheets.services import scoresheets
from games.scoresheets.views.scoresheets import closed_because, open_fixture, preview, shown_to
from games.seating import read_seating
from league.models import Fixture
from league.web.officials import actor_of
from league.web.refusals import told
from league.web.rendering import render_for
from league.web.wording import in_words

ELSEWHERE = ("seats", "deal", "left", "total")


@login_required
@require_http_methods(["GET", "POST"])
@told
def plain_sheet(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One deal of the sheet: what is typed is kept as a draft, and read; "check" shows the whole sheet."""
    fixture = open_fixture(request, pk)
    closed = closed_because(request, fixture)
    if closed:
        messages.warning(request, closed)
        return redirect("match", pk)
    content = draft_content(request, fixture)
    if not 1 <= number <= match_parts.deal_count(fixture, len(content["deals"])):
        raise Http404
    form, seats = forms_for(request, fixture, content, number)
    if request.method == "POST" and is_sound(fixture, form, seats):
        content = changed(content, number - 1, form, seats)
        scoresheets.save_draft(actor=actor_of(request), fixture=fixture, content=content)
        if "check" in request.POST:
            return preview(request, fixture, content)
        last = match_parts.deal_count(fixture, len(content["deals"]))
        return redirect("plain_sheet", pk, min(number + 1, last) if "next" in request.POST else number)
    return shown(request, fixture, content, number, {"form": form, "seats": seats})


def draft_content(request: HttpRequest, fixture: Fixture) -> dict[str, Any]:
    """What the person goes on from."""
    sheets = matches.sheets_of(readings.match_of(fixture))
    draft = matches.draft_of(request.user, fixture)
    # Who only brings the paper to the site begins with nothing, not with what somebody else has entered.
    newest = sheets[0] if sheets and embargo.sees_sheets(visitor=request.user, fixture=fixture) else None
    if newest is not None:
        participations.judged(actor=actor_of(request), fixture=fixture, at=timezone.now())
    return drafts.beginning(fixture=fixture, draft=draft, newest=newest)


def forms_for(
    request: HttpRequest, fixture: Fixture, content: dict[str, Any], number: int
) -> tuple[TotalsForm, SeatsForm]:
    """The form of the deal and the form of the seats, filled in with what was posted or else with the draft."""
    own = front.of(fixture.round.competition.game)
    posted = request.POST or None
    form = own.plain_form(posted, fixture=fixture, content=content, deal=number - 1)
    seats = SeatsForm(
        posted,
        players=match_parts.players(fixture),
        seats=tuple((seat["seat"], seat["label"]) for seat in match_parts.seats(fixture)),
        content=content,
        asks_dealer=not numbers_of(fixture),
    )
    return form, seats


def is_sound(fixture: Fixture, form: TotalsForm, seats: SeatsForm) -> bool:
    """Whether what was posted can be kept; seats that cannot be are said at their form."""
    if not (form.is_valid() and seats.is_valid()):
        return False
    for fault in read_seating(fixture, seats.content()).faults:
        seats.add_error(None, fault)
    return seats.is_valid()


def shown(
    request: HttpRequest, fixture: Fixture, content: dict[str, Any], number: int, forms: dict[str, Any]
) -> HttpResponse:
    """The page: the forms, and beside them the deal as it was read."""
    reading = readings.read(fixture=fixture, content=content, options=readings.options_of(fixture))
    sheet = shown_to(request.user, fixture, reading)
    # A match to a target may go on: the next deal is not on the sheet yet.
    deal = sheet.deals[number - 1] if number <= len(sheet.deals) else None
    tabs = match_parts.deal_count(fixture, len(content["deals"]))
    rows = forms["form"].spots()
    context = {
        **forms,
        "fixture": fixture,
        "front": front.of(fixture.round.competition.game),
        "number": number,
        "name": sheet.deal_names.deal(number - 1),
        "tabs": [(place, sheet.deal_names.deal(place - 1)) for place in range(1, tabs + 1)],
        "has_next": number < match_parts.deal_count(fixture, number),
        "rows": [
            {**row, "problems": problems_of(fixture, reading, number - 1, at)} for at, row in enumerate(rows)
        ],
        "problems": [p for spot in ELSEWHERE for p in problems_of(fixture, reading, number - 1, spot)],
        "sheet": sheet,
        "deal": deal if deal and deal.is_given else None,
    }
    return render_for(request, fixture.round.competition.club, "games/plain_sheet.html", context)


def changed(content: dict[str, Any], deal: int, form: TotalsForm, seats: SeatsForm) -> dict[str, Any]:
    """The draft with this deal as it was typed."""
    deals = [*content["deals"], *({} for _missing in range(deal + 1 - len(content["deals"])))]
    deals[deal] = form.record()
    while deals and not deals[-1]:
        deals.pop()
    return {**content, **seats.content(), "deals": deals}


def problems_of(fixture: Fixture, reading: Reading, deal: int, spot: int | str) -> list[dict[str, Any]]:
    """What is wrong at this spot of the deal, and with the whole sheet where the spot is not a hand's."""
    offered = game.get(fixture.round.competition.game)
    places = front.of(offered.key).places
    found = []
    for problem in reading.problems:
        at, where, _field = places.spot(problem.place)
        if not problem.is_missing and where == spot and at in {None, deal}:
            message = in_words(problem.message)
            proposal = in_words(problem.proposal)
            place = places.in_words(problem, offered, reading.boards)
            said = {"where": place, "message": message, "proposal": proposal}
            found.append({**said, "refuses": problem.refuses})
    return found
