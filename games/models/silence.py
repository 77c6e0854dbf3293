from django.conf import settings
from django.db import models

from games.models.matches import Scoresheet
from league.models import Entry, OutboxMessage


class SilencePeriod(models.Model):
    """A typed sheet that counts when the sides say nothing: the days are those that the notices name."""

    sheet = models.OneToOneField(Scoresheet, on_delete=models.CASCADE, related_name="silence")
    days = models.PositiveSmallIntegerField()
    begun_at = models.DateTimeField()
    counts_at = models.DateTimeField(
        null=True, blank=True, help_text="empty until every silent side has been told"
    )
    reminded_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(
        null=True, blank=True, db_index=True, help_text="when the sweep looks at it again; empty: it is over"
    )

    def __str__(self) -> str:
        return f"{self.sheet}, {self.days}"


class SilenceNotice(models.Model):
    """That a member of a side was told of it: by a mail that was handed over, or by the page it stood on."""

    period = models.ForeignKey(SilencePeriod, on_delete=models.CASCADE, related_name="notices")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    message = models.ForeignKey(
        OutboxMessage, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["period", "user"], name="silence_told_once")]

    def __str__(self) -> str:
        return f"{self.period}, {self.user}"
