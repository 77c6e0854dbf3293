"""Grades: a player's with what each session moved, a club's lists, and rankings with handicap by them."""

from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.comparisons import handicaps
from games.grades import queries, services
from games.models import HiddenGrade
from league import idempotency, policies
from league.api import visibility
from league.api.requests import KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.models import Club, Competition, Fixture, Player
from league.people import queries as players

MOST_COMING = 200


class GradeSerializer(serializers.Serializer[Any]):
    """A grade today. It is a belief, so these are the only decimal numbers."""

    grade = serializers.FloatField(source="mean")
    spread = serializers.FloatField()
    boards = serializers.IntegerField()
    is_provisional = serializers.BooleanField()
    last_played = serializers.DateField()


class GradeStepSerializer(serializers.Serializer[Any]):
    """What one session moved, in your language."""

    day = serializers.DateField()
    competition = serializers.CharField()
    what = serializers.CharField()
    share = serializers.CharField()


class PartnerSerializer(serializers.Serializer[Any]):
    """What is expected with a partner, in percent, and what the two made beyond that so far."""

    partner = serializers.CharField()
    expected = serializers.CharField()
    beyond = serializers.CharField()
    sessions = serializers.IntegerField()


class OfGameSerializer(serializers.Serializer[Any]):
    """A player's grade in a game."""

    game = serializers.CharField()
    grade = GradeSerializer()
    steps = GradeStepSerializer(many=True)
    partners = PartnerSerializer(many=True)


class PlayerGradeSerializer(serializers.Serializer[Any]):
    """A player's grades, the newest step first."""

    player = serializers.IntegerField()
    is_hidden = serializers.BooleanField()
    games = OfGameSerializer(many=True)


class ListedSerializer(serializers.Serializer[Any]):
    """A line of a club's list."""

    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.__str__")
    grade = GradeSerializer()


class OfClubSerializer(serializers.Serializer[Any]):
    """The grades of a club in one game."""

    game = serializers.CharField()
    established = ListedSerializer(many=True)
    provisional = ListedSerializer(many=True)


class HidingSerializer(KnownFields):
    """Whether your grade is hidden from others."""

    is_hidden = serializers.BooleanField()


class GradeStartSerializer(KnownFields):
    """With which grade a player begins in a game, and why."""

    game = serializers.CharField(max_length=30)
    grade = serializers.DecimalField(max_digits=4, decimal_places=1, min_value=0, max_value=99)
    spread = serializers.DecimalField(max_digits=2, decimal_places=1, min_value=Decimal("0.5"), max_value=6)
    reason = serializers.CharField(max_length=300)


class PlayerGrade(APIView):
    """A player's grade."""

    serializer_class = HidingSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="player_grade",
        summary="A player’s grade",
        responses={200: PlayerGradeSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Of each game, with what each session moved. 404 where the player hides it from you."""
        player = _player(request, pk)
        if not queries.may_see(request.user, player):
            raise Http404
        return Response(_shown(request, player))

    @extend_schema(
        operation_id="hide_grade",
        summary="Hide your grade, or show it",
        parameters=[IDEMPOTENCY_KEY],
        request=HidingSerializer,
        responses={200: PlayerGradeSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Only yours. Directors still see it when they seed."""
        player = _player(request, pk)
        policies.require(asking(request), "grade.hide", player)
        given = HidingSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        is_hidden = given.validated_data["is_hidden"]

        def write() -> dict[str, Any]:
            services.hide(actor=asking(request), player=player, is_hidden=is_hidden, at=timezone.now())
            return _shown(request, player)

        key = request.headers.get("Idempotency-Key", "")
        about = {"player": pk, "is_hidden": is_hidden}
        answer = idempotency.once(
            actor=asking(request), key=key, action="grade.hide", request=about, write=write
        )
        return Response(answer)


class PlayerGradeStart(APIView):
    """With which grade a player begins."""

    serializer_class = GradeStartSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="grade_start",
        summary="Say with which grade a player begins",
        parameters=[IDEMPOTENCY_KEY],
        request=GradeStartSerializer,
        responses={200: GradeStartSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """For directors. All grades of the game are computed again from the first session."""
        player = _player(request, pk)
        policies.require(asking(request), "grade.state", player)
        given = sent(request, GradeStartSerializer)

        def write() -> dict[str, Any]:
            row = services.set_start(actor=asking(request), player=player, at=timezone.now(), **given)
            return dict(GradeStartSerializer(row).data)

        about = {"player": pk, **{name: str(value) for name, value in given.items()}}
        return Response(once(request, action="grade.stated", about=about, write=write))


class ClubGrades(APIView):
    """A club's grades."""

    serializer_class = OfClubSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="club_grades",
        summary="The grades of a club",
        responses={200: OfClubSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """By game: those that are certain enough, the best first, and the others apart."""
        club = get_object_or_404(Club, slug=slug)
        today = timezone.localdate(timezone=ZoneInfo(club.time_zone))
        return Response(OfClubSerializer(queries.of_club(club, today=today), many=True).data)


def _player(request: Request, pk: int) -> Player:
    player = get_object_or_404(Player.objects.present().select_related("club"), pk=pk)
    if not players.is_visible_to(request.user, player):
        raise Http404
    return player


def _shown(request: Request, player: Player) -> dict[str, Any]:
    today = timezone.localdate(timezone=ZoneInfo(player.club.time_zone))
    told = {
        "player": player.pk,
        "is_hidden": HiddenGrade.objects.filter(player=player).exists(),
        "games": queries.of_player(player, request.user, today=today),
    }
    return dict(PlayerGradeSerializer(told).data)


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
