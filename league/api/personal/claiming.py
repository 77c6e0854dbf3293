"""Which player of a club the person is: a claim, and the answer to a club that lists their address."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.requests import KnownFields, asking
from league.api.schema import errors, write_errors
from league.errors import Conflict
from league.models import Player, PlayerClaim
from league.people import queries as players
from league.people.services import claims
from league.words import public_names

LONGEST = 300


class ClaimingSerializer(KnownFields):
    """What a director reads beside your name."""

    message = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST)


class OwnClaimSerializer(serializers.Serializer[Any]):
    """What became of your claim."""

    player = serializers.IntegerField(source="player_id")
    state = serializers.ChoiceField(choices=PlayerClaim.State.choices)


class PlayerClaiming(APIView):
    """ "This player is me"."""

    serializer_class = ClaimingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="claim_player",
        summary="Claim to be a player",
        request=ClaimingSerializer,
        responses={201: OwnClaimSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A director answers, unless the club lists an address that you have confirmed. Asking twice is asking once."""
        person = asking(request)
        found = get_object_or_404(players.visible_to(person).select_related("club"), pk=pk)
        given = ClaimingSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        claim = claims.claim(actor=person, player=found, at=timezone.now(), **given.validated_data)
        claim.refresh_from_db()
        return Response(OwnClaimSerializer(claim).data, status=status.HTTP_201_CREATED)


class ListedAsSerializer(serializers.Serializer[Any]):
    """A player who may be you."""

    player = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    club = serializers.SlugField(source="club.slug")
    club_name = serializers.CharField(source="club.name")


class ListedAs(APIView):
    """Whom clubs list with the person's address."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="listed_as",
        summary="Players who may be you",
        responses={200: ListedAsSerializer(many=True), **errors(403, 404)},
    )
    @public_names.in_full()
    def get(self, request: Request) -> Response:
        """The players whom clubs list with an address that you have confirmed, and who have no account yet."""
        return Response(ListedAsSerializer(claims.listed(user=asking(request)), many=True).data)


class IsMeSerializer(KnownFields):
    """Yes or no."""

    is_me = serializers.BooleanField()


class AnsweredListingSerializer(serializers.Serializer[Any]):
    """Whether the player is you now."""

    player = serializers.IntegerField()
    is_me = serializers.BooleanField()


class ListedAsAnswer(APIView):
    """The answer to a club that lists the person."""

    serializer_class = IsMeSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="answer_listing",
        summary="Say whether you are a player",
        request=IsMeSerializer,
        responses={200: AnsweredListingSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Yes: the player is yours. No: the club isn't told."""
        given = IsMeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        is_me: bool = given.validated_data["is_me"]
        found = claims.answer(actor=asking(request), player=Player(pk=pk), is_me=is_me, at=timezone.now())
        if is_me and found is None:
            raise Conflict(_("Someone has just changed this player. Please look again."))
        return Response({"player": pk, "is_me": is_me})
