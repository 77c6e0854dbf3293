from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models import Competition


class Paper(models.Model):
    """Something to print or to take to a dealing machine, made by a worker and kept for a while.

    `content` is encrypted with settings.BOARD_KEYS: there may be cards of sealed boards in it.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        WORKING = "working", _("being made")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="papers")
    kind = models.CharField(max_length=30)
    parameters = models.JSONField(default=dict, help_text="keys of what is printed; never a card")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    done = models.PositiveIntegerField(default=0, help_text="pages done, of `pages`")
    pages = models.PositiveIntegerField(default=0)
    leased_until = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=300, blank=True, help_text="why it failed, in the asker's language")
    file_name = models.CharField(max_length=120, blank=True)
    content = models.BinaryField(null=True, blank=True)
    ready_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(state="ready") | Q(content__isnull=False), name="ready_with_content"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind}, {self.get_state_display()}"
