"""Mail that a transaction decided to send: a row first, then a worker sends it."""

from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.utils.translation import override

from league.actors import Actor
from league.models import OutboxMessage
from league.services import accounts, audit

log = structlog.get_logger(__name__)
LEASE = timedelta(minutes=5)
MOST_ATTEMPTS = 8


def post(*, to: str, template: str, context: dict[str, Any]) -> OutboxMessage:
    """Writes a mail into the outbox, in the caller's transaction. `template` is a name below templates/email/."""
    return OutboxMessage.objects.create(to=to, template=template, context=context)


def drop_waiting(*, actor: Actor) -> int:
    """Forgets the mails that wait (of a demo, or after a restore); gives how many. Sent ones stay on record."""
    dropped, _by_model = OutboxMessage.objects.filter(sent_at__isnull=True).delete()
    audit.record(actor=actor, action="outbox.dropped", summary=f"{dropped}")
    return dropped


def deliver(*, at: datetime, limit: int = 50) -> int:
    """Sends what waits; gives how many were sent. May run twice at once: a lease keeps one mail with one worker."""
    sent = 0
    for message in _leased(at=at, limit=limit):
        sent += _send(message=message, at=at)
    return sent


def _leased(*, at: datetime, limit: int) -> list[OutboxMessage]:
    free = Q(leased_until__isnull=True) | Q(leased_until__lt=at)
    with transaction.atomic():
        waiting = OutboxMessage.objects.select_for_update(skip_locked=True).filter(
            free, sent_at__isnull=True, attempts__lt=MOST_ATTEMPTS
        )
        messages = list(waiting.order_by("pk")[:limit])
        for message in messages:
            message.leased_until = at + LEASE
            message.attempts += 1
            message.save(update_fields=["leased_until", "attempts"])
    return messages


def _send(*, message: OutboxMessage, at: datetime) -> bool:
    context = {**message.context, "site": settings.SITE_URL}
    try:
        with override(accounts.language_at(email=message.to)):
            # A subject is one line, whatever names are in it.
            subject = " ".join(render_to_string(f"email/{message.template}_subject.txt", context).split())
            body = render_to_string(f"email/{message.template}.txt", context)
        send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, [message.to])
    except (OSError, ValueError, TemplateDoesNotExist) as failure:
        # Whatever is wrong with this one, the others must go out.
        log.warning("mail_not_sent", message=message.pk, attempts=message.attempts, failure=str(failure))
        OutboxMessage.objects.filter(pk=message.pk).update(last_error=str(failure)[:300])
        return False
    OutboxMessage.objects.filter(pk=message.pk).update(sent_at=at, leased_until=None, last_error="")
    return True
