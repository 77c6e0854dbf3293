"""Clubs, their players and their pairs."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView, RetrieveAPIView

from league.api import visibility
from league.api.schema import errors
from league.api.serializers import ClubSerializer, PairSerializer, PlayerSerializer
from league.models import Club, Competition, Entry, Lineup, Player
from league.people import queries as players


class ClubList(ListAPIView[Club]):
    """All clubs of this installation."""

    queryset = Club.objects.order_by("name", "pk")
    serializer_class = ClubSerializer
    filter_backends = ()

    @extend_schema(operation_id="clubs", summary="Clubs", responses={200: ClubSerializer, **errors(404)})
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """All clubs of this installation, by name."""
        return super().get(request, *args, **kwargs)


class ClubDetail(RetrieveAPIView[Club]):
    """One club."""

    queryset = Club.objects.all()
    serializer_class = ClubSerializer
    lookup_field = "slug"

    @extend_schema(operation_id="club", summary="A club", responses={200: ClubSerializer, **errors(404)})
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """One club by its slug."""
        return super().get(request, *args, **kwargs)


class PlayerDetail(RetrieveAPIView[Player]):
    """One player."""

    serializer_class = PlayerSerializer

    def get_queryset(self) -> QuerySet[Player]:
        """Players that the reader may know of."""
        return players.visible_to(self.request.user).select_related("club")

    @extend_schema(
        operation_id="player", summary="A player", responses={200: PlayerSerializer, **errors(404)}
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """A player and the player's pairs: only what is public."""
        return super().get(request, *args, **kwargs)


class PairDetail(RetrieveAPIView[Lineup]):
    """One pair."""

    serializer_class = PairSerializer

    def get_queryset(self) -> QuerySet[Lineup]:
        """Pairs, with their entries in the competitions that the reader may know of."""
        visible = Competition.objects.visible_to(self.request.user)
        entries = Entry.objects.filter(competition__in=visible).select_related(
            "competition__club", "division"
        )
        prefetched = Prefetch("entries", queryset=entries.order_by("-pk"), to_attr="visible_entries")
        return visibility.pairs(user=self.request.user).prefetch_related(prefetched)

    @extend_schema(operation_id="pair", summary="A pair", responses={200: PairSerializer, **errors(404)})
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """A pair, its players, and the competitions it plays in."""
        return super().get(request, *args, **kwargs)
