"""Becoming a member of a club: joining an open one, asking one that is not, and its directors' answer."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import idempotency, policies
from league.api.filters import KeysetPages
from league.api.requests import KnownFields, NothingSerializer, asking
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.clubs.services import admissions, clubs
from league.models import Club, JoinRequest, User

LONGEST = 300


class MembershipSerializer(serializers.Serializer[Any]):
    """Whether you belong to the club."""

    state = serializers.ChoiceField(choices=("member", "waiting", "none"))
    asked_at = serializers.DateTimeField(allow_null=True, help_text="While your request is waiting.")


class AskSerializer(KnownFields):
    """What the directors read beside your name, where the club is not open."""

    message = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST)


class ClubJoin(APIView):
    """Joining a club."""

    serializer_class = AskSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="club_membership",
        summary="Whether you belong to a club",
        responses={200: MembershipSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Whether you are a member, or your request to become one is waiting."""
        return _membership(asking(request), get_object_or_404(Club, slug=slug))

    @extend_schema(
        operation_id="join_club",
        summary="Join a club, or ask to",
        request=AskSerializer,
        responses={200: MembershipSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """An open club has you as a member at once; another one's directors are asked. Asking twice is asking once."""
        club, person = get_object_or_404(Club, slug=slug), asking(request)
        given = AskSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        if policies.may(person, "club.join", club):
            clubs.join(actor=person, club=club)
        else:
            admissions.ask(actor=person, club=club, at=timezone.now(), **given.validated_data)
        return _membership(person, club)


class ClubJoinWithdrawal(APIView):
    """Asking no longer."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="withdraw_join_request",
        summary="Withdraw your request to join",
        request=NothingSerializer,
        responses={200: MembershipSerializer, **write_errors(404)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """You no longer ask to join the club."""
        club = get_object_or_404(Club, slug=slug)
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        admissions.withdraw(actor=asking(request), club=club)
        return _membership(asking(request), club)


def _membership(person: User, club: Club) -> Response:
    waiting = club.join_requests.filter(user=person, state=JoinRequest.State.OPEN).first()
    is_member = club.memberships.filter(user=person).exists()
    state = "member" if is_member else "waiting" if waiting else "none"
    asked_at = waiting.made_at if waiting and not is_member else None
    return Response(MembershipSerializer({"state": state, "asked_at": asked_at}).data)


class JoinRequestSerializer(serializers.Serializer[Any]):
    """Somebody asks to become a member."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="user")
    message = serializers.CharField()
    asked_at = serializers.DateTimeField(source="made_at")


class ClubJoinRequests(ListAPIView[JoinRequest]):
    """Who asks to become a member."""

    serializer_class = JoinRequestSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[JoinRequest]:
        """Requests that wait, the oldest first."""
        if getattr(self, "swagger_fake_view", False):
            return JoinRequest.objects.none()
        club = get_object_or_404(Club, slug=self.kwargs["slug"])
        policies.require(asking(self.request), "club.admit", club)
        waiting = club.join_requests.filter(state=JoinRequest.State.OPEN, user__is_active=True)
        return waiting.select_related("user")

    @extend_schema(
        operation_id="join_requests",
        summary="Requests to join a club",
        responses={200: JoinRequestSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Requests that wait for a director's answer, the oldest first."""
        return super().get(request, *args, **kwargs)


class AnswerSerializer(KnownFields):
    """A director's answer."""

    accept = serializers.BooleanField()
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST,
        help_text="Needed to decline: the person reads it.",
    )


class AnsweredSerializer(serializers.Serializer[Any]):
    """A request that is answered."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=JoinRequest.State.choices)


class JoinRequestAnswer(APIView):
    """The answer to a request."""

    serializer_class = AnswerSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="answer_join_request",
        summary="Answer a request to join",
        parameters=[IDEMPOTENCY_KEY],
        request=AnswerSerializer,
        responses={200: AnsweredSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """A director takes the person in as a member, or declines and says why. The person is told."""
        club, director = get_object_or_404(Club, slug=slug), asking(request)
        policies.require(director, "club.admit", club)
        asked = get_object_or_404(JoinRequest, pk=pk, club=club)
        given = AnswerSerializer(data=request.data)
        given.is_valid(raise_exception=True)

        def write() -> dict[str, Any]:
            done = admissions.decide(actor=director, request=asked, at=timezone.now(), **given.validated_data)
            return {"id": done.pk, "state": done.state}

        answer = idempotency.once(
            actor=director,
            key=request.headers.get("Idempotency-Key", ""),
            action="club.join_answer",
            request={"request": asked.pk, **given.validated_data},
            write=write,
        )
        return Response(AnsweredSerializer(answer).data)
