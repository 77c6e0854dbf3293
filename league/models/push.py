"""What is pushed to people's devices."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from league.models.handovers import Handover
from league.models.notices import Notice


class PushSubscription(models.Model):
    """A device of a person's that wants pushes. What leads to it and opens them is encrypted."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the address")
    secrets = models.TextField(help_text="address and keys, encrypted")
    session = models.CharField(max_length=64, help_text="SHA-256 of the login's key: it ends with the login")
    session_digest = models.CharField(
        max_length=128, help_text="what the person's logins hold on to: another password ends both"
    )
    is_detailed = models.BooleanField(default=False, help_text="it shows what happened")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["session"], name="push_of_a_login")]

    def __str__(self) -> str:
        return f"{self.digest[:8]} ({self.user_id})"


class PushDelivery(Handover):
    """A notice for a device."""

    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, related_name="deliveries")
    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="pushes")
    contents = models.TextField(
        blank=True, help_text="what its texts are filled with where the device shows them, encrypted"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["subscription", "notice"], name="one_push_of_a_notice")
        ]
        indexes = [
            models.Index(
                fields=["next_try_at", "id"],
                condition=Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="push_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.notice_id} → {self.subscription_id}"
