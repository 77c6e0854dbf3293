"""A board: its cards, par, and what every table made of it, as far as the visitor may see."""

from fractions import Fraction

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine import game
from games.analysis.services import boards as board_analyses
from games.comparisons.reckoning import figures
from games.comparisons.reckoning.plays import PAIRS, sides_of
from games.embargo import Sight
from games.events.queries import travellers
from games.events.queries.side_by_side import side_by_side
from games.events.queries.travellers import BoardPage
from games.events.views.events import event_of
from games.models import Board, Duplicate, FixtureBoard
from games.options import usual_robot
from games.seating import side_letters
from league import policies
from league.results.views.competitions import frame
from league.storage.json_content import LARGEST_KEY, LARGEST_NUMBER
from league.web import lookup
from league.web.charts import distribution_chart
from league.web.rendering import render_for

PAGE = 50
#: Fewer results are read faster as lines than as a picture.
FEWEST = 4
LONGEST_KEY = 19


@require_safe
def board(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The board of the set that goes by this number."""
    found = _found(request, pk, number)
    page = travellers.board_page(board=found, visitor=request.user)
    listed = lookup.page(request, list(page.plays), PAGE)
    lines = travellers.rows(tuple(listed.object_list), board=found, has_figures=page.is_open)
    competition = found.board_set.competition
    context = {
        "page": page,
        "board": found,
        "competition": competition,
        "round": found.board_set.round,
        "groups": travellers.groups(lines),
        "listed": listed,
        "charts": _charts(page),
        "seal": travellers.seal_of(found.board_set),
        "best": page.best,
        "robots": game.get(competition.game).practice_robots if _may_practise(request, found) else (),
        "usual_robot": usual_robot(game.get(competition.game)),
    }
    return render_for(request, competition.club, "games/board.html", context)


@require_safe
def board_best_part(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Par and best hands alone, for a page that waits for them."""
    found = _found(request, pk, number)
    best = board_analyses.best_of(found) if found.released_at else None
    if best is None:
        raise Http404
    if "HX-Request" not in request.headers:
        return redirect("board", pk=pk, number=number)
    context = {"best": best, "board": found}
    return render_for(request, found.board_set.competition.club, best.template, context)


@require_safe
def board_why(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Why the pair at `side` of the table's `play` has its figure: what opens beside it, or a page of its own."""
    found = _found(request, pk, number)
    play, side = request.GET.get("play", ""), request.GET.get("side", "")
    if not (play.isascii() and play.isdecimal() and len(play) < LONGEST_KEY) or side not in PAIRS:
        raise Http404
    row = get_object_or_404(FixtureBoard.objects.select_related("board"), board=found, pk=int(play))
    why = figures.explain(row, side)
    if why is None:
        raise Http404
    part = "HX-Request" in request.headers
    context = {"why": why, "board": found, "competition": found.board_set.competition}
    return render_for(
        request,
        found.board_set.competition.club,
        "games/_figure_why.html" if part else "games/figure_why.html",
        context,
    )


def _may_practise(request: HttpRequest, board: Board) -> bool:
    """Whether the visitor may play the board alone with robots: it is open, and they belong to the club."""
    is_open = board.released_at is not None
    return is_open and policies.may(request.user, "table.open_casual", board.board_set.club)


def _found(request: HttpRequest, pk: int, number: int) -> Board:
    is_possible = number <= LARGEST_NUMBER and pk <= LARGEST_KEY
    found = travellers.board_at(set_pk=pk, number=number) if is_possible else None
    if found is None or not policies.may(request.user, "competition.see", found.board_set.competition):
        raise Http404
    competition, played = found.board_set.competition, found.board_set.round
    if played is not None:
        played.stage.competition, competition.stage = competition, played.stage
    return found


def _charts(page: BoardPage) -> list[tuple[str, SafeString]]:
    """How often each result came, for each version of the board; par belongs to the cards as dealt."""
    charts = []
    for version in page.versions if page.sight == Sight.FIELD else ():
        chosen = [each for each in page.plays if each.version == version]
        values = [
            value for each in chosen if (value := travellers.measured(each, page.duplicate)) is not None
        ]
        if len(values) < FEWEST:
            continue
        own = next((each for each in chosen if each.is_mine and each.made), None)
        named = _("Board %(number)d") % {"number": page.board.number}
        title = f"{named}, {version}" if version else named
        chart = distribution_chart(
            values,
            title=_("%(board)s: how often each result occurred") % {"board": title},
            amount=_measure(page),
            par=None if version else _par(page),
            own=travellers.measured(own, page.duplicate) if own else None,
        )
        charts.append((version, chart))
    return charts


def _measure(page: BoardPage) -> str:
    first, second = side_letters(page.board.board_set.competition.game).values()
    if page.duplicate.measure == Duplicate.Measure.OWN:
        return _("Points of %(side)s") % {"side": first}
    return _("Points of %(side)s minus points of %(other)s") % {"side": first, "other": second}


def _par(page: BoardPage) -> Fraction | None:
    par = page.best.par if page.best else None
    if par is None:
        return None
    is_own = page.duplicate.measure == Duplicate.Measure.OWN
    first, second = sides_of(page.board.board_set.competition.game)
    return Fraction(par[first] if is_own else par[first] - par[second])


@require_safe
def compare_tables(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The tables that `a` and `b` name at the `board`; without them, what can be chosen."""
    found = event_of(request, club, competition)
    asked = {name: _key(request.GET.get(name)) for name in ("board", "a", "b")}
    shown = side_by_side(
        competition=found, visitor=request.user, board=asked["board"], one=asked["a"], other=asked["b"]
    )
    context = {**frame(request, found, "compare_tables"), "shown": shown, "asked": asked}
    return render_for(request, found.club, "games/compare_tables.html", context)


def _key(text: str | None) -> int | None:
    """The key that a query names; nothing where it names none."""
    if not text or not (text.isascii() and text.isdecimal() and len(text) < 20):
        return None
    key = int(text)
    return key if 0 < key <= LARGEST_KEY else None
