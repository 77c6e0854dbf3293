"""On paper: scoresheets to be filled in at the table, one match's or a round's; and invitations to players."""

from collections.abc import Iterable
from urllib.parse import quote

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.papers import slips
from games.papers.queries.blank_sheets import PaperSheet, paper_sheet, to_print
from games.papers.services import papers
from league.models import Fixture
from league.people.services import joining
from league.standings import round_names
from league.web import lookup
from league.web.officials import LONGEST_KEY, acting, official
from league.web.refusals import told
from league.web.rendering import render_for

MOST_SLIPS = 200


@require_safe
def sheet_print(request: HttpRequest, pk: int) -> HttpResponse:
    """One match's sheet, whatever has become of the match: paper may be wanted again."""
    fixture = lookup.fixture(request, pk)
    club = fixture.round.competition.club
    with timezone.override(club.time_zone):
        context = {"sheets": _sheets(request, [fixture]), "back": fixture.get_absolute_url()}
    return render_for(request, club, "games/print_sheets.html", context)


@require_safe
def round_print(request: HttpRequest, club: str, competition: str, number: int) -> HttpResponse:
    """The sheets of all matches of a round that are still to be played, one a page."""
    found = lookup.competition(request, club, competition)
    played = get_object_or_404(found.stage.rounds, number=number)
    with timezone.override(found.club.time_zone):
        sheets = _sheets(request, to_print(played))
    context = {"sheets": sheets, "back": reverse("round", args=[club, competition, number])}
    return render_for(request, found.club, "games/print_sheets.html", context)


def _sheets(request: HttpRequest, fixtures: Iterable[Fixture]) -> list[PaperSheet]:
    # Printed at a computer of the club's own network, the sheet is still to be opened from anywhere.
    site = papers.site_for_paper(request.build_absolute_uri("/"))
    listed = list(fixtures)
    names = round_names.of_fixtures(listed)
    return [
        paper_sheet(each, round_name=names[each.pk], address=site + reverse("scoresheet", args=[each.pk]))
        for each in listed
    ]


@require_POST
@login_required
@told
def player_slips(request: HttpRequest, club: str) -> HttpResponse:
    """Slips with a QR code: for one player, or for all without an address. They cannot be shown again."""
    found, at = official(request, club, "player.invite"), timezone.now()
    key = request.POST.get("key", "")
    if key.isascii() and key.isdecimal() and len(key) < LONGEST_KEY:
        keys = [int(key)]
    else:
        without = joining.waiting(found, at=at).filter(email="")
        keys = list(without.values_list("pk", flat=True)[:MOST_SLIPS])
    with transaction.atomic():
        made = joining.make_slips(actor=acting(request), club=found, players=keys, at=at)
        content = slips.of_players(found, made, language=get_language() or "") if made else b""
    if not content:
        messages.info(request, _("There is no slip to print just now."))
        return redirect("desk_invitations", found.slug)
    answer = HttpResponse(content, content_type="application/pdf")
    name = "-".join((found.slug, _("invitations.pdf")))
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    answer["Cache-Control"] = "no-store, private"
    return answer
