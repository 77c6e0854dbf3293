"""The prizes of a competition: their conditions, who has them as the table stands, and a director's list (F151)."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.contest.prizes import Condition, Prize
from league.api import visibility
from league.api.requests import KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.competitions.services import prizes
from league.competitions.services.prizes import LEVEL, LONGEST, MOST, Offered, PrizeList
from league.models import Competition
from league.results.queries import prizes as reads

CONDITIONS = [each.value for each in Condition]
NUMBER = "The place, or the division's number from the top; 0 for the other conditions."


class WinnerSerializer(serializers.Serializer[Any]):
    """An entry that wins a prize."""

    division = serializers.CharField()
    place = serializers.CharField(help_text="“2=” where it is shared.")
    name = serializers.CharField()
    players = serializers.CharField()


class WonSerializer(serializers.Serializer[Any]):
    """A prize with who wins it."""

    prize = serializers.CharField()
    condition = serializers.CharField(help_text="In words.")
    winners = WinnerSerializer(
        many=True, help_text="Several share it, or draw lots; nobody before there are results."
    )
    note = serializers.CharField()


class OfferedSerializer(KnownFields):
    """A prize and its condition."""

    prize = serializers.CharField(max_length=LONGEST)
    condition = serializers.ChoiceField(choices=CONDITIONS)
    number = serializers.IntegerField(min_value=0, max_value=99, default=0, help_text=NUMBER)


class PrizeListSerializer(KnownFields):
    """The prizes in order of worth."""

    level = serializers.ChoiceField(
        choices=list(LEVEL), default="share", help_text="What becomes of prizes for those who are level."
    )
    prizes = serializers.ListSerializer[Any](child=OfferedSerializer(), max_length=MOST)


class CompetitionPrizes(APIView):
    """Prizes with their conditions."""

    serializer_class = PrizeListSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="prizes",
        summary="Who wins which prize, as the table stands or as it ended",
        responses={200: WonSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """In order of worth. Each entry gets one, and leaves the others to the next."""
        return Response(_won(_found(request, pk)))

    @extend_schema(
        operation_id="set_prizes",
        summary="Say which prizes a competition has",
        parameters=[IDEMPOTENCY_KEY],
        request=PrizeListSerializer,
        responses={200: WonSerializer(many=True), **write_errors(404, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Replaces the list, for directors. Gives who wins now."""
        competition = _found(request, pk)
        given = sent(request, PrizeListSerializer)
        offered = tuple(
            Offered(each["prize"], Prize(Condition(each["condition"]), each["number"]))
            for each in given["prizes"]
        )

        def write() -> Any:
            wanted = PrizeList(offered, given["level"])
            return _won(prizes.write(actor=asking(request), competition=competition, wanted=wanted))

        about = {"competition": competition.pk, **given}
        return Response(once(request, action="competition.prizes", about=about, write=write))


def _found(request: Request, pk: int) -> Competition:
    competition = visibility.competition(user=request.user, key=pk)
    if not competition.stage.is_league or competition.stage.is_ladder:
        raise Http404
    return competition


def _won(competition: Competition) -> Any:
    return WonSerializer(reads.lines(competition, at=timezone.now()), many=True).data
