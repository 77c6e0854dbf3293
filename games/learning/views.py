"""The pages on which anybody tries a game, and what their scripts ask for. A visitor's visit writes no row."""

import random
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from engine import game
from engine.errors import RuleError
from engine.game import Game
from engine.game.core import LONGEST_TOKEN
from engine.thinking import advise, call
from games import front
from games.front import Lesson
from games.learning import deals, progress
from games.learning.deals import LearningDeal
from games.options import usual_robot
from games.tables import steps
from games.tables.queries.labels import table_keys, table_labels
from games.tables.services.practice import RobotsBusy, robots_at_work
from games.tables.socket import rates
from games.tables.views.play import BUSY, TOO_MANY, address_of, body_of, refusal, too_many
from league.actors import User, identity
from league.errors import LeagueError, NotAllowed
from league.web.wording import in_words

# How much of what an address may ask for at once (games.tables.socket.rates) each of these takes.
COST_OF_ROBOTS, COST_OF_A_LOOK = 1.0, 0.25
# The strongest robots think several times as long as the others: nobody alone has them think without a break.
COST_OF_THE_STRONGEST = 2.0


def may_ask(request: HttpRequest, cost: float) -> bool:
    """Whether not too much came from this address lately."""
    return rates.may_send(f"learn:{address_of(request)}", cost=cost)


