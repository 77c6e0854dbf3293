"""What only Concerto writes down: a pair's signals, and the figures of its hands."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.analyses import Analysis
from games.models.matches import PlayedDeal
from games.querysets import PlayedHandQuerySet, PlayedSideQuerySet
from league.models import Entry, Partnership
from league.storage.encrypted_fields import EncryptedJSONField

LONGEST_AGREEMENT = 1000


class Agreement(models.Model):
    """What the partners of a pair have agreed beside the usual signals, for everybody to read."""

    partnership = models.OneToOneField(
        Partnership, on_delete=models.CASCADE, primary_key=True, related_name="agreement"
    )
    text = models.TextField(_("what you have agreed besides"), max_length=LONGEST_AGREEMENT, blank=True)
    changed_at = models.DateTimeField(auto_now=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["partnership"]

    def __str__(self) -> str:
        return str(self.partnership)


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
        ordering = ["deal", "side"]
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
