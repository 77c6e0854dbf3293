"""A club's players and pairs, who claims to be whom, and the same person twice."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import policies
from league.api.filters import KeysetPages
from league.api.personal.own import ContactSerializer
from league.api.requests import Changes, IdField, KnownFields, NothingSerializer, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import NamedPairSerializer, NamedPlayerSerializer
from league.desk.api.asked import club_for, named
from league.models import Lineup, Player, PlayerClaim, PlayerMerge
from league.people.services import claims, lineups, merging, players, public_names
from league.people.services.duplicates import proposals
from league.people.views.duplicates import PROPOSALS_SHOWN
from league.templatetags.ui import masked
from league.words.public_names import CHOICES

LONGEST_SEARCH = 60


class ListedPlayerSerializer(NamedPlayerSerializer):
    """A player as officials list them."""

    number = serializers.CharField(help_text="The membership number, or empty.")
    has_account = serializers.SerializerMethodField()

    def get_has_account(self, player: Player) -> bool:
        """Whether an account is linked to the player."""
        return player.user_id is not None


class EditedPlayerSerializer(ListedPlayerSerializer):
    """A player as directors edit them."""

    email = serializers.CharField(help_text="Where the club writes to; an account with it is asked.")
    account = serializers.SerializerMethodField()
    public_name = serializers.ChoiceField(choices=CHOICES)
    is_young = serializers.BooleanField()
    contact = ContactSerializer(
        source="user.contact",
        read_only=True,
        allow_null=True,
        help_text="How the person can be reached; null if they gave nothing.",
    )

    def get_account(self, player: Player) -> str:
        """The address of the account that is linked, or empty."""
        return player.user.email if player.user else ""


class NewPlayerSerializer(KnownFields):
    """A player to add."""

    name = serializers.CharField(max_length=120)
    email = serializers.EmailField(required=False, allow_blank=True, max_length=254)
    number = serializers.CharField(required=False, allow_blank=True, max_length=30)


class ChangedPlayerSerializer(Changes, NewPlayerSerializer):
    """What is to be different; what you leave out stays as it is."""

    name = serializers.CharField(required=False, max_length=120)


class InPublicSerializer(Changes):
    """How people outside the club read the name; what you leave out stays as it is."""

    public_name = serializers.ChoiceField(
        choices=CHOICES,
        required=False,
        help_text="Empty: as usual. People with an account choose for themselves.",
    )
    is_young = serializers.BooleanField(required=False)


class ClubPlayers(ListAPIView[Player]):
    """The players of a club."""

    serializer_class = ListedPlayerSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Player]:
        """Those who are there, by name."""
        if getattr(self, "swagger_fake_view", False):
            return Player.objects.none()
        club = club_for(self.request, self.kwargs["slug"], "club.desk")
        wanted = self.request.query_params.get("name", "").strip()[:LONGEST_SEARCH]
        return club.players.present().filter(name__icontains=wanted)

    @extend_schema(
        operation_id="club_players",
        summary="The players of a club",
        parameters=[OpenApiParameter("name", str, description="A part of the name.")],
        responses={200: ListedPlayerSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """All players of the club, with or without an account; for its officials."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="add_player",
        summary="Add a player",
        parameters=[IDEMPOTENCY_KEY],
        request=NewPlayerSerializer,
        responses={201: ListedPlayerSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Two players may have one name; a membership number belongs to one."""
        club, given = club_for(request, slug, "club.desk"), sent(request, NewPlayerSerializer)

        def write() -> dict[str, Any]:
            return {"id": players.add(actor=asking(request), club=club, **given).pk}

        answer = once(request, action="player.add", about={"club": club.pk, **given}, write=write)
        made = get_object_or_404(Player, pk=answer["id"])
        return Response(ListedPlayerSerializer(made).data, status=status.HTTP_201_CREATED)


class ClubPlayer(APIView):
    """One player, for directors."""

    serializer_class = ChangedPlayerSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="club_player",
        summary="A player, for directors",
        responses={200: EditedPlayerSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Name, address, number, account, how the name is shown, and how the person can be reached."""
        return Response(EditedPlayerSerializer(_player(request, slug, pk)).data)

    @extend_schema(
        operation_id="change_player",
        summary="Change a player",
        request=ChangedPlayerSerializer,
        responses={200: EditedPlayerSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Name, address and number. The account that has confirmed a new address is asked whether this is them."""
        player, given = _player(request, slug, pk), sent(request, ChangedPlayerSerializer)
        now = {name: getattr(player, name) for name in ("name", "email", "number")}
        players.edit(actor=asking(request), player=player, **{**now, **given})
        return Response(EditedPlayerSerializer(_player(request, slug, pk)).data)


class PlayerUnlinking(APIView):
    """Taking the account off a player."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="unlink_player",
        summary="Unlink a player’s account",
        request=NothingSerializer,
        responses={200: EditedPlayerSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """The account is no longer this player. The membership in the club stays."""
        player = _player(request, slug, pk)
        sent(request, NothingSerializer)
        claims.unlink(actor=asking(request), player=player)
        return Response(EditedPlayerSerializer(_player(request, slug, pk)).data)


class PlayerInPublic(APIView):
    """How a player's name is shown outside the club."""

    serializer_class = InPublicSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="show_player_in_public",
        summary="How a player’s name is shown in public",
        request=InPublicSerializer,
        responses={200: EditedPlayerSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Whether the player is young, and, of one without an account, how the name is shown."""
        player, given = _player(request, slug, pk), sent(request, InPublicSerializer)
        now = {"public_name": player.public_name, "is_young": player.is_young}
        public_names.decide(actor=asking(request), player=player, **{**now, **given})
        return Response(EditedPlayerSerializer(_player(request, slug, pk)).data)


def _player(request: Request, slug: str, pk: int) -> Player:
    club = club_for(request, slug, "player.edit")
    return get_object_or_404(Player.objects.present().select_related("user__contact"), pk=pk, club=club)


class NewPairSerializer(KnownFields):
    """Two players who play together."""

    players = serializers.ListField(child=IdField(), min_length=2, max_length=2)
    name = serializers.CharField(
        required=False, allow_blank=True, max_length=120, help_text="Empty: their surnames."
    )


class ClubPairs(ListAPIView[Lineup]):
    """The pairs of a club."""

    serializer_class = NamedPairSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Lineup]:
        """Those that are there, the newest first."""
        if getattr(self, "swagger_fake_view", False):
            return Lineup.objects.none()
        club = club_for(self.request, self.kwargs["slug"], "club.desk")
        pairs: QuerySet[Lineup] = (
            Lineup.objects.present().entering().together().with_players().filter(club=club)
        )
        return pairs.order_by("-pk")

    @extend_schema(
        operation_id="club_pairs",
        summary="The pairs of a club",
        responses={200: NamedPairSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """All pairs of the club, the newest first; for its officials."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="add_pair",
        summary="Add a pair",
        request=NewPairSerializer,
        responses={201: NamedPairSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Two players of the club are a pair. If they are one already, this gives that pair as it is."""
        club, given = club_for(request, slug, "club.desk"), sent(request, NewPairSerializer)
        two = named(club.players.present(), given["players"], "players")
        made = lineups.line_up(actor=asking(request), club=club, players=two, name=given.get("name", ""))
        shown = Lineup.objects.with_players().get(pk=made.pk)
        return Response(NamedPairSerializer(shown).data, status=status.HTTP_201_CREATED)


class ClaimSerializer(serializers.Serializer[Any]):
    """An account says that it is a player."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="user")
    email = serializers.SerializerMethodField()
    player = NamedPlayerSerializer()
    message = serializers.CharField()
    may_decide = serializers.SerializerMethodField()

    def get_email(self, claim: PlayerClaim) -> str:
        """Its first letter and its host."""
        return masked(claim.user.email)

    def get_may_decide(self, claim: PlayerClaim) -> bool:
        """Not while you play in an event with this player whose boards are sealed."""
        return policies.may(self.context["request"].user, "player.decide_claim", claim.player)


class ClaimAnswerSerializer(KnownFields):
    """A director's answer."""

    accept = serializers.BooleanField()


class DecidedSerializer(serializers.Serializer[Any]):
    """A claim that is answered."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=PlayerClaim.State.choices)


class ClubClaims(ListAPIView[PlayerClaim]):
    """Who claims to be whom."""

    serializer_class = ClaimSerializer
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[PlayerClaim]:
        """Those that wait."""
        if getattr(self, "swagger_fake_view", False):
            return PlayerClaim.objects.none()
        club = club_for(self.request, self.kwargs["slug"], "player.decide_claim")
        waiting = PlayerClaim.objects.filter(player__club=club, state=PlayerClaim.State.OPEN)
        return waiting.select_related("player__club", "user").order_by("pk")

    @extend_schema(
        operation_id="claims",
        summary="Who claims to be whom",
        responses={200: ClaimSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Accounts that say which player they are, and wait for a director's answer."""
        return super().get(request, *args, **kwargs)


class ClubClaim(APIView):
    """The answer to a claim."""

    serializer_class = ClaimAnswerSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="answer_claim",
        summary="Answer a claim",
        parameters=[IDEMPOTENCY_KEY],
        request=ClaimAnswerSerializer,
        responses={200: DecidedSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """The account is the player from now on, or is not. The person is told."""
        club = club_for(request, slug, "player.decide_claim")
        rows = PlayerClaim.objects.select_related("player__club", "user")
        claim = get_object_or_404(rows, pk=pk, player__club=club)
        accept = sent(request, ClaimAnswerSerializer)["accept"]

        def write() -> dict[str, Any]:
            done = claims.decide(actor=asking(request), claim=claim, accept=accept, at=timezone.now())
            return {"id": done.pk, "state": done.state}

        about = {"claim": claim.pk, "accept": accept}
        return Response(once(request, action="player.decide_claim", about=about, write=write))


class DuplicateSerializer(serializers.Serializer[Any]):
    """Two players who may be one person."""

    keep = NamedPlayerSerializer(help_text="Who has more to lose.")
    duplicate = NamedPlayerSerializer()
    because = serializers.ListField(child=serializers.CharField())


class DuplicatesSerializer(serializers.Serializer[Any]):
    """The likeliest, and how many there are."""

    proposals = DuplicateSerializer(many=True)
    in_all = serializers.IntegerField()


class MergeSerializer(serializers.Serializer[Any]):
    """Two players were made one."""

    id = serializers.IntegerField(source="pk")
    kept = NamedPlayerSerializer()
    merged = NamedPlayerSerializer()
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


class NewMergeSerializer(KnownFields):
    """Who stays, and who becomes them."""

    keep = IdField()
    duplicate = IdField()


class ClubDuplicates(APIView):
    """The same person twice."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="duplicates",
        summary="Players who may be the same person",
        responses={200: DuplicatesSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Players who look like one person, the surest first, and why."""
        found = proposals(club_for(request, slug, "player.merge"))
        shown = {"proposals": found[:PROPOSALS_SHOWN], "in_all": len(found)}
        return Response(DuplicatesSerializer(shown).data)


class ClubMerges(ListAPIView[PlayerMerge]):
    """Players who were merged."""

    serializer_class = MergeSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[PlayerMerge]:
        """The newest first."""
        if getattr(self, "swagger_fake_view", False):
            return PlayerMerge.objects.none()
        club = club_for(self.request, self.kwargs["slug"], "player.merge")
        return PlayerMerge.objects.filter(kept__club=club).select_related("kept", "merged").order_by("-pk")

    @extend_schema(
        operation_id="merges",
        summary="Players who were merged",
        responses={200: MergeSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Which players became others, the newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="merge_players",
        summary="Merge two players",
        parameters=[IDEMPOTENCY_KEY],
        request=NewMergeSerializer,
        responses={201: MergeSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Matches, pairs and account of the duplicate move to the player that you keep. It can be undone."""
        club, given = club_for(request, slug, "player.merge"), sent(request, NewMergeSerializer)

        def write() -> dict[str, Any]:
            rows = club.players.present()
            (keep,) = named(rows, [given["keep"]], "keep")
            (duplicate,) = named(rows, [given["duplicate"]], "duplicate")
            return {"id": merging.merge(actor=asking(request), keep=keep, duplicate=duplicate).pk}

        answer = once(request, action="player.merge", about={"club": club.pk, **given}, write=write)
        made = get_object_or_404(PlayerMerge, pk=answer["id"])
        return Response(MergeSerializer(made).data, status=status.HTTP_201_CREATED)


class ClubMergeBack(APIView):
    """Two players again."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="undo_merge",
        summary="Undo a merge",
        parameters=[IDEMPOTENCY_KEY],
        request=NothingSerializer,
        responses={204: OpenApiResponse(description="Each has what was theirs."), **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Two players again, each with what was theirs; refused where later changes stand in the way."""
        club = club_for(request, slug, "player.merge")
        merge = get_object_or_404(PlayerMerge, pk=pk, kept__club=club)
        sent(request, NothingSerializer)

        def write() -> dict[str, Any]:
            merging.undo(actor=asking(request), merge=merge)
            return {}

        once(request, action="player.undo_merge", about={"merge": merge.pk}, write=write)
        return Response(status=status.HTTP_204_NO_CONTENT)
