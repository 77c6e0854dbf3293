"""Somebody else plays for a member of a pair in one match: naming them, taking it back, and their answer."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import policies
from league.api import visibility
from league.api.requests import IdField, KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import NamedPlayerSerializer
from league.errors import Invalid
from league.fixtures import queries
from league.fixtures.services import substitutions
from league.models import Fixture, Player, Substitution
from league.people import namesakes
from league.people import queries as people
from league.people.services import players


class SubstitutionSerializer(serializers.Serializer[Any]):
    """Who plays for whom."""

    id = serializers.IntegerField(source="pk")
    entry = serializers.IntegerField(source="entry_id")
    absent = NamedPlayerSerializer()
    substitute = NamedPlayerSerializer()
    answer = serializers.ChoiceField(
        choices=Substitution.Answer.choices, allow_blank=True, help_text="Empty: nobody asked them."
    )


class FreePlayerSerializer(NamedPlayerSerializer):
    """Somebody who could stand in."""

    known_by = serializers.SerializerMethodField()

    def get_known_by(self, player: Player) -> str:
        """What tells players of one name apart: a number, partners or the year they came. Empty for others."""
        told: dict[int, str] = self.context["known_by"]
        return told.get(player.pk, "")


class FixtureSubstitutesSerializer(serializers.Serializer[Any]):
    """Who stands in, and who could."""

    substitutes = SubstitutionSerializer(many=True)
    free = FreePlayerSerializer(many=True, help_text="Players of the club who do not play in this round.")


class SubstituteSerializer(KnownFields):
    """Who plays for whom: a player of the club, or a guest."""

    absent = IdField()
    substitute = IdField(required=False)
    guest = serializers.CharField(required=False, max_length=120, help_text="The name of somebody new.")
    email = serializers.EmailField(
        required=False, help_text="The guest’s: we write to it when and where they play."
    )
    reason = serializers.CharField(required=False, allow_blank=True, max_length=300)

    def validate(self, attrs: Any) -> Any:
        """One of the two."""
        if ("substitute" in attrs) == ("guest" in attrs) or ("email" in attrs and "guest" not in attrs):
            raise serializers.ValidationError({"substitute": [_("Choose a player, or name a guest.")]})
        return attrs


class FixtureSubstitutes(APIView):
    """The substitutes of a match."""

    serializer_class = SubstituteSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="substitutes",
        summary="Who stands in, and who could",
        responses={200: FixtureSubstitutesSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """For those who play the match, and directors."""
        return _substitutes(request, _fixture(request, pk))

    @extend_schema(
        operation_id="name_substitute",
        summary="Name a substitute",
        parameters=[IDEMPOTENCY_KEY],
        request=SubstituteSerializer,
        responses={200: FixtureSubstitutesSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Somebody plays for a member of your side in this match alone. Everybody in the match is told."""
        fixture, given = _fixture(request, pk), sent(request, SubstituteSerializer)

        def write() -> dict[str, Any]:
            return {"substitution": _appoint(request, fixture, given).pk}

        once(request, action="fixture.substitute", about={"fixture": fixture.pk, **given}, write=write)
        return _substitutes(request, _fixture(request, pk))


class FixtureSubstitute(APIView):
    """One of them."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="cancel_substitute",
        summary="Take a substitute back",
        request=None,
        responses={204: None, **write_errors(404, 409)},
    )
    def delete(self, request: Request, pk: int, substitution: int) -> Response:
        """The absent player plays after all."""
        rows = Substitution.objects.select_related("fixture", "absent", "substitute", "entry")
        found = get_object_or_404(rows, pk=substitution, fixture=_fixture(request, pk))
        substitutions.cancel(actor=asking(request), substitution=found)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SubstituteRequestSerializer(serializers.Serializer[Any]):
    """A pair asks you to play for one of them."""

    id = serializers.IntegerField(source="pk")
    fixture = serializers.IntegerField(source="fixture_id")
    starts_at = serializers.DateTimeField(source="fixture.starts_at", allow_null=True)
    absent = serializers.CharField(help_text="For whom you would play.")
    reason = serializers.CharField()


class SubstituteAnswerSerializer(KnownFields):
    """Your answer."""

    accept = serializers.BooleanField(help_text="false frees the place for somebody else.")


class SubstituteRequests(ListAPIView[Substitution]):
    """What pairs ask the person."""

    serializer_class = SubstituteRequestSerializer
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Substitution]:
        """Those that wait for an answer, the next match first."""
        if getattr(self, "swagger_fake_view", False):
            return Substitution.objects.none()
        return queries.asked_to_play(asking(self.request))

    @extend_schema(
        operation_id="substitute_requests",
        summary="Where you are asked to be a substitute",
        responses={200: SubstituteRequestSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """The matches in which a pair asks you to play, and that wait for your answer."""
        return super().get(request, *args, **kwargs)


class SubstituteRequest(APIView):
    """Answering one."""

    serializer_class = SubstituteAnswerSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="answer_substitute_request",
        summary="Say whether you can be a substitute",
        parameters=[IDEMPOTENCY_KEY],
        request=SubstituteAnswerSerializer,
        responses={204: OpenApiResponse(description="Done."), **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """You play, or the place is free for somebody else."""
        person = asking(request)
        given = SubstituteAnswerSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        accept = given.validated_data["accept"]

        def write() -> dict[str, Any]:
            found = Substitution.objects.filter(substitute__user=person).select_related("fixture")
            substitutions.answer(actor=person, substitution=get_object_or_404(found, pk=pk), accept=accept)
            return {}

        once(request, action="fixture.answer_as_substitute", about={"pk": pk, "accept": accept}, write=write)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _fixture(request: Request, pk: int) -> Fixture:
    found = visibility.fixture(user=asking(request), key=pk)
    policies.require(asking(request), "fixture.substitute", found)
    return found


def _appoint(request: Request, fixture: Fixture, given: dict[str, Any]) -> Substitution:
    members = {player.pk: player for entry in fixture.entries for player in entry.lineup.players}
    absent = members.get(given["absent"])
    if absent is None:
        raise Invalid(_("Choose from the list."))
    match = {
        "actor": asking(request),
        "fixture": fixture,
        "absent": absent,
        "reason": given.get("reason", ""),
    }
    if "guest" in given:
        return players.appoint_guest(**match, name=given["guest"], email=given.get("email", ""))
    substitute = people.free_in(fixture).filter(pk=given["substitute"]).first()
    if substitute is None:
        raise Invalid(_("Choose from the list."))
    return substitutions.appoint(**match, substitute=substitute)


def _substitutes(request: Request, fixture: Fixture) -> Response:
    free = list(people.free_in(fixture))
    is_official = policies.may(asking(request), "club.desk", fixture)
    told = {"substitutes": fixture.substitutions.select_related("absent", "substitute"), "free": free}
    known_by = namesakes.details(free, with_numbers=is_official)
    return Response(FixtureSubstitutesSerializer(told, context={"known_by": known_by}).data)
