"""Webhooks: an owner enters an address, a worker tells it of what happens, and what fails for days is turned off.

The address and the secret are encrypted like the mails that wait: the process that sends has no key of the boards.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from time import monotonic

import structlog
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from league import locks, policies
from league.actors import Actor
from league.audit.services import audit
from league.background import announce
from league.errors import Conflict, Invalid
from league.models import Club, Failure, Role, User, Webhook, WebhookAttempt, WebhookDelivery
from league.notices import events
from league.notices.services import notices
from league.outgoing import client, queue
from league.storage import encryption
from league.webhooks import payloads
from league.words import sentences

log = structlog.get_logger(__name__)
PURPOSE = "webhook"
#: Lets people, and programs that search for leaked secrets, see what such a text is.
PREFIX = "cmhook_"
MOST = 5
KEPT = timedelta(days=30)
#: After so long without one delivery that arrived it is turned off.
PATIENCE = timedelta(days=3)
#: What one turn may take: mails wait behind it.
TURN = timedelta(seconds=30)


@transaction.atomic
def add(*, actor: Actor, club: Club, url: str, events: Sequence[str], at: datetime) -> tuple[Webhook, str]:
    """A new webhook of the club, and its secret, which nobody can show again."""
    club = locks.club(club.pk)
    policies.require(actor, "club.webhooks", club)
    chosen = _known(events)
    if club.webhooks.count() >= MOST:
        raise Conflict(_("A club has %(most)d webhooks at most. Remove one first.") % {"most": MOST})
    host = _host(url)
    secret = PREFIX + secrets.token_urlsafe(32)
    made = Webhook.objects.create(
        club=club, url=_encrypt(url), secret=_encrypt(secret), host=host, events=chosen, made_at=at
    )
    _record(actor, made, "webhook.added", sentences.gettext("Webhook added"))
    return made, secret


@transaction.atomic
def renew_secret(*, actor: Actor, webhook: Webhook) -> str:
    """Another secret, which nobody can show again: what is sent from now on is signed with it."""
    webhook = _locked(actor, webhook)
    secret = PREFIX + secrets.token_urlsafe(32)
    webhook.secret = _encrypt(secret)
    webhook.save(update_fields=["secret"])
    _record(actor, webhook, "webhook.renewed", sentences.gettext("Webhook’s secret renewed"))
    return secret


@transaction.atomic
def choose(*, actor: Actor, webhook: Webhook, events: Sequence[str]) -> None:
    """Of which events it is told from now on."""
    webhook = _locked(actor, webhook)
    webhook.events = _known(events)
    webhook.save(update_fields=["events"])
    _record(actor, webhook, "webhook.changed", sentences.gettext("Webhook’s events changed"))


@transaction.atomic
def resume(*, actor: Actor, webhook: Webhook) -> None:
    """It was turned off, and is told of what happens from now on."""
    webhook = _locked(actor, webhook)
    webhook.ended_at = webhook.failing_since = None
    webhook.save(update_fields=["ended_at", "failing_since"])
    _record(actor, webhook, "webhook.resumed", sentences.gettext("Webhook turned on again"))


@transaction.atomic
def remove(*, actor: Actor, webhook: Webhook) -> None:
    """It is told nothing more, and what was told is forgotten."""
    webhook = _locked(actor, webhook)
    _record(actor, webhook, "webhook.removed", sentences.gettext("Webhook removed"))
    webhook.delete()


@transaction.atomic
def test(*, actor: Actor, webhook: Webhook) -> WebhookDelivery:
    """Sends it something without content; the page asks the row how that went. One at a time."""
    webhook = _locked(actor, webhook)
    if webhook.ended_at:
        raise Conflict(_("This webhook is turned off. Turn it on first."))
    waiting: WebhookDelivery | None = webhook.deliveries.waiting().filter(event=Webhook.TEST).first()
    if waiting is not None:
        # Whoever presses does not want to wait for hours.
        WebhookDelivery.objects.filter(pk=waiting.pk, leased_until__isnull=True).update(next_try_at=None)
    made = waiting or WebhookDelivery.objects.create(webhook=webhook, event=Webhook.TEST)
    announce.after_commit("league.tasks.deliver_webhooks")
    return made


def deliver(*, at: datetime, limit: int = 20) -> int:
    """Sends what is due; gives how many arrived. May run twice at once: a lease keeps one with one worker."""
    begun, sent = monotonic(), 0
    rows = WebhookDelivery.objects.filter(webhook__ended_at__isnull=True).select_related("webhook__club")
    leased: list[WebhookDelivery] = queue.lease(rows, at=at, limit=limit)
    failing: dict[int, datetime] = {}
    while leased:
        now = at + timedelta(seconds=monotonic() - begun)
        if now > at + TURN:
            queue.release(leased)
            announce.after_commit("league.tasks.deliver_webhooks")
            break
        delivery = leased.pop(0)
        if delivery.webhook_id in failing:
            # Asked once in a turn: it did not answer.
            queue.release([delivery], until=failing[delivery.webhook_id])
        elif not _is_worth_sending(delivery):
            delivery.delete()
        elif _send(delivery, at=now):
            sent += 1
        else:
            failing[delivery.webhook_id] = now + queue.WAITS[0]
    return sent


def purge(*, at: datetime) -> int:
    """Deletes what was sent, or given up, long ago; gives how many rows."""
    over = WebhookDelivery.objects.exclude(sent_at__isnull=True, given_up_at__isnull=True)
    count, _by_model = over.filter(made_at__lt=at - KEPT).delete()
    return count


def _is_worth_sending(delivery: WebhookDelivery) -> bool:
    """Writes what is told at the first attempt, so that each further one says the same.

    Not worth it is what visitors may not know of; and a table that has changed again meanwhile.
    """
    if delivery.body:
        return True
    if delivery.event == Webhook.Event.STANDINGS:
        newer = WebhookDelivery.objects.waiting().filter(
            webhook=delivery.webhook_id, event=delivery.event, subject=delivery.subject, pk__gt=delivery.pk
        )
        if newer.exists():
            return False
    delivery.body = payloads.body_of(delivery)
    delivery.save(update_fields=["body"])
    return bool(delivery.body)


def _send(delivery: WebhookDelivery, *, at: datetime) -> bool:
    """Asks, outside any transaction, and writes down how it went."""
    webhook, body, begun = delivery.webhook, delivery.body.encode(), monotonic()
    status, failure = None, ""
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Concertmaster",
        "Concertmaster-Event": delivery.event,
        "Concertmaster-Delivery": str(delivery.number),
    }
    try:
        headers["Concertmaster-Signature"] = payloads.signature(_decrypt(webhook.secret), body, at)
        answer = client.post(_decrypt(webhook.url), body=body, headers=headers)
    except client.NotReached as fault:
        failure = fault.failure.value
    except encryption.Undecipherable:
        failure = Failure.KEY.value
    else:
        status = answer.status
    is_good = status is not None and answer.is_good
    milliseconds = round((monotonic() - begun) * 1000)
    with transaction.atomic():
        WebhookAttempt.objects.create(
            delivery=delivery, at=at, status=status, failure=failure, milliseconds=milliseconds
        )
        if is_good:
            queue.done(delivery, at=at, body="")
            Webhook.objects.filter(pk=webhook.pk).update(failing_since=None)
        else:
            queue.put_off([delivery], failure or str(status), at=at)
            _note_failure(webhook.pk, at=at)
    return is_good


def _note_failure(pk: int, *, at: datetime) -> None:
    """It failed once more; after days of that it is turned off, and its club's owners hear of it."""
    webhook = locks.one(Webhook.objects.filter(pk=pk).select_related("club"))
    if webhook.ended_at:
        return
    webhook.failing_since = webhook.failing_since or at
    if webhook.failing_since <= at - PATIENCE:
        webhook.ended_at = at
        webhook.deliveries.waiting().update(given_up_at=at, leased_until=None)
        owners = User.objects.filter(memberships__club=webhook.club, memberships__role=Role.OWNER)
        notices.notify(
            events.WEBHOOK_ENDED,
            owners,
            context={"host": webhook.host, "path": reverse("desk_webhook", args=[webhook.club.slug, pk])},
            club=webhook.club,
            at=at,
        )
        log.warning("webhook_ended", webhook=pk)
    webhook.save(update_fields=["failing_since", "ended_at"])


def _locked(actor: Actor, webhook: Webhook) -> Webhook:
    """The webhook as it is now, for its club's owner; raises DoesNotExist where somebody removed it meanwhile."""
    club = locks.club(webhook.club_id)
    policies.require(actor, "club.webhooks", club)
    return locks.one(Webhook.objects.filter(pk=webhook.pk).select_related("club"))


def _known(chosen: Sequence[str]) -> list[str]:
    known = [str(event) for event in Webhook.Event if event in chosen]
    if not known or set(chosen) - set(known):
        raise Invalid(_("Choose which events to send."))
    return known


def _host(url: str) -> str:
    try:
        return client.check(url).netloc
    except client.NotReached:
        raise Invalid(
            _(
                "Give an address that begins with https:// and leads to a public server. It has no password in it."
            ),
            code="url",
        ) from None


def _record(actor: Actor, webhook: Webhook, action: str, said: sentences.Said) -> None:
    after = {"host": webhook.host, "events": webhook.events}
    audit.record(actor=actor, action=action, summary=said, club=webhook.club, after=after)


def _encrypt(text: str) -> str:
    return encryption.encrypt(text, purpose=PURPOSE)


def _decrypt(text: str) -> str:
    return encryption.decrypt(text, purpose=PURPOSE)
