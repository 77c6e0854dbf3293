"""How a competition is played in the browser, for programs of its directors."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine import game
from games.models import OnlinePlay
from games.tables.forms import OF_ROBOTS, TERMS
from games.tables.services import opening
from league.api.filters import LARGEST_NUMBER
from league.api.requests import Changes, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.desk.api.setting_up import directed_by
from league.models import Competition


class OnlinePlaySerializer(Changes, serializers.ModelSerializer[OnlinePlay]):
    """Whether matches may be played online, and under which terms; what you leave out stays as it is."""

    robot = serializers.CharField(
        required=False, allow_blank=True, max_length=20, help_text="For an absent player; empty: the weakest."
    )
    most_robot_hands = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=LARGEST_NUMBER, help_text="null: any number."
    )

    class Meta:
        model = OnlinePlay
        fields = ("is_open", *TERMS, *OF_ROBOTS)


class CompetitionOnline(APIView):
    """The terms of a competition's tables."""

    serializer_class = OnlinePlaySerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="online_play",
        summary="How a competition is played online",
        responses={200: OnlinePlaySerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The terms of the tables that are opened from now on. For directors."""
        return Response(OnlinePlaySerializer(_online(directed_by(request, pk))).data)

    @extend_schema(
        operation_id="set_online_play",
        summary="Set how a competition is played online",
        parameters=[IDEMPOTENCY_KEY],
        request=OnlinePlaySerializer,
        responses={200: OnlinePlaySerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Tables that are open keep the terms that they were opened under."""
        found, given = directed_by(request, pk), sent(request, OnlinePlaySerializer)
        if not game.get(found.game).robots and (unknown := given.keys() & {"robots", *OF_ROBOTS}):
            raise serializers.ValidationError({name: [_("There is no such field.")] for name in unknown})

        def write() -> dict[str, Any]:
            terms = dict(given)
            is_open = terms.pop("is_open", _online(found).is_open)
            opening.set_online(actor=asking(request), competition=found, is_open=is_open, terms=terms)
            return {}

        once(request, action="competition.online", about={"competition": found.pk, **given}, write=write)
        return Response(OnlinePlaySerializer(_online(found)).data)


def _online(competition: Competition) -> OnlinePlay:
    return OnlinePlay.objects.filter(competition=competition).first() or OnlinePlay(competition=competition)
