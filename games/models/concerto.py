"""What only Concerto writes down: the figures of a pair's hands."""

from django.db import models

from games.models.analyses import Analysis
from games.models.matches import PlayedDeal
from games.models.querysets import PlayedHandQuerySet, PlayedSideQuerySet
from league.models import Entry
from league.storage.encrypted_fields import EncryptedJSONField


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
        help_text="what its left-overs gave the other pair; empty where it is not known",
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
