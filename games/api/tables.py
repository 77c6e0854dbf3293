"""Tables in the browser for programs: those that are open, one as its seat sees it, coming and going, an action, and
how a competition is played online.

What is told is built where everything about tables is built, `games.tables.state.seat_view`.
"""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, throttling
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine import game
from engine.game.core import LONGEST_TOKEN
from games.models import OnlinePlay, Table
from games.tables.forms import OF_ROBOTS, TERMS
from games.tables.queries.lists import table_lists
from games.tables.services import opening, play, seats
from games.tables.services.play import LONGEST_KEY, Sent
from games.tables.socket import rates
from games.tables.state import facts as reading
from games.tables.state.answers import told, told_since
from games.tables.state.reader import Standing, table_for
from league import idempotency
from league.actors import identity
from league.api.envelope import envelope
from league.api.requests import Changes, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, ErrorSerializer, errors, write_errors
from league.desk.api.setting_up import directed_by
from league.errors import Conflict
from league.models import Club, Competition
from league.storage.json_content import LARGEST_COUNT, LARGEST_NUMBER

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
    asking = serializers.BooleanField(
        source="is_asking", help_text="Whether its host has told the club that it looks for players."
    )
    terms = serializers.CharField(help_text="In words; empty for a match.")
    changed_at = serializers.DateTimeField()


class TermsSerializer(serializers.ModelSerializer[Table]):
    """How a casual table is played; what is left out is as usual."""

    class Meta:
        model = Table
        fields = TERMS


class NewTableSerializer(serializers.Serializer[Any]):
    """A casual table."""

    game = serializers.ChoiceField(
        choices=[each.key for each in game.all_games()],
        required=False,
        help_text="The first one, unless named.",
    )
    players = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_COUNT, help_text="Where the game leaves it open."
    )
    options = serializers.DictField(required=False, help_text="Options of the game: docs/games.md.")
    terms = TermsSerializer(required=False)


class SeatSerializer(serializers.Serializer[Any]):
    """Where to sit."""

    seat = serializers.CharField(
        required=False,
        max_length=2,
        help_text="A letter of the table's; else the first free one, or a robot's.",
    )


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

    deal = serializers.IntegerField(
        min_value=0, max_value=LARGEST_COUNT, help_text="`deal.number` of the view."
    )
    number = serializers.IntegerField(
        min_value=0, max_value=LARGEST_COUNT, help_text="`deal.next` of the view."
    )
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
        _table, standing = table_of(request, pk)
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
        _table, standing = table_of(request, pk)
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


