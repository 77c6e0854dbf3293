from django.db import models
from django.db.models import Q

from games.models.querysets import AnalysisQuerySet
from league.storage.encrypted_fields import EncryptedJSONField


class Analysis(models.Model):
    """What the cards of a played deal could have made. Asked for with the result, worked out by a worker.

    Tables that play the same cards in the same way share it: `digest` names the question. `version` is that of the
    game's analysis that answered it, 0 while it waits.
    """

    game = models.CharField(max_length=30)
    digest = models.CharField(max_length=64, unique=True)
    dealer = models.CharField(max_length=2)
    record = EncryptedJSONField(help_text="the deal and its hands, as the game reads them")
    version = models.PositiveSmallIntegerField(default=0)
    content = EncryptedJSONField(null=True, blank=True, help_text="as the game's analysis gives it")
    computed_at = models.DateTimeField(null=True, blank=True)
    asks_expert = models.BooleanField(
        default=False, help_text="whether somebody wants to know what the best player would have done"
    )
    advice = EncryptedJSONField(
        null=True, blank=True, help_text="of each action, as the game's coach judges it"
    )
    advice_cards = models.JSONField(
        default=dict,
        blank=True,
        help_text="by side the pair and the version of the convention card that the advice goes by",
    )
    advice_version = models.PositiveSmallIntegerField(default=0, help_text="the coach's; 0 while it waits")

    objects = AnalysisQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "analyses"
        constraints = [
            models.CheckConstraint(
                condition=Q(version=0) | Q(content__isnull=False), name="analysis_answered_with_content"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game}, {self.digest[:12]}"
