"""Competitions, their tables and their fixtures."""

from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api import visibility
from league.api.filters import LARGEST_NUMBER, CompetitionFilter, FixtureFilter, KeyField
from league.api.schema import errors
from league.api.serializers import CompetitionDetailSerializer, CompetitionSerializer, FixtureSerializer
from league.api.standings import (
    ProgressSerializer,
    Standings,
    StandingsSerializer,
    names_of,
    progress_as_json,
)
from league.models import Competition, Division, Entry, Fixture
from league.standings import queries as standings

AFTER_ROUND = OpenApiParameter(
    name="after_round",
    type={"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER},
    description="The table that the results of rounds 1 to this one alone make. Without it: the current table.",
)


class CompetitionList(ListAPIView[Competition]):
    """Competitions that the reader may know of."""

    serializer_class = CompetitionSerializer
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
