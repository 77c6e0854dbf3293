import structlog
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from engine import game
from engine.errors import RuleError
from engine.game.capabilities import Signals
from games.models.querysets import ConventionCardQuerySet
from league.models import Lineup

LONGEST_AGREEMENT = 1000

log = structlog.get_logger(__name__)


class Agreement(models.Model):
    """What the partners of a pair have agreed beside the usual signals, for everybody to read."""

    lineup = models.OneToOneField(
        Lineup, on_delete=models.CASCADE, primary_key=True, related_name="agreement"
    )
    text = models.TextField(_("what else you have agreed"), max_length=LONGEST_AGREEMENT, blank=True)
    changed_at = models.DateTimeField(auto_now=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["lineup"]

    def __str__(self) -> str:
        return str(self.lineup)


class ConventionCard(models.Model):
    """A version of a pair's own convention card in a game. Never changed, never deleted: the newest is in force."""

    lineup = models.ForeignKey(Lineup, on_delete=models.PROTECT, related_name="convention_cards")
    game = models.CharField(max_length=30)
    number = models.PositiveSmallIntegerField(help_text="from 1, without a gap")
    content = models.JSONField(help_text="as the game's signals read it")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()

    objects = ConventionCardQuerySet.as_manager()

    class Meta:
        ordering = ["lineup", "game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["lineup", "game", "number"], name="convention_card_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="convention_card_numbers_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.lineup}, {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("pair_card_version", args=[self.lineup_id, self.number])

    @property
    def signals(self) -> Signals | None:
        """What it says; None where the game does not read it any more, and the pair plays the usual signals."""
        usual = game.get(self.game).signals
        try:
            return usual.of_card(self.content) if usual else None
        except RuleError:
            log.exception("convention_card_unreadable", card=self.pk)
            return None
