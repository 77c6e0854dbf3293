"""A player's grade with every step told, and a club's list."""

from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.grades import queries, services
from games.models import HiddenGrade
from league import extension, policies
from league.errors import LeagueError, NotAllowed
from league.models import Club, Player
from league.people import queries as players
from league.web import lookup
from league.web.form_fields import REASON
from league.web.officials import acting
from league.web.refusals import show_in, told
from league.web.rendering import render_for


@require_safe
def player_grade(request: HttpRequest, pk: int) -> HttpResponse:
    """The grade in each game, its curve, what each session moved, and what is expected with each partner."""
    player: Player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if player.merged_into_id is not None:
        return redirect("player_grade", pk=player.merged_into_id)
    if not players.is_visible_to(request.user, player):
        raise Http404
    may_see = queries.may_see(request.user, player)
    today = timezone.localdate(timezone=ZoneInfo(player.club.time_zone))
    context = {
        "player": player,
        "may_see": may_see,
        "games": queries.of_player(player, request.user, today=today) if may_see else (),
        "starts": queries.starts_of(player) if may_see else (),
        "may_state": policies.may(request.user, "grade.state", player),
        "may_hide": policies.may(request.user, "grade.hide", player),
        "is_hidden": HiddenGrade.objects.filter(player=player).exists(),
    }
    return render_for(request, player.club, "games/player_grade.html", context)


@require_POST
@login_required
@told
def grade_hide(request: HttpRequest, pk: int) -> HttpResponse:
    """Hides your own grade from others, or shows it again."""
    player: Player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    is_hidden = "show" not in request.POST
    services.hide(actor=acting(request), player=player, is_hidden=is_hidden, at=timezone.now())
    said = _("Your grade is hidden from others.") if is_hidden else _("Everyone can see your grade again.")
    messages.success(request, said)
    return redirect("player_grade", pk)


class StartForm(forms.Form):
    """With which grade a player begins in a game."""

    game = forms.ChoiceField(label=gettext_lazy("Game"))
    grade = forms.DecimalField(
        label=gettext_lazy("Grade"),
        help_text=gettext_lazy("In percent: 50 is an average player of the club."),
        min_value=0,
        max_value=services.MOST_GRADE,
        decimal_places=1,
        initial=50,
    )
    spread = forms.DecimalField(
        label=gettext_lazy("Spread"),
        help_text=gettext_lazy("How uncertain that is: 6 as of somebody new, 3 if you know them well."),
        min_value=Decimal(services.SPREADS[0]),
        max_value=Decimal(services.SPREADS[1]),
        decimal_places=1,
        initial=4,
    )
    reason = forms.CharField(**REASON)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known, field = extension.layer().games, self.fields["game"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(key, str(known[key].name)) for key in services.games_of(club)]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def grade_start(request: HttpRequest, pk: int) -> HttpResponse:
    """A director says with which grade a player begins."""
    player: Player = get_object_or_404(Player.objects.present().select_related("club"), pk=pk)
    if not policies.may(request.user, "grade.state", player):
        raise PermissionDenied(_("Only directors say with which grade a player begins."))
    form = StartForm(request.POST if request.method == "POST" else None, club=player.club)
    if form.is_bound and form.is_valid():
        try:
            services.set_start(actor=acting(request), player=player, at=timezone.now(), **form.cleaned_data)
        except NotAllowed:
            raise
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Saved. The grades are computed again in a moment."))
            return redirect("player_grade", pk)
    context = {"player": player, "form": form}
    status = 422 if form.errors else 200
    return render_for(request, player.club, "games/grade_start.html", context, status=status)


@require_safe
def club_grades(request: HttpRequest, club: str) -> HttpResponse:
    """The grades of a club's players, game by game."""
    found = lookup.club(club)
    today = timezone.localdate(timezone=ZoneInfo(found.time_zone))
    context = {"games": queries.of_club(found, today=today)}
    return render_for(request, found, "games/club_grades.html", context)
