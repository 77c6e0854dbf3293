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
