"""The next season from one that is over, a copy of any competition, and who is in again."""

from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import formats, policies
from league.api import visibility
from league.api.requests import KnownFields, NothingSerializer, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import CompetitionSerializer
from league.manage.forms.setup import first_round_limits
from league.models import Competition, SeasonAnswer, Stage
from league.seasons.queries import answers
from league.seasons.queries import following as reads
from league.seasons.services import following, stages


class NewSeasonSerializer(KnownFields):
    """What it is called and when it begins; what you leave out is as GET proposes."""

    name = serializers.CharField(required=False, max_length=120)
    season = serializers.CharField(required=False, max_length=60, help_text="Such as 2026/27.")
    starts_on = serializers.DateField(
        required=False, validators=first_round_limits(), help_text="The first round's day."
    )


class CopySerializer(NewSeasonSerializer):
    """The same, and whether those who take part come along."""

    with_entries = serializers.BooleanField(default=False)


class LaterStageSerializer(KnownFields):
    """A later stage: who plays in it, and by what."""

    name = serializers.CharField(max_length=120)
    starts_on = serializers.DateField()
    format = serializers.ChoiceField(
        choices=[*formats.LEAGUE_CHOICES, *formats.EVENING_CHOICES],
        help_text="After an evening an evening, after anything else none.",
    )
    first = serializers.IntegerField(
        default=1,
        min_value=1,
        max_value=formats.MOST_IN_A_DIVISION,
        help_text="From this place of each division",
    )
    last = serializers.IntegerField(
        default=8,
        min_value=1,
        max_value=formats.MOST_IN_A_DIVISION,
        help_text="to this one; they give the seeds.",
    )
    carry_over = serializers.ChoiceField(
        choices=Stage.CarryOver.choices,
        default=Stage.CarryOver.NONE,
        help_text="What counts on of the points; of evenings of the percentages, board by board.",
    )


class ProposalSerializer(serializers.Serializer[Any]):
    """What the next one would be called, and when it would begin."""

    name = serializers.CharField()
    season = serializers.CharField()
    starts_on = serializers.DateField()


