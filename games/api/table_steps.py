"""What people do at a table besides playing, for programs; a match's table, guests of a casual one, and its list."""

from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.tables import AtTheTable, TableAnswerSerializer, answered_table, table_of
from games.lobby import services as lobby
from games.models import GuestLink, LobbyChoice, Table, TableGuest
from games.models.chat import LONGEST_LINE
from games.tables import steps
from games.tables.services import calls, guests, opening, rows
from league import policies
from league.api import visibility
from league.api.requests import Changes, IdField, KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.storage.json_content import LARGEST_COUNT

# Step: the fields that it needs, and those that it takes besides.
FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sit": (("seat",), ()),
    "stand": ((), ()),
    "robot": (("seat",), ("robot",)),
    "return": ((), ()),
    "ready": ((), ()),
    "swap": ((), ("seat",)),
    "take_back": ((), ()),
    "again": ((), ()),
    "pause": ((), ()),
    "resume": ((), ()),
    "answer": (("request", "agrees"), ()),
    "director": ((), ("text",)),
    "absence": ((), ()),
    "phrase": (("phrase",), ()),
    "chat": (("text",), ()),
    "report": (("line",), ()),
    "guests_talk": ((), ()),
    "guests_silent": ((), ()),
    "close": ((), ("reason",)),
    "roll_back": (("to", "reason"), ()),
    "add_time": (("minutes", "reason"), ("limit_ms",)),
    "settle": (("request", "answer"), ()),
    "count": (("reason",), ()),
    "ask": ((), ()),
}
AGREES = OpenApiExample(
    "You agree to a pause", request_only=True, value={"step": "answer", "request": 7, "agrees": True}
)
SAYS = OpenApiExample(
    "A director has seen to a call",
    request_only=True,
    value={"step": "settle", "request": 7, "answer": "The card stays played."},
)


class Count(serializers.IntegerField):
    """A whole number that a table can have."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, min_value=0, max_value=LARGEST_COUNT, **options)


class StepSerializer(KnownFields):
    """What is done, with the fields that it needs and no other."""

    step = serializers.ChoiceField(
        choices=list(FIELDS),
        help_text="docs/tables.md has each with its fields; ask: the club is told that you look for players.",
    )
    seat = serializers.CharField(required=False, max_length=2)
    robot = serializers.CharField(required=False, max_length=20)
    request = Count(help_text="Of the table’s `requests`.")
    agrees = serializers.BooleanField(required=False)
    text = serializers.CharField(required=False, max_length=LONGEST_LINE)
    phrase = serializers.CharField(required=False, max_length=40, help_text="The key of one of `phrases`.")
    line = Count(help_text="A message of somebody else.")
    to = Count(help_text="So many actions stay.")
    minutes = Count()
    limit_ms = Count(help_text="The clock as you know it: of two equal requests one counts.")
    answer = serializers.CharField(required=False, max_length=300)
    reason = serializers.CharField(required=False, max_length=300)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """All that the step needs, and nothing that it doesn't take."""
        needs, takes = FIELDS[attrs["step"]]
        said = str(self.fields["step"].error_messages["required"])
        missing = {name: [ErrorDetail(said, code="required")] for name in needs if name not in attrs}
        unknown = {name: [_("There is no such field.")] for name in attrs.keys() - {"step", *needs, *takes}}
        if missing or unknown:
            raise serializers.ValidationError({**missing, **unknown})
        return attrs


