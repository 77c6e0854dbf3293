"""Webhooks for a club's owner: whom they tell, how each attempt went, and everything that the page can do with them."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import policies
from league.api.requests import Changes, KnownFields, NothingSerializer, asking, confirmed
from league.api.schema import errors, write_errors
from league.models import Club, Failure, Webhook
from league.outgoing.client import LONGEST_URL
from league.webhooks.services import webhooks

SHOWN = 30
NO_STORE = {"Cache-Control": "no-store"}


class WebhookSerializer(serializers.Serializer[Any]):
    """A program that is told. Its address and secret are not shown again."""

    id = serializers.IntegerField(source="pk")
    host = serializers.CharField(help_text="Where the address leads; the rest of it is a secret.")
    events = serializers.ListField(child=serializers.ChoiceField(choices=Webhook.Event.choices))
    made_at = serializers.DateTimeField()
    failing_since = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(
        allow_null=True, help_text="Turned off since then, as nothing arrived for three days."
    )


class AttemptSerializer(serializers.Serializer[Any]):
    """A message was sent, or could not be."""

    at = serializers.DateTimeField()
    status = serializers.IntegerField(allow_null=True, help_text="Of the answer, if one came.")
    failure = serializers.ChoiceField(
        choices=[("", ""), *Failure.choices], help_text="Why there was no answer; else empty."
    )
    failure_text = serializers.CharField(source="get_failure_display", help_text="In words.")
    milliseconds = serializers.IntegerField()


class DeliverySerializer(serializers.Serializer[Any]):
    """A message and how often it was tried, the latest attempt first."""

    number = serializers.UUIDField(help_text="As in its header `Concertmaster-Delivery`.")
    event = serializers.CharField(help_text="One of the webhook's events, or `test`.")
    made_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True, help_text="When it arrived.")
    given_up_at = serializers.DateTimeField(allow_null=True)
    next_try_at = serializers.DateTimeField(allow_null=True)
    attempts = AttemptSerializer(many=True, source="tries")


class WebhookDetailSerializer(WebhookSerializer):
    """A webhook and its last 30 messages."""

    deliveries = DeliverySerializer(many=True, source="last_deliveries")


class EventsField(serializers.ListField):
    """What a webhook is told of."""

    def __init__(self, **options: Any) -> None:
        child = serializers.ChoiceField(choices=Webhook.Event.choices)
        super().__init__(child=child, max_length=len(Webhook.Event), **options)


class NewWebhookSerializer(KnownFields):
    """Whom to tell of what."""

    url = serializers.CharField(
        max_length=LONGEST_URL, help_text="It begins with https:// and leads to a public server."
    )
    events = EventsField()


class MadeWebhookSerializer(WebhookSerializer):
    """A new webhook; its secret is shown this once."""

    secret = serializers.CharField(help_text="What its messages are signed with.")


class ChangeSerializer(Changes):
    """What is to be different; what you leave out stays as it is."""

    events = EventsField(required=False)
    on = serializers.BooleanField(required=False, help_text="true: it was turned off, and is told again.")


class SecretSerializer(serializers.Serializer[Any]):
    """A new secret, shown this once."""

    secret = serializers.CharField()


class ClubWebhooks(APIView):
    """A club's webhooks."""

    serializer_class = NewWebhookSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="webhooks",
        summary="A club's webhooks",
        responses={200: WebhookSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Which programs the club tells, for its owners."""
        return Response(WebhookSerializer(_owned(request, slug).webhooks.all(), many=True).data)

    @extend_schema(
        operation_id="add_webhook",
        summary="Add a webhook",
        request=NewWebhookSerializer,
        responses={201: MadeWebhookSerializer, **write_errors(404, 409, 422)},
    )
    @method_decorator(sensitive_variables("secret"))
    def post(self, request: Request, slug: str) -> Response:
        """A program is told from now on. The answer has its secret, which is shown this once."""
        club, owner = _owned(request, slug), confirmed(request)
        given = NewWebhookSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made, secret = webhooks.add(actor=owner, club=club, at=timezone.now(), **given.validated_data)
        answer = {**WebhookSerializer(made).data, "secret": secret}
        return Response(answer, status=status.HTTP_201_CREATED, headers=NO_STORE)


class ClubWebhook(APIView):
    """One of a club's webhooks."""

    serializer_class = ChangeSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="webhook",
        summary="A webhook and its attempts",
        responses={200: WebhookDetailSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What the program was told of late, and how each attempt went."""
        return _detail(_one(request, slug, pk))

    @extend_schema(
        operation_id="change_webhook",
        summary="Change a webhook",
        request=ChangeSerializer,
        responses={200: WebhookDetailSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """The program is told of other events, or again after it was turned off."""
        webhook, owner = _one(request, slug, pk), confirmed(request)
        given = ChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        if "events" in given.validated_data:
            webhooks.choose(actor=owner, webhook=webhook, events=given.validated_data["events"])
        if given.validated_data.get("on"):
            webhooks.resume(actor=owner, webhook=webhook)
        return _detail(_one(request, slug, pk))

    @extend_schema(
        operation_id="remove_webhook",
        summary="Remove a webhook",
        responses={204: OpenApiResponse(description="It is told nothing more."), **errors(403, 404)},
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """The program is told nothing more, and what was sent is forgotten."""
        webhook = _one(request, slug, pk)
        webhooks.remove(actor=confirmed(request), webhook=webhook)
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookTest(APIView):
    """Trying a webhook."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="test_webhook",
        summary="Test a webhook",
        request=NothingSerializer,
        responses={200: DeliverySerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """A message without content is on its way. The webhook's own address says how that went."""
        webhook, owner = _one(request, slug, pk), confirmed(request)
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        return Response(DeliverySerializer(webhooks.test(actor=owner, webhook=webhook)).data)


class WebhookSecret(APIView):
    """Another secret for a webhook."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="renew_webhook_secret",
        summary="Renew a webhook's secret",
        request=NothingSerializer,
        responses={200: SecretSerializer, **write_errors(404)},
    )
    @method_decorator(sensitive_variables("secret"))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """What is sent from now on is signed with another secret, which is shown this once."""
        webhook, owner = _one(request, slug, pk), confirmed(request)
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        secret = webhooks.renew_secret(actor=owner, webhook=webhook)
        return Response(SecretSerializer({"secret": secret}).data, headers=NO_STORE)


def _owned(request: Request, slug: str) -> Club:
    club = get_object_or_404(Club, slug=slug)
    policies.require(asking(request), "club.webhooks", club)
    return club


def _one(request: Request, slug: str, pk: int) -> Webhook:
    return get_object_or_404(Webhook, pk=pk, club=_owned(request, slug))


def _detail(webhook: Webhook) -> Response:
    last = webhook.deliveries.prefetch_related("tries")[:SHOWN]
    return Response(
        {**WebhookSerializer(webhook).data, "deliveries": DeliverySerializer(last, many=True).data}
    )
