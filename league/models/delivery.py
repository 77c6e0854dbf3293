from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.handovers import Handover, MailFailure
from league.models.notices import Notice
from league.storage.encrypted_fields import EncryptedJSONField, EncryptedTextField


class IdempotencyKey(models.Model):
    """What a write answered: the same request, sent again with the same key, gets the same answer."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=80)
    action = models.CharField(max_length=60)
    request_digest = EncryptedTextField()
    answer = EncryptedJSONField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return f"{self.action} {self.key}"


class OutboxMessage(Handover):
    """A mail that a transaction decided to send. Nothing says that anybody read it."""

    to = models.EmailField()
    template = models.CharField(max_length=60)
    # A mail may carry a link that opens an account: encrypted while it waits, and gone once a mail server has it.
    contents = models.TextField(blank=True, help_text="what the template is filled with, encrypted")
    failure = models.CharField(max_length=12, choices=MailFailure.choices, blank=True)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    notice = models.OneToOneField(
        Notice, on_delete=models.SET_NULL, null=True, blank=True, related_name="mail",
        help_text="what it tells, if it is a notice",
    )  # fmt: skip
    player = models.ForeignKey(
        "league.Player", on_delete=models.CASCADE, null=True, blank=True, related_name="+",
        help_text="whom it is to, where the player's row has no address: an erasure finds it",
    )  # fmt: skip

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["next_try_at", "id"],
                condition=Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="outbox_due",
            ),
            models.Index(fields=["made_at"], name="outbox_age"),
        ]

    def __str__(self) -> str:
        return f"{self.template} → {self.to}"


class MailAccount(models.Model):
    """The account at a mail server through which the site sends, where one was entered on it: one row, or none."""

    class Security(models.TextChoices):
        STARTTLS = "starttls", _("STARTTLS (usually port 587)")
        TLS = "tls", _("SSL/TLS (usually port 465)")
        NONE = "none", _("none (for a mail server on this computer)")

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    host = models.CharField(
        _("mail server"),
        max_length=253,
        help_text=_("Your mail provider calls it the outgoing server or SMTP server."),
    )
    security = models.CharField(
        _("encryption"), max_length=8, choices=Security.choices, default=Security.STARTTLS
    )
    port = models.PositiveIntegerField(
        _("port"), default=587, validators=[MinValueValidator(1), MaxValueValidator(65535)]
    )
    user = models.CharField(
        _("user name"), max_length=254, blank=True, help_text=_("Often your e-mail address.")
    )
    password = models.TextField(blank=True, help_text="encrypted")
    sender = models.EmailField(
        _("sender’s address"), help_text=_("Our mails come from this address, and answers go to it.")
    )

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="one_mail_account")]

    def __str__(self) -> str:
        return self.host


class ImportBatch(models.Model):
    """A file of players, pairs or teams as it was read: previewed, then carried out, and undone if need be."""

    class Kind(models.TextChoices):
        PLAYERS = "players", _("players")
        PAIRS = "pairs", _("pairs")
        TEAMS = "teams", _("teams")

    class State(models.TextChoices):
        PREVIEWED = "previewed", _("previewed")
        DONE = "done", _("imported")
        UNDONE = "undone", _("undone")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="imports")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PREVIEWED)
    file_name = models.CharField(max_length=200, blank=True)
    rows = models.JSONField(help_text="the lines as read: line number, values, what it will do, problems")
    notes = models.JSONField(default=list, help_text="what is to be said of the file as a whole")
    created = models.JSONField(default=dict, help_text="keys of the rows it made, for the undo")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.club}: {self.get_kind_display()}"


class SweepFailure(models.Model):
    """A row that a sweep could not do its work for: tried again, after longer and longer waits."""

    work = models.CharField(max_length=40, help_text="which sweep")
    key = models.BigIntegerField(help_text="the row's key")
    failures = models.PositiveIntegerField()
    fault = models.CharField(max_length=100, help_text="what kind of fault; its place is in the log")
    first_at = models.DateTimeField()
    next_at = models.DateTimeField()

    class Meta:
        ordering = ["next_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["work", "key"], name="one_failure_of_a_row")]

    def __str__(self) -> str:
        return f"{self.work} {self.key}"
