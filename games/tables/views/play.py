"""What the browser asks of a table, and what it does there: JSON, for pages whose socket is away as well."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
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
from games.tables.guest_keys import cookie_of, digest_of, visitor_at
from games.tables.services import play, practice
from games.tables.services.practice import RobotsBusy
from games.tables.socket import rates
from games.tables.state import facts as reading
from games.tables.state.answers import told, told_since
from games.tables.state.reader import Standing, table_for
from games.tables.state.replays import meanings_of, pair_that_led, reasons_of, replay_of
from games.tables.state.seat_view import Told
from league.actors import Guest, Sitter, identity
from league.errors import Conflict, Invalid, LeagueError, NotAllowed
from league.models import User

STATUSES: Mapping[type[LeagueError], int] = {NotAllowed: 403, Conflict: 409, Invalid: 400}
TOO_MANY, BUSY = 429, 503
BUSY_SECONDS = 2
# A robot thinks for it: who has just asked for three waits a second for the next.
COST_OF_A_HINT = 9.0


def person_of(request: HttpRequest) -> User:
    """The person who is logged in."""
    if not isinstance(request.user, User):
        raise PermissionDenied(_("Please log in first."))
    return request.user


def refusal(error: LeagueError, *, status: int = 0, **more: Any) -> JsonResponse:
    """A refusal in the form that docs/tables.md describes."""
    status = status or next((code for kind, code in STATUSES.items() if isinstance(error, kind)), 400)
    answer = JsonResponse({"error": {"code": error.code, "message": error.message}, **more}, status=status)
    if status == BUSY:
        answer["Retry-After"] = str(BUSY_SECONDS)
    return answer


def table_of(request: HttpRequest, pk: int) -> tuple[Table, Standing]:
    """The table, for those who may look at it; for others there is none."""
    found = table_for(visitor_at(pk, request.user, request.COOKIES), pk)
    if found is None:
        raise Http404
    return found


def too_many() -> JsonResponse:
    """For who asks more than a page ever would."""
    error = {"code": "too_many", "message": _("That was too much at once. Please wait a moment.")}
    return JsonResponse({"error": error}, status=TOO_MANY)


def address_of(request: HttpRequest) -> str:
    """Where a request comes from: behind a proxy what the proxy tells, as for programs; read from headers alone."""
    return BaseThrottle().get_ident(request)  # type: ignore[arg-type]


def looked_at(work: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """What somebody only looks at, as often as their pages ask for it."""

    @wraps(work)
    def asked(request: HttpRequest, *places: Any, **names: Any) -> HttpResponse:
        if not rates.may_look(request.user.pk, address_of(request)):
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
    """For people who are logged in, and guests. Refusals as JSON, with the table as it is: so they see at once why."""

    @wraps(work)
    def asked(request: HttpRequest, pk: int, **names: str) -> HttpResponse:
        if not isinstance(request.user, User) and cookie_of(pk) not in request.COOKIES:
            return redirect_to_login(request.get_full_path())
        # Before the database is asked anything.
        if not _may_send(request, pk):
            return too_many()
        table, standing = table_of(request, pk)
        body = body_of(request)
        window = steps.text(body, "window")
        try:
            return work(request, sitting(standing), table, standing, body, **names)
        except LeagueError as error:
            if error.code in {"stale", "not_your_turn"}:
                return refusal(error, **told(reading.current(pk), standing, window))
            return refusal(error)

    return asked


def _may_send(request: HttpRequest, pk: int) -> bool:
    """Of who is not logged in anybody may make up a key: so their address is counted as well."""
    if isinstance(request.user, User):
        return rates.may_send(identity(request.user))
    who = f"guest:{digest_of(request.COOKIES[cookie_of(pk)])}"
    return rates.may_look(None, address_of(request)) and rates.may_send(who)


def sitting(standing: Standing) -> Sitter:
    """Who acts. Raises NotAllowed for a stranger: also for a guest whom the host has removed."""
    if isinstance(standing.visitor, User | Guest):
        return standing.visitor
    raise NotAllowed(_("You aren’t a guest at this table any more."), code="no_seat")


def body_of(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that was sent, or a form's fields; anything else counts as nothing."""
    if request.content_type != "application/json":
        return dict(request.POST.items())
    try:
        content = read_content(request.body)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


@require_POST
@answered
def act(
    _request: HttpRequest, sitter: Sitter, table: Table, standing: Standing, body: dict[str, Any]
) -> HttpResponse:
    """Plays: {deal, number, token, key, window}. Answered after the commit, with the table as it is then."""
    standing.check_plays()
    sent = steps.sent_of(body)
    facts = play.act(actor=sitter, table_id=table.pk, sent=sent)
    return JsonResponse(told(facts, standing, sent.window, before=(sent.deal, sent.number)))


@require_POST
@answered
def step(
    request: HttpRequest,
    sitter: Sitter,
    table: Table,
    _standing: Standing,
    body: dict[str, Any],
    *,
    name: str,
) -> HttpResponse:
    """Does one of the steps that a view's `you.may` names."""
    if name not in steps.STEPS:
        raise Http404
    steps.STEPS[name](sitter, table.pk, body)
    # Who sits down, or gets up, is somebody else at the table now.
    _table, standing = table_of(request, table.pk)
    return JsonResponse(told(reading.current(table.pk), standing, steps.text(body, "window")))


@require_POST
@answered
def hint(
    _request: HttpRequest, sitter: Sitter, table: Table, standing: Standing, _body: dict[str, Any]
) -> HttpResponse:
    """What the strongest robot would do in the player's place, where somebody practises: {robot, token, reasons}."""
    standing.check_plays()
    if not rates.may_send(identity(sitter), cost=COST_OF_A_HINT):
        return too_many()
    try:
        token, told = practice.hint(actor=sitter, table_id=table.pk)
        return JsonResponse({"robot": practice.adviser_of(table).key, "token": token, "reasons": told})
    except RobotsBusy as error:
        return refusal(error, status=BUSY)


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
def reasons(request: HttpRequest, pk: int, seat: str) -> HttpResponse:
    """Why a robot partner did what it did last, in sentences that tell nothing of its cards."""
    _table, standing = table_of(request, pk)
    facts = reading.current(pk)
    if seat not in facts.places:
        raise Http404
    try:
        return JsonResponse({"reasons": reasons_of(facts, standing.reader(facts), seat)})
    except LeagueError as error:
        return refusal(error)


@never_cache
@require_GET
@looked_at
def replay(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A deal that is over, step by step, with all four hands; while others still play it there is none."""
    table, standing = table_of(request, pk)
    found = replay_of(table, number, visitor=standing.visitor)
    if found is None:
        raise Http404
    return JsonResponse(found)
