"""Tokens of programs that act for a person."""

from django.conf import settings
from django.db import models


class ApiToken(models.Model):
    """What a program shows to act for a person; one a person, kept as a digest."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_token")
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12, help_text="the first characters, to recognise it by")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.hint}… ({self.user})"
