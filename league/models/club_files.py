"""Clubs that came as a file from another installation, and what the file told of their past."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.querysets import AppendOnlyQuerySet


class ClubImport(models.Model):
    """A file of a club: previewed, then made into a new club by a worker, whole or not at all.

    `keys` marks the rows that came with it: by model, the first and the last key of each run of rows.
    """

    class State(models.TextChoices):
        PREVIEWED = "previewed", _("previewed")
        WAITING = "waiting", _("waiting")
        WORKING = "working", _("being imported")
        DONE = "done", _("imported")
        FAILED = "failed", _("failed")

    club = models.OneToOneField(
        Club, on_delete=models.CASCADE, null=True, blank=True, related_name="imported_as"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.PREVIEWED)
    file_name = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the file")
    content = models.BinaryField(
        null=True, blank=True, help_text="the file, until it is imported or a day old"
    )
    preview = models.JSONField(default=dict, help_text="what was understood: names and counts")
    keys = models.JSONField(default=dict, blank=True)
    failure = models.CharField(
        max_length=1000, blank=True, help_text="why it failed, in the importer's language"
    )
    language = models.CharField(max_length=10, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(state="done") | Q(done_at__isnull=False), name="imported_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["done", "failed"]) | Q(content__isnull=False),
                name="to_import_with_its_file",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_name}, {self.get_state_display()}"

    def brought(self, row: models.Model) -> bool:
        """Whether the row came with the file."""
        runs = self.keys.get(row._meta.label_lower, ())
        return any(first <= row.pk <= last for first, last in runs)


class ImportedTrailLine(models.Model):
    """What the trail of the other installation said, as text: of people whom this one does not know. Never changed."""

    club = models.ForeignKey(
        Club, on_delete=models.DO_NOTHING, db_constraint=False, related_name="imported_trail"
    )
    at = models.DateTimeField()
    who = models.CharField(max_length=160, blank=True)
    action = models.CharField(max_length=60)
    what = models.CharField(max_length=300)
    about = models.CharField(max_length=300, blank=True)
    why = models.CharField(max_length=500, blank=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["club", "-at"], name="imported_trail_of_a_club")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.who}: {self.action}"
