"""The page of a match of two teams, and what a director says of a board that can't be played."""

from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from engine.contest.teams import AVERAGES
from games.comparisons.services import team_results
from games.matches.queries import tie_hints
from games.matches.team_matches import team_match
from games.models import Board, BoardAverage
from league import policies
from league.errors import LeagueError, NotAllowed
from league.models import Fixture
from league.standings import round_names
from league.web import lookup
from league.web.form_fields import REASON
from league.web.officials import acting
from league.web.refusals import show_in, told
from league.web.rendering import render_for


def page(request: HttpRequest, fixture: Fixture) -> HttpResponse:
    """Line-ups, rooms, and the match board by board."""
    competition = fixture.round.competition
    shown = team_match(fixture=fixture, visitor=request.user)
    context = {
        "page": shown,
        "fixture": fixture,
        "competition": competition,
        "round_name": round_names.of_fixture(fixture),
        "round_url": fixture.round.get_absolute_url(),
        "hints": tie_hints(fixture),
    }
    return render_for(request, competition.club, "games/team_match.html", context)


@require_safe
def wall(request: HttpRequest, pk: int) -> HttpResponse:
    """The match for a screen on the wall of the room, without anything to press."""
    fixture = _of_teams(request, pk)
    html, version = _on_wall(fixture)
    competition = fixture.round.competition
    context = {"fixture": fixture, "competition": competition, "html": html, "url": _live(fixture, version)}
    return render_for(request, competition.club, "games/team_match_on_wall.html", context)


@require_safe
def wall_live(request: HttpRequest, pk: int) -> HttpResponse:
    """What stands on the wall now, or 204 while it is what stood there in the query's `version`."""
    fixture = _of_teams(request, pk)
    html, version = _on_wall(fixture)
    if request.GET.get("version") == version:
        return HttpResponse(status=204)
    return HttpResponse(html, headers={"X-Live-Url": _live(fixture, version)})


def _of_teams(request: HttpRequest, pk: int) -> Fixture:
    fixture = lookup.fixture(request, pk)
    if not fixture.is_team_match:
        raise Http404
    return fixture


def _on_wall(fixture: Fixture) -> tuple[SafeString, str]:
    """What a visitor may know of the match, even if a director opened the page; and its version."""
    competition = fixture.round.competition
    shown = team_match(fixture=fixture, visitor=AnonymousUser())
    context = {"page": shown, "fixture": fixture, "competition": competition}
    html = render_to_string("games/team_match_wall.html", context)
    return html, sha256(html.encode()).hexdigest()[:16]


def _live(fixture: Fixture, version: str) -> str:
    return f"{reverse('team_wall_live', args=[fixture.pk])}?{urlencode({'version': version})}"


class AverageForm(forms.Form):
    """What a board that can't be played is worth to each team."""

    CHOICES = (
        (3, gettext_lazy("3 IMPs: not at fault")),
        (0, pgettext_lazy("of a board that can't be played", "0 IMPs: partly at fault")),
        (-3, gettext_lazy("−3 IMPs: at fault")),
    )
    home = forms.TypedChoiceField(coerce=int, choices=CHOICES)
    away = forms.TypedChoiceField(coerce=int, choices=CHOICES)
    reason = forms.CharField(**REASON)

    def __init__(self, *args: Any, fixture: Fixture, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["home"].label, self.fields["away"].label = str(fixture.home), str(fixture.away)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def average(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A director says what a board that can't be played is worth (F66), or takes that back."""
    fixture = _of_teams(request, pk)
    if not policies.may(request.user, "team.average", fixture):
        raise PermissionDenied(_("Only a director who doesn’t play in it decides about a board."))
    plays = Board.objects.filter(plays__fixture__team_match=fixture).distinct()
    board = get_object_or_404(plays, number=number)
    row = BoardAverage.objects.filter(fixture=fixture, board=board, revoked_at=None).first()
    initial = {"home": row.home, "away": row.away} if row else dict.fromkeys(("home", "away"), AVERAGES[0])
    form = AverageForm(request.POST if request.method == "POST" else None, fixture=fixture, initial=initial)
    if form.is_bound and form.is_valid():
        given, actor = form.cleaned_data, acting(request)
        try:
            if "take_back" in request.POST:
                team_results.take_average_back(
                    actor=actor, fixture=fixture, board=board, reason=given["reason"]
                )
            else:
                imps = (given["home"], given["away"])
                team_results.give_average(
                    actor=actor, fixture=fixture, board=board, imps=imps, reason=given["reason"]
                )
        except NotAllowed:
            raise
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Saved for board %(number)d.") % {"number": number})
            return redirect("match", fixture.pk)
    context = {
        "fixture": fixture,
        "competition": fixture.round.competition,
        "board": board,
        "average": row,
        "form": form,
    }
    club, status = fixture.round.competition.club, 422 if form.errors else 200
    return render_for(request, club, "games/team_average.html", context, status=status)