class ClubTables(APIView):
    """A club's casual tables."""

    throttle_classes = [*APIView.throttle_classes, AtTheTable]

    @extend_schema(
        operation_id="open_table",
        summary="Open a casual table",
        parameters=[IDEMPOTENCY_KEY],
        request=NewTableSerializer,
        responses={201: TableAnswerSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """For members of the club. You do not sit there yet: join it."""
        club = get_object_or_404(Club, slug=slug)
        given = NewTableSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        sent = given.validated_data
        key = _once(
            request,
            "table.open",
            {"club": club.pk, **sent},
            lambda: opening.open_casual(
                actor=asking(request),
                club=club,
                terms=dict(sent.get("terms", {})),
                options=sent.get("options", {}),
                game_key=sent.get("game", ""),
                players=sent.get("players"),
            ),
        )
        return answered_table(request, key, status=201)


class TableStep(APIView):
    """Something a person does to their seat at a table."""

    throttle_classes = [*APIView.throttle_classes, AtTheTable]

    def done(self, request: Request, pk: int, action: str, work: Callable[..., Any], **more: Any) -> Response:
        """Does it once, and tells the table as it is then."""
        table, _standing = table_of(request, pk)
        asked = {"table": table.pk, **more}
        key = _once(request, action, asked, lambda: work(actor=asking(request), table_id=table.pk, **more))
        return answered_table(request, key)


class TableJoin(TableStep):
    """Sitting down."""

    @extend_schema(
        operation_id="join_table",
        summary="Sit down at a table",
        parameters=[IDEMPOTENCY_KEY],
        request=SeatSerializer,
        responses={200: TableAnswerSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """At your own seat in a match, elsewhere where you like. Who sits there already stays."""
        given = SeatSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        work = seats.sit if "seat" in given.validated_data else seats.join
        return self.done(request, pk, "table.join", work, **given.validated_data)


class TableLeave(TableStep):
    """Standing up."""

    @extend_schema(
        operation_id="leave_table",
        summary="Leave your seat",
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={200: TableAnswerSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A deal that is being played waits for somebody, or a robot, to take the seat."""
        return self.done(request, pk, "table.leave", seats.stand_up)


class TableFill(TableStep):
    """Robots."""

    @extend_schema(
        operation_id="fill_table",
        summary="Fill a casual table with robots",
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={200: TableAnswerSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Robots take all free seats; for the table's host."""
        return self.done(request, pk, "table.fill", seats.fill)


def _once(request: Request, action: str, asked: dict[str, Any], work: Callable[[], Table]) -> int:
    """Does the work, or finds that it was done for this key before; the table's key."""
    answer = idempotency.once(
        actor=asking(request),
        key=_key(request),
        action=action,
        request=asked,
        write=lambda: {"table": work().pk},
    )
    return int(answer["table"])


def answered_table(request: Request, key: int, status: int = 200) -> Response:
    """The table as the person sees it now."""
    _table, standing = table_of(request, key)
    return Response(told(reading.current(key), standing), status=status)


def table_of(request: Request, pk: int) -> tuple[Table, Standing]:
    """The table and what the person is there; raises Http404 where they may not look at it."""
    found = table_for(request.user, pk)
    if found is None:
        raise Http404
    return found


def _key(request: Request) -> str:
    return str(request.headers.get("Idempotency-Key", ""))


class OnlinePlaySerializer(Changes, serializers.ModelSerializer[OnlinePlay]):
    """Whether matches may be played online, and under which terms; what you leave out stays as it is."""

    robot = serializers.CharField(
        required=False, allow_blank=True, max_length=20, help_text="For an absent player; empty: the weakest."
    )
    most_robot_hands = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=LARGEST_NUMBER, help_text="null: any number."
    )

    class Meta:
        model = OnlinePlay
        fields = ("is_open", *TERMS, *OF_ROBOTS)


class CompetitionOnline(APIView):
    """The terms of a competition's tables."""

    serializer_class = OnlinePlaySerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="online_play",
        summary="How a competition is played online",
        responses={200: OnlinePlaySerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The terms of the tables that are opened from now on. For directors."""
        return Response(OnlinePlaySerializer(_online(directed_by(request, pk))).data)

    @extend_schema(
        operation_id="set_online_play",
        summary="Set how a competition is played online",
        parameters=[IDEMPOTENCY_KEY],
        request=OnlinePlaySerializer,
        responses={200: OnlinePlaySerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Tables that are open keep the terms that they were opened under."""
        found, given = directed_by(request, pk), sent(request, OnlinePlaySerializer)
        if not game.get(found.game).robots and (unknown := given.keys() & {"robots", *OF_ROBOTS}):
            raise serializers.ValidationError({name: [_("There is no such field.")] for name in unknown})

        def write() -> dict[str, Any]:
            terms = dict(given)
            is_open = terms.pop("is_open", _online(found).is_open)
            opening.set_online(actor=asking(request), competition=found, is_open=is_open, terms=terms)
            return {}

        once(request, action="competition.online", about={"competition": found.pk, **given}, write=write)
        return Response(OnlinePlaySerializer(_online(found)).data)


def _online(competition: Competition) -> OnlinePlay:
    return OnlinePlay.objects.filter(competition=competition).first() or OnlinePlay(competition=competition)
