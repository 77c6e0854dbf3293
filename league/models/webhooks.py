"""What is told to other programs: addresses that a club's owner entered, and what was sent to them."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.delivery import Failure, Handover


class Webhook(models.Model):
    """An address of a club's that is told of events. Address and secret are encrypted: either may let somebody in."""

    class Event(models.TextChoices):
        RESULT = "result.confirmed", _("a result is confirmed")
        STANDINGS = "standings.changed", _("standings change")
        ROUND = "round.published", _("a round is published")

    #: What the test button sends.
    TEST = "test"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    url = models.TextField(help_text="encrypted")
    secret = models.TextField(help_text="encrypted; what its deliveries are signed with")
    host = models.CharField(max_length=260, help_text="whom it tells: all of the address that pages show")
    events = models.JSONField(help_text="the events it is told of")
    made_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True, help_text="told nothing more since then")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.club}: {self.host}"


class WebhookDelivery(Handover):
    """One event for one webhook. Its number stays the same however often it is sent."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    number = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    event = models.CharField(max_length=20)
    subject = models.BigIntegerField(
        null=True, help_text="key of the match, division or round; none of a test"
    )
    body = models.TextField(
        blank=True, help_text="what is sent, written when it is first tried; gone once sent"
    )

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["next_try_at", "id"],
                condition=Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="webhook_due",
            ),
            models.Index(fields=["made_at"], name="webhook_age"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"


class WebhookAttempt(models.Model):
    """A delivery was tried: with which answer, or why without one."""

    delivery = models.ForeignKey(WebhookDelivery, on_delete=models.CASCADE, related_name="tries")
    at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="of the answer, if one came")
    failure = models.CharField(max_length=12, choices=Failure.choices, blank=True)
    milliseconds = models.PositiveIntegerField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.at}: {self.status or self.failure}"
