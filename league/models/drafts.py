from django.conf import settings
from django.db import models

from league.models.clubs import Club
from league.models.competitions import Competition
from league.storage.encrypted_fields import EncryptedJSONField
from league.words.sentences import told


class DraftChange(models.Model):
    """One act on a competition that is being set up, with all that undoing it needs.

    It outlives the competition (no foreign key is held by the database), so that a deleted draft can be brought back.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="draft_changes")
    competition = models.ForeignKey(
        Competition, on_delete=models.DO_NOTHING, db_constraint=False, related_name="draft_changes"
    )
    action = models.CharField(max_length=60)
    summary = models.CharField(max_length=300)
    said = models.JSONField(
        null=True, help_text="the summary, to be told in any language: see league.words.sentences"
    )
    before = EncryptedJSONField(
        help_text="what the act has changed, as it was: see league.competitions.services.drafts"
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return told(self.said, self.summary)
