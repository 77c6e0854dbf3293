from django.db import models
from django.db.models import Q

from games.models.matches import PlayedDeal
from games.models.querysets import AnalysisQuerySet, PlayedHandQuerySet, PlayedSideQuerySet
from league.models import Entry
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


class PlayedSide(models.Model):
    """What a pair did in a deal of a sheet that was confirmed. It follows from the sheet and the analysis.

    Figures are added up in the database, which cannot be done with what is encrypted: until the board is released
    there are none but in `sealed`.
    """

    deal = models.ForeignKey(PlayedDeal, on_delete=models.CASCADE, related_name="sides")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="played_sides")
    side = models.CharField(max_length=8, help_text="the game's key of the side that the pair sat on")
    analysis = models.ForeignKey(
        Analysis, on_delete=models.PROTECT, null=True, blank=True, related_name="sides"
    )
    sealed = EncryptedJSONField(
        null=True,
        blank=True,
        help_text='until its board is released, what stands in the other columns: {"given_away", "hands"}',
    )
    given_away = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="points that it gave the other side; empty where it is not known",
    )

    objects = PlayedSideQuerySet.as_manager()

    class Meta:
        ordering = ["deal_id", "side"]
        constraints = [models.UniqueConstraint(fields=["deal", "entry"], name="one_side_a_pair_in_a_deal")]

    def __str__(self) -> str:
        return f"{self.deal}, {self.side}"


class PlayedHand(models.Model):
    """One hand of a pair, for figures over many matches; only hands whose points are known."""

    played = models.ForeignKey(PlayedSide, on_delete=models.CASCADE, related_name="hands")
    number = models.PositiveSmallIntegerField()
    value = models.CharField(
        max_length=40, blank=True, help_text="what it was: fours/2+2; empty where unknown"
    )
    points = models.PositiveSmallIntegerField()
    cost = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="points that best play could have made more; empty where unknown"
    )

    objects = PlayedHandQuerySet.as_manager()

    class Meta:
        ordering = ["played", "number"]
        constraints = [models.UniqueConstraint(fields=["played", "number"], name="one_row_a_hand")]

    def __str__(self) -> str:
        return f"{self.played}, {self.number}"
