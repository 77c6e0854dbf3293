from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models.tables import OPEN, Table
from league.actors import Guest
from league.storage.encrypted_fields import EncryptedTextField

#: A guest may look at the deals once more after the table.
KEPT_AFTER = timedelta(hours=24)
LONGEST_NAME = 40


class GuestQuerySet(QuerySet[Any]):
    """Guests of tables."""

    def current(self, *, at: datetime) -> Self:
        """Those whom the host has not removed, while their table is open and a day longer."""
        lasting = Q(table__state__in=OPEN) | Q(table__changed_at__gt=at - KEPT_AFTER)
        return self.filter(lasting, removed_at=None).exclude(key=None)


class TableGuest(models.Model):
    """Somebody without an account at one casual table, known by a key in a cookie; no user, no player."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="guests")
    name = models.CharField(
        _("name"), max_length=LONGEST_NAME, blank=True, help_text="empty once it is purged"
    )
    key = models.CharField(
        max_length=64,
        unique=True,
        null=True,
        blank=True,
        help_text="SHA-256 of the cookie; empty once purged",
    )
    came_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)
    kept_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="kept_tables",
        help_text="the account with which the person keeps what they played; the key is gone then",
    )

    objects = GuestQuerySet.as_manager()

    class Meta:
        ordering = ["table_id", "pk"]

    def __str__(self) -> str:
        return called(self.name)

    @property
    def visitor(self) -> Guest:
        """The guest as services and policies know them."""
        return Guest(self.pk, self.table_id, self.name)


class GuestLink(models.Model):
    """The link by which people without an account sit down at a casual table. Without a row there is none."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, primary_key=True, related_name="guest_link")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token")
    token = EncryptedTextField(help_text="for the host, who shows it again")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["table_id"]

    def __str__(self) -> str:
        return str(self.table)


def called(name: str) -> str:
    """How everybody reads a guest's name: never without the word."""
    return gettext("%(name)s (guest)") % {"name": name} if name else gettext("Guest")
