"""The games of the house, and the rules of each in plain words."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from engine.game import all_games
from games import front
from games.front import GameFront
from games.options import players_in_words
from league import policies
from league.models import Club, User
from league.results.queries.competitions import running


@require_safe
def game_list(request: HttpRequest) -> HttpResponse:
    """Every game that can be played here."""
    games = [(each, players_in_words(each), front.of(each.key)) for each in all_games()]
    return render(request, "games/games.html", {"games": games})


@require_safe
def game_rules(request: HttpRequest, game: str) -> HttpResponse:
    """The page of a game that has one."""
    own = front.of(game)
    offered = next((each for each in all_games() if each.key == game), None)
    if not own.rules_page or offered is None:
        raise Http404
    user = request.user
    clubs = Club.objects.of(user).order_by("name") if isinstance(user, User) else ()
    context = {
        **own.rules_content(),
        "front": own,
        "game": offered,
        "players": players_in_words(offered),
        "directed": [club for club in clubs if policies.may(user, "competition.set_up", club)],
        "running": running(user, game=game),
    }
    return render(request, own.rules_page, context)


@require_safe
def game_rules_before(request: HttpRequest, game: str) -> HttpResponse:
    """Where the rules were until 0.2.0."""
    return redirect("game_rules", game)


@require_safe
def game_scoring(request: HttpRequest, game: str) -> HttpResponse:
    """The scoring table alone, as the dialog of tables, sheets and match pages fetches it."""
    own: GameFront = front.of(game)
    if not own.scoring:
        raise Http404
    return render(request, own.scoring, {"values": own.scoring_values()})
