import secrets
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from games.models.tables import Table
from league.storage.encrypted_fields import EncryptedTextField


def new_token() -> str:
    """Nobody can guess it."""
    return secrets.token_urlsafe(12)


class DailyDeal(models.Model):
    """The deal of a day (UTC) in a game, the same for everybody, played with robots.

    Sealed like a set of boards: the commitment is public at once, what the cards follow from lies in `secret`. When
    the day is over `opened` has it in plain text, and `deal` the cards.
    """

    game = models.CharField(max_length=30)
    day = models.DateField()
    dealer = models.CharField(max_length=2)
    commitment = models.CharField(max_length=64, help_text="SHA-256 of the key, public at once")
    secret = EncryptedTextField(max_length=64, help_text="the key")
    opened = models.CharField(
        max_length=64, blank=True, help_text="the key in plain text, from the release on"
    )
    deal = models.CharField(max_length=400, blank=True, help_text="the cards, from the release on")
    made_at = models.DateTimeField(auto_now_add=True)
    released_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-day", "game"]
        constraints = [
            models.UniqueConstraint(fields=["game", "day"], name="one_deal_a_day"),
            models.CheckConstraint(
                condition=Q(released_at__isnull=True, deal="", opened="")
                | (Q(released_at__isnull=False) & ~Q(deal="") & ~Q(opened="")),
                name="daily_cards_from_the_release",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game}, {self.day}"

    def get_absolute_url(self) -> str:
        return reverse("daily_day", args=[self.game, self.day.isoformat()])

    @property
    def ends_at(self) -> datetime:
        """From here on a result doesn't count any more, and the cards may be released."""
        return datetime.combine(self.day + timedelta(days=1), time(), UTC)

    @property
    def mixed_in(self) -> str:
        """The text that gives the cards together with the key, known beforehand."""
        return f"{self.game} {self.day.isoformat()}"


class DailyPlay(models.Model):
    """That an account plays the deal of a day: once, whatever comes of it."""

    daily = models.ForeignKey(DailyDeal, on_delete=models.CASCADE, related_name="plays")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    table = models.OneToOneField(
        Table,
        on_delete=models.CASCADE,
        null=True,
        related_name="daily_play",
        help_text="empty only until the transaction that begins it has opened the table",
    )
    token = models.CharField(max_length=16, unique=True, default=new_token, help_text="in the shared link")
    own = models.SmallIntegerField(
        null=True,
        blank=True,
        help_text="what the person's side made, from the release on; empty: not finished",
    )
    others = models.SmallIntegerField(null=True, blank=True, help_text="the other side's")
    lead = models.SmallIntegerField(null=True, blank=True, help_text="the difference: more is better")

    class Meta:
        ordering = ["daily", "pk"]
        indexes = [models.Index(fields=["daily", "lead"], name="daily_by_lead")]
        constraints = [models.UniqueConstraint(fields=["daily", "user"], name="daily_deal_once_a_person")]

    def __str__(self) -> str:
        return f"{self.daily}, {self.user_id}"
