"""Figures of boards and rankings of events for programs: exact, and in words. Nothing of a board before its release."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.contest import exact
from engine.contest.comparison.comparison import Basis
from games.comparisons.reckoning import figures, rankings
from games.comparisons.reckoning.columns import SIDES, Points
from games.comparisons.reckoning.rankings import MatchPart, Ranking, RankingRow
from games.comparisons.reckoning.shown_figures import ShownFigure
from games.comparisons.services import comparisons as changes
from games.models import Board, Duplicate
from league import policies
from league.api import visibility
from league.api.requests import KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import ROUND_NAME
from league.api.standings import EXACT, EntryNameSerializer

MOST_ROUNDS = 9999


class ScoreSerializer(serializers.Serializer[Any]):
    """Points of both pairs; several with weights where a director adjusted the score."""

    home = serializers.CharField(help_text=EXACT)
    away = serializers.CharField(help_text=EXACT)
    weight = serializers.CharField(help_text=EXACT)


class FigureSerializer(serializers.Serializer[Any]):
    """What a pair's result on the board is worth, and what that came from."""

    play = serializers.IntegerField(help_text="The board at a table; both pairs have the same.")
    side = serializers.ChoiceField(choices=SIDES)
    version = serializers.CharField(help_text="Empty: the board as dealt; else a fouled version.")
    points = ScoreSerializer(many=True, help_text="Empty where a percentage was awarded.")
    awarded = serializers.BooleanField(help_text="Whether a director gave the score or the percentage.")
    value = serializers.CharField(help_text=f"Matchpoints or IMPs; {EXACT}")
    percent = serializers.CharField(allow_null=True, help_text=EXACT)
    text = serializers.CharField(help_text="Rounded, for people.")
    basis = serializers.ChoiceField(choices=[basis.value for basis in Basis])
    compared = serializers.IntegerField(help_text="Results in its group, its own included.")
    raw = serializers.CharField(help_text=f"The sum before it was scaled; {EXACT}")
    top = serializers.IntegerField(allow_null=True)
    beaten = serializers.CharField(help_text=EXACT)
    equalled = serializers.CharField(help_text=EXACT)
    datum = serializers.CharField(allow_null=True, help_text=f"Butler’s average; {EXACT}")


class BoardComparisonSerializer(serializers.Serializer[Any]):
    """A board's comparison. Without figures until the board is released."""

    board = serializers.IntegerField()
    number = serializers.IntegerField()
    released = serializers.BooleanField()
    measure = serializers.ChoiceField(choices=Duplicate.Measure.choices, allow_null=True)
    method = serializers.ChoiceField(choices=Duplicate.Way.choices, allow_null=True)
    expected = serializers.IntegerField(
        allow_null=True,
        help_text="By how many results it is worth: its own, or those of the fullest board of the field.",
    )
    stale = serializers.BooleanField(help_text="Newer results wait to be computed.")
    figures = FigureSerializer(many=True)


class MatchPartSerializer(serializers.Serializer[Any]):
    """What a pair has from one match."""

    round = serializers.IntegerField()
    round_name = serializers.CharField(help_text=ROUND_NAME)
    boards = serializers.IntegerField()
    value = serializers.CharField(help_text=EXACT)
    top = serializers.IntegerField()
    victory_points = serializers.CharField(allow_null=True, help_text=EXACT)


class RankedSerializer(serializers.Serializer[Any]):
    """A pair in a ranking."""

    entry = EntryNameSerializer()
    rank = serializers.IntegerField(allow_null=True, help_text="Shared: 1, 2, 2, 4. Null without a place.")
    apart = serializers.BooleanField(help_text="Whether it has too few boards for a place.")
    boards = serializers.IntegerField()
    value = serializers.CharField(help_text=f"All matchpoints or IMPs; {EXACT}")
    top = serializers.IntegerField()
    percent = serializers.CharField(allow_null=True, help_text=EXACT)
    mean = serializers.CharField(help_text=f"A board; {EXACT}")
    victory_points = serializers.CharField(allow_null=True, help_text=EXACT)
    text = serializers.CharField(help_text="Rounded, for people.")
    matches = MatchPartSerializer(many=True)


class RankingSerializer(serializers.Serializer[Any]):
    """A field's ranking. Released boards count."""

    field = serializers.CharField(help_text="all, home or away; with the section's level as in home:2.")
    title = serializers.CharField()
    round = serializers.IntegerField(help_text="0: the whole event.")
    round_name = serializers.CharField(help_text="What people call the round; empty for the whole event.")
    measure = serializers.ChoiceField(choices=Duplicate.Measure.choices)
    method = serializers.ChoiceField(choices=Duplicate.Way.choices)
    boards_counted = serializers.IntegerField()
    boards_total = serializers.IntegerField()
    boards_needed = serializers.IntegerField(help_text="How many boards a pair needs for a place.")
    stale = serializers.BooleanField(help_text="Newer results wait to be computed.")
    rows = RankedSerializer(many=True)


class ComparisonSettingsSerializer(serializers.Serializer[Any]):
    """How an event's boards are compared and its pairs ranked."""

    method = serializers.ChoiceField(choices=Duplicate.Way.choices)
    measure = serializers.ChoiceField(choices=Duplicate.Measure.choices)
    tops = serializers.ChoiceField(choices=Duplicate.Tops.choices, help_text="On a board, of matchpoints.")
    least_share = serializers.IntegerField(help_text="Boards that a pair needs for a place, in percent.")


