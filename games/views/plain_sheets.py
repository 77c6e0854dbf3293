"""The scoresheet in plain fields, deal by deal: for browsers without scripts and for people who like to type."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import readings
from games.forms import PlainDealForm, SeatsForm, initial_of
from games.readings import Reading
from games.selectors import entry, matches, values
from games.selectors.entry import spot_of
from games.selectors.sheets import shown_sheet
from games.selectors.shown import ShownSheet
from games.services import scoresheets
from games.views.judging import actor_of
from games.views.scoresheets import closed_because, open_fixture, preview
from games.wording import in_words
from league.views.refusals import told
from league.views.rendering import render_for


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
    match = matches.match_of(fixture)
    most = values.deal_count(fixture)
    if not 1 <= number <= most:
        raise Http404
    sheets = matches.sheets_of(match)
    content = entry.beginning(
        fixture=fixture,
        draft=matches.draft_of(request.user, fixture),
        newest=sheets[0] if sheets else None,
    )
    labels = values.plain_labels(fixture, content, number - 1)
    record = content["deals"][number - 1] if number <= len(content["deals"]) else {}
    form = PlainDealForm(request.POST or None, labels=labels, initial=initial_of(record, labels))
    seats = SeatsForm(
        request.POST or None, players=values.players(fixture), seats=labels.seats, content=content
    )
    if request.method == "POST" and form.is_valid() and seats.is_valid():
        content = changed(content, number - 1, form, seats)
        scoresheets.save_draft(actor=actor_of(request), fixture=fixture, content=content)
        if "check" in request.POST:
            return preview(request, fixture, content)
        return redirect("plain_sheet", pk, _next(request, number, most))
    reading = readings.read(fixture=fixture, content=content, options=matches.options_of(fixture))
    context = {
        "fixture": fixture,
        "form": form,
        "seats": seats,
        "number": number,
        "numbers": range(1, most + 1),
        "problems": problems_of(reading, number - 1),
        **_shown(shown_sheet(fixture, reading), number),
    }
    return render_for(request, fixture.round.competition.club, "games/plain_sheet.html", context)


def changed(content: dict[str, Any], deal: int, form: PlainDealForm, seats: SeatsForm) -> dict[str, Any]:
    """The draft with this deal as it was typed."""
    deals = [*content["deals"], *({} for _missing in range(deal + 1 - len(content["deals"])))]
    deals[deal] = form.record()
    while deals and not deals[-1]:
        deals.pop()
    return {**content, **seats.content(), "deals": deals}


def problems_of(reading: Reading, deal: int) -> list[dict[str, Any]]:
    """What is wrong with this deal or with the seats, each with its place in words."""
    found = []
    for problem in reading.problems:
        at, spot, _field = spot_of(problem.place)
        if problem.is_missing or at not in {None, deal}:
            continue
        where = _("Hand %(number)d") % {"number": spot + 1} if isinstance(spot, int) else ""
        message = in_words(problem.template, problem.params)
        proposal = in_words(problem.proposal_template, problem.params)
        found.append({"where": where, "message": message, "proposal": proposal, "refuses": problem.refuses})
    return found


def _shown(sheet: ShownSheet, number: int) -> dict[str, Any]:
    deal = sheet.deals[number - 1] if number <= len(sheet.deals) else None
    return {"sheet": sheet, "deal": deal if deal and deal.is_given else None}


def _next(request: HttpRequest, number: int, most: int) -> int:
    return min(number + 1, most) if "next" in request.POST else number
