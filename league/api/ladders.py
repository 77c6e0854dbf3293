"""A ladder: its order with the open challenges; challenging, answering, being away."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import idempotency, policies
from league.api import visibility
from league.api.dates import ANSWERS
from league.api.requests import KnownFields, asking
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.draws import challenges as shown
from league.draws.challenges import Shown
from league.draws.services import challenges
from league.models import Challenge, Competition, Division, Entry
from league.results.queries import ladder
from league.results.queries.ladder import DivisionLadder


class LadderPlaceSerializer(serializers.Serializer[Any]):
    """One place of a ladder."""

    place = serializers.IntegerField()
    entry = serializers.IntegerField()
    moved = serializers.IntegerField(
        allow_null=True, help_text="Places up in the last four weeks; negative: down; null: new."
    )
    is_away = serializers.BooleanField()
    may_challenge = serializers.BooleanField(help_text="Whether you can challenge it now.")
    why_not = serializers.CharField(help_text="Why not, in your language; empty where it lies below you.")


class OpenChallengeSerializer(serializers.Serializer[Any]):
    """An open challenge."""

    id = serializers.IntegerField(source="key")
    challenger = serializers.IntegerField(source="challenger.entry")
    challenged = serializers.IntegerField(source="challenged.entry")
    is_accepted = serializers.BooleanField()
    last_day = serializers.DateField(
        allow_null=True, help_text="To answer, or to play; null: played, and to be confirmed."
    )
    fixture = serializers.IntegerField(source="match", allow_null=True)


class LadderSerializer(serializers.Serializer[Any]):
    """The ladder of a division as it stands today."""

    division = serializers.IntegerField(source="key")
    rows = LadderPlaceSerializer(many=True)
    challenges = OpenChallengeSerializer(many=True)
    happened = serializers.SerializerMethodField()

    def get_happened(self, found: DivisionLadder) -> list[dict[str, str]]:
        """What happened last, the newest first, in your language."""
        return [{"day": each.day.isoformat(), "what": each.what} for each in found.steps]


class ChallengeSerializer(serializers.Serializer[Any]):
    """A challenge, open or over."""

    id = serializers.IntegerField(source="challenge.pk")
    state = serializers.ChoiceField(source="challenge.state", choices=Challenge.State.choices)
    challenger = serializers.IntegerField(source="challenge.challenger_id")
    challenged = serializers.IntegerField(source="challenge.challenged_id")
    fixture = serializers.IntegerField(source="challenge.fixture_id", allow_null=True)
    made_at = serializers.DateTimeField(source="challenge.made_at")
    ended_at = serializers.DateTimeField(source="challenge.ended_at", allow_null=True)
    last_day = serializers.DateField(allow_null=True, help_text="To answer, or to play.")


class NewChallengeSerializer(KnownFields):
    """Whom to challenge."""

    challenged = serializers.IntegerField(help_text="An entry of the same ladder, above.")


class ChallengeAnswerSerializer(KnownFields):
    """What the challenged, or the challenger, say."""

    answer = serializers.ChoiceField(
        choices=ANSWERS,
        help_text="`decline` gives up the place; `withdraw` is for the challenger.",
    )


class EntryAwaySerializer(KnownFields):
    """Whether an entry of a ladder is away."""

    is_away = serializers.BooleanField()


class DivisionLadderView(APIView):
    """The ladder of a division."""

    serializer_class = LadderSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="ladder", summary="A ladder", responses={200: LadderSerializer, **errors(404)}
    )
    def get(self, request: Request, pk: int) -> Response:
        """The order, the open challenges and what happened last. 404 for other formats."""
        return Response(_ladder(request, pk))


class EntryChallenge(APIView):
    """Challenging somebody on a ladder."""

    serializer_class = NewChallengeSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="challenge",
        summary="Challenge somebody on a ladder",
        parameters=[IDEMPOTENCY_KEY],
        request=NewChallengeSerializer,
        responses={200: ChallengeSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The entry challenges one above it. Refused with 409 and the reason where it may not."""
        entry = visibility.entry(user=request.user, key=pk)
        policies.require(asking(request), "entry.challenge", entry)
        given = NewChallengeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        key = given.validated_data["challenged"]
        other = get_object_or_404(Entry.objects.filter(division=entry.division_id), pk=key)

        def write() -> dict[str, Any]:
            made = challenges.challenge(
                actor=asking(request), challenger=entry, challenged=other, at=timezone.now()
            )
            return _challenge(request, made.pk)

        return _once(request, "challenge.made", {"entry": pk, "challenged": other.pk}, write)


