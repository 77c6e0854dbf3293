"""The account at a mail server that who runs a site on their own computer enters on the site.

Without one, and without EMAIL_URL, mails become files. The password is encrypted like the mails that wait. The server
may stand anywhere, in a private network and on this computer, too: only who sits at the computer can name it.
"""

import re
from collections.abc import Iterator
from email.utils import formataddr, parseaddr
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.background import announce
from league.models import MailAccount, OutboxMessage
from league.storage import encryption
from league.validation import Fault, fault
from league.words import sentences

PURPOSE = "mail account"
#: The mail that only tries the account.
TEST = "mail_test"
#: Here a mail goes into a file beside the database, not to its reader.
INTO_FILES = "django.core.mail.backends.filebased.EmailBackend"
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.IGNORECASE)


def may_be_used() -> bool:
    """Whether an account entered on the site counts: not where the settings name a mail server."""
    return settings.MAILS_ON_SITE and settings.EMAIL_BACKEND == INTO_FILES


def found() -> MailAccount | None:
    """The account that was entered, whether it is used or not."""
    return MailAccount.objects.first()


def in_use() -> MailAccount | None:
    """The account through which mails go."""
    return found() if may_be_used() else None


def goes_into_files() -> bool:
    """Whether nobody gets a mail: each becomes a file."""
    return may_be_used() and found() is None


def address(mail: EmailMultiAlternatives, account: MailAccount) -> None:
    """Has the mail go out through the account. Raises encryption.Undecipherable."""
    name, _address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    mail.from_email = formataddr((name, account.sender))
    mail.connection = get_connection(
        settings.SMTP_BACKEND,
        host=account.host,
        port=account.port,
        username=account.user,
        password=_password(account),
        use_tls=account.security == MailAccount.Security.STARTTLS,
        use_ssl=account.security == MailAccount.Security.TLS,
        timeout=settings.EMAIL_TIMEOUT,
    )


@transaction.atomic
def save(*, actor: Actor, password: str, **given: Any) -> MailAccount:
    """From now on mails go through this account; those that wait are tried at once.

    Without a password the one that is there stays, as long as it goes to nobody else. Raises Invalid.
    """
    policies.require(actor, "site.mails")
    before = locks.take(MailAccount.objects.all())
    account = MailAccount(**given)
    stays = bool(before) and _same_login(before[0], account)
    account.password = before[0].password if stays and not password else ""
    has_password = bool(password or account.password)
    if before and before[0].password and not stays and account.user and not password:
        validation.refuse([fault(_("Enter the password again: it’s for another server now."), "password")])
    validation.refuse([*validation.faults_of(account), *_faults(account, password, has_password)])
    if password:
        account.password = encryption.encrypt(password, purpose=PURPOSE)
    # Two that enter the first one at the same moment write the same row.
    MailAccount.objects.update_or_create(pk=account.pk, defaults=_columns(account))
    _record(actor, "mail_account.saved", sentences.gettext("Mail account entered"), account)
    OutboxMessage.objects.waiting().filter(attempts__gt=0).update(next_try_at=None)
    announce.after_commit("league.tasks.deliver_outbox")
    return account


@transaction.atomic
def remove(*, actor: Actor) -> None:
    """Mails become files again."""
    policies.require(actor, "site.mails")
    for account in locks.take(MailAccount.objects.all()):
        _record(actor, "mail_account.removed", sentences.gettext("Mail account removed"), account)
        account.delete()
    OutboxMessage.objects.waiting().filter(template=TEST).delete()


def _same_login(before: MailAccount, account: MailAccount) -> bool:
    names = ("host", "port", "security", "user")
    return all(getattr(before, name) == getattr(account, name) for name in names)


def _faults(account: MailAccount, password: str, has_password: bool) -> Iterator[Fault]:
    if account.host and not _is_host(account.host):
        yield fault(_("Enter the server’s name alone, such as smtp.example.org."), "host")
    for name, text in (("user", account.user), ("password", password)):
        if not (text.isascii() and text.isprintable()):
            yield fault(_("Mail servers only take letters without accents, digits and signs here."), name)
    if bool(account.user) != has_password:
        name = "password" if account.user else "user"
        yield fault(_("Enter both the user name and the password, or neither."), name)
    if has_password and account.security == MailAccount.Security.NONE and not _is_here(account.host):
        yield fault(_("Without encryption others on the way could read the password."), "security")


def _is_host(host: str) -> bool:
    if _is_address(host):
        return True
    try:
        labels = host.encode("idna").decode().split(".")
    except UnicodeError:
        return False
    return all(LABEL.fullmatch(label) for label in labels)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return "%" not in host


def _is_here(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def _columns(account: MailAccount) -> dict[str, Any]:
    columns = (each.attname for each in MailAccount._meta.concrete_fields if not each.primary_key)
    return {name: getattr(account, name) for name in columns}


def _password(account: MailAccount) -> str:
    return encryption.decrypt(account.password, purpose=PURPOSE) if account.password else ""


def _record(actor: Actor, action: str, said: sentences.Said, account: MailAccount) -> None:
    after = {name: value for name, value in _columns(account).items() if name != "password"}
    audit.record(actor=actor, action=action, summary=said, after=after)
