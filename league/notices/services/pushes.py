"""Pushes: a person turns them on for a device, and a worker tells it that something is waiting.

What leads to a device is encrypted like the mails that wait: the process that sends has no key of the boards.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import override

from league import locks
from league.background import announce
from league.errors import Invalid
from league.models import Failure, Notice, PushDelivery, PushSubscription, User
from league.notices import events, texts
from league.outgoing import client, push_messages, queue
from league.storage import encryption

log = structlog.get_logger(__name__)
PURPOSE = "push"
MOST = 8
#: After that nobody wants to be told any more: it stands in the inbox.
WORTH_TELLING = timedelta(days=1)
#: What one turn may take: mails wait behind it.
TURN = timedelta(seconds=30)
#: A push service says so when the device wants none any more.
GONE = (404, 410)


@transaction.atomic
def turn_on(
    *, actor: User, endpoint: str, p256dh: str, auth: str, session_key: str, is_detailed: bool, at: datetime
) -> PushSubscription:
    """Turns notifications on for this device. If they were on for somebody else, those stop."""
    try:
        client.check(endpoint)
        push_messages.check_keys(p256dh, auth)
    except (client.NotReached, ValueError):
        raise Invalid(_("Your browser couldn’t set up notifications. Please try again.")) from None
    locks.take(User.objects.filter(pk=actor.pk))
    made, _is_new = PushSubscription.objects.update_or_create(
        digest=digest_of(endpoint),
        defaults={
            "user": actor,
            "secrets": _encrypted({"endpoint": endpoint, "p256dh": p256dh, "auth": auth}),
            "session": digest_of(session_key),
            "session_digest": actor.get_session_auth_hash(),
            "is_detailed": is_detailed,
            "made_at": at,
        },
    )
    made.deliveries.exclude(notice__user=actor).delete()
    old = actor.push_subscriptions.values_list("pk", flat=True)[MOST:]
    PushSubscription.objects.filter(pk__in=list(old)).delete()
    return made


def turn_off(*, actor: User, key: int) -> None:
    """A device of the person's is told nothing more."""
    PushSubscription.objects.filter(user=actor, pk=key).delete()


def end_of_login(*, session_key: str | None) -> None:
    """The device was logged out, or somebody else logs in on it: nobody reads there what is for this person."""
    if session_key:
        PushSubscription.objects.filter(session=digest_of(session_key)).delete()


def digest_of(text: str) -> str:
    """SHA-256. Addresses and keys of sessions are too long and random to be tried."""
    return hashlib.sha256(text.encode()).hexdigest()


def post_notices(notices: Iterable[tuple[Notice, datetime | None]]) -> None:
    """A push of each of these notices to each device of its person, in the caller's transaction; not before then."""
    told = list(notices)
    devices: dict[int, list[PushSubscription]] = {}
    for each in PushSubscription.objects.filter(user__in=[notice.user_id for notice, _time in told]):
        devices.setdefault(each.user_id, []).append(each)
    made = PushDelivery.objects.bulk_create(
        PushDelivery(
            subscription=device,
            notice=notice,
            contents=_encrypted(notice.context) if device.is_detailed else "",
            next_try_at=not_before,
        )
        for notice, not_before in told
        for device in devices.get(notice.user_id, ())
    )
    if made:
        announce.after_commit("league.tasks.deliver_pushes")


def deliver(*, at: datetime, limit: int = 20) -> int:
    """Sends what is due; gives how many were taken. May run twice at once: a lease keeps one with one worker."""
    begun, sent = monotonic(), 0
    rows = PushDelivery.objects.select_related("subscription__user", "notice__club").defer("notice__context")
    leased: list[PushDelivery] = queue.lease(rows, at=at, limit=limit)
    while leased:
        now = at + timedelta(seconds=monotonic() - begun)
        if now > at + TURN:
            queue.release(leased)
            announce.after_commit("league.tasks.deliver_pushes")
            break
        delivery = leased.pop(0)
        if _is_worth_sending(delivery, at=now):
            sent += _send(delivery, at=now)
        else:
            delivery.delete()
    return sent


def purge(*, at: datetime) -> int:
    """Deletes what was sent, or given up; gives how many rows."""
    over = PushDelivery.objects.exclude(sent_at__isnull=True, given_up_at__isnull=True)
    count, _by_model = over.filter(made_at__lt=at - WORTH_TELLING).delete()
    return count


def _is_worth_sending(delivery: PushDelivery, *, at: datetime) -> bool:
    """Not what the person has read meanwhile, or what is old; nor to a device whose login has ended."""
    device, notice = delivery.subscription, delivery.notice
    hashes = (device.user.get_session_auth_hash(), *device.user.get_session_auth_fallback_hash())
    if not device.user.is_active or not any(
        constant_time_compare(device.session_digest, each) for each in hashes
    ):
        device.delete()
        return False
    since = delivery.next_try_at if delivery.attempts == 1 and delivery.next_try_at else notice.made_at
    return notice.read_at is None and since > at - WORTH_TELLING


def _send(delivery: PushDelivery, *, at: datetime) -> bool:
    """Asks, outside any transaction, and writes down how it went."""
    device = delivery.subscription
    try:
        target = _decrypted(device.secrets)
        body = push_messages.encrypt(_words(delivery), p256dh=target["p256dh"], auth=target["auth"])
        headers = push_messages.headers(target["endpoint"], at=at, lives=WORTH_TELLING)
        answer = client.post(target["endpoint"], body=body, headers=headers)
    except encryption.Undecipherable:
        device.delete()
        return False
    except client.NotReached as fault:
        queue.put_off([delivery], fault.failure.value, at=at)
        if fault.failure == Failure.ADDRESS:
            device.delete()
        return False
    if answer.is_good:
        queue.done(delivery, at=at, contents="")
    elif answer.status in GONE:
        log.info("push_subscription_gone", subscription=device.pk)
        device.delete()
    else:
        queue.put_off([delivery], str(answer.status), at=at)
    return answer.is_good


def _words(delivery: PushDelivery) -> bytes:
    """What the device shows: that something is waiting, or what happened where the person chose that."""
    notice, event = delivery.notice, events.find(delivery.notice.event)
    user = delivery.subscription.user
    language = user.language if user.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    told = {"title": "Concertmaster", "path": reverse("my_notices"), "tag": "concertmaster"}
    zone = notice.club.time_zone if notice.club else settings.TIME_ZONE
    with override(language), timezone.override(ZoneInfo(zone)):
        told["body"] = _("Something is waiting for you.")
        if delivery.contents and event is not None:
            context = _decrypted(delivery.contents)
            words = texts.words(event, context)
            told |= {"title": words.title, "body": " ".join(words.paragraphs[:1]), "path": context["path"]}
            told["tag"] = f"notice-{notice.pk}"
    return json.dumps(told).encode()


def contents_with(delivery: PushDelivery, change: Callable[[Any], Any]) -> str:
    """The contents as they are stored, changed; empty where nothing is to be changed, or no key opens them."""
    try:
        contents = _decrypted(delivery.contents) if delivery.contents else {}
    except encryption.Undecipherable:
        return ""
    changed = change(contents)
    return _encrypted(changed) if changed != contents else ""


def _encrypted(contents: Mapping[str, Any]) -> str:
    return encryption.encrypt(json.dumps(contents), purpose=PURPOSE)


def _decrypted(contents: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encryption.decrypt(contents, purpose=PURPOSE))
    return found
