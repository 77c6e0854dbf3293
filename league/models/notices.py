from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.querysets import NoticeQuerySet
from league.storage.encrypted_fields import EncryptedJSONField
from league.zones import validate_time_zone


class Notice(models.Model):
    """Something that a person was told, in their inbox on the site. Most notices go out as mails, too."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    event = models.CharField(max_length=40, help_text="see league.notices.events")
    context = EncryptedJSONField(help_text="what its texts are filled with")
    about = models.CharField(
        max_length=80,
        blank=True,
        help_text="what is told once only to a person; empty where it may be told again",
    )
    made_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [
            models.Index(fields=["user", "-made_at", "-id"], name="notices_of_a_person"),
            models.Index(fields=["user"], condition=Q(read_at__isnull=True), name="unread_notices"),
            models.Index(fields=["made_at"], name="notice_age"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "event", "about"], condition=~Q(about=""), name="told_once_about_it"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event} → {self.user_id}"


class NoticeChoice(models.Model):
    """How a person wants to be told of an event; without a row as the event says itself."""

    class Channel(models.TextChoices):
        MAIL = "mail", _("by mail, on your devices and here")
        POST = "post", _("by mail and here")
        PUSH = "push", _("on your devices and here")
        INBOX = "inbox", _("here only")
        NONE = "none", _("not at all")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_choices"
    )
    event = models.CharField(max_length=40)
    channel = models.CharField(max_length=5, choices=Channel.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "event"], name="one_choice_per_event")]

    def __str__(self) -> str:
        return f"{self.event}: {self.channel}"


class NoticeSettings(models.Model):
    """When a person wants no mail, which address takes none, and of which competitions a director is told.

    Without a row there is nothing of all that.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="notice_settings"
    )
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=60, blank=True, validators=[validate_time_zone])
    bounced = models.EmailField(blank=True, help_text="the address that takes no mail")
    bounced_at = models.DateTimeField(null=True, blank=True)
    competitions = models.ManyToManyField(
        "league.Competition",
        blank=True,
        related_name="+",
        help_text="a director is told of these alone; of all they direct where none is here",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="quiet_hours_are_whole",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.quiet_from}–{self.quiet_until}"
