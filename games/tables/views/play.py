"""What the browser asks of a table, and what it does there: JSON, for pages whose socket is away as well."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe
from rest_framework.throttling import BaseThrottle

from games.models import Table
from games.records.parsing import read_content
from games.tables import steps
from games.tables.services import play
from games.tables.socket import rates
from games.tables.state import facts as reading
from games.tables.state.answers import told, told_since
from games.tables.state.reader import Standing, table_for
from games.tables.state.replays import meanings_of, pair_that_led, replay_of
from games.tables.state.seat_view import Told
from league.errors import Conflict, Invalid, LeagueError, NotAllowed
from league.models import User

STATUSES: Mapping[type[LeagueError], int] = {NotAllowed: 403, Conflict: 409, Invalid: 400}
TOO_MANY = 429


def person_of(request: HttpRequest) -> User:
    """The person who is logged in."""
    if not isinstance(request.user, User):
        raise PermissionDenied(_("Please log in first."))
    return request.user


def refusal(error: LeagueError, **more: Any) -> JsonResponse:
    """A refusal in the form that docs/tables.md describes."""
    status = next((code for kind, code in STATUSES.items() if isinstance(error, kind)), 400)
    return JsonResponse({"error": {"code": error.code, "message": error.message}, **more}, status=status)


def table_of(request: HttpRequest, pk: int) -> tuple[Table, Standing]:
    """The table, for those who may look at it; for others there is none."""
    found = table_for(request.user, pk)
    if found is None:
        raise Http404
    return found


def too_many() -> JsonResponse:
    """For who asks more than a page ever would."""
    error = {"code": "too_many", "message": _("That was too much at once. Please wait a moment.")}
    return JsonResponse({"error": error}, status=TOO_MANY)


def looked_at(work: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """What somebody only looks at, as often as their pages ask for it."""

    @wraps(work)
    def asked(request: HttpRequest, *places: Any, **names: Any) -> HttpResponse:
        # Behind a proxy the address is the one that the proxy tells, as for programs; it is read from headers alone.
        address = BaseThrottle().get_ident(request)  # type: ignore[arg-type]
        if not rates.may_look(request.user.pk, address):
            return too_many()
        return work(request, *places, **names)

    return asked


@never_cache
@require_safe
@looked_at
def view(request: HttpRequest, pk: int) -> HttpResponse:
    """The table as this visitor may see it; only its version where that is still `since`."""
    _table, standing = table_of(request, pk)
    facts = reading.current(pk)
    query = request.GET
    since, window = query.get("since", ""), query.get("window", "")[:40]
    return JsonResponse(told_since(facts, standing, since, window, before=_told_before(query)))


def _told_before(query: Mapping[str, str]) -> Told | None:
    """How far the page has been told, as it says: `deal` and `next` of the view that it has."""
    try:
        return steps.number(query, "deal"), steps.number(query, "next")
    except Invalid:
        return None


def answered(work: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Refusals as JSON, with the table as it is: people see at once why they were refused."""

    @wraps(work)
    def asked(request: HttpRequest, pk: int, **names: str) -> HttpResponse:
        # Before the database is asked anything.
        if not rates.may_send(rates.person(person_of(request).pk)):
            return too_many()
        table, standing = table_of(request, pk)
        body = body_of(request)
        window = steps.text(body, "window")
        try:
            return work(request, table, standing, body, **names)
        except LeagueError as error:
            if error.code in {"stale", "not_your_turn"}:
                return refusal(error, **told(reading.current(pk), standing, window))
            return refusal(error)

    return asked


def body_of(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that was sent, or a form's fields; anything else counts as nothing."""
    if request.content_type != "application/json":
        return dict(request.POST.items())
    try:
        content = read_content(request.body)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


@login_required
@require_POST
@answered
def act(request: HttpRequest, table: Table, standing: Standing, body: dict[str, Any]) -> HttpResponse:
    """Plays: {deal, number, token, key, window}. Answered after the commit, with the table as it is then."""
    standing.check_plays()
    sent = steps.sent_of(body)
    facts = play.act(actor=person_of(request), table_id=table.pk, sent=sent)
    return JsonResponse(told(facts, standing, sent.window, before=(sent.deal, sent.number)))


@login_required
@require_POST
@answered
def step(
    request: HttpRequest, table: Table, standing: Standing, body: dict[str, Any], *, name: str
) -> HttpResponse:
    """Does one of the steps that a view's `you.may` names."""
    if name not in steps.STEPS:
        raise Http404
    steps.STEPS[name](person_of(request), table.pk, body)
    # Who sits down, or gets up, is somebody else at the table now.
    _table, standing = table_of(request, table.pk)
    return JsonResponse(told(reading.current(table.pk), standing, steps.text(body, "window")))


@never_cache
@require_GET
@looked_at
def meaning(request: HttpRequest, pk: int, hand: int) -> HttpResponse:
    """What the first two cards of a hand on the table mean by the pair's system: the meanings, not the cards.

    `card` is the address of the convention card of the pair that led the hand.
    """
    found, standing = table_of(request, pk)
    facts = reading.current(pk)
    reader = standing.reader(facts)
    pair = pair_that_led(facts, reader, hand, found.fixture)
    return JsonResponse({
        "meanings": meanings_of(facts, reader, hand),
        "card": reverse("pair_card", args=[pair]) if pair else reverse("usual_card"),
    })  # fmt: skip


@never_cache
@require_GET
@looked_at
def replay(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A deal that is over, step by step, with all four hands; while others still play it there is none."""
    table, _standing = table_of(request, pk)
    found = replay_of(table, number, visitor=request.user)
    if found is None:
        raise Http404
    return JsonResponse(found)
