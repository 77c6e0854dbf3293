from typing import Any

from django.conf import settings
from django.db import models

from league.models.clubs import Club
from league.models.competitions import Competition
from league.models.fixtures import Fixture
from league.models.players import Player
from league.querysets import AppendOnlyQuerySet
from league.storage.encrypted_fields import EncryptedJSONField, EncryptedTextField
from league.words import sentences


class AuditEntry(models.Model):
    """Who did what, when, what it changed, and why. Rows are only ever added: the database refuses the rest.

    The trail outlives what it tells of (no foreign key is held by the database): a draw that is repeated or an
    account that is closed leaves its lines behind. A summary tells no card and no points of a deal; what may, lies
    encrypted in the other columns.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        related_name="+",
    )
    actor_name = models.CharField(max_length=160)
    action = models.CharField(max_length=60)
    club = models.ForeignKey(
        Club, on_delete=models.DO_NOTHING, db_constraint=False, null=True, related_name="audit"
    )
    competition = models.ForeignKey(
        Competition, on_delete=models.DO_NOTHING, db_constraint=False, null=True, related_name="audit"
    )
    fixture = models.ForeignKey(
        Fixture, on_delete=models.DO_NOTHING, db_constraint=False, null=True, related_name="audit"
    )
    player = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, db_constraint=False, null=True, related_name="audit"
    )
    summary = models.CharField(max_length=300)
    said = models.JSONField(
        null=True, help_text="the summary, to be told in any language: see league.words.sentences"
    )
    before = EncryptedJSONField(null=True)
    after = EncryptedJSONField(null=True)
    reason = EncryptedTextField(max_length=500, blank=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["club", "-at", "-id"], name="trail_of_a_club")]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor_name}: {self.action}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("An audit entry is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("An audit entry is never deleted.")

    @property
    def told(self) -> str:
        """What happened, in the reader's language."""
        return sentences.told(self.said, self.summary)


class Erasure(models.Model):
    """That somebody was erased. While one is open, rows of the past are rewritten without the name; by nothing else.

    It is open within one transaction only: nobody else ever sees it so.
    """

    club = models.ForeignKey(Club, on_delete=models.SET_NULL, null=True, related_name="+")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField()
    is_open = models.BooleanField(default=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d %H:%M}"
