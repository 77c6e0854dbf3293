"""A club as its owners and officials run it: its details, members, desk, missing results and mails."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import policies
from league.api.clubs import NewClubSerializer, check_zone
from league.api.filters import KeysetPages
from league.api.requests import Changes, IdField, KnownFields, NothingSerializer, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import ROUND_NAME, NamedPlayerSerializer
from league.clubs import queries
from league.clubs.services import clubs
from league.desk.api.asked import club_for
from league.desk.queries import desk
from league.desk.queries.items import GROUPS, Desk
from league.desk.services import items
from league.errors import Conflict
from league.fixtures.queries import lines
from league.fixtures.services import reminders
from league.models import Club, Fixture, MailFailure, Membership, OutboxMessage, Role
from league.notices.services import outbox
from league.templatetags.ui import masked

#: Mails in one request.
MOST_MAILS = 1000


class ClubSettingsSerializer(NewClubSerializer):
    """The same, and who can do what in it."""

    is_open = serializers.BooleanField(required=False, help_text="Whether people join without being asked.")
    lone_director_deals = serializers.BooleanField(
        required=False, help_text="Whether a director who plays may see the cards before play."
    )
    guests_enter = serializers.BooleanField(
        required=False, help_text="Whether the code on paper is enough to enter a scoresheet."
    )
    unwanted_words = serializers.CharField(
        required=False, allow_blank=True, max_length=1000, help_text="What guests’ names must not have."
    )
    may_be_embedded = serializers.BooleanField(
        required=False, help_text="Whether other websites may show public standings and fixtures."
    )


class ClubSettingsChangeSerializer(Changes, ClubSettingsSerializer):
    """What is to be different; what you leave out stays as it is."""

    name = serializers.CharField(required=False, max_length=120)
    time_zone = serializers.CharField(required=False, max_length=60)


class ClubSettings(APIView):
    """A club's details."""

    serializer_class = ClubSettingsChangeSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="club_settings",
        summary="A club’s details",
        responses={200: ClubSettingsSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """What the club says of itself, and who can do what in it; for owners."""
        return Response(ClubSettingsSerializer(club_for(request, slug, "club.edit")).data)

    @extend_schema(
        operation_id="change_club_settings",
        summary="Change a club’s details",
        request=ClubSettingsChangeSerializer,
        responses={200: ClubSettingsSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """What you send is different from now on, the rest stays as it is."""
        found = club_for(request, slug, "club.edit")
        given = sent(request, ClubSettingsChangeSerializer)
        if given.get("time_zone", found.time_zone) != found.time_zone:
            check_zone(given["time_zone"])
        now = {name: getattr(found, name) for name in ClubSettingsSerializer().get_fields()}
        edited = clubs.edit(actor=asking(request), club=found, **{**now, **given})
        return Response(ClubSettingsSerializer(edited).data)


class MemberSerializer(serializers.Serializer[Any]):
    """Somebody with a role in the club."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="user")
    email = serializers.SerializerMethodField()
    role = serializers.ChoiceField(choices=Role.choices)

    def get_email(self, membership: Membership) -> str:
        """Its first letter and its host."""
        return masked(membership.user.email)


class MemberDetailSerializer(MemberSerializer):
    """A member with the whole address, and with what goes on when the membership ends."""

    player = NamedPlayerSerializer(allow_null=True, help_text="The player of this account, who stays.")
    open_matches = serializers.IntegerField(help_text="Of this player, which go on.")
    is_you = serializers.BooleanField()


class MemberRoleSerializer(KnownFields):
    """Another role."""

    role = serializers.ChoiceField(choices=Role.choices)


class ClubMembers(ListAPIView[Membership]):
    """Who belongs to the club."""

    serializer_class = MemberSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Membership]:
        """Who may do most comes first."""
        if getattr(self, "swagger_fake_view", False):
            return Membership.objects.none()
        return queries.by_rank(club_for(self.request, self.kwargs["slug"], "club.members"))

    @extend_schema(
        operation_id="members", summary="Members", responses={200: MemberSerializer, **errors(403, 404)}
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Everybody with a role in the club, for owners. People are added by invitation."""
        return super().get(request, *args, **kwargs)


class ClubMember(APIView):
    """One member."""

    serializer_class = MemberRoleSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="member",
        summary="A member",
        responses={200: MemberDetailSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A member, and what the end of the membership would mean."""
        return _member(request, _membership(request, slug, pk))

    @extend_schema(
        operation_id="change_role",
        summary="Give a member another role",
        request=MemberRoleSerializer,
        responses={200: MemberDetailSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """The member has this role from now on. A club never loses its last owner."""
        membership = _membership(request, slug, pk)
        role = sent(request, MemberRoleSerializer)["role"]
        return _member(request, clubs.set_role(actor=asking(request), membership=membership, role=role))

    @extend_schema(
        operation_id="remove_member",
        summary="End a membership",
        responses={204: OpenApiResponse(description="It has ended."), **errors(403, 404, 409)},
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """The membership ends; the player and all results stay."""
        clubs.remove_member(actor=asking(request), membership=_membership(request, slug, pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _membership(request: Request, slug: str, pk: int) -> Membership:
    rows = Membership.objects.select_related("user", "club")
    return get_object_or_404(rows, pk=pk, club=club_for(request, slug, "club.members"))


def _member(request: Request, membership: Membership) -> Response:
    ending = queries.ending(membership)
    player = NamedPlayerSerializer(ending.player).data if ending.player else None
    shown = MemberSerializer(membership).data
    return Response(
        {
            **shown,
            "email": membership.user.email,
            "player": player,
            "open_matches": ending.open_matches,
            "is_you": membership.user_id == asking(request).pk,
        }
    )


class DeskItemSerializer(serializers.Serializer[Any]):
    """Something to do."""

    group = serializers.ChoiceField(choices=list(GROUPS))
    kind = serializers.CharField(source="mark", help_text="In a word or two.")
    what = serializers.CharField()
    why_now = serializers.CharField()
    page = serializers.CharField(source="url", help_text="Where it is done.")
    key = serializers.CharField(help_text="To mark it as seen; empty where that can’t be.")


class DeskSerializer(serializers.Serializer[Any]):
    """What waits, the most urgent first, and what was marked as seen."""

    waiting = DeskItemSerializer(many=True)
    aside = DeskItemSerializer(many=True)


class SeenSerializer(KnownFields):
    """An item of the desk."""

    key = serializers.CharField(max_length=300)
    again = serializers.BooleanField(default=False, help_text="true: put it back.")


class ClubDesk(APIView):
    """What waits for the officials of a club."""

    serializer_class = SeenSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="desk",
        summary="What there is to do",
        responses={200: DeskSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Everything in the club that waits for you, the most urgent first; for its officials."""
        return Response(DeskSerializer(_desk(request, club_for(request, slug, "club.desk"))).data)

    @extend_schema(
        operation_id="mark_as_seen",
        summary="Mark an item of the desk as seen",
        parameters=[IDEMPOTENCY_KEY],
        request=SeenSerializer,
        responses={204: OpenApiResponse(description="Done."), **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Somebody has looked at it, and it no longer waits for anybody; or it is back on the desk."""
        found, given = club_for(request, slug, "club.desk"), sent(request, SeenSerializer)

        def write() -> dict[str, Any]:
            now = _desk(request, found)
            listed = now.aside if given["again"] else now.waiting
            item = next((each for each in listed if each.key == given["key"]), None)
            if item is None:
                raise Conflict(_("This is no longer here: someone else may have got there first."))
            change = items.show_again if given["again"] else items.put_aside
            change(actor=asking(request), club=found, item=item)
            return {}

        once(request, action="desk.seen", about={"club": found.pk, **given}, write=write)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _desk(request: Request, club: Club) -> Desk:
    with timezone.override(club.time_zone):
        return desk.of_club(club, asking(request), at=timezone.now())


class MissingSerializer(serializers.Serializer[Any]):
    """A match whose time is over without a scoresheet."""

    match = serializers.IntegerField()
    name = serializers.CharField()
    competition = serializers.CharField()
    round = serializers.IntegerField()
    round_name = serializers.CharField(help_text=ROUND_NAME)
    asked_at = serializers.DateTimeField(allow_null=True, help_text="When its players were last asked.")


class RemindedSerializer(serializers.Serializer[Any]):
    """How many people were asked."""

    asked = serializers.IntegerField()


class MissingResults(ListAPIView[Fixture]):
    """Results that somebody owes."""

    serializer_class = MissingSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Fixture]:
        """The matches, those of the earliest rounds first."""
        if getattr(self, "swagger_fake_view", False):
            return Fixture.objects.none()
        return reminders.owing(self._club, at=timezone.now())

    @property
    def _club(self) -> Club:
        return club_for(self.request, self.kwargs["slug"], "club.desk")

    @extend_schema(
        operation_id="missing_results",
        summary="Missing results",
        responses={200: MissingSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Matches whose time is over without a scoresheet, and when their players were asked for it."""
        page = self.paginate_queryset(self.get_queryset()) or []
        asked = reminders.asked_at(page, self._club)
        shown = [
            {
                "match": line.key,
                "name": str(line),
                "competition": line.competition,
                "round": line.round_number,
                "round_name": line.round_name,
                "asked_at": asked.get(line.key),
            }
            for line in lines(page)
        ]
        return self.get_paginated_response(MissingSerializer(shown, many=True).data)

    @extend_schema(
        operation_id="remind_all",
        summary="Remind everyone who owes a result",
        request=NothingSerializer,
        responses={200: RemindedSerializer, **write_errors(404)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Both sides of each of these matches are asked, at most once a day."""
        found = club_for(request, slug, "club.desk")
        sent(request, NothingSerializer)
        count = reminders.remind_all(actor=asking(request), club=found, at=timezone.now())
        return Response(RemindedSerializer({"asked": count}).data)


class MailSerializer(serializers.Serializer[Any]):
    """A mail that could not be sent."""

    id = serializers.IntegerField(source="pk")
    to = serializers.CharField()
    made_at = serializers.DateTimeField()
    given_up_at = serializers.DateTimeField()
    failure = serializers.ChoiceField(choices=[("", ""), *MailFailure.choices])
    failure_text = serializers.CharField(source="get_failure_display", help_text="In words.")
    last_error = serializers.CharField(help_text="What the mail server said.")


class RetrySerializer(KnownFields):
    """Which mails to send again."""

    mails = serializers.ListField(
        child=IdField(),
        required=False,
        max_length=MOST_MAILS,
        help_text="Without them, all.",
    )


class RetriedSerializer(serializers.Serializer[Any]):
    """How many mails are sent again."""

    count = serializers.IntegerField()


class SiteMails(ListAPIView[OutboxMessage]):
    """Mails of the whole site that could not be sent."""

    serializer_class = MailSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[OutboxMessage]:
        """Those that were given up, the latest first."""
        if getattr(self, "swagger_fake_view", False):
            return OutboxMessage.objects.none()
        given_up: QuerySet[OutboxMessage] = OutboxMessage.objects.given_up()
        club = self._club
        mine = given_up.filter(club=club) if club else given_up
        return mine.order_by("-given_up_at", "-pk")

    @property
    def _club(self) -> Club | None:
        policies.require(asking(self.request), "site.mails")
        return None

    def _retried(self, request: Request) -> Response:
        club, given = self._club, sent(request, RetrySerializer)
        count = outbox.retry(actor=asking(request), club=club, messages=given.get("mails"))
        return Response(RetriedSerializer({"count": count}).data)

    @extend_schema(
        operation_id="site_mails",
        summary="Mails of the site that could not be sent",
        responses={200: MailSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Mails that were given up after three days, for those who run the site."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="retry_site_mails",
        summary="Send mails of the site again",
        request=RetrySerializer,
        responses={200: RetriedSerializer, **write_errors()},
    )
    def post(self, request: Request) -> Response:
        """These mails, or all of them, are tried again from the beginning."""
        return self._retried(request)


class ClubMails(SiteMails):
    """Mails of a club that could not be sent."""

    @property
    def _club(self) -> Club | None:
        return club_for(self.request, self.kwargs["slug"], "club.mails")

    @extend_schema(
        operation_id="club_mails",
        summary="Mails of a club that could not be sent",
        responses={200: MailSerializer, **errors(403, 404)},
    )
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Mails about the club that were given up after three days, for its owners."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="retry_club_mails",
        summary="Send mails of a club again",
        request=RetrySerializer,
        responses={200: RetriedSerializer, **write_errors(404)},
    )
    def post(self, request: Request, slug: str) -> Response:  # type: ignore[override]  # the address has a club
        """These mails, or all of them, are tried again from the beginning."""
        del slug
        return self._retried(request)
