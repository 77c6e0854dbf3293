from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class LobbyChoice(models.Model):
    """What a person wants of the list of tables; without a row nothing of it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="lobby_choice"
    )
    shows_presence = models.BooleanField(
        _("Show members of my clubs that I’m here"),
        default=False,
        help_text=_("Only while you have this page open."),
    )
    wants_calls = models.BooleanField(
        _("Tell me when a table of my club is looking for players"),
        default=False,
        help_text=_("On every page here, and by mail, at most once an hour from the same host."),
    )

    class Meta:
        ordering = ["user"]

    def __str__(self) -> str:
        return str(self.user)


class LearningProgress(models.Model):
    """What an account has learnt of a game: its lessons, once one of them is done. A visitor's stay on their device."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.CharField(max_length=30)
    done = models.JSONField(default=list, help_text="the keys of the lessons")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "game"], name="one_progress_a_person_and_game")
        ]

    def __str__(self) -> str:
        return f"{self.user_id}, {self.game}"
