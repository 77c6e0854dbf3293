"""Tables in the browser for programs: those that are open, one as its seat sees it, and an action there.

What is told is built where everything about tables is built, `games.tables.state.seat_view`.
"""

from typing import Any

from django.http import Http404
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, throttling
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.game.core import LONGEST_TOKEN
from games.models import Table
from games.tables.queries.lists import table_lists
from games.tables.services import play
from games.tables.services.play import LONGEST_KEY, Sent
from games.tables.socket import rates
from games.tables.state import facts as reading
from games.tables.state.answers import told, told_since
from games.tables.state.reader import Standing, table_for
from league.actors import identity
from league.api.envelope import envelope
from league.api.requests import asking
from league.api.schema import ErrorSerializer, errors, write_errors
from league.errors import Conflict

LARGEST = 2**31 - 1
OBJECT = {"type": "object", "additionalProperties": True}
SINCE = OpenApiParameter(
    "since", type=str, description="The version that is known: where it is still that one, `view` is null."
)
KEY = OpenApiParameter(
    name="Idempotency-Key",
    location=OpenApiParameter.HEADER,
    required=False,
    type={"type": "string", "maxLength": LONGEST_KEY, "pattern": r"^[!-~]*$"},
    description=(
        "Any text of yours that names this very action. Sent again with the same key, it is played once and gets the "
        "table as it is then; another action of the deal with the same key is a conflict."
    ),
)


@extend_schema_field(OBJECT)
class ObjectField(serializers.JSONField):
    """An object that docs/tables.md describes."""


@extend_schema_field({"type": "array", "items": OBJECT})
class ObjectsField(serializers.JSONField):
    """A list of such objects."""


class ListedTableSerializer(serializers.Serializer[Any]):
    """An open table."""

    id = serializers.IntegerField(source="key")
    title = serializers.CharField()
    kind = serializers.CharField(help_text="In words.")
    state = serializers.ChoiceField(choices=Table.State.choices)
    progress = serializers.CharField(help_text="In words.")
    people = serializers.ListField(child=serializers.CharField(), help_text="Who sits there.")
    free = serializers.IntegerField(help_text="Free seats.")
    mine = serializers.BooleanField(source="is_own", help_text="Whether you sit there.")
    called = serializers.BooleanField(source="is_called", help_text="Your match: take your seat.")
    may_join = serializers.BooleanField(help_text="Whether you may take a free seat.")
    terms = serializers.CharField(help_text="In words; empty for a match.")
    changed_at = serializers.DateTimeField()


class TableViewSerializer(serializers.Serializer[Any]):
    """A table as one seat, or somebody who watches, may see it. docs/tables.md has every field."""

    table = serializers.IntegerField()
    version = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Table.Kind.choices)
    state = serializers.ChoiceField(choices=Table.State.choices)
    names = ObjectField()
    terms = ObjectField()
    you = ObjectField(help_text="Your seat, and what you may do besides playing.")
    seats = ObjectsField(help_text="All, in the order of the turn.")
    deal = ObjectField(
        allow_null=True,
        help_text="`next` is the number of the next action; `view.legal` has what you may play, on your turn only.",
    )
    match = ObjectField(allow_null=True, help_text="null: secret while boards are sealed.")
    requests = ObjectsField()
    phrases = ObjectsField()
    result = ObjectField(allow_null=True)


class TableAnswerSerializer(serializers.Serializer[Any]):
    """The table's version, and the table."""

    version = serializers.IntegerField()
    now = serializers.DateTimeField()
    view = TableViewSerializer(allow_null=True)


class TableActionSerializer(serializers.Serializer[Any]):
    """A card, a pass, or “Play”."""

    deal = serializers.IntegerField(min_value=0, max_value=LARGEST, help_text="`deal.number` of the view.")
    number = serializers.IntegerField(min_value=0, max_value=LARGEST, help_text="`deal.next` of the view.")
    token = serializers.RegexField(
        r"^[ -~]+$",
        max_length=LONGEST_TOKEN,
        help_text="One of `deal.view.legal`: a card such as As, - for a pass, > for “Play”.",
    )


class RefusedActionSerializer(ErrorSerializer):
    """A refusal; where the deal has gone on, or it is not your turn, with the table as it is."""

    table = TableAnswerSerializer(required=False)


class AtTheTable(throttling.BaseThrottle):
    """As much as a page may send, from whatever door: the same bucket as that of a page without sockets."""

    def allow_request(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 (DRF's signature)
        """Whether this person has not sent too much lately."""
        return not request.user.is_authenticated or rates.may_send(identity(request.user))

    def wait(self) -> float:
        """The bucket fills by several a second."""
        return 1.0


class TableList(APIView):
    """Open tables."""

    @extend_schema(
        operation_id="tables",
        summary="Open tables",
        responses={200: ListedTableSerializer(many=True), **errors()},
    )
    def get(self, request: Request) -> Response:
        """Your own tables, then those that look for players, then those to watch; 60 at most are looked at."""
        lists = table_lists(visitor=request.user)
        return Response(ListedTableSerializer([*lists.own, *lists.wanted, *lists.live], many=True).data)


@method_decorator(never_cache, name="dispatch")
class TableDetail(APIView):
    """One table."""

    @extend_schema(
        operation_id="table",
        summary="A table as you may see it",
        parameters=[SINCE],
        responses={200: TableAnswerSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """From your seat where you hold one, else from outside. Ask again with `since` every two seconds."""
        _table, standing = _table_of(request, pk)
        return Response(told_since(reading.current(pk), standing, request.query_params.get("since", "")))


@method_decorator(never_cache, name="dispatch")
class TableActions(APIView):
    """What is done at a table."""

    throttle_classes = [*APIView.throttle_classes, AtTheTable]

    @extend_schema(
        operation_id="table_act",
        summary="Play at a table",
        parameters=[KEY],
        request=TableActionSerializer,
        responses={
            **write_errors(404, 422),
            200: OpenApiResponse(TableAnswerSerializer, description="Committed; the table as it is then."),
            409: OpenApiResponse(RefusedActionSerializer, description="Not now, or not any more."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Plays for the seat that you hold. `number` is that of the next action: an older one is refused."""
        _table, standing = _table_of(request, pk)
        standing.check_plays()
        given = TableActionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        sent = Sent(**given.validated_data, key=_key(request))
        try:
            facts = play.act(actor=asking(request), table_id=pk, sent=sent)
        except Conflict as refusal:
            answer: dict[str, Any] = envelope(code=refusal.code, message=refusal.message)
            if refusal.code in {"stale", "not_your_turn"}:
                answer["table"] = told(reading.current(pk), standing)
            return Response(answer, status=409)
        return Response(told(facts, standing))


def _table_of(request: Request, pk: int) -> tuple[Table, Standing]:
    found = table_for(request.user, pk)
    if found is None:
        raise Http404
    return found


def _key(request: Request) -> str:
    return str(request.headers.get("Idempotency-Key", ""))
