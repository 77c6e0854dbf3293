"""The rounds of a Swiss or a knock-out: the draw as proposed, publishing it, taking it back, how a round was drawn."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import idempotency, policies
from league.api import visibility
from league.api.requests import IdField, KnownFields, asking
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.draws import queries as draws
from league.draws.services import apart, rounds
from league.draws.services.rounds import Drawn
from league.models import Competition, Division, Round
from league.standings import round_names

#: A Swiss of 600 entries with keys of nine digits.
LONGEST_TABLES = 12_000
LONGEST_REASON = 500
TWO = 2
TABLES = (
    "Entries that meet, as “12-15,13-14,16”: the first of two is home, one alone sits out. Or “12-15-18-11”: where "
    "partners change the first two sit North-South."
)


class DrawnTableSerializer(serializers.Serializer[Any]):
    """Entries that meet."""

    number = serializers.IntegerField()
    entries = serializers.SerializerMethodField()
    home = serializers.SerializerMethodField()
    away = serializers.SerializerMethodField()
    scores = serializers.ListField(
        child=serializers.CharField(),
        help_text="What each had before the round, as exact text. Empty where nothing follows from it.",
    )
    met = serializers.IntegerField(help_text="How often they had met before; at a table any two, together.")

    def get_entries(self, table: Any) -> list[int]:
        """All at the table, in order; where partners change the pair North-South first."""
        return [entry.pk for entry in table.entries]

    def get_home(self, table: Any) -> int | None:
        """The first of two; none at a table of players."""
        return table.home.pk if len(table.entries) == TWO else None

    def get_away(self, table: Any) -> int | None:
        """The second of two; none at a table of players."""
        return table.away.pk if len(table.entries) == TWO else None


class RoundDrawSerializer(serializers.Serializer[Any]):
    """A round that is drawn, or as it would be drawn."""

    state = serializers.SerializerMethodField()
    division = serializers.IntegerField(source="division.pk")
    round = serializers.IntegerField(source="round.number")
    round_name = serializers.SerializerMethodField()
    tables = DrawnTableSerializer(many=True)
    sits_out = serializers.SerializerMethodField()
    byes = serializers.SerializerMethodField()
    asked_to_sit_out = serializers.SerializerMethodField()
    seed = serializers.CharField()
    cost = serializers.SerializerMethodField()
    least_cost = serializers.SerializerMethodField()
    missing = serializers.SerializerMethodField()
    seen = serializers.SerializerMethodField()

    def get_state(self, _drawn: Drawn) -> str:
        """`drawn`, or `proposed`: nobody but directors sees it then."""
        return "drawn" if self.context["is_drawn"] else "proposed"

    def get_round_name(self, drawn: Drawn) -> str:
        """What the division calls the round: in a knock-out “Semi-finals”, else “Round 3”."""
        return str(round_names.in_division(drawn.round, drawn.division))

    def get_sits_out(self, drawn: Drawn) -> int | None:
        """The entry without an opponent."""
        return drawn.bye.pk if drawn.bye else None

    def get_byes(self, drawn: Drawn) -> list[int]:
        """All entries without a match in the round; in a knock-out they go on."""
        return [entry.pk for entry in drawn.sitting_out]

    def get_asked_to_sit_out(self, drawn: Drawn) -> list[int]:
        """Entries that asked to sit out of the round."""
        return [entry.pk for entry in drawn.resting]

    def get_cost(self, drawn: Drawn) -> list[int | str]:
        """What these tables cost: six figures, compared from the left; the fourth may be a fraction and is a text.

        Nothing in a knock-out. Of tables of individuals five: how many sit out, how far the tables are from the usual
        size, rounds missed before by those who sit out, how often those at a table have met, and sat at unusual ones.
        Where partners change nine: points without playing and places of those who sit out; of rivals how often they
        have met, their scores and places; of tables how often partners and opponents were that before, and the pairs'
        scores and places.
        """
        return drawn.cost

    def get_least_cost(self, drawn: Drawn) -> list[int | str]:
        """What the draw of least cost costs. Less than `cost`: a director changed tables by hand."""
        return drawn.least_cost

    def get_missing(self, drawn: Drawn) -> list[int]:
        """Fixtures of earlier rounds without a result: each counts as a draw for this draw."""
        return [fixture.pk for fixture in drawn.missing]

    def get_seen(self, drawn: Drawn) -> str:
        """Send it back to publish this proposal: what has changed meanwhile refuses it. Empty when it is drawn."""
        return "" if self.context["is_drawn"] else drawn.digest


class PublishSerializer(KnownFields):
    """A proposal to be published."""

    seen = serializers.CharField(max_length=64, help_text="From the proposal.")
    tables = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_TABLES, help_text=f"{TABLES} Empty: as proposed."
    )
    despite_missing = serializers.BooleanField(
        default=False, help_text="Whether matches without a result count as draws."
    )


class ReasonSerializer(KnownFields):
    """Why it is taken back."""

    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="It stays with the competition.")


class DivisionRoundDraw(APIView):
    """The draw of a round."""

    serializer_class = PublishSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="round_draw",
        summary="How a round is drawn",
        parameters=[OpenApiParameter("tables", str, description=f"{TABLES} What they would cost instead.")],
        responses={200: RoundDrawSerializer, **errors(404, 409, 422)},
    )
    def get(self, request: Request, pk: int, number: int) -> Response:
        """A drawn round with the scores before it and what its draw cost; for directors the proposal of the next one.

        The same facts and the same seed give the same proposal. Nothing is written.
        """
        division, played = _found(request, pk, number)
        if (drawn := draws.as_drawn(division, played)) is not None:
            return _answer(drawn, is_drawn=True)
        following = rounds.next_round(division)
        if following != played or not policies.may(request.user, "competition.draw", division.competition):
            raise Http404
        tables = request.query_params.get("tables", "")[:LONGEST_TABLES]
        proposal = rounds.proposal_of(division=division, round_=played, tables=tables)
        return _answer(proposal, is_drawn=False)

    @extend_schema(
        operation_id="publish_round_draw",
        summary="Draw a round and publish it",
        parameters=[IDEMPOTENCY_KEY],
        request=PublishSerializer,
        responses={200: RoundDrawSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """The round is drawn as it was proposed, or with your tables; its fixtures are there, and the players are told.

        Refused with 409 when something has changed since the proposal: a result, who plays, another director's draw.
        """
        division, played = _found(request, pk, number)
        policies.require(asking(request), "competition.draw", division.competition)
        given = PublishSerializer(data=request.data)
        given.is_valid(raise_exception=True)

        def write() -> dict[str, Any]:
            rounds.publish(
                actor=asking(request),
                division=division,
                number=number,
                at=timezone.now(),
                **given.validated_data,
            )
            drawn = draws.as_drawn(division, played)
            return dict(_answer(drawn, is_drawn=True).data) if drawn else {}

        about = {"division": division.pk, "round": number, **given.validated_data}
        return _once(request, "round.draw", about, write)


class DivisionRoundDrawBack(APIView):
    """Taking a draw back."""

    serializer_class = ReasonSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="take_round_draw_back",
        summary="Take a round's draw back",
        parameters=[IDEMPOTENCY_KEY],
        request=ReasonSerializer,
        responses={200: RoundDrawSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """The round that was drawn last is open again, while none of its matches has begun. Gives the new proposal."""
        division, played = _found(request, pk, number)
        policies.require(asking(request), "competition.draw", division.competition)
        given = ReasonSerializer(data=request.data)
        given.is_valid(raise_exception=True)

        def write() -> dict[str, Any]:
            rounds.take_back(actor=asking(request), division=division, number=number, **given.validated_data)
            proposal = rounds.proposal_of(division=division, round_=played)
            return dict(_answer(proposal, is_drawn=False).data)

        about = {"division": division.pk, "round": number, **given.validated_data}
        return _once(request, "round.take_back", about, write)


class KeptApartSerializer(serializers.Serializer[Any]):
    """Two entries of a Swiss that must not meet."""

    one = serializers.IntegerField(source="one_id")
    other = serializers.IntegerField(source="other_id")
    since_round = serializers.IntegerField(
        source="first_round", help_text="The first one whose draw heeds it."
    )


class KeepApartSerializer(KnownFields):
    """Two entries that must not meet, or may again."""

    entries = serializers.ListField(child=IdField(), min_length=2, max_length=2)
    apart = serializers.BooleanField(default=True, help_text="false: let them meet again.")


class DivisionKeptApart(APIView):
    """Who must not meet in a Swiss."""

    serializer_class = KeepApartSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="kept_apart",
        summary="Who must not meet in a Swiss, for directors",
        responses={200: KeptApartSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The list counts for every round that is not drawn yet."""
        return _list_of_apart(_swiss(request, pk))

    @extend_schema(
        operation_id="keep_apart",
        summary="Say who must not meet in a Swiss",
        parameters=[IDEMPOTENCY_KEY],
        request=KeepApartSerializer,
        responses={200: KeptApartSerializer(many=True), **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Adds two entries to the list, or takes them off it. Gives the list."""
        division = _swiss(request, pk)
        sent = KeepApartSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        given = sent.validated_data

        def write() -> list[Any]:
            _keep_apart(request, division, given)
            return list(_list_of_apart(division).data)

        return _once(request, "draw.apart", {"division": division.pk, **given}, write)


def _swiss(request: Request, pk: int) -> Division:
    division = get_object_or_404(Division.objects.select_related("stage__competition__club"), pk=pk)
    visibility.competition(user=request.user, key=division.competition.pk)
    policies.require(asking(request), "competition.draw", division.competition)
    if not division.stage.is_by_round or division.stage.is_bracket:
        raise Http404
    return division


def _keep_apart(request: Request, division: Division, given: dict[str, Any]) -> None:
    actor = asking(request)
    if given["apart"]:
        found = list(division.entries.active().filter(pk__in=given["entries"]))
        apart.keep_apart(actor=actor, division=division, entries=found, at=timezone.now())
        return
    one, other = sorted(given["entries"])
    row = get_object_or_404(apart.of_division(division), one=one, other=other)
    apart.let_meet(actor=actor, division=division, row=row)


def _list_of_apart(division: Division) -> Response:
    return Response(KeptApartSerializer(apart.of_division(division), many=True).data)


def _found(request: Request, pk: int, number: int) -> tuple[Division, Round]:
    """The division and its round; raises Http404 where the reader may not know of them, or no round is drawn singly."""
    division = get_object_or_404(Division.objects.select_related("stage__competition__club"), pk=pk)
    competition = visibility.competition(user=request.user, key=division.competition.pk)
    if not division.stage.is_by_round or competition.state == Competition.State.DRAFT:
        raise Http404
    return division, get_object_or_404(division.stage.rounds, number=number)


def _answer(drawn: Drawn, *, is_drawn: bool) -> Response:
    return Response(RoundDrawSerializer(drawn, context={"is_drawn": is_drawn}).data)


def _once(request: Request, action: str, about: dict[str, Any], write: Any) -> Response:
    key = request.headers.get("Idempotency-Key", "")
    return Response(
        idempotency.once(actor=asking(request), key=key, action=action, request=about, write=write)
    )
