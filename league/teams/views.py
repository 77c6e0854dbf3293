"""A captain's pages: the line-up of a match, and who the captain is."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league import policies
from league.errors import LeagueError, NotAllowed
from league.models import Entry, Fixture, NamedPairs
from league.teams import queries
from league.teams.forms import PLACES, CaptainForm, LineUpForm
from league.teams.services import line_ups
from league.web import lookup
from league.web.officials import acting
from league.web.refusals import show_in, told
from league.web.rendering import render_for

form_page = require_http_methods(["GET", "HEAD", "POST"])


@form_page
@login_required
@told
def line_up(request: HttpRequest, pk: int, entry: int) -> HttpResponse:
    """Who plays in which room; what the other team does, nobody sees here."""
    fixture = _team_match(request, pk)
    team = next((each for each in fixture.entries if each.pk == entry), None)
    if team is None:
        raise Http404
    if not policies.may(request.user, "team.name_pairs", NamedPairs(fixture=fixture, entry=team)):
        raise PermissionDenied(_("Only the captain or a director names the line-up."))
    if not queries.may_name(fixture, team, request.user):
        messages.warning(request, _("The line-up can’t be changed any more."))
        return redirect("match", fixture.pk)
    proposed = queries.proposed(fixture, team, request.user)
    form = LineUpForm(
        request.POST if request.method == "POST" else None,
        fixture=fixture,
        entry=team,
        initial=dict(zip(PLACES, proposed, strict=True)),
    )
    if form.is_bound and form.is_valid():
        try:
            line_ups.name(
                actor=acting(request), fixture=fixture, entry=team, pairs=form.pairs(), at=timezone.now()
            )
        except NotAllowed:
            raise
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            are_in = fixture.rooms.exists()
            said = (
                _("Both line-ups are in. Here are the two rooms.")
                if are_in
                else _("Thank you. The other team can’t see your line-up until theirs is in, too.")
            )
            messages.success(request, said)
            return redirect("match", fixture.pk)
    context = {
        "fixture": fixture,
        "competition": fixture.round.competition,
        "team": team,
        "form": form,
        "is_home": team.pk == fixture.home_id,
    }
    status = 422 if form.errors else 200
    return render_for(request, fixture.round.competition.club, "league/line_up.html", context, status=status)


@require_POST
@login_required
@told
def open_rooms(request: HttpRequest, pk: int) -> HttpResponse:
    """A director lets the last line-ups stand where a team has said nothing."""
    fixture = _team_match(request, pk)
    line_ups.stand(actor=acting(request), fixture=fixture, at=timezone.now())
    messages.success(request, _("The line-ups stand. Here are the two rooms."))
    return redirect("match", fixture.pk)


@form_page
@login_required
@told
def captain(request: HttpRequest, pk: int) -> HttpResponse:
    """Who names the line-ups of a team."""
    team = get_object_or_404(Entry.objects.with_pairs().select_related("competition__club"), pk=pk)
    if not team.competition.is_of_teams or not policies.may(
        request.user, "competition.see", team.competition
    ):
        raise Http404
    if not policies.may(request.user, "team.choose_captain", team):
        raise PermissionDenied(_("Only the captain or a director names another captain."))
    form = CaptainForm(request.POST if request.method == "POST" else None, entry=team)
    if form.is_bound and form.is_valid():
        chosen = form.cleaned_data["captain"]
        line_ups.choose_captain(actor=acting(request), entry=team, player=chosen)
        messages.success(request, _("%(player)s is the captain now.") % {"player": chosen})
        return redirect(team.lineup.get_absolute_url())
    context = {"team": team, "competition": team.competition, "form": form}
    status = 422 if form.errors else 200
    return render_for(request, team.competition.club, "league/captain.html", context, status=status)


def _team_match(request: HttpRequest, pk: int) -> Fixture:
    fixture = lookup.fixture(request, pk)
    if not fixture.is_team_match:
        raise Http404
    return fixture
