"""Another time for a match: finding one that suits everybody, proposing it, and the answer."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import policies
from league.api import visibility
from league.api.requests import KnownFields, asking, once
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.fixtures import arranging
from league.fixtures.services import dates, fixtures
from league.models import DateProposal, Fixture

FARTHEST_YEAR = 2
#: To a proposal of a time, and to a challenge.
ANSWERS = ("accept", "decline", "withdraw")


class ProposedTimeSerializer(serializers.Serializer[Any]):
    """One side proposes another time."""

    id = serializers.IntegerField(source="pk")
    entry = serializers.IntegerField(source="entry_id", help_text="The side that proposes it.")
    starts_at = serializers.DateTimeField()
    message = serializers.CharField()
    state = serializers.ChoiceField(choices=DateProposal.State.choices)
    made_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)


class TelephoneSerializer(serializers.Serializer[Any]):
    """How somebody is reached."""

    name = serializers.CharField()
    telephone = serializers.CharField(allow_blank=True)
    address = serializers.CharField(allow_blank=True, help_text="Where they live, in lines.")


class TimesSerializer(serializers.Serializer[Any]):
    """What helps to find a time."""

    starts_at = serializers.DateTimeField(allow_null=True, help_text="When the match is played now.")
    suggested = serializers.ListField(
        child=serializers.DateTimeField(), help_text="Times that suit everybody, as far as they said."
    )
    unsuitable = serializers.ListField(
        child=serializers.DateField(), help_text="Days that do not suit somebody; not whom."
    )
    telephones = TelephoneSerializer(many=True)
    proposals = ProposedTimeSerializer(many=True, help_text="The newest first; one at most is open.")


class TimeField(serializers.DateTimeField):
    """A moment that is not absurdly far away."""

    def to_internal_value(self, value: Any) -> Any:
        """The moment."""
        found = super().to_internal_value(value)
        if abs(found.year - timezone.localdate().year) > FARTHEST_YEAR:
            raise serializers.ValidationError([_("Choose a day of this season.")])
        return found


class ProposeSerializer(KnownFields):
    """Another time, and a word to the other side."""

    starts_at = TimeField()
    message = serializers.CharField(required=False, allow_blank=True, max_length=300)


class AnswerTimeSerializer(KnownFields):
    """What becomes of a proposal."""

    answer = serializers.ChoiceField(choices=ANSWERS, help_text="Your own proposal is withdrawn.")


class PostponeSerializer(KnownFields):
    """Why the match is not played on its date."""

    reason = serializers.CharField(max_length=300)
    starts_at = TimeField(required=False, help_text="For directors, where both sides have agreed on one.")


class FixtureTimes(APIView):
    """Times of a match."""

    serializer_class = ProposeSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="times",
        summary="Find a time for a match",
        responses={200: TimesSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Three times that suit everybody, days that do not, telephones, and what was proposed."""
        return _times_of(request, _fixture(request, pk, "fixture.propose_date"))

    @extend_schema(
        operation_id="propose_time",
        summary="Propose another time",
        parameters=[IDEMPOTENCY_KEY],
        request=ProposeSerializer,
        responses={200: TimesSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The other side is asked. An open proposal of either side ends with it."""
        fixture = _fixture(request, pk, "fixture.propose_date")
        given = ProposeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wanted = given.validated_data

        def write() -> dict[str, Any]:
            made = dates.propose(actor=asking(request), fixture=fixture, at=timezone.now(), **wanted)
            return {"proposal": made.pk}

        about = {"fixture": fixture.pk, **wanted, "starts_at": wanted["starts_at"].isoformat()}
        once(request, action="fixture.propose_date", about=about, write=write)
        return _times_of(request, _fixture(request, pk, "fixture.propose_date"))


class FixtureTime(APIView):
    """One proposal."""

    serializer_class = AnswerTimeSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="answer_time",
        summary="Accept, decline or withdraw a proposal",
        parameters=[IDEMPOTENCY_KEY],
        request=AnswerTimeSerializer,
        responses={200: TimesSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, proposal: int) -> Response:
        """The other side accepts, which sets the match's time, or declines; the side that proposed it withdraws."""
        fixture, actor = _fixture(request, pk, "fixture.propose_date"), asking(request)
        found = get_object_or_404(DateProposal, fixture=fixture, pk=proposal)
        given = AnswerTimeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        answer = given.validated_data["answer"]

        def write() -> dict[str, Any]:
            if answer == "withdraw":
                done = dates.withdraw(actor=actor, proposal=found, at=timezone.now())
            else:
                done = dates.answer(actor=actor, proposal=found, accept=answer == "accept", at=timezone.now())
            return {"proposal": done.pk}

        about = {"proposal": found.pk, "answer": answer}
        once(request, action="fixture.answer_date", about=about, write=write)
        return _times_of(request, _fixture(request, pk, "fixture.propose_date"))


class FixturePostponement(APIView):
    """Taking a match off its date."""

    serializer_class = PostponeSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="postpone",
        summary="Postpone a match",
        parameters=[IDEMPOTENCY_KEY],
        request=PostponeSerializer,
        responses={200: TimesSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The match is taken off its date, with a reason that everybody who plays it reads."""
        fixture = _fixture(request, pk, "fixture.postpone")
        given = PostponeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        reason, starts_at = given.validated_data["reason"], given.validated_data.get("starts_at")

        def write() -> dict[str, Any]:
            fixtures.postpone(actor=asking(request), fixture=fixture, reason=reason, starts_at=starts_at)
            return {"fixture": fixture.pk}

        about = {"fixture": fixture.pk, "reason": reason, "starts_at": str(starts_at)}
        once(request, action="fixture.postpone", about=about, write=write)
        return _times_of(request, _fixture(request, pk, "fixture.postpone"))


def _fixture(request: Request, pk: int, action: str) -> Fixture:
    found = visibility.fixture(user=asking(request), key=pk)
    policies.require(asking(request), action, found)
    return found


def _times_of(request: Request, fixture: Fixture) -> Response:
    help_found = arranging.of(fixture, asking(request), at=timezone.now())
    told = {
        "starts_at": fixture.starts_at,
        "suggested": [moment.at for moment in help_found.suggested],
        "unsuitable": help_found.unsuitable,
        "telephones": help_found.contacts,
        "proposals": fixture.date_proposals.all(),
    }
    return Response(TimesSerializer(told).data)
