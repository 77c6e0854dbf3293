"""Rows that wait for a worker: leased by one at a time, tried again for three days with growing waits, then given up.

A row is the promise; what hands it over (a mail, a webhook, a push) is the caller's.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction

from league import locks
from league.background import announce
from league.models import Handover, Webhook, WebhookDelivery
from league.querysets import OutboxQuerySet

Row = TypeVar("Row", bound=Handover)

#: How long a worker may hand over what it took, where nothing tells whether it is still there.
LEASE = timedelta(minutes=10)
#: So often it is taken at once from a worker that has ended; after that it may be what ends them.
AT_ONCE = 3
#: After each attempt that failed; three days and some hours in all.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60, 120, 240, 480, *(720,) * 5))


def lease(rows: OutboxQuerySet, *, at: datetime, limit: int) -> list[Row]:
    """The first of these rows that are due, kept from other workers for a while. It counts as an attempt.

    What a worker took that has ended meanwhile comes first.
    """
    due = rows.due(at=at)
    locks.let_go()
    with transaction.atomic():
        # Workers that ended while they handed it over leave no failure behind.
        due.filter(attempts__gt=len(WAITS)).update(given_up_at=at)
        taken = rows.waiting().filter(leased_until__gte=at, attempts__lt=AT_ONCE)
        leased: list[Row] = locks.hold(locks.lease(taken.order_by("pk"), most=limit))
        free: list[Row] = locks.lease(due.order_by("next_try_at", "pk"), most=limit - len(leased))
        locks.hold(free)
        leased += free
        for row in leased:
            row.leased_until = at + LEASE
            row.attempts += 1
            row.save(update_fields=["leased_until", "attempts"])
    return leased


def done(row: Handover, *, at: datetime, **and_also: str) -> None:
    """It was handed over."""
    type(row).objects.filter(pk=row.pk).update(
        sent_at=at, leased_until=None, next_try_at=None, given_up_at=None, last_error="", **and_also
    )


def put_off(rows: Iterable[Handover], error: str, *, at: datetime, **and_also: str) -> None:
    """The next attempt later, or none any more."""
    for row in rows:
        is_last = row.attempts > len(WAITS)
        type(row).objects.filter(pk=row.pk, sent_at__isnull=True).update(
            leased_until=None,
            next_try_at=None if is_last else at + WAITS[row.attempts - 1],
            given_up_at=at if is_last else None,
            last_error=error[:300],
            **and_also,
        )


def give_up(row: Handover, error: str, *, at: datetime, **and_also: str) -> None:
    """It is not tried again: the other server said no for good."""
    type(row).objects.filter(pk=row.pk, sent_at__isnull=True).update(
        leased_until=None, next_try_at=None, given_up_at=at, last_error=error[:300], **and_also
    )


def release(rows: Iterable[Handover], *, until: datetime | None = None) -> None:
    """Back to the others that are due, or due later: nobody tried them."""
    for row in rows:
        type(row).objects.filter(pk=row.pk, sent_at__isnull=True).update(
            leased_until=None, attempts=row.attempts - 1, next_try_at=until or row.next_try_at
        )


def tell_webhooks(*, club_id: int, event: str, subject: int) -> None:
    """Something happened of which other programs want to hear, in the caller's transaction."""
    listening = [
        each
        for each in Webhook.objects.filter(club_id=club_id, ended_at__isnull=True)
        if event in each.events
    ]
    if listening:
        WebhookDelivery.objects.bulk_create(
            WebhookDelivery(webhook=each, event=event, subject=subject) for each in listening
        )
        announce.after_commit("league.tasks.deliver_webhooks")
