"""What programs show to act for a person, or to read their calendar."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApiToken(models.Model):
    """What a program shows to act for a person; one a person, kept as a digest."""

    class Scope(models.TextChoices):
        READ = "read", _("read only")
        WRITE = "write", _("read and write")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_token")
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12, help_text="the first characters, to recognise it by")
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.WRITE)
    session_digest = models.CharField(
        max_length=128, help_text="what the person's logins hold on to: another password ends both"
    )
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scope__in=["read", "write"]), name="api_token_scope_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hint}… ({self.user})"


class CalendarAddress(models.Model):
    """The secret in the addresses at which programs read a person's calendars: signed, and ended by another seed."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_address"
    )
    seed = models.CharField(max_length=32, help_text="random; the addresses are signed for it")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.user)
