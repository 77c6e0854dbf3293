"""The rules of a game in plain words."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import front


@require_safe
def game_rules(request: HttpRequest, game: str) -> HttpResponse:
    """The page of a game that has one."""
    own = front.of(game)
    if not own.rules_page:
        raise Http404
    return render(request, own.rules_page, own.rules_content())
