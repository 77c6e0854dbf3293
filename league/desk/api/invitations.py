"""Invitations: to be a player, by a link in a mail or on paper, and to a role in a club.

Whether an address has an account changes nothing in an answer, nor in what is asked of the database for it.
"""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import policies
from league.api.filters import KeysetPages
from league.api.requests import IdField, KnownFields, asking, once
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.clubs.services import invitations
from league.models import Club, Invitation, Player, Role
from league.people import queries
from league.people.services import joining

#: Players in one request.
MOST = 1000


class InvitationSerializer(serializers.Serializer[Any]):
    """A player's newest invitation."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player")
    email = serializers.CharField(help_text="Where the link was sent; empty for a printed slip.")
    state = serializers.SerializerMethodField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()

    def get_state(self, invitation: Invitation) -> str:
        """invited, opened, joined, bounced, expired or withdrawn."""
        return invitation.stage(timezone.now())


class PlayersSerializer(KnownFields):
    """Whom to invite."""

    players = serializers.ListField(
        child=IdField(),
        min_length=1,
        max_length=MOST,
        help_text="Their ids. Those of no player of the club without an account are passed over.",
    )


class LeftOutSerializer(serializers.Serializer[Any]):
    """A player who was not invited."""

    player = serializers.IntegerField()
    reason = serializers.CharField()


class SentSerializer(serializers.Serializer[Any]):
    """Who was invited, and who was not."""

    invited = serializers.ListField(child=serializers.IntegerField())
    left_out = LeftOutSerializer(many=True)


class SlipSerializer(serializers.Serializer[Any]):
    """A link for paper, shown this once."""

    player = serializers.IntegerField(source="player.pk")
    address = serializers.CharField(
        help_text="Anyone who has it can become the player, so give it to nobody else."
    )


class OnePlayerSerializer(KnownFields):
    """Whose links end."""

    player = IdField()


class ClubInvitations(ListAPIView[Invitation]):
    """Invitations to be a player."""

    serializer_class = InvitationSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Invitation]:
        """The newest of each player, by names."""
        if getattr(self, "swagger_fake_view", False):
            return Invitation.objects.none()
        return queries.invitations(_club(self.request, self.kwargs["slug"], "player.invite"))

    @extend_schema(
        operation_id="invitations",
        summary="Invitations to be a player",
        responses={200: InvitationSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Who was invited and what became of it, for directors."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="invite_players",
        summary="Invite players by mail",
        parameters=[IDEMPOTENCY_KEY],
        request=PlayersSerializer,
        responses={200: SentSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Each of these players gets a mail with a link. Asked again it is sent again, and the older link ends."""
        club, asked = _club(request, slug, "player.invite"), _players(request)

        def write() -> dict[str, Any]:
            sent = joining.invite(actor=asking(request), club=club, players=asked, at=timezone.now())
            return {
                "invited": [player.pk for player in sent.invited],
                "left_out": [{"player": player.pk, "reason": why} for player, why in sent.left_out],
            }

        about = {"club": club.pk, "players": asked}
        return Response(once(request, action="player.invite", about=about, write=write))