@method_decorator(never_cache, name="dispatch")
class TableSteps(APIView):
    """What is done at a table besides playing."""

    serializer_class = StepSerializer
    permission_classes = (IsAuthenticated,)
    throttle_classes = [*APIView.throttle_classes, AtTheTable]

    @extend_schema(
        operation_id="table_step",
        summary="Pause, call a director, close, decide: a step at a table",
        parameters=[IDEMPOTENCY_KEY],
        request=StepSerializer,
        examples=[AGREES, SAYS],
        responses={200: TableAnswerSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """One of the steps that `you.may` of the view names. Answered with the table as you see it then."""
        table, _standing = table_of(request, pk)
        given = sent(request, StepSerializer)

        def write() -> dict[str, Any]:
            if given["step"] == "ask":
                calls.ask_club(actor=asking(request), table_id=table.pk)
            else:
                steps.STEPS[given["step"]](asking(request), table.pk, given)
            return {}

        once(request, action="table.step", about={"table": table.pk, **given}, write=write)
        return answered_table(request, table.pk)


class MatchTable(APIView):
    """The online table of a match."""

    permission_classes = (IsAuthenticated,)
    throttle_classes = [*APIView.throttle_classes, AtTheTable]

    @extend_schema(
        operation_id="open_match_table",
        summary="Open the online table of a match",
        request=None,
        responses={200: TableAnswerSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The one that there is, or a new one. For its players and directors; it goes on where it was closed."""
        fixture = visibility.fixture(user=asking(request), key=pk)
        table = opening.open_match(actor=asking(request), fixture=fixture)
        return answered_table(request, table.pk)


class GuestSerializer(serializers.Serializer[Any]):
    """A guest at the table."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class TableGuestsSerializer(serializers.Serializer[Any]):
    """Whom the host lets in."""

    link = serializers.CharField(
        help_text="Who opens it can take a seat. Told only in the answer to a change; empty: there is none."
    )
    has_link = serializers.BooleanField()
    guests = GuestSerializer(many=True)


class GuestStepSerializer(KnownFields):
    """What the host does."""

    step = serializers.ChoiceField(
        choices=("link", "close", "remove"),
        help_text="link: a new one, the old one no longer works; close: none; remove: a guest goes.",
    )
    guest = IdField(required=False, help_text="For remove.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A guest is named where one is removed, and only there."""
        if (attrs["step"] == "remove") != ("guest" in attrs):
            raise serializers.ValidationError({"guest": [_("Name a guest with “remove”, and only there.")]})
        return attrs


@method_decorator(never_cache, name="dispatch")
class TableGuests(APIView):
    """Guests of a casual table."""

    serializer_class = GuestStepSerializer
    permission_classes = (IsAuthenticated,)
    throttle_classes = [*APIView.throttle_classes, AtTheTable]

    @extend_schema(
        operation_id="table_guests",
        summary="The guests of your table",
        responses={200: TableGuestsSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Who came in by the link; for the table's host."""
        return _guests(request, _hosted(request, pk))

    @extend_schema(
        operation_id="change_table_guests",
        summary="Let guests in by a link, or remove one",
        parameters=[IDEMPOTENCY_KEY],
        request=GuestStepSerializer,
        responses={200: TableGuestsSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Guests who are there stay when the link changes; with one who is removed it changes as well."""
        table, given = _hosted(request, pk), sent(request, GuestStepSerializer)
        actor = asking(request)

        def write() -> dict[str, Any]:
            match given["step"]:
                case "link":
                    guests.renew_link(actor=actor, table_id=table.pk)
                case "close":
                    guests.close_link(actor=actor, table_id=table.pk)
                case "remove":
                    guests.remove(actor=actor, table_id=table.pk, guest_id=given["guest"])
            return {}

        once(request, action="table.guests", about={"table": table.pk, **given}, write=write)
        return _guests(request, table, tells=True)


class LobbyChoicesSerializer(Changes, serializers.ModelSerializer[LobbyChoice]):
    """What you want of the list of tables; what you leave out stays as it is."""

    class Meta:
        model = LobbyChoice
        fields = ("shows_presence", "wants_calls")


class LobbyChoices(APIView):
    """Your choices for the list of tables."""

    serializer_class = LobbyChoicesSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="lobby_choices",
        summary="Whether you are shown in the list of tables, and called to one",
        responses={200: LobbyChoicesSerializer, **errors()},
    )
    def get(self, request: Request) -> Response:
        """Your choices."""
        return Response(LobbyChoicesSerializer(_choice(request)).data)

    @extend_schema(
        operation_id="set_lobby_choices",
        summary="Say whether you are shown in the list of tables, and called to one",
        request=LobbyChoicesSerializer,
        responses={200: LobbyChoicesSerializer, **write_errors(422)},
    )
    def post(self, request: Request) -> Response:
        """For members of your clubs: that you are there, and that a table looks for players."""
        given, now = sent(request, LobbyChoicesSerializer), _choice(request)
        wanted = {"shows_presence": now.shows_presence, "wants_calls": now.wants_calls, **given}
        return Response(LobbyChoicesSerializer(lobby.choose(actor=asking(request), **wanted)).data)


def _choice(request: Request) -> LobbyChoice:
    user = asking(request)
    return LobbyChoice.objects.filter(user=user).first() or LobbyChoice(user=user)


def _hosted(request: Request, pk: int) -> Table:
    table, _standing = table_of(request, pk)
    if table.kind != Table.Kind.CASUAL:
        raise Http404
    policies.require(asking(request), "table.host", table)
    return table


def _guests(request: Request, table: Table, *, tells: bool = False) -> Response:
    """Who is there. The link itself only where it is made: it works for anybody who has it."""
    link = GuestLink.objects.filter(table=table).first() if table.state in rows.OPEN else None
    there = TableGuest.objects.filter(table=table, removed_at=None).exclude(key=None)
    told = {
        "link": settings.SITE_URL + reverse("guest_link", args=[link.token]) if link and tells else "",
        "has_link": link is not None,
        "guests": there.order_by("pk"),
    }
    return Response(TableGuestsSerializer(told).data)