def answered(cost: float) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """What costs an address so much, done with the deal whose state was sent. Refusals are JSON, as at a table."""

    def decorate(work: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(work)
        def asked(request: HttpRequest, game: str) -> HttpResponse:
            if not may_ask(request, cost):
                return too_many()
            offered = offered_with_robots(game)
            body = body_of(request)
            try:
                deal = deals.opened(steps.text(body, "state"), offered, at=timezone.now())
                is_strongest = cost == COST_OF_ROBOTS and deal.robot == offered.robots[-1].key
                if is_strongest and not may_ask(request, COST_OF_THE_STRONGEST):
                    return too_many()
                return work(deal, body)
            except RobotsBusy as error:
                return refusal(error, status=BUSY)
            except LeagueError as error:
                return refusal(error)

        return asked

    return decorate


def offered_with_robots(key: str) -> Game:
    """The game, if it has robots to play with; for others there is no page."""
    try:
        offered = game.get(key)
    except RuleError:
        raise Http404 from None
    if not offered.robots:
        raise Http404
    return offered


@never_cache
@require_safe
def try_deal(request: HttpRequest, game: str) -> HttpResponse:
    """A whole deal with robots, dealt for this visit."""
    if not may_ask(request, COST_OF_ROBOTS):
        return render(request, "429.html", status=TOO_MANY)
    offered = offered_with_robots(game)
    at = timezone.now()
    asked = request.GET.get("robot", "")
    robot = asked if asked in {each.key for each in offered.robots} else usual_robot(offered)
    begun = deals.begin(offered, robot=robot, rng=random.SystemRandom(), at=at)
    if begun.fold.turn != begun.seat:
        try:
            with robots_at_work():
                begun = deals.let_robots_act(begun, at=at)
        except RobotsBusy:
            return render(request, "503.html", status=BUSY)
    page = _page(offered)
    page["urls"]["tables"] += f"?robot={robot}"
    context = {
        **page,
        "robot": robot,
        "title": _("%(game)s with robots") % {"game": _(str(offered.name))},
        "view": deals.told(begun, at=at),
        "state": deals.sealed(begun),
        "chances": chances(begun),
        "has_coach": offered.coach is not None,
    }
    return render(request, "games/learning/deal.html", context)


def _page(offered: Game) -> dict[str, Any]:
    """What the pages of a table need besides the table."""
    return {
        "game": offered,
        "words": {
            **table_labels(offered.key, replaces_absent=False, is_match=False),
            "match_over": _("That’s the end of the deal."),
            "to_tables": _("Play another deal"),
        },
        "keys": table_keys(offered.key),
        "front": front.of(offered.key),
        "urls": {
            "act": reverse("try_act", args=[offered.key]),
            "meaning": reverse("try_meaning", args=[offered.key]),
            "coach": reverse("try_coach", args=[offered.key]) if offered.coach else "",
            "reasons": reverse("try_reasons", args=[offered.key]),
            "tables": reverse("try_deal", args=[offered.key]),
            "outcome": reverse("try_outcome", args=[offered.key]) if offered.analysis else "",
        },
    }


@require_safe
def try_hands(request: HttpRequest, game: str) -> HttpResponse:
    """The game's lessons: all that their script needs comes with the page. A game without any offers a whole deal."""
    offered = offered_with_robots(game)
    if not front.of(offered.key).has_lessons:
        return redirect("try_deal", game=offered.key)
    lessons = tuple(front.of(offered.key).lessons())
    first = deals.at_position(offered, lessons[0], robot=usual_robot(offered))
    context = {
        **_page(offered),
        "title": _("Try %(game)s") % {"game": _(str(offered.name))},
        "view": _seen(first),
        "lessons": [_lesson(offered, each) for each in lessons],
    }
    if isinstance(request.user, User):
        context["done"] = progress.done_by(user=request.user, offered=offered)
    return render(request, "games/learning/hands.html", context)


def _lesson(offered: Game, lesson: Lesson) -> dict[str, Any]:
    """A lesson for the browser: the deal as it is seen, and after what is right as it is then."""
    shown = deals.at_position(offered, lesson, robot=usual_robot(offered))
    answers = {
        token: {
            "is_right": answer.is_right,
            "text": answer.text,
            "deal": _seen(deals.act(shown, token, at=deals.LONG_AGO))["deal"] if answer.is_right else None,
        }
        for token, answer in lesson.answers.items()
    }
    return {
        "key": lesson.key,
        "title": lesson.title,
        "text": lesson.text,
        "deal": _seen(shown)["deal"],
        "answers": answers,
    }


def _seen(deal: LearningDeal) -> dict[str, Any]:
    return deals.told(deal, at=deals.LONG_AGO, is_lesson=True)


@never_cache
@require_POST
def try_done(request: HttpRequest, game: str) -> HttpResponse:
    """Takes the lessons {done} of a device over into the account: answered with all that it has done."""
    if not isinstance(request.user, User):
        return refusal(NotAllowed(_("Please log in first."), code="login"))
    if not rates.may_send(identity(request.user)):
        return too_many()
    offered = offered_with_robots(game)
    done = body_of(request).get("done")
    keys = [each for each in done if isinstance(each, str)] if isinstance(done, list) else []
    return JsonResponse({"done": progress.note(actor=request.user, offered=offered, done=keys)})


@csrf_exempt  # Who sends the deal's text has all that is asked for; nothing is known of the sender or written.
@never_cache
@require_POST
@answered(COST_OF_ROBOTS)
def try_act(deal: LearningDeal, body: dict[str, Any]) -> HttpResponse:
    """Plays {state, token}: answered once it is the person's turn again, or the deal is over."""
    token = steps.text(body, "token")[: LONGEST_TOKEN + 1]
    at = timezone.now()
    after = deals.act(deal, token, at=at)
    with robots_at_work():
        after = deals.let_robots_act(after, at=at)
    return JsonResponse(_answer(after, at, before=deal))


def _answer(deal: LearningDeal, at: Any, *, before: LearningDeal) -> dict[str, Any]:
    view = deals.told(deal, at=at, before=before)
    return {"state": deals.sealed(deal), "view": view, "chances": chances(deal)}


def chances(deal: LearningDeal) -> list[str]:
    """What the person on turn can still make, by what their seat sees; nothing out of turn or without a coach."""
    coach = deal.offered.coach
    if coach is None or deal.fold.turn != deal.seat:
        return []
    return [in_words(each) for each in coach.chances(deal.offered.view(deal.state, deal.seat))]


@csrf_exempt
@never_cache
@require_POST
@answered(COST_OF_ROBOTS)
def try_coach(deal: LearningDeal, body: dict[str, Any]) -> HttpResponse:
    """What the coach says of doing {token} in this state: by the seat's own view, whatever the others hold."""
    if deal.offered.coach is None:
        raise Http404
    token = steps.text(body, "token")[: LONGEST_TOKEN + 1]
    # Refused as the action itself would be.
    deals.act(deal, token, at=timezone.now())
    with robots_at_work():
        return JsonResponse({"advice": advice(deal, token)})


def advice(deal: LearningDeal, token: str) -> list[str]:
    """What the coach says of an action, in sentences."""
    view = deal.offered.view(deal.state, deal.seat)
    return [in_words(each) for each in call(advise, deal.offered.key, view, token)]


@csrf_exempt
@never_cache
@require_POST
@answered(COST_OF_A_LOOK)
def try_meaning(deal: LearningDeal, body: dict[str, Any]) -> HttpResponse:
    """What the first two cards of {hand} mean by the usual signals: the meanings, not the cards."""
    signals = deal.offered.signals
    view = deal.offered.view(deal.state, None)
    found = signals.meanings(view, steps.number(body, "hand")) if signals else ()
    return JsonResponse(
        {"meanings": [{"holding": each.holding, "message": in_words(each.message)} for each in found]}
    )


@csrf_exempt
@never_cache
@require_POST
@answered(COST_OF_A_LOOK)
def try_reasons(deal: LearningDeal, body: dict[str, Any]) -> HttpResponse:
    """Why the robot at {seat}, the partner, did what it did last, in sentences that tell nothing of its cards."""
    return JsonResponse({"reasons": deals.reasons(deal, steps.text(body, "seat"), at=timezone.now())})


@csrf_exempt
@never_cache
@require_POST
@answered(COST_OF_ROBOTS)
def try_outcome(deal: LearningDeal, _body: dict[str, Any]) -> HttpResponse:
    """How a deal went that is over, beside the best that its cards could make: {outcome}, in sentences."""
    with robots_at_work():
        return JsonResponse({"outcome": deals.outcome(deal)})
