from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import Club, Fixture


class SheetPhoto(models.Model):
    """A photo of a match's scoresheet on paper, encrypted with settings.BOARD_KEYS: it may show sealed cards.

    `content` is what somebody sent until a worker has made a plain JPEG of it; only that is ever shown.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("being prepared")
        READY = "ready", _("ready")
        FAILED = "failed", _("unreadable")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="photos")
    # When a person is erased, so are the photos that they took.
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    added_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    content = models.BinaryField()
    size = models.PositiveIntegerField(help_text="bytes of the content, for the club's quota")
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(
        null=True, blank=True, db_index=True, help_text="when a worker looks at it again, or it is deleted"
    )

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.fixture}, {self.get_state_display()}"
