"""Rankings with handicap for programs, and what is given in the matches to come."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.comparisons import handicaps
from league.api import visibility
from league.api.schema import errors
from league.models import Competition, Fixture

MOST_COMING = 200


class HandicapLineSerializer(serializers.Serializer[Any]):
    """An entry in a ranking with handicap."""

    place = serializers.CharField(help_text="“3=” where it is shared.")
    entry = serializers.IntegerField(source="pair.entry")
    name = serializers.CharField(source="pair.name")
    grade = serializers.CharField(help_text="As it was fixed; empty where the entry has no handicap.")
    made = serializers.CharField(help_text="Percent or IMPs a board; of matches league points.")
    handicap = serializers.CharField(help_text="What is added; empty of matches, where it is given in each.")
    total = serializers.CharField()


class HandicapListSerializer(serializers.Serializer[Any]):
    """A ranking with handicap."""

    title = serializers.CharField()
    of_matches = serializers.BooleanField(help_text="Whether its figures are league points.")
    lines = HandicapLineSerializer(many=True)


class GivenSerializer(serializers.Serializer[Any]):
    """What the weaker side of a match to come is given."""

    fixture = serializers.IntegerField(source="fixture.pk")
    entry = serializers.IntegerField(source="entry.pk")
    points_a_deal = serializers.IntegerField(source="a_deal")
    points = serializers.IntegerField(source="total", help_text="In the whole match.")


class HandicapSerializer(serializers.Serializer[Any]):
    """A competition's handicap."""

    share = serializers.IntegerField(help_text="Percent of what the grades promise; 0: none.")
    rankings = HandicapListSerializer(many=True)
    matches = GivenSerializer(many=True)


class CompetitionHandicap(APIView):
    """The rankings with handicap."""

    serializer_class = HandicapSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="handicap",
        summary="The rankings with handicap",
        responses={200: HandicapSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Beside the rankings as played. It is chosen with the set-up, as `extra.handicap.share`."""
        competition = visibility.competition(user=request.user, key=pk)
        is_open = competition.state != Competition.State.DRAFT
        coming = Fixture.objects.of_competition(competition.pk).unplayed().with_pairs().in_order()
        shown = {
            "share": handicaps.share_of(competition),
            "rankings": handicaps.of_competition(competition) if is_open else (),
            "matches": handicaps.of_matches(coming[:MOST_COMING]) if is_open else (),
        }
        return Response(HandicapSerializer(shown).data)
