"""A person's inbox."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.filters import LARGEST_KEY
from league.api.requests import asking
from league.api.schema import errors, write_errors
from league.models import Notice
from league.notices import events, queries
from league.notices.services import notices

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

    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_KEY), required=False, max_length=MOST
    )


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
