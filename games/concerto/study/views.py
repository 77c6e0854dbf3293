"""How a pair or a player plays, by figures: a page of its own, and a part of the page of the pair."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.concerto.study import figures as play
from games.concerto.study.figures import PlayIn
from league.models import Lineup, Player
from league.people import queries as players
from league.results.queries import pairs
from league.web.charts import (
    Bar,
    Series,
    bar_chart,
    line_chart,
)
from league.web.rendering import render_for


@require_safe
def pair_play(request: HttpRequest, pk: int) -> HttpResponse:
    """What the pair's points come from and where they go."""
    pair: Lineup = get_object_or_404(Lineup.objects.with_players(), pk=pk)
    if pair.merged_into_id is not None:
        return redirect("pair_play", pk=pair.merged_into_id)
    if not pairs.is_visible_to(pair, request.user):
        raise Http404
    return _shown(request, pair, play.of_pair(pair, request.user))


@require_safe
def player_play(request: HttpRequest, pk: int) -> HttpResponse:
    """The same for a player, of all pairs in whose seats the player sat."""
    player: Player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if player.merged_into_id is not None:
        return redirect("player_play", pk=player.merged_into_id)
    if not players.visible_to(request.user).filter(pk=pk).exists():
        raise Http404
    return _shown(request, player, play.of_player(player, request.user))


@dataclass(frozen=True, slots=True)
class Charted:
    """The play in a competition, with its pictures."""

    play: PlayIn
    values: SafeString
    rounds: SafeString | None


def _shown(request: HttpRequest, who: Lineup | Player, found: tuple[PlayIn, ...]) -> HttpResponse:
    part = "HX-Request" in request.headers
    context = {"who": who, "parts": [_charted(who, each) for each in found]}
    return render_for(
        request, who.club, "concerto/_figures.html" if part else "concerto/figures.html", context
    )


def _charted(who: Lineup | Player, found: PlayIn) -> Charted:
    names = {"who": who, "competition": found.competition}
    return Charted(
        play=found,
        values=bar_chart(
            [Bar(line.words, line.points, strong=line.points > 0) for line in found.values],
            title=_("Points by combination: %(who)s, %(competition)s") % names,
            amount=_("Points"),
        ),
        rounds=_rounds_chart(who, found) if len(found.rounds) > 1 else None,
    )


def _rounds_chart(who: Lineup | Player, found: PlayIn) -> SafeString:
    own = Series(str(who), tuple(line.cost.own for line in found.rounds))
    usual = Series(_("Everyone"), tuple(line.cost.usual for line in found.rounds))
    return line_chart(
        [own, usual],
        steps=[line.number for line in found.rounds],
        title=_("Points given up per hand: %(who)s, %(competition)s")
        % {"who": who, "competition": found.competition},
        highlight=[own.label],
        of_what=_("Round"),
    )