class ChallengeDetail(APIView):
    """A challenge."""

    serializer_class = ChallengeAnswerSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="challenge_detail",
        summary="A challenge of a ladder",
        responses={200: ChallengeSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Who, its state, and until when what has to happen."""
        return Response(_challenge(request, pk))

    @extend_schema(
        operation_id="answer_challenge",
        summary="Accept, decline or withdraw a challenge",
        parameters=[IDEMPOTENCY_KEY],
        request=ChallengeAnswerSerializer,
        responses={200: ChallengeSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """An accepted challenge has a fixture, to be played by its last day."""
        row = _found(request, pk).challenge
        given = ChallengeAnswerSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        answer = given.validated_data["answer"]
        who = row.challenger if answer == "withdraw" else row.challenged
        policies.require(asking(request), "entry.challenge", who)
        act: Callable[..., object] = {
            "accept": challenges.accept,
            "decline": challenges.decline,
            "withdraw": challenges.withdraw,
        }[answer]

        def write() -> dict[str, Any]:
            act(actor=asking(request), challenge=row, at=timezone.now())
            return _challenge(request, pk)

        return _once(request, "challenge.answered", {"challenge": pk, "answer": answer}, write)


class EntryAway(APIView):
    """Being away from a ladder."""

    serializer_class = EntryAwaySerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="ladder_away",
        summary="Say that an entry of a ladder is away, or back",
        parameters=[IDEMPOTENCY_KEY],
        request=EntryAwaySerializer,
        responses={200: LadderSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Who is away keeps the place and can neither challenge nor be challenged. Gives the ladder."""
        entry = visibility.entry(user=request.user, key=pk)
        policies.require(asking(request), "entry.challenge", entry)
        given = EntryAwaySerializer(data=request.data)
        given.is_valid(raise_exception=True)
        is_away = given.validated_data["is_away"]
        act = challenges.go_away if is_away else challenges.come_back

        def write() -> dict[str, Any]:
            act(actor=asking(request), entry=entry, at=timezone.now())
            return _ladder(request, entry.division_id)

        return _once(request, "ladder.away", {"entry": pk, "is_away": is_away}, write)


def _ladder(request: Request, pk: int) -> dict[str, Any]:
    division = get_object_or_404(Division.objects.select_related("stage__competition__club"), pk=pk)
    competition = visibility.competition(user=request.user, key=division.competition.pk)
    if not division.stage.is_ladder or competition.state == Competition.State.DRAFT:
        raise Http404
    return dict(LadderSerializer(ladder.of_division(division, request.user, at=timezone.now())).data)


def _found(request: Request, pk: int) -> Shown:
    found = shown.of_challenge(pk, request.user, at=timezone.now())
    if found is None:
        raise Http404
    return found


def _challenge(request: Request, pk: int) -> dict[str, Any]:
    return dict(ChallengeSerializer(_found(request, pk)).data)


def _once(
    request: Request, action: str, about: dict[str, Any], write: Callable[[], dict[str, Any]]
) -> Response:
    key = request.headers.get("Idempotency-Key", "")
    return Response(
        idempotency.once(actor=asking(request), key=key, action=action, request=about, write=write)
    )
