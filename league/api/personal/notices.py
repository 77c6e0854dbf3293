"""A person's inbox, and how they want to be told."""

from typing import Any

from django.db import transaction
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

from league.api.filters import KeysetPages
from league.api.requests import Changes, ClockField, IdField, KnownFields, asking
from league.api.schema import errors, write_errors
from league.models import Notice, NoticeSettings
from league.notices import events, queries
from league.notices.events import Channel
from league.notices.services import notices, pushes
from league.zones import validate_time_zone

MOST = 200


class NoticeSerializer(serializers.Serializer[Any]):
    """Something that you were told, in the language that you ask for."""

    id = serializers.IntegerField(source="notice.pk")
    event = serializers.CharField(source="notice.event", help_text="What kind of news it is.")
    club = serializers.CharField(source="notice.club.slug", allow_null=True, default=None)
    title = serializers.CharField(source="words.title")
    text = serializers.CharField(source="words.text", help_text="Paragraphs with an empty line between them.")
    path = serializers.CharField(source="notice.context.path", help_text="The page where you see to it.")
    made_at = serializers.DateTimeField(source="notice.made_at")
    read_at = serializers.DateTimeField(source="notice.read_at", allow_null=True)


class NoticeList(ListAPIView[Notice]):
    """What you were told."""

    serializer_class = NoticeSerializer
    pagination_class = KeysetPages
    permission_classes = (IsAuthenticated,)
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Notice]:
        """Your own, the newest first."""
        known = [event.key for event in events.EVENTS]
        return Notice.objects.of(self.request.user).filter(event__in=known).select_related("club")

    @extend_schema(
        operation_id="notices", summary="Your notices", responses={200: NoticeSerializer, **errors(403, 404)}
    )
    def get(self, request: Request) -> Response:
        """What you were told, the newest first, in pages of 50; kept for half a year."""
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(NoticeSerializer(queries.lines(page or ()), many=True).data)


class ReadNoticesSerializer(serializers.Serializer[Any]):
    """Which of your notices you have seen; without `ids` all."""

    ids = serializers.ListField(child=IdField(), required=False, max_length=MOST)


class NoticesRead(APIView):
    """Notices that you have seen."""

    serializer_class = ReadNoticesSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="notices_read",
        summary="Mark notices as read",
        request=ReadNoticesSerializer,
        responses={204: OpenApiResponse(description="They are read."), **write_errors(403)},
    )
    def post(self, request: Request) -> Response:
        """These of your notices, or all, are no longer new. Others' are left alone."""
        given = ReadNoticesSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        notices.mark_read(actor=asking(request), keys=given.validated_data.get("ids"), at=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class QuietSerializer(KnownFields):
    """When no mail comes; what happens meanwhile comes at the end. Both null: no quiet hours."""

    begins = ClockField(allow_null=True)
    ends = ClockField(allow_null=True)
    zone = serializers.CharField(
        allow_blank=True,
        default="",
        max_length=60,
        validators=[validate_time_zone],
        help_text="Such as Europe/London; empty: the club's.",
    )


class EventChoiceSerializer(serializers.Serializer[Any]):
    """How you are told of one kind of news."""

    event = serializers.CharField()
    name = serializers.CharField(help_text="In words.")
    channel = serializers.ChoiceField(choices=Channel.choices)


class NoticeChoicesSerializer(serializers.Serializer[Any]):
    """How you are told."""

    events = EventChoiceSerializer(many=True)
    quiet = QuietSerializer()
    competitions = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Of which competitions you are told as a director; null: of all that you direct.",
    )
    came_back = serializers.CharField(
        help_text="Your address, where it gave mail back and gets none; else empty."
    )


class NewChoicesSerializer(Changes):
    """How you want to be told; what you leave out stays as it is."""

    channels = serializers.DictField(
        child=serializers.ChoiceField(choices=Channel.choices),
        required=False,
        help_text="By the events' keys.",
    )
    quiet = QuietSerializer(required=False)
    competitions = serializers.ListField(
        child=IdField(),
        required=False,
        allow_null=True,
        max_length=MOST,
        help_text="Of which competitions you are told as a director, those that you direct; null: of all.",
    )
    mail_again = serializers.BooleanField(
        required=False, help_text="true: your address takes mail again, write to it."
    )


class NoticeChoices(APIView):
    """How the person wants to be told."""

    serializer_class = NewChoicesSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="notice_choices",
        summary="How you are told",
        responses={200: NoticeChoicesSerializer, **errors(403, 404)},
    )
    def get(self, request: Request) -> Response:
        """By which way you are told of what, and your quiet hours."""
        return _choices_of(request)

    @extend_schema(
        operation_id="choose_notices",
        summary="Choose how you are told",
        request=NewChoicesSerializer,
        responses={200: NoticeChoicesSerializer, **write_errors(422)},
    )
    @transaction.atomic
    def post(self, request: Request) -> Response:
        """You are told so from now on. What you leave out stays as it is."""
        given = NewChoicesSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wanted, user = given.validated_data, asking(request)
        channels = wanted.get("channels", {})
        unknown = sorted(set(channels) - {event.key for event in queries.offered(user)})
        if unknown:
            faults = {key: [_("There are no notices of this kind.")] for key in unknown}
            raise serializers.ValidationError({"channels": faults})
        if "quiet" in wanted:
            notices.be_quiet(actor=user, **wanted["quiet"])
        if "competitions" in wanted:
            notices.direct(actor=user, competitions=wanted["competitions"])
        notices.choose(actor=user, channels=channels)
        if wanted.get("mail_again"):
            notices.mail_again(actor=user)
        return _choices_of(request)


def _choices_of(request: Request) -> Response:
    user = asking(request)
    now, quiet = (
        notices.chosen(user=user),
        NoticeSettings.objects.filter(user=user).first() or NoticeSettings(),
    )
    told = {
        "events": [
            {"event": event.key, "name": str(event.name), "channel": now[event.key]}
            for event in queries.offered(user)
        ],
        "quiet": {"begins": quiet.quiet_from, "ends": quiet.quiet_until, "zone": quiet.time_zone},
        "competitions": queries.told_of(user) or None,
        "came_back": quiet.bounced if quiet.bounced == user.email else "",
    }
    return Response(NoticeChoicesSerializer(told).data)


class DeviceSerializer(serializers.Serializer[Any]):
    """A device that is told."""

    id = serializers.IntegerField(source="pk")
    made_at = serializers.DateTimeField()
    is_detailed = serializers.BooleanField(help_text="It shows what happened, not only that something did.")


class DeviceList(APIView):
    """The person's devices."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="devices",
        summary="Devices that are told",
        responses={200: DeviceSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request) -> Response:
        """Your phones and computers that show notices; each was turned on in its own browser."""
        return Response(DeviceSerializer(asking(request).push_subscriptions.all(), many=True).data)


class DeviceDetail(APIView):
    """One of them."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="end_device",
        summary="Tell a device nothing more",
        responses={204: OpenApiResponse(description="It is told nothing more."), **errors(403, 404)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """The device shows no more notices."""
        person = asking(request)
        found = get_object_or_404(person.push_subscriptions, pk=pk)
        pushes.turn_off(actor=person, key=found.pk)
        return Response(status=status.HTTP_204_NO_CONTENT)
