"""A pair's convention card for programs: the version in force, older ones, and writing the next."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine import game
from games.conventions import services as conventions
from games.models import Agreement, ConventionCard
from games.models.conventions import LONGEST_AGREEMENT
from league import idempotency, policies
from league.api import visibility
from league.api.requests import KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.models import Lineup
from league.storage.json_content import LARGEST_NUMBER

CONTENT = {
    "type": "object",
    "required": ["name", "checklist", "ways"],
    "additionalProperties": True,
    "description": "The system as the game reads it; docs/signals.md has every field.",
}
VERSION = OpenApiParameter(
    "version",
    type={"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER},
    description="An older version; else the newest.",
)


@extend_schema_field(CONTENT)
class ContentField(serializers.JSONField):
    """A system of signals."""


class ConventionCardSerializer(serializers.Serializer[Any]):
    """A version of a pair's convention card."""

    pair = serializers.IntegerField()
    game = serializers.CharField()
    version = serializers.IntegerField(help_text="0: they have written none and play the usual signals.")
    newest = serializers.IntegerField(help_text="Send it as `after` with the next version.")
    content = ContentField()
    made_at = serializers.DateTimeField(allow_null=True)


class NextCardSerializer(serializers.Serializer[Any]):
    """The next version."""

    after = serializers.IntegerField(
        min_value=0, max_value=LARGEST_NUMBER, help_text="The newest version that you know of; 0: none."
    )
    content = ContentField()


class AgreementSerializer(KnownFields):
    """What partners have agreed beside their signals, in their own words."""

    text = serializers.CharField(
        allow_blank=True, max_length=LONGEST_AGREEMENT, help_text="Empty: nothing is on the card."
    )


class PairAgreement(APIView):
    """The words on a pair's convention card."""

    serializer_class = AgreementSerializer

    @extend_schema(
        operation_id="agreement",
        summary="What a pair has agreed in words",
        responses={200: AgreementSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """As it stands on their convention card, for all who may know of the pair."""
        pair = get_object_or_404(visibility.pairs(user=request.user), pk=pk)
        return Response({"text": _agreed(pair)})

    @extend_schema(
        operation_id="write_agreement",
        summary="Write down what a pair has agreed",
        parameters=[IDEMPOTENCY_KEY],
        request=AgreementSerializer,
        responses={200: AgreementSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """For the partners, while neither of them plays a deal."""
        pair = get_object_or_404(visibility.pairs(user=asking(request)), pk=pk)
        policies.require(asking(request), "pair.agree", pair)
        given = sent(request, AgreementSerializer)

        def write() -> dict[str, Any]:
            conventions.agree(actor=asking(request), pair=pair, **given)
            return {}

        once(request, action="pair.agree", about={"pair": pair.pk, **given}, write=write)
        return Response({"text": _agreed(pair)})


def _agreed(pair: Lineup) -> str:
    return Agreement.objects.filter(lineup=pair).values_list("text", flat=True).first() or ""


class ConventionCardDetail(APIView):
    """The convention card of a pair in a game."""

    @extend_schema(
        operation_id="convention_card",
        summary="A pair's convention card",
        parameters=[VERSION],
        responses={200: ConventionCardSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int, game: str) -> Response:
        """The version in force, or another one. Of a pair that has written none, the usual signals."""
        pair = _pair(request, pk, game)
        versions = ConventionCard.objects.of(pair.pk, game)
        newest = versions.first()
        wanted = request.query_params.get("version")
        if wanted is None:
            return Response(ConventionCardSerializer(_told(pair, game, newest, newest)).data)
        if not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 6):
            raise Http404
        return Response(
            ConventionCardSerializer(
                _told(pair, game, get_object_or_404(versions, number=int(wanted)), newest)
            ).data
        )

    @extend_schema(
        operation_id="write_convention_card",
        summary="Write a pair's convention card",
        parameters=[IDEMPOTENCY_KEY],
        request=NextCardSerializer,
        responses={
            201: OpenApiResponse(
                ConventionCardSerializer, description="The version that is in force from now on."
            ),
            200: OpenApiResponse(
                ConventionCardSerializer, description="This key was answered before: the same."
            ),
            **write_errors(404, 409, 422),
        },
    )
    def post(self, request: Request, pk: int, game: str) -> Response:
        """Stores the next version, for the partners and directors; refused with every fault at once, or stored.

        The same content again makes no version. A stale `after` is a conflict, and so is a deal that one of the
        partners is playing.
        """
        pair = _pair(request, pk, game)
        policies.require(asking(request), "pair.write_card", pair)
        given = NextCardSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        key = request.headers.get("Idempotency-Key", "")
        is_repeated = idempotency.is_answered(actor=asking(request), key=key)
        card = conventions.write(
            actor=asking(request), pair=pair, game_key=game, key=key, **given.validated_data
        )
        newest = ConventionCard.objects.of(pair.pk, game).first()
        answer = status.HTTP_200_OK if is_repeated else status.HTTP_201_CREATED
        return Response(ConventionCardSerializer(_told(pair, game, card, newest)).data, status=answer)


def _pair(request: Request, pk: int, game_key: str) -> Lineup:
    """The pair, where this person may know of it and the game has convention cards."""
    offered = next((each for each in game.all_games() if each.key == game_key), None)
    if offered is None or offered.signals is None or not offered.signals.has_cards:
        raise Http404
    found: Lineup = get_object_or_404(visibility.pairs(user=request.user), pk=pk)
    return found


def _told(
    pair: Lineup, game_key: str, card: ConventionCard | None, newest: ConventionCard | None
) -> dict[str, Any]:
    usual = game.get(game_key).signals
    return {
        "pair": pair.pk,
        "game": game_key,
        "version": card.number if card else 0,
        "newest": newest.number if newest else 0,
        "content": card.content if card else usual.as_card() if usual else {},
        "made_at": card.made_at if card else None,
    }
