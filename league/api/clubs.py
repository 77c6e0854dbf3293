"""Clubs, their players and their pairs."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api import visibility
from league.api.filters import KeysetPages
from league.api.requests import ClockField, KnownFields, asking, once
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import ClubSerializer, NamedPairSerializer, PairSerializer, PlayerSerializer
from league.clubs.services import clubs
from league.errors import Invalid
from league.models import Club, Competition, Entry, Lineup, Player
from league.models.clubs import AUGUST
from league.people import queries as players
from league.people.services import lineups
from league.results.queries import honours
from league.validation import fault
from league.zones import PLACES


class NewClubSerializer(KnownFields):
    """What a club says of itself."""

    name = serializers.CharField(max_length=120)
    time_zone = serializers.CharField(max_length=60, help_text="Such as Europe/London.")
    place = serializers.CharField(required=False, allow_blank=True, max_length=200)
    weekday = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=6, help_text="The usual evening; Monday is 0."
    )
    play_time = ClockField(required=False, allow_null=True, help_text="The usual time.")
    year_begins = serializers.IntegerField(
        required=False, min_value=1, max_value=12, help_text=f"The month; {AUGUST} if you don’t say."
    )
    about = serializers.CharField(required=False, allow_blank=True, max_length=2000)


class ClubList(ListAPIView[Club]):
    """All clubs of this installation."""

    queryset = Club.objects.order_by("name", "pk")
    pagination_class = KeysetPages
    serializer_class = ClubSerializer
    filter_backends = ()

    @extend_schema(operation_id="clubs", summary="Clubs", responses={200: ClubSerializer, **errors(404)})
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """All clubs of this installation, by name."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="create_club",
        summary="Create a club",
        parameters=[IDEMPOTENCY_KEY],
        request=NewClubSerializer,
        responses={201: ClubSerializer, **write_errors(409, 422)},
    )
    def post(self, request: Request) -> Response:
        """You own the new club. Nobody creates more than a few in a day."""
        person, given = asking(request), NewClubSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        check_zone(values["time_zone"])

        def write() -> dict[str, Any]:
            return {"slug": clubs.found(actor=person, **values).slug}

        answer = once(request, action="club.found", about=values, write=write)
        made = get_object_or_404(Club, slug=answer["slug"])
        return Response(ClubSerializer(made).data, status=status.HTTP_201_CREATED)


def check_zone(name: str) -> None:
    """Refuses a zone that no page offers: it has no place."""
    if name not in PLACES:
        said = _("Choose a time zone with a place, such as Europe/London.")
        raise Invalid(said, details=[fault(said, "time_zone")])


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


class TeamNameSerializer(KnownFields):
    """What a pair is called."""

    name = serializers.CharField(allow_blank=True, max_length=120, help_text="Empty: the surnames.")


class PairName(APIView):
    """The name of a pair."""

    serializer_class = TeamNameSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="rename_pair",
        summary="Name a pair",
        request=TeamNameSerializer,
        responses={200: NamedPairSerializer, **write_errors(404, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The pair has this name from now on; its players and directors give it one."""
        pair = get_object_or_404(visibility.pairs(user=asking(request)), pk=pk)
        given = TeamNameSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        lineups.rename(actor=asking(request), lineup=pair, **given.validated_data)
        return Response(NamedPairSerializer(visibility.pairs(user=asking(request)).get(pk=pk)).data)


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
    pagination_class = KeysetPages
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
