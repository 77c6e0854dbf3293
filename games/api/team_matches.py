"""A match of two teams for programs: line-ups, rooms, boards and what it comes to."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.comparisons.services import team_results
from games.matches.team_matches import RoomLine, as_data, team_match
from games.models import Board
from league import policies
from league.api import visibility
from league.api.requests import IdField, KnownFields, NothingSerializer, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.errors import Invalid
from league.models import Entry, Fixture, NamedPairs
from league.teams.queries import LineUp
from league.teams.services import line_ups
from league.teams.services.line_ups import Pairs

LONGEST_REASON = 300


class NamedPlayerSerializer(serializers.Serializer[Any]):
    """A player of a pair."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class LineUpSerializer(serializers.Serializer[Any]):
    """What a team has said; the players only for those who may know them already."""

    entry = serializers.IntegerField(source="entry.pk")
    captain = serializers.IntegerField(
        source="captain.pk", default=None, help_text="A player; null: any of the team names the line-up."
    )
    is_in = serializers.BooleanField()
    has_stood = serializers.BooleanField(help_text="The last one stands, because nobody said anything.")
    open = serializers.SerializerMethodField()
    closed = serializers.SerializerMethodField()

    def get_open(self, line_up: LineUp) -> list[dict[str, Any]]:
        """Who plays in the open room."""
        return list(NamedPlayerSerializer(line_up.in_open, many=True).data)

    def get_closed(self, line_up: LineUp) -> list[dict[str, Any]]:
        """Who plays in the closed room."""
        return list(NamedPlayerSerializer(line_up.in_closed, many=True).data)


class RoomSerializer(serializers.Serializer[Any]):
    """A room, which is a match of two pairs with the same id; North-South first."""

    match = serializers.IntegerField(source="fixture.pk")
    room = serializers.ChoiceField(source="fixture.room", choices=Fixture.Room.choices)
    status = serializers.ChoiceField(source="fixture.status", choices=Fixture.Status.choices)
    sides = serializers.SerializerMethodField()

    def get_sides(self, room: RoomLine) -> list[dict[str, int]]:
        """The team and the pair's own entry of each side."""
        return [{"team": team.pk, "pair": pair.pk} for team, pair in room.sides]


def _two(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.IntegerField(), allow_null=True, **options)


class TeamBoardSerializer(serializers.Serializer[Any]):
    """A board; what the reader may not know yet is null."""

    number = serializers.IntegerField(source="board.number")
    open = _two(help_text="Points [N-S, E-W] in the open room.")
    closed = _two(help_text="The same in the closed room.")
    net = serializers.IntegerField(allow_null=True, help_text="The home team’s points over both rooms.")
    imps = _two(help_text="Of the home team and of the other.")
    is_public = serializers.BooleanField()
    is_average = serializers.SerializerMethodField()

    def get_is_average(self, line: Any) -> bool:
        """Whether it can’t be played, and a director has said what it is worth."""
        return line.average is not None


class TeamResultSerializer(serializers.Serializer[Any]):
    """What the match comes to."""

    points = serializers.ListField(child=serializers.CharField(), help_text="Exact; home first.")
    imps = serializers.ListField(child=serializers.IntegerField())
    net = serializers.IntegerField()
    why = serializers.CharField()


class TeamMatchSerializer(serializers.Serializer[Any]):
    """A match of two teams."""

    line_ups = LineUpSerializer(many=True)
    rooms = RoomSerializer(many=True)
    boards = TeamBoardSerializer(many=True)
    result = TeamResultSerializer(allow_null=True)
    is_void = serializers.BooleanField(help_text="Fewer than half of the boards were played.")


class NameLineUpSerializer(KnownFields):
    """Who plays in which room."""

    entry = IdField(help_text="The team.")
    open = serializers.ListField(child=IdField(), min_length=2, max_length=2)
    closed = serializers.ListField(child=IdField(), min_length=2, max_length=2)


class AverageSerializer(KnownFields):
    """What a board that can’t be played is worth, or that it counts as played again."""

    home = serializers.IntegerField(min_value=-3, max_value=3, required=False, help_text="IMPs: 3, 0 or -3.")
    away = serializers.IntegerField(min_value=-3, max_value=3, required=False, help_text="The same.")
    take_back = serializers.BooleanField(default=False)
    reason = serializers.CharField(max_length=LONGEST_REASON)


class ChooseCaptainSerializer(KnownFields):
    """Which of the team’s players."""

    player = IdField()


