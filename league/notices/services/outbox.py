"""Mail that a transaction decided to send: a row first, then a worker of its own hands it over.

No page waits for a mail server. What cannot be handed over is tried again for three days with growing waits; then it
is given up, and stands on a page until somebody tries it once more.
"""

import json
import re
import socket
import ssl
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from smtplib import (
    SMTPAuthenticationError,
    SMTPDataError,
    SMTPException,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Q
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from league import policies
from league.actors import Actor
from league.audit.services import audit
from league.background import announce
from league.models import Club, MailAccount, MailFailure, Notice, OutboxMessage, Player, Role, User
from league.notices import events, texts, unsubscribing
from league.notices.services import accounts, mail_account, mail_files
from league.notices.texts import Words
from league.outgoing import queue
from league.storage import encryption
from league.words import sentences

log = structlog.get_logger(__name__)
PURPOSE, ACCOUNT = "outbox", "account"
LINK = re.compile(r"https?://\S+")
#: What the button of a mail says that is no notice; those about an account bring their own words.
ACTIONS = {
    "invitation": gettext_lazy("Accept or decline"),
    "player_invitation": gettext_lazy("Open the invitation"),
    "guest_named": gettext_lazy("View the club"),
    "token_made": gettext_lazy("View your token"),
}
ROLES = [role for role, rank in policies.RANKS.items() if rank > policies.RANKS[Role.MEMBER]]
KEPT_SENT = timedelta(days=90)
KEPT_GIVEN_UP = timedelta(days=30)
#: Faults of one mail; after any other the mail server is away, and the rest of the batch need not ask it again.
FAULTS_OF_ONE_MAIL = (
    SMTPDataError, SMTPNotSupportedError, SMTPRecipientsRefused, SMTPSenderRefused, TemplateDoesNotExist, ValueError,
)  # fmt: skip
#: What people are told of a fault: the first kind that fits.
KINDS: tuple[tuple[type[Exception], MailFailure], ...] = (
    (encryption.Undecipherable, MailFailure.KEY),
    (SMTPAuthenticationError, MailFailure.LOGIN),
    (SMTPSenderRefused, MailFailure.SENDER),
    (SMTPRecipientsRefused, MailFailure.RECIPIENT),
    (SMTPServerDisconnected, MailFailure.CONNECTION),
    (SMTPException, MailFailure.REFUSED),
    (ssl.SSLCertVerificationError, MailFailure.CERTIFICATE),
    (ssl.SSLError, MailFailure.ENCRYPTION),
    (socket.gaierror, MailFailure.NAME),
    (TimeoutError, MailFailure.TIME),
    (OSError, MailFailure.CONNECTION),
)


def post(
    *, to: str, template: str, context: dict[str, Any], club: Club | None = None, player: Player | None = None
) -> OutboxMessage:
    """Writes a mail into the outbox, in the caller's transaction. `template` is a name below templates/email/.

    `sent_at` of the row says later when it was handed over without an error. The owners of `club` see it if it is
    given up. With `player` it goes when this person is erased, whatever address it is to.
    """
    contents = encryption.encrypt(json.dumps(context), purpose=PURPOSE)
    message = OutboxMessage.objects.create(
        to=to, template=template, contents=contents, club=club, player=player
    )
    announce.after_commit("league.tasks.deliver_outbox")
    return message


def post_notices(notices: Iterable[tuple[Notice, datetime | None]]) -> dict[int, OutboxMessage]:
    """A mail for each of these notices, in the caller's transaction, by their keys; not before the moment beside it."""
    made = OutboxMessage.objects.bulk_create(
        OutboxMessage(
            to=notice.user.email,
            template=notice.event,
            contents=encryption.encrypt(json.dumps(notice.context), purpose=PURPOSE),
            club=notice.club,
            notice=notice,
            next_try_at=not_before,
        )
        for notice, not_before in notices
    )
    if made:
        announce.after_commit("league.tasks.deliver_outbox")
    return {each.notice_id: each for each in made if each.notice_id is not None}


def context_of(message: OutboxMessage) -> dict[str, Any]:
    """What the mail's template is filled with; nothing once it is sent. Raises encryption.Undecipherable."""
    if not message.contents:
        return {}
    context: dict[str, Any] = json.loads(encryption.decrypt(message.contents, purpose=PURPOSE))
    return context


def contents_with(message: OutboxMessage, change: Callable[[Any], Any]) -> str:
    """The contents as they are stored, changed; empty where nothing is to be changed, or no key opens them."""
    try:
        context = context_of(message)
    except encryption.Undecipherable:
        return ""
    changed = change(context)
    return encryption.encrypt(json.dumps(changed), purpose=PURPOSE) if changed != context else ""


def written(message: OutboxMessage) -> EmailMultiAlternatives:
    """The mail as it goes out, in its reader's language. Raises ValueError, TemplateDoesNotExist."""
    context = {**context_of(message), "site": settings.SITE_URL}
    with override(accounts.language_at(email=message.to, otherwise=context.get("language", ""))):
        return _mail(message, context)


def hide_links(text: str) -> str:
    """The text without what opens an account."""
    return LINK.sub(_("(link hidden)"), text)


def hides_links(message: OutboxMessage) -> bool:
    """Whether its reader does more in some club than belong to it: who gets at the account gets at the club."""
    is_theirs = Q(email__iexact=message.to) | Q(emailaddress__email__iexact=message.to)
    has_role = Q(is_superuser=True) | Q(is_staff=True) | Q(memberships__role__in=ROLES)
    return User.objects.filter(is_theirs, has_role).exists()


def drop_waiting(*, actor: Actor) -> int:
    """Forgets the mails that wait (of a demo, or after a restore); gives how many. Sent ones stay on record."""
    dropped, _by_model = OutboxMessage.objects.filter(sent_at__isnull=True).delete()
    audit.record(actor=actor, action="outbox.dropped", summary=f"{dropped}")
    return dropped


@transaction.atomic
def test(*, actor: User) -> OutboxMessage:
    """A mail to the person who asks; the page asks the row how that went. One at a time, before the mails that wait."""
    policies.require(actor, "site.mails")
    waiting: OutboxMessage | None = OutboxMessage.objects.waiting().filter(template=mail_account.TEST).first()
    if waiting is not None:
        OutboxMessage.objects.filter(pk=waiting.pk, leased_until__isnull=True).update(next_try_at=None)
        announce.after_commit("league.tasks.deliver_outbox")
    return waiting or post(to=actor.email, template=mail_account.TEST, context={})


@transaction.atomic
def retry(*, actor: Actor, messages: Iterable[int] | None = None, club: Club | None = None) -> int:
    """Mails that were given up are tried once more, from the beginning; gives how many. Without keys, all of them.

    An owner does it for a club's mails; all mails are the service's own people's.
    """
    policies.require(actor, "club.mails" if club else "site.mails", club)
    given_up = OutboxMessage.objects.given_up()
    if club is not None:
        given_up = given_up.filter(club=club)
    if messages is not None:
        given_up = given_up.filter(pk__in=list(messages))
    count: int = given_up.update(given_up_at=None, next_try_at=None, leased_until=None, attempts=0)
    if count:
        audit.record(
            actor=actor,
            action="outbox.retried",
            summary=sentences.ngettext(
                "%(count)d mail will be sent again", "%(count)d mails will be sent again", count
            )
            % {"count": count},
            club=club,
        )
        announce.after_commit("league.tasks.deliver_outbox")
    return count


def deliver(
    *, at: datetime, limit: int = 20, bounced: Callable[[OutboxMessage, datetime], object] | None = None
) -> int:
    """Hands over what is due; gives how many mails. May run twice at once: a lease keeps one mail with one worker.

    `bounced` hears of each mail whose address the server refused for good.
    """
    begun = monotonic()

    def now() -> datetime:
        return at + timedelta(seconds=monotonic() - begun)

    sent = 0
    account = mail_account.in_use()
    messages = _leased(at=at, limit=limit, is_test=True) if account else []
    is_full = bool(messages)
    if not messages:
        messages = _leased(at=at, limit=limit)
        is_full = len(messages) == limit
    while messages:
        if now() > at + queue.LEASE / 2:
            queue.release(messages)
            break
        message = messages.pop(0)
        failure = _send(message, account)
        if failure is None:
            queue.done(message, at=now(), failure="", **({} if _is_kept(account) else {"contents": ""}))
            sent += 1
        elif _is_for_good(failure):
            queue.give_up(message, _words(failure), at=now(), failure=_kind(failure))
            if bounced is not None:
                bounced(message, now())
        elif isinstance(failure, FAULTS_OF_ONE_MAIL):
            queue.put_off([message], _words(failure), at=now(), failure=_kind(failure))
        else:
            queue.put_off([message, *messages], _words(failure), at=now(), failure=_kind(failure))
            return sent
    if is_full:
        # More may wait; between two batches others have their turn in the queue.
        announce.after_commit("league.tasks.deliver_outbox")
    return sent


def purge(*, at: datetime) -> int:
    """Deletes what was sent, or given up, long ago, and files that mails became; gives how many."""
    sent, _by_model = OutboxMessage.objects.filter(sent_at__lt=at - KEPT_SENT).delete()
    given_up, _by_model = OutboxMessage.objects.filter(given_up_at__lt=at - KEPT_GIVEN_UP).delete()
    return sent + given_up + mail_files.purge(before=at - KEPT_SENT)


def _leased(*, at: datetime, limit: int, is_test: bool = False) -> list[OutboxMessage]:
    # What a notice says is encrypted with keys that the sender of mails need not have: the mail has its own copy.
    mails = OutboxMessage.objects.select_related("club", "notice").defer("notice__context")
    return queue.lease(mails.filter(template=mail_account.TEST) if is_test else mails, at=at, limit=limit)


def _send(message: OutboxMessage, account: MailAccount | None) -> Exception | None:
    """Why the mail could not be handed over; None when it was."""
    try:
        mail = written(message)
        if account is not None:
            mail_account.address(mail, account)
        mail.send()
    except (OSError, ValueError, TemplateDoesNotExist) as failure:
        # Whatever is wrong with this one, the others must go out. Its text may name people and links: only its kind.
        log.warning(
            "mail_not_sent", message=message.pk, attempts=message.attempts, failure=type(failure).__name__
        )
        return failure
    return None


def _mail(message: OutboxMessage, context: dict[str, Any]) -> EmailMultiAlternatives:
    """As text and as HTML; a notice so that a mail program can offer to end mails like it."""
    event = events.find(message.template)
    zone = message.club.time_zone if message.club else settings.TIME_ZONE
    with timezone.override(ZoneInfo(zone)):
        words = texts.words(event, context) if event is not None else _words_of(message.template, context)
    context |= {"words": words, "is_notice": event is not None}
    headers = {}
    if message.template == ACCOUNT:
        # What stands alone in other mails may be somebody's own words.
        context["link"] = next(filter(LINK.fullmatch, words.paragraphs), "")
    elif event is None:
        context |= {"name": context.get("player") or context.get("name"), "club_name": context.get("club")}
    elif message.notice is not None:
        context["leave"] = leave = settings.SITE_URL + unsubscribing.path_of(message.notice.user_id, event)
        headers = {"List-Unsubscribe": f"<{leave}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    context["signed"] = context.get("club_name") or _("Concertmaster, %(site)s") % {
        "site": urlsplit(settings.SITE_URL).netloc
    }
    mail = EmailMultiAlternatives(
        words.title, render_to_string("email/frame.txt", context), to=[message.to], headers=headers
    )
    mail.attach_alternative(render_to_string("email/frame.html", context), "text/html")
    return mail


def _words_of(template: str, context: dict[str, Any]) -> Words:
    """The words of a mail that is no notice."""
    filled = texts.with_moments(context)
    # A subject is one line, whatever names are in it.
    subject = " ".join(render_to_string(f"email/{template}_subject.txt", filled).split())
    body = render_to_string(f"email/{template}.txt", filled)
    return texts.of_text(subject, body, str(context.get("action") or ACTIONS.get(template, "")))


def _is_for_good(failure: Exception) -> bool:
    """Whether the mail server refused the address with a code that says not to come again (5xx, RFC 5321)."""
    return isinstance(failure, SMTPRecipientsRefused) and all(
        code >= 500 for code, _why in failure.recipients.values()
    )


def _is_kept(account: MailAccount | None) -> bool:
    """Whether a mail that was handed over can still be read: nobody has got it yet."""
    return account is None and mail_account.may_be_used()


def _kind(failure: Exception) -> str:
    if isinstance(failure, SMTPNotSupportedError):
        # The one by which the program says that it was asked for a login, or for encryption, in vain.
        text = str(failure)
        if "STARTTLS" in text:
            return MailFailure.ENCRYPTION
        return MailFailure.LOGIN if "AUTH" in text else MailFailure.REFUSED
    if isinstance(failure, SMTPServerDisconnected) and isinstance(failure.__context__, TimeoutError):
        return MailFailure.TIME
    return next((kind for fault, kind in KINDS if isinstance(failure, fault)), "")


def _words(failure: Exception) -> str:
    return str(failure) or type(failure).__name__
