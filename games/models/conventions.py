from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import Lineup

LONGEST_AGREEMENT = 1000


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
