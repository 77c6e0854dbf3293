"""A player's grade with every step told, and a club's list."""

from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.grades import queries, services
from games.models import HiddenGrade
from league import policies
from league.models import Player
from league.people import queries as players
from league.web import lookup
from league.web.officials import acting
from league.web.refusals import told
from league.web.rendering import render_for


@require_safe
def player_grade(request: HttpRequest, pk: int) -> HttpResponse:
    """The grade in each game, its curve, what each session moved, and what is expected with each partner."""
    player: Player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if player.merged_into_id is not None:
        return redirect("player_grade", pk=player.merged_into_id)
    if not players.visible_to(request.user, player.club).filter(pk=pk).exists():
        raise Http404
    may_see = queries.may_see(request.user, player)
    today = timezone.localdate(timezone=ZoneInfo(player.club.time_zone))
    context = {
        "player": player,
        "may_see": may_see,
        "games": queries.of_player(player, request.user, today=today) if may_see else (),
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


@require_safe
def club_grades(request: HttpRequest, club: str) -> HttpResponse:
    """The grades of a club's players, game by game."""
    found = lookup.club(club)
    today = timezone.localdate(timezone=ZoneInfo(found.time_zone))
    context = {"games": queries.of_club(found, today=today)}
    return render_for(request, found, "games/club_grades.html", context)
