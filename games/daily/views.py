"""The pages of the daily deal: today's, a day that is over, and a result that somebody shares."""

from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine.game import Game
from games import board_cards
from games.daily import queries, services
from games.daily.queries import DayResult, Standing
from games.models import DailyDeal, DailyPlay
from games.options import usual_robot
from games.tables.views.play import person_of
from games.templatetags.cards import SEATS
from league.web.charts import distribution_chart
from league.web.number_format import signed_text
from league.web.refusals import told

LONGEST_TOKEN = 16


@never_cache
@require_safe
def daily(request: HttpRequest, game: str) -> HttpResponse:
    """Today's deal and how to play it; below it how the last day went."""
    offered = _offered(game)
    today = queries.today(game_key=offered.key, visitor=request.user, at=timezone.now())
    before = queries.newest_result(game_key=offered.key)
    context = {
        "game": offered,
        "today": today,
        "tomorrow": DailyDeal.objects.filter(game=offered.key, day__gt=timezone.now().date()).first(),
        "robot": usual_robot(offered),
        **(_result(request, before) if before else {}),
    }
    return render(request, "games/daily.html", context)


@require_POST
@login_required
@told
def play(request: HttpRequest, game: str) -> HttpResponse:
    """To the person's table with today's deal."""
    return redirect(services.play(actor=person_of(request), offered=_offered(game), at=timezone.now()))


@never_cache
@require_safe
def day(request: HttpRequest, game: str, day: str) -> HttpResponse:
    """A day that is over: the cards, the results, and what the cards could make."""
    offered = _offered(game)
    found = queries.result(get_object_or_404(DailyDeal, game=offered.key, day=_day(day)))
    if found is None:
        return redirect("daily", offered.key)
    numbering = board_cards.numbering_of(offered.key)
    hands = numbering.hands(found.daily.deal)
    context = {
        "game": offered,
        "hands": hands,
        "has_compass": set(hands) == set(SEATS),
        "turned": numbering.turned_up(found.daily.deal),
        "has_files": numbering.has_files,
        **_result(request, found),
    }
    return render(request, "games/daily_day.html", context)


@never_cache
@require_safe
def shared(request: HttpRequest, share: str) -> HttpResponse:
    """A result without a card and without a name. Until the day is over it tells no figure."""
    if len(share) > LONGEST_TOKEN:
        raise Http404
    own = get_object_or_404(DailyPlay.objects.select_related("daily"), token=share)
    found = queries.result(own.daily)
    context = {
        "game": _offered(own.daily.game),
        "daily": own.daily,
        "result": found,
        "standing": found.standing(own) if found else None,
    }
    return render(request, "games/daily_shared.html", context)


def _offered(key: str) -> Game:
    found = next((each for each in services.games_with_daily() if each.key == key), None)
    if found is None:
        raise Http404
    return found


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Http404 from None


def _result(request: HttpRequest, found: DayResult) -> dict[str, Any]:
    """What is drawn of a day that is over."""
    own = queries.play_of(found.daily, request.user)
    standing = found.standing(own) if own else None
    chart = distribution_chart(
        found.leads,
        title=_("Points ahead of the robots, %(day)s") % {"day": found.daily.day.isoformat()},
        amount=_("Points ahead"),
        par=found.par[0] - found.par[1] if found.par else None,
        own=own.lead if own and standing else None,
    )
    return {
        "result": found,
        "play": own,
        "standing": standing,
        "chart": chart if found.leads else "",
        "share": _share(request, found, own, standing) if own and standing else None,
    }


def _share(request: HttpRequest, found: DayResult, own: DailyPlay, standing: Standing) -> dict[str, str]:
    """The link, and words to paste with it."""
    url = request.build_absolute_uri(f"/daily/{own.token}/")
    words = _("Daily deal %(day)s: %(own)d : %(others)d (%(lead)s), place %(rank)d of %(count)d") % {
        "day": found.daily.day.isoformat(),
        "own": standing.own,
        "others": standing.others,
        "lead": signed_text(own.lead),
        "rank": standing.rank,
        "count": found.count,
    }
    if standing.percent_text:
        words += f" · {standing.percent_text}"
    return {"url": url, "text": f"{words}\n{url}"}
