"""What the code on a paper scoresheet leads to."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.records import match_parts
from games.records import parsing as readings
from games.records.display.places import Places
from games.scoresheets import drafts, entry_links
from games.scoresheets.forms import GuestSheetForm
from games.scoresheets.queries import matches
from games.scoresheets.services import guests
from league import policies
from league.errors import Invalid
from league.models import Fixture
from league.querysets import DECIDED
from league.web import lookup
from league.web.officials import actor_of
from league.web.refusals import show_in, told
from league.web.rendering import render_for
from league.words import public_names

#: So many deals have a row where a match goes to a target; those that stay empty were not played.
MOST_TO_A_TARGET = 11


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@told
@public_names.in_full()
def entry_link(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """The entry of this match, opened for who holds its paper: a member of the club, or a guest; nothing else opens."""
    if not request.user.is_authenticated:
        return _as_guest(request, pk, token)
    if request.method == "POST":
        return HttpResponseNotAllowed(["GET", "HEAD"])
    fixture = lookup.fixture(request, pk)
    if fixture.status in DECIDED:
        return redirect(fixture)
    entry_links.attach(request.user, request.session, fixture)
    if not policies.may(request.user, "sheet.enter", fixture):
        guests.open_by_link(actor=actor_of(request), fixture=fixture, token=token)
        entry_links.keep(request.session, fixture, token)
    return redirect("scoresheet", fixture.pk)


def _as_guest(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """For somebody without an account, where the club has it so: a name and the points of each deal."""
    fixture = Fixture.with_rooms.with_pairs().filter(pk=pk).first()
    if fixture is None or not guests.may_enter(fixture=fixture, token=token):
        return redirect_to_login(request.get_full_path())
    if matches.sheets_of(readings.match_of(fixture)):
        messages.info(
            request, _("Someone has already entered a scoresheet for this match. Log in to correct it.")
        )
        return redirect(fixture)
    content = drafts.beginning(fixture=fixture, draft=None, newest=None)
    sides = match_parts.sides_with_pairs(fixture)
    form = GuestSheetForm(
        request.POST or None, sides=sides, deals=match_parts.deal_count(fixture, MOST_TO_A_TARGET)
    )
    if request.method == "POST" and form.is_valid():
        name, deals = form.cleaned_data["name"], form.records()
        try:
            guests.submit(fixture=fixture, token=token, name=name, content={**content, "deals": deals})
        except Invalid as refusal:
            for fault in refusal.details:
                fault["place"] = [_field_at(form, tuple(fault["place"]))]
            show_in(form, refusal)
        else:
            messages.success(request, _("Sent. It counts once all sides, or an official, have confirmed it."))
            return redirect(fixture)
    context = {"fixture": fixture, "form": form}
    status = 422 if form.errors else 200
    club = fixture.round.competition.club
    return render_for(request, club, "games/guest_sheet.html", context, status=status)


def _field_at(form: GuestSheetForm, place: tuple[str | int, ...]) -> str | int | None:
    """The field at which a fault is said: the first one of its deal."""
    deal = Places().spot(place)[0]
    if deal is None:
        return place[0] if place else None
    return f"total-{deal + 1}-{form.sides[0][0]}"