class ChangedComparisonSerializer(KnownFields):
    """What is to be different; what you leave out stays."""

    method = serializers.ChoiceField(choices=Duplicate.Way.choices, required=False)
    measure = serializers.ChoiceField(choices=Duplicate.Measure.choices, required=False)
    tops = serializers.ChoiceField(choices=Duplicate.Tops.choices, required=False)
    least_share = serializers.IntegerField(required=False, min_value=0, max_value=100)
    reason = serializers.CharField(max_length=300, help_text="Everyone can read it.")


AS_IMPS = OpenApiExample(
    "IMPs instead of matchpoints",
    value={"method": Duplicate.Way.CROSS_IMPS.value, "reason": "As the invitation said"},
    request_only=True,
)


class ComparisonSettings(APIView):
    """How an event's boards are compared."""

    serializer_class = ChangedComparisonSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="comparison_settings",
        summary="How an event’s boards are compared",
        responses={200: ComparisonSettingsSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """How boards are compared and pairs ranked, for directors. 404 where the tables play different boards."""
        return _settings(_duplicate(request, pk))

    @extend_schema(
        operation_id="change_comparison_settings",
        summary="Compare an event’s boards otherwise",
        parameters=[IDEMPOTENCY_KEY],
        request=ChangedComparisonSerializer,
        examples=[AS_IMPS],
        responses={200: ComparisonSettingsSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """All scores and places are computed again, also those of results that are there."""
        event, given = _duplicate(request, pk), sent(request, ChangedComparisonSerializer)

        def write() -> dict[str, Any]:
            changes.change_settings(actor=asking(request), competition=event.competition, **given)
            return {"competition": event.pk}

        once(request, action="comparison.settings", about={"competition": event.pk, **given}, write=write)
        event.refresh_from_db()
        return _settings(event)


class BoardComparison(APIView):
    """The comparison of a board."""

    @extend_schema(
        operation_id="board_comparison",
        summary="What a board's results are worth",
        responses={200: BoardComparisonSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The figures of all tables once the board is released; before, none."""
        board = Board.objects.select_related("board_set").filter(pk=pk).first()
        if board is None:
            raise Http404
        visibility.competition(user=request.user, key=board.board_set.competition_id)
        found = figures.of_boards([board]).get(board.pk)
        return Response(
            BoardComparisonSerializer({
                "board": board.pk,
                "number": board.number,
                "released": board.released_at is not None,
                "measure": found.measure if found else None,
                "method": found.method if found else None,
                "expected": found.expected if found else None,
                "stale": bool(found and found.is_stale),
                "figures": [_figure(each) for each in found.figures.values()] if found else [],
            }).data
        )  # fmt: skip


class EventRankings(APIView):
    """The rankings of a duplicate event."""

    @extend_schema(
        operation_id="rankings",
        summary="The rankings of a duplicate event",
        parameters=[
            OpenApiParameter("round", int, description="A league's round; without it the whole event.")
        ],
        responses={200: RankingSerializer(many=True), **errors(400, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """By field, the whole event's first; empty before the first result, and where boards are not compared."""
        competition = visibility.competition(user=request.user, key=pk)
        found = rankings.of_event(competition, _round(request.query_params.get("round", "0")))
        return Response(RankingSerializer([_ranking(each) for each in found], many=True).data)


def _duplicate(request: Request, pk: int) -> Duplicate:
    competition = visibility.competition(user=request.user, key=pk)
    policies.require(asking(request), "comparison.settings", competition)
    event = get_object_or_404(Duplicate, competition=competition)
    event.competition = competition
    return event


def _settings(event: Duplicate) -> Response:
    return Response(ComparisonSettingsSerializer(event).data)


def _round(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MOST_ROUNDS))):
        raise ValidationError({"round": "A whole number."})
    return int(text)


def _figure(figure: ShownFigure) -> dict[str, Any]:
    return {
        "play": figure.play,
        "side": figure.side,
        "version": figure.version,
        "points": [_score(each) for each in figure.points],
        "awarded": figure.is_awarded,
        "value": figure.value,
        "percent": figure.percent,
        "text": figure.text,
        "basis": figure.basis.value,
        "compared": figure.compared,
        "raw": figure.raw,
        "top": figure.top,
        "beaten": figure.beaten,
        "equalled": figure.equalled,
        "datum": figure.datum,
    }


def _score(points: Points) -> dict[str, Any]:
    return {name: exact.write(getattr(points, name)) for name in ("home", "away", "weight")}


def _ranking(ranking: Ranking) -> dict[str, Any]:
    return {
        "field": ranking.field,
        "title": ranking.title,
        "round": ranking.round_number,
        "round_name": ranking.round_name,
        "measure": ranking.measure,
        "method": ranking.method,
        "boards_counted": ranking.boards_counted,
        "boards_total": ranking.boards_total,
        "boards_needed": ranking.boards_needed,
        "stale": ranking.is_stale,
        "rows": [_row(row) for row in ranking.rows],
    }


def _row(row: RankingRow) -> dict[str, Any]:
    return {
        "entry": {"id": row.pair.entry, "pair": row.pair.key, "name": row.pair.name},
        "rank": row.rank,
        "apart": row.is_apart,
        "boards": row.boards,
        "value": row.value,
        "top": row.top,
        "percent": row.percent,
        "mean": row.mean,
        "victory_points": row.victory_points,
        "text": row.text,
        "matches": [_part(part) for part in row.parts],
    }


def _part(part: MatchPart) -> dict[str, Any]:
    return {
        "round": part.round,
        "round_name": part.round_name,
        "boards": part.boards,
        "value": part.value,
        "top": part.top,
        "victory_points": part.victory_points,
    }