class InvitationSlips(APIView):
    """Invitations on paper."""

    serializer_class = PlayersSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="make_slips",
        summary="Make links for paper",
        request=PlayersSerializer,
        responses={200: SlipSerializer(many=True), **write_errors(404)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """A link for each of these players, to be printed and handed over. It is shown this once and lives 60 days."""
        club = _club(request, slug, "player.invite")
        made = joining.make_slips(
            actor=asking(request), club=club, players=_players(request), at=timezone.now()
        )
        return Response(SlipSerializer(made, many=True).data, headers={"Cache-Control": "no-store"})


class InvitationWithdrawal(APIView):
    """Taking a player's links back."""

    serializer_class = OnePlayerSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="withdraw_invitation",
        summary="Withdraw a player's invitation",
        request=OnePlayerSerializer,
        responses={204: OpenApiResponse(description="Their links open nothing."), **write_errors(404)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """The player's links open nothing any more."""
        club = _club(request, slug, "player.invite")
        given = OnePlayerSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        player = get_object_or_404(Player.objects.present(), pk=given.validated_data["player"], club=club)
        joining.withdraw(actor=asking(request), player=player, at=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class RoleInvitationSerializer(serializers.Serializer[Any]):
    """Somebody is invited to a role, and has not answered."""

    id = serializers.IntegerField(source="pk")
    email = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class InviteToRoleSerializer(KnownFields):
    """Whom to invite to what."""

    email = serializers.EmailField(max_length=254)
    role = serializers.ChoiceField(choices=Role.choices, default=Role.MEMBER)


class RoleInvitations(ListAPIView[Invitation]):
    """Invitations to a role in a club."""

    serializer_class = RoleInvitationSerializer
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Invitation]:
        """Those that wait for an answer."""
        if getattr(self, "swagger_fake_view", False):
            return Invitation.objects.none()
        club = _club(self.request, self.kwargs["slug"], "club.members")
        return club.invitations.to_roles().filter(expires_at__gt=timezone.now())

    @extend_schema(
        operation_id="role_invitations",
        summary="Invitations to a role",
        responses={200: RoleInvitationSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Invitations that wait for an answer, for owners."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="invite_to_role",
        summary="Invite somebody to a role",
        parameters=[IDEMPOTENCY_KEY],
        request=InviteToRoleSerializer,
        responses={201: RoleInvitationSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """The person with this address gets a mail and accepts or declines. An older invitation of theirs ends."""
        club = _club(request, slug, "club.members")
        given = InviteToRoleSerializer(data=request.data)
        given.is_valid(raise_exception=True)

        def write() -> dict[str, Any]:
            made = invitations.invite(
                actor=asking(request), club=club, at=timezone.now(), **given.validated_data
            )
            kept = dict(RoleInvitationSerializer(made).data)
            # The address is not kept with the answer: it goes where the invitation goes.
            del kept["email"]
            return kept

        about = {"club": club.pk, **given.validated_data}
        answer = once(request, action="club.invite", about=about, write=write)
        email = given.validated_data["email"].lower()
        return Response({**answer, "email": email}, status=status.HTTP_201_CREATED)


class RoleInvitation(APIView):
    """One invitation to a role."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="cancel_role_invitation",
        summary="Cancel an invitation to a role",
        responses={204: OpenApiResponse(description="It is cancelled."), **errors(403, 404)},
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """An owner takes the invitation back."""
        club = _club(request, slug, "club.members")
        found = Invitation.objects.to_roles().select_related("club")
        invitations.drop(actor=asking(request), invitation=get_object_or_404(found, pk=pk, club=club))
        return Response(status=status.HTTP_204_NO_CONTENT)


class OwnInvitationSerializer(serializers.Serializer[Any]):
    """A club invites you to a role."""

    id = serializers.IntegerField(source="pk")
    club = serializers.SlugField(source="club.slug")
    club_name = serializers.CharField(source="club.name")
    role = serializers.ChoiceField(choices=Role.choices)
    expires_at = serializers.DateTimeField()


class AnswerInvitationSerializer(KnownFields):
    """Your answer."""

    accept = serializers.BooleanField()


class OwnInvitations(ListAPIView[Invitation]):
    """What clubs invite the person to."""

    serializer_class = OwnInvitationSerializer
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Invitation]:
        """Those for addresses that the person has confirmed."""
        return invitations.waiting_for(user=asking(self.request), at=timezone.now())

    @extend_schema(
        operation_id="own_invitations",
        summary="What clubs invite you to",
        responses={200: OwnInvitationSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Invitations to a role, for the addresses that you have confirmed."""
        return super().get(request, *args, **kwargs)


class OwnInvitation(APIView):
    """Answering one."""

    serializer_class = AnswerInvitationSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="answer_invitation",
        summary="Accept or decline an invitation to a role",
        request=AnswerInvitationSerializer,
        responses={204: OpenApiResponse(description="Done."), **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """You belong to the club in that role, or the invitation is gone."""
        person, at = asking(request), timezone.now()
        found = get_object_or_404(invitations.waiting_for(user=person, at=at), pk=pk)
        given = AnswerInvitationSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        if given.validated_data["accept"]:
            invitations.accept(actor=person, invitation=found, at=at)
        else:
            invitations.drop(actor=person, invitation=found)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _club(request: Request, slug: str, action: str) -> Club:
    club = get_object_or_404(Club, slug=slug)
    policies.require(asking(request), action, club)
    return club


def _players(request: Request) -> list[int]:
    given = PlayersSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    found: list[int] = given.validated_data["players"]
    return found