class TeamMatch(APIView):
    """A match of two teams."""

    serializer_class = TeamMatchSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="team_match",
        summary="A match of two teams",
        responses={200: TeamMatchSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Line-ups, rooms, boards and result, as far as you may know them. 404 where no teams meet."""
        fixture = _of_teams(visibility.fixture(user=request.user, key=pk))
        return _shown(request, fixture)


class TeamLineUp(APIView):
    """The line-up of a team."""

    serializer_class = NameLineUpSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="name_line_up",
        summary="Name a team’s line-up",
        parameters=[IDEMPOTENCY_KEY],
        request=NameLineUpSerializer,
        responses={200: TeamMatchSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """For the captain or a director. The other team can’t see it until theirs is in, too."""
        fixture = _of_teams(visibility.fixture(user=asking(request), key=pk))
        own = [each for each in fixture.entries if _may_name(request, fixture, each)]
        if not own:
            policies.require(asking(request), "team.open_rooms", fixture)
        given = sent(request, NameLineUpSerializer)
        entry = next((each for each in fixture.entries if each.pk == given["entry"]), None)
        if entry is None:
            raise Invalid(_("This team doesn’t play in this match."))

        def write() -> dict[str, Any]:
            able = {player.pk: player for player in line_ups.eligible(fixture, entry)}
            chosen = [[able.get(key) for key in given[room]] for room in ("open", "closed")]
            if any(player is None for pair in chosen for player in pair):
                raise Invalid(_("Choose players of the team, or their substitutes in this match."))
            pairs = Pairs(*([each for each in pair if each is not None] for pair in chosen))
            line_ups.name(actor=asking(request), fixture=fixture, entry=entry, pairs=pairs, at=timezone.now())
            return {}

        once(request, action="team.name_pairs", about={"fixture": pk, **given}, write=write)
        return _shown(request, fixture)


class TeamRooms(APIView):
    """The rooms of a match whose line-up is missing."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="open_rooms",
        summary="Let the last line-ups stand",
        parameters=[IDEMPOTENCY_KEY],
        request=NothingSerializer,
        responses={200: TeamMatchSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """For directors: of a team that has said nothing its last line-up stands, and the rooms are there."""
        fixture = _of_teams(visibility.fixture(user=asking(request), key=pk))
        policies.require(asking(request), "team.open_rooms", fixture)
        sent(request, NothingSerializer)

        def write() -> dict[str, Any]:
            line_ups.stand(actor=asking(request), fixture=fixture, at=timezone.now())
            return {}

        once(request, action="team.open_rooms", about={"fixture": pk}, write=write)
        return _shown(request, fixture)


class TeamBoardAverage(APIView):
    """A board that can’t be played."""

    serializer_class = AverageSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="give_average",
        summary="Say what a board that can’t be played is worth",
        parameters=[IDEMPOTENCY_KEY],
        request=AverageSerializer,
        responses={200: TeamMatchSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """3, 0 or -3 IMPs to each team, by who is at fault; or `take_back`."""
        fixture = _of_teams(visibility.fixture(user=asking(request), key=pk))
        policies.require(asking(request), "team.average", fixture)
        plays = Board.objects.filter(plays__fixture__team_match=fixture).distinct()
        board, given = get_object_or_404(plays, number=number), sent(request, AverageSerializer)

        def write() -> dict[str, Any]:
            about = {"actor": asking(request), "fixture": fixture, "board": board, "reason": given["reason"]}
            if given["take_back"]:
                team_results.take_average_back(**about)
            else:
                imps = [given[side] for side in ("home", "away") if side in given]
                team_results.give_average(**about, imps=imps)
            return {}

        once(request, action="team.average", about={"fixture": pk, "board": number, **given}, write=write)
        return _shown(request, fixture)


class TeamCaptain(APIView):
    """Who names the line-ups of a team."""

    serializer_class = ChooseCaptainSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="choose_captain",
        summary="Choose a team’s captain",
        request=ChooseCaptainSerializer,
        responses={200: ChooseCaptainSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """`pk` is the team’s entry. For the captain or a director."""
        entry = visibility.entry(user=asking(request), key=pk)
        if not entry.competition.is_of_teams:
            raise Http404
        policies.require(asking(request), "team.choose_captain", entry)
        given = sent(request, ChooseCaptainSerializer)
        player = next((each for each in entry.lineup.players if each.pk == given["player"]), None)
        if player is None:
            raise Invalid(_("Choose one of the team’s players."))
        line_ups.choose_captain(actor=asking(request), entry=entry, player=player)
        return Response({"player": player.pk})


def _may_name(request: Request, fixture: Fixture, entry: Entry) -> bool:
    return policies.may(asking(request), "team.name_pairs", NamedPairs(fixture=fixture, entry=entry))


def _of_teams(fixture: Fixture) -> Fixture:
    if not fixture.is_team_match:
        raise Http404
    return fixture


def _shown(request: Request, fixture: Fixture) -> Response:
    found = _of_teams(visibility.fixture(user=request.user, key=fixture.pk))
    return Response(TeamMatchSerializer(as_data(team_match(fixture=found, visitor=request.user))).data)