class NextSeason(APIView):
    """The next season of a finished competition."""

    serializer_class = NewSeasonSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="next_season_proposed",
        summary="What the next season would be called",
        responses={200: ProposalSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Name, season and first day of the next season, or of a copy."""
        return Response(ProposalSerializer(_proposed(_set_up_by(request, pk))).data)

    @extend_schema(
        operation_id="begin_next_season",
        summary="Set up the next season",
        request=NewSeasonSerializer,
        responses={201: CompetitionSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A draft with everybody in the division where they play next. Asked again it gives the draft that there is."""
        found = _set_up_by(request, pk)
        changes = _wanted(found, NewSeasonSerializer(data=request.data))
        made = following.begin(actor=asking(request), competition=found, at=timezone.now(), **changes)
        return Response(_as_made(made), status=status.HTTP_201_CREATED)


class CompetitionCopy(APIView):
    """A competition like another one."""

    serializer_class = CopySerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="copy_competition",
        summary="Copy a competition",
        parameters=[IDEMPOTENCY_KEY],
        request=CopySerializer,
        responses={201: CompetitionSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A draft with the same divisions, rules, points and calendar, with those who take part or with nobody."""
        found = _set_up_by(request, pk)
        changes = _wanted(found, CopySerializer(data=request.data))

        def write() -> dict[str, Any]:
            return _as_made(following.copy(actor=asking(request), competition=found, **changes))

        about = {"competition": found.pk, **changes, "starts_on": str(changes["starts_on"])}
        answer = once(request, action="competition.copy", about=about, write=write)
        return Response(answer, status=status.HTTP_201_CREATED)


class CompetitionLaterStage(APIView):
    """A stage after a finished competition."""

    serializer_class = LaterStageSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="begin_later_stage",
        summary="Set up a later stage",
        parameters=[IDEMPOTENCY_KEY],
        request=LaterStageSerializer,
        responses={201: CompetitionSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A draft with those who stand in these places, in that order. 409 while the table is not final."""
        found = _set_up_by(request, pk)
        given = sent(request, LaterStageSerializer)
        data = stages.LaterStage(**given)

        def write() -> dict[str, Any]:
            return _as_made(stages.begin(actor=asking(request), competition=found, data=data))

        about = {"competition": found.pk, **given, "starts_on": str(data.starts_on)}
        answer = once(request, action="stage.begin", about=about, write=write)
        return Response(answer, status=status.HTTP_201_CREATED)


class SeasonAnswerSerializer(serializers.Serializer[Any]):
    """What a pair or a player said to “Are you in again?”"""

    id = serializers.IntegerField(source="pk")
    competition = serializers.IntegerField(source="competition_id")
    name = serializers.CharField(source="lineup", help_text="Who is asked.")
    is_in = serializers.BooleanField(allow_null=True, help_text="null: no answer yet.")
    asked_at = serializers.DateTimeField(allow_null=True)
    answered_at = serializers.DateTimeField(allow_null=True)


class SeasonAnswers(APIView):
    """Who is in again."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="season_answers",
        summary="Who is in again",
        responses={200: SeasonAnswerSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Everybody who is asked whether they play in this draft: who is in it first, in its order. For directors."""
        return _answers_to(_set_up_by(request, pk))

    @extend_schema(
        operation_id="ask_who_is_in_again",
        summary="Ask who is in again",
        request=NothingSerializer,
        responses={200: SeasonAnswerSerializer(many=True), **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Everybody who has not answered is asked, or reminded, once a day."""
        found = _set_up_by(request, pk)
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        following.ask(actor=asking(request), competition=found, at=timezone.now())
        return _answers_to(found)


class FillSerializer(KnownFields):
    """By whose answers the divisions are filled."""

    with_silent = serializers.BooleanField(help_text="Whether those who have not answered play, too.")


class SeasonFilling(APIView):
    """Filling a draft by the answers."""

    serializer_class = FillSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="fill_divisions",
        summary="Fill the divisions by the answers",
        request=FillSerializer,
        responses={200: SeasonAnswerSerializer(many=True), **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Who said no leaves, and free places go by the rules of promotion and relegation."""
        found = _set_up_by(request, pk)
        given = FillSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        following.refill(actor=asking(request), competition=found, at=timezone.now(), **given.validated_data)
        return _answers_to(found)


class OwnSeasonAnswers(ListAPIView[SeasonAnswer]):
    """What the person is asked."""

    serializer_class = SeasonAnswerSerializer
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[SeasonAnswer]:
        """Of drafts that are not published yet."""
        return SeasonAnswer.objects.of_user(asking(self.request))

    @extend_schema(
        operation_id="own_season_answers",
        summary="Whether you are asked to play again",
        responses={200: SeasonAnswerSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Seasons that are being set up and ask whether you and your partner are in again, and what was answered."""
        return super().get(request, *args, **kwargs)


class IsInSerializer(KnownFields):
    """Yes or no."""

    is_in = serializers.BooleanField()


class SeasonAnswerDetail(APIView):
    """One answer."""

    serializer_class = IsInSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="say_whether_in_again",
        summary="Say whether you are in again",
        request=IsInSerializer,
        responses={200: SeasonAnswerSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Either partner answers, or a director for them; the last answer counts."""
        rows = SeasonAnswer.objects.select_related("competition__club", "lineup")
        row = get_object_or_404(rows, pk=pk)
        if not policies.may(asking(request), "season.answer", row):
            # As on the page, nobody else learns that they were asked.
            get_object_or_404(SeasonAnswer.objects.none())
        given = IsInSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        done = following.answer(actor=asking(request), row=row, at=timezone.now(), **given.validated_data)
        return Response(SeasonAnswerSerializer(done).data)


def _set_up_by(request: Request, pk: int) -> Competition:
    found = visibility.competition(user=asking(request), key=pk)
    policies.require(asking(request), "competition.set_up", found)
    return found


def _proposed(competition: Competition) -> reads.Proposal:
    today = timezone.localdate(timezone=ZoneInfo(competition.club.time_zone))
    return reads.proposed(competition, today=today)


def _wanted(competition: Competition, given: serializers.Serializer[Any]) -> dict[str, Any]:
    given.is_valid(raise_exception=True)
    return {**asdict(_proposed(competition)), **given.validated_data}


def _as_made(made: Competition) -> dict[str, Any]:
    whole = Competition.objects.with_stage().select_related("club", "season").get(pk=made.pk)
    return dict(CompetitionSerializer(whole).data)


def _answers_to(competition: Competition) -> Response:
    rows = [line.row for line in answers.lines(competition)]
    return Response(SeasonAnswerSerializer(rows, many=True).data)
