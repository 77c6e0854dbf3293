"""The evenings and comparisons of a pair or a player: a page of its own, and a part of the page of the pair."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from games.events.queries import sessions
from games.events.queries.sessions import Session
from league.models import Lineup, Player
from league.people import queries as players
from league.results.queries import pairs
from league.web.rendering import render_for


@require_safe
def pair_sessions(request: HttpRequest, pk: int) -> HttpResponse:
    """Where the pair was compared with others."""
    pair: Lineup = get_object_or_404(Lineup.objects.with_players(), pk=pk)
    if pair.merged_into_id is not None:
        return redirect("pair_sessions", pk=pair.merged_into_id)
    if not pairs.is_visible_to(pair, request.user):
        raise Http404
    return _shown(request, pair, sessions.of_pair(pair, request.user))


@require_safe
def player_sessions(request: HttpRequest, pk: int) -> HttpResponse:
    """The same for a player, of all pairs."""
    player: Player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if player.merged_into_id is not None:
        return redirect("player_sessions", pk=player.merged_into_id)
    if not players.visible_to(request.user).filter(pk=pk).exists():
        raise Http404
    return _shown(request, player, sessions.of_player(player, request.user))


def _shown(request: HttpRequest, who: Lineup | Player, found: tuple[Session, ...]) -> HttpResponse:
    part = "HX-Request" in request.headers
    context = {"who": who, "sessions": found, "names_pairs": isinstance(who, Player)}
    return render_for(request, who.club, "games/_sessions.html" if part else "games/sessions.html", context)
