from django.db import models
from django.utils.translation import gettext_lazy as _

from league.querysets import OutboxQuerySet


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
