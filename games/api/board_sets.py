"""Sets of boards for programs: the seal at once, key and deals from the release on."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.boards.sealing import DelayedKind
from games.api.serializers import SEATS
from games.models import Board, BoardDraw, BoardSet
from league import policies
from league.api import visibility
from league.api.schema import errors


class SetBoardSerializer(serializers.Serializer[Any]):
    """A board of a set."""

    id = serializers.IntegerField(source="pk")
    number = serializers.IntegerField(help_text="As it stands on the board.")
    purpose = serializers.ChoiceField(choices=Board.Purpose.choices)
    place = serializers.IntegerField(help_text="Which deal of the key for its purpose, from 1.")
    dealer = serializers.ChoiceField(choices=SEATS)
    stands_for = serializers.IntegerField(
        source="stands_for_id", allow_null=True, help_text="The mis-dealt board that this one replaces."
    )
    released_at = serializers.DateTimeField(allow_null=True)
    deal = serializers.SerializerMethodField(help_text="The cards in PBN; null until the release.")

    def get_deal(self, board: Board) -> str | None:
        """The cards, once they are public."""
        return board.deal if board.released_at is not None and board.deal else None


class DelayedSerializer(serializers.Serializer[Any]):
    """What was mixed into the deals, fixed before play."""

    kind = serializers.ChoiceField(choices=[kind.value for kind in DelayedKind])
    source = serializers.CharField()  # type: ignore[assignment] # a field of that name, as the seal calls it
    on = serializers.DateField(allow_null=True)
    value = serializers.CharField(allow_null=True, help_text="null until it is known.")


class DrawSerializer(serializers.Serializer[Any]):
    """Somebody took the cards out of the site to deal them."""

    kind = serializers.ChoiceField(choices=BoardDraw.Kind.choices)
    by = serializers.CharField(source="drawn_name")
    at = serializers.DateTimeField(source="drawn_at")
    reason = serializers.CharField()


class BoardSetSerializer(serializers.Serializer[Any]):
    """Numbered deals that several tables play."""

    id = serializers.IntegerField(source="pk")
    competition = serializers.IntegerField(source="competition_id")
    round = serializers.SerializerMethodField(help_text="The round's number; null for a whole evening.")
    origin = serializers.ChoiceField(choices=BoardSet.Origin.choices)
    commitment = serializers.CharField(help_text="SHA-256 of what is in `opened` after the release.")
    delayed = serializers.SerializerMethodField(help_text="null where the deals were read from a file.")
    made_at = serializers.DateTimeField()
    discarded_at = serializers.DateTimeField(allow_null=True)
    released_at = serializers.DateTimeField(allow_null=True)
    opened = serializers.SerializerMethodField(
        help_text="The session key, or the text of the imported deals with its salt; null until the release."
    )
    boards = SetBoardSerializer(many=True)
    draws = DrawSerializer(many=True, help_text="Public marks, kept for good.")

    def get_round(self, board_set: BoardSet) -> int | None:
        """The round's number."""
        return board_set.round.number if board_set.round else None

    @extend_schema_field(DelayedSerializer(allow_null=True))
    def get_delayed(self, board_set: BoardSet) -> Any:
        """What was mixed in."""
        return DelayedSerializer(board_set.delayed).data if board_set.delayed else None

    def get_opened(self, board_set: BoardSet) -> str | None:
        """The secret, once the whole set is released."""
        return board_set.opened if board_set.released_at is not None else None


class BoardSetDetail(APIView):
    """One set."""

    @extend_schema(
        operation_id="board_set",
        summary="A set of boards",
        responses={200: BoardSetSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The seal of the set and how far its boards are; key and deals when all tables have played."""
        found = _sets().filter(pk=pk).first()
        if found is None or not policies.may(request.user, "competition.see", found.competition):
            raise Http404
        return Response(BoardSetSerializer(found).data)


class BoardSetList(ListAPIView[BoardSet]):
    """The sets of a competition."""

    serializer_class = BoardSetSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[BoardSet]:
        """Those that are played and those that were discarded, by round."""
        if getattr(self, "swagger_fake_view", False):
            return BoardSet.objects.none()
        competition = visibility.competition(user=self.request.user, key=self.kwargs["pk"])
        return _sets().filter(competition=competition).order_by("round__number", "pk")

    @extend_schema(
        operation_id="board_sets",
        summary="The sets of boards of a competition",
        responses={200: BoardSetSerializer, **errors(404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """All sets of a competition by round, also those that were discarded."""
        return super().get(request, *args, **kwargs)


def _sets() -> QuerySet[BoardSet]:
    boards = Board.objects.order_by("purpose", "place")
    return BoardSet.objects.select_related("competition__club", "round").prefetch_related(
        Prefetch("boards", boards), "draws"
    )
