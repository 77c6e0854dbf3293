"""Clubs, their players and their pairs."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView

from league.api import visibility
from league.api.schema import errors
from league.api.serializers import ClubSerializer, PairSerializer, PlayerSerializer
from league.models import Club, Competition, Entry, Lineup, Player
from league.people import queries as players
from league.results.queries import honours


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


class FinalPlaceSerializer(serializers.Serializer[Any]):
    """A final place."""

    place = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    pair = serializers.IntegerField(source="lineup.pk")
    name = serializers.CharField(source="lineup")
    way = serializers.CharField(help_text="Where they went next, such as “promoted” or “stays”.")


class FinalTableSerializer(serializers.Serializer[Any]):
    """The final places of a division."""

    division = serializers.CharField()
    places = FinalPlaceSerializer(many=True, source="lines")


class PastSeasonSerializer(serializers.Serializer[Any]):
    """A competition that is over."""

    competition = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    season = serializers.CharField()
    divisions = serializers.SerializerMethodField()

    @extend_schema_field(FinalTableSerializer(many=True))
    def get_divisions(self, competition: Competition) -> Any:
        """The highest first."""
        return FinalTableSerializer(honours.tables_of(competition.end.places.all()), many=True).data


class ClubHonours(ListAPIView[Competition]):
    """Past seasons of a club."""

    serializer_class = PastSeasonSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Competition]:
        """As far as the reader may see them."""
        club = get_object_or_404(Club, slug=self.kwargs["slug"])
        return honours.past(club, self.request.user)

    @extend_schema(
        operation_id="club_honours",
        summary="A club’s past seasons",
        responses={200: PastSeasonSerializer, **errors(404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """The final places of every finished competition that you may see, the newest first."""
        return super().get(request, *args, **kwargs)
