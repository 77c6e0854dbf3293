from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.notices import Notice
from league.querysets import OutboxQuerySet
from league.storage.encrypted_fields import EncryptedJSONField, EncryptedTextField


class Failure(models.TextChoices):
    """Why nothing came back that counts as an answer."""

    ADDRESS = "address", _("the address isn’t allowed: it isn’t https, or leads into a private network")
    NAME = "name", _("nobody knows the name in the address")
    CERTIFICATE = "certificate", _("the certificate isn’t valid for the name")
    CONNECTION = "connection", _("no connection, or it broke off")
    KEY = "key", _("our key to the address was changed: enter it again")
    TIME = "time", _("no whole answer within five seconds")


class MailFailure(models.TextChoices):
    """Why a mail server did not take a mail."""

    LOGIN = "login", _("the mail server doesn’t accept the user name or the password")
    NAME = "name", _("nobody knows the name of the mail server")
    CONNECTION = "connection", _("nothing answers at this server and port, or the connection broke off")
    TIME = "time", _("the mail server didn’t answer in time")
    CERTIFICATE = "certificate", _("the certificate of the mail server isn’t valid for its name")
    ENCRYPTION = "encryption", _("the mail server doesn’t offer this kind of encryption at this port")
    SENDER = "sender", _("the mail server takes no mails from this sender")
    RECIPIENT = "recipient", _("the mail server takes no mails for this address")
    REFUSED = "refused", _("the mail server refused the mail")
    KEY = "key", _("our key was changed, so we can’t read the mail, or the mail account’s password")


class Handover(models.Model):
    """Something that a transaction decided to send. A worker takes it with a lease, hands it over and marks it.

    `sent_at` is when the other server took it without an error.
    """

    made_at = models.DateTimeField(auto_now_add=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True, blank=True, help_text="empty: at once")
    sent_at = models.DateTimeField(null=True, blank=True, help_text="handed over without an error")
    given_up_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)

    objects = OutboxQuerySet.as_manager()

    class Meta:
        abstract = True


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


class Verification(models.Model):
    """When all that is stored of a competition was last recomputed, and what that found."""

    competition = models.OneToOneField(
        "league.Competition", on_delete=models.CASCADE, primary_key=True, related_name="verification"
    )
    at = models.DateTimeField(db_index=True)
    wrong = models.PositiveIntegerField(help_text="how much is stored otherwise than it follows")
    stale = models.PositiveIntegerField(help_text="how much a worker was still to compute")

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.competition_id}: {self.wrong} wrong, {self.stale} stale"


class PushSubscription(models.Model):
    """A device of a person's that wants pushes. What leads to it and opens them is encrypted."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the address")
    secrets = models.TextField(help_text="address and keys, encrypted")
    session = models.CharField(max_length=64, help_text="SHA-256 of the login's key: it ends with the login")
    session_digest = models.CharField(
        max_length=128, help_text="what the person's logins hold on to: another password ends both"
    )
    is_detailed = models.BooleanField(default=False, help_text="it shows what happened")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["session"], name="push_of_a_login")]

    def __str__(self) -> str:
        return f"{self.digest[:8]} ({self.user_id})"


class PushDelivery(Handover):
    """A notice for a device."""

    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, related_name="deliveries")
    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="pushes")
    contents = models.TextField(
        blank=True, help_text="what its texts are filled with where the device shows them, encrypted"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["subscription", "notice"], name="one_push_of_a_notice")
        ]
        indexes = [
            models.Index(
                fields=["next_try_at", "id"],
                condition=Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="push_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.notice_id} → {self.subscription_id}"
