"""Competitions, their tables and their fixtures."""

from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import idempotency, policies
from league.api import visibility
from league.api.filters import CompetitionFilter, FixtureFilter, KeyField, KeysetPages
from league.api.requests import KnownFields, asking
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import CompetitionDetailSerializer, CompetitionSerializer, FixtureSerializer
from league.api.standings import (
    ProgressSerializer,
    Standings,
    StandingsSerializer,
    names_of,
    progress_as_json,
)
from league.draws.services import rounds
from league.models import Competition, Division, Entry, Fixture, RequestedBye
from league.standings import queries as standings
from league.storage.json_content import LARGEST_NUMBER

AFTER_ROUND = OpenApiParameter(
    name="after_round",
    type={"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER},
    description="The table that the results of rounds 1 to this one alone make. Without it: the current table.",
)


class CompetitionList(ListAPIView[Competition]):
    """Competitions that the reader may know of."""

    serializer_class = CompetitionSerializer
    pagination_class = KeysetPages
    filterset_class = CompetitionFilter

    def get_queryset(self) -> QuerySet[Competition]:
        """What the reader may know of, the newest first."""
        seen = Competition.objects.visible_to(self.request.user)
        return seen.with_stage().select_related("club", "season").order_by("-starts_on", "name", "pk")

    @extend_schema(
        operation_id="competitions",
        summary="Competitions",
        responses={200: CompetitionSerializer, **errors(404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The competitions that you may know of, the newest first."""
        return super().get(request, *args, **kwargs)


class CompetitionDetail(APIView):
    """One competition."""

    @extend_schema(
        operation_id="competition",
        summary="A competition",
        responses={200: CompetitionDetailSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """A competition with its divisions and pairs, its rounds, and its rules, points and tie-breaks in words."""
        found = visibility.competition(user=request.user, key=pk)
        divisions = Division.objects.prefetch_related(Prefetch("entries", Entry.objects.with_pairs()))
        whole = Competition.objects.select_related("club", "season").prefetch_related(
            "stages__rounds", Prefetch("stages__divisions", divisions)
        )
        return Response(CompetitionDetailSerializer(whole.get(pk=found.pk)).data)


class CompetitionStandings(APIView):
    """The tables of a competition."""

    @extend_schema(
        operation_id="standings",
        summary="Standings with explanations",
        parameters=[AFTER_ROUND],
        responses={200: StandingsSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The table of every division. Every place says what separated it, every point where it came from."""
        competition = visibility.competition(user=request.user, key=pk)
        number = _asked_round(request)
        tables = [
            Standings(
                division=division,
                after_round=number or None,
                stored=standings.after_round(division, number),
                names=names_of(division),
            )
            for division in competition.stage.divisions.all()
        ]
        if number and all(table.stored is None for table in tables):
            tables = []
        return Response(StandingsSerializer(tables, many=True).data)


class CompetitionProgress(APIView):
    """The history of a competition's tables."""

    @extend_schema(
        operation_id="standings_history",
        summary="Standings after every round",
        responses={200: ProgressSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Places and league points after every round, by division. The whole table of a round: see Standings."""
        competition = visibility.competition(user=request.user, key=pk)
        divisions = competition.stage.divisions.all()
        return Response([progress_as_json(division, standings.progress(division)) for division in divisions])


class FixtureList(ListAPIView[Fixture]):
    """Fixtures that the reader may know of."""

    serializer_class = FixtureSerializer
    pagination_class = KeysetPages
    filterset_class = FixtureFilter

    def get_queryset(self) -> QuerySet[Fixture]:
        """What the reader may know of, in the order in which it is played."""
        return Fixture.objects.visible_to(self.request.user).with_pairs().in_order()

    @extend_schema(
        operation_id="fixtures", summary="Fixtures", responses={200: FixtureSerializer, **errors(404)}
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The fixtures that you may know of, in the order in which they are played."""
        return super().get(request, *args, **kwargs)


class WhichRoundSerializer(KnownFields):
    """Which round."""

    round = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER, help_text="Its number.")


class SitOutSerializer(serializers.Serializer[Any]):
    """Whether an entry has asked to sit out."""

    entry = serializers.IntegerField()
    round = serializers.IntegerField(allow_null=True, help_text="The round's number; null: it has not asked.")
    asked_at = serializers.DateTimeField(allow_null=True)


class SitOut(APIView):
    """An entry's wish to sit out of a round."""

    serializer_class = WhichRoundSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="sit_out",
        summary="Whether an entry sits out by request",
        responses={200: SitOutSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Which round the entry has asked to sit out of; it can ask once."""
        entry = visibility.entry(user=request.user, key=pk)
        return Response(_as_asked(entry, entry.requested_byes.select_related("round").first()))

    @extend_schema(
        operation_id="ask_to_sit_out",
        summary="Ask to sit out of a round",
        parameters=[IDEMPOTENCY_KEY],
        request=WhichRoundSerializer,
        responses={200: SitOutSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The entry has no match in a round that is not drawn yet, for half a win: once, and not in the last round."""
        entry, number, key = _asked_of(request, pk)

        def write() -> dict[str, Any]:
            asked = rounds.ask_to_sit_out(
                actor=asking(request), entry=entry, number=number, at=timezone.now()
            )
            return _as_asked(entry, asked)

        about = {"entry": entry.pk, "round": number}
        return Response(
            idempotency.once(
                actor=asking(request), key=key, action="entry.sit_out", request=about, write=write
            )
        )


class PlayAfterAll(APIView):
    """Taking that wish back."""

    serializer_class = WhichRoundSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="play_after_all",
        summary="Play in a round after all",
        parameters=[IDEMPOTENCY_KEY],
        request=WhichRoundSerializer,
        responses={200: SitOutSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The entry no longer asks to sit out of the round, which is not drawn yet."""
        entry, number, key = _asked_of(request, pk)

        def write() -> dict[str, Any]:
            rounds.play_after_all(actor=asking(request), entry=entry, number=number)
            return _as_asked(entry, None)

        about = {"entry": entry.pk, "round": number}
        return Response(
            idempotency.once(
                actor=asking(request), key=key, action="entry.play_after_all", request=about, write=write
            )
        )


def _asked_of(request: Request, pk: int) -> tuple[Entry, int, str]:
    """The entry, the round's number and the idempotency key; refuses who may not say whether it plays."""
    entry = visibility.entry(user=request.user, key=pk)
    policies.require(asking(request), "entry.sit_out", entry)
    given = WhichRoundSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    return entry, given.validated_data["round"], request.headers.get("Idempotency-Key", "")


def _as_asked(entry: Entry, asked: RequestedBye | None) -> dict[str, Any]:
    told = {
        "entry": entry.pk,
        "round": asked.round.number if asked else None,
        "asked_at": asked.asked_at if asked else None,
    }
    return dict(SitOutSerializer(told).data)


def _asked_round(request: Request) -> int:
    """The round of `?after_round=`; 0 without it."""
    given = request.query_params.get("after_round")
    if given is None:
        return standings.CURRENT
    field = KeyField(max_value=LARGEST_NUMBER)
    try:
        return int(field.clean(given))
    except DjangoValidationError as fault:
        raise ValidationError({"after_round": fault.messages}) from fault
