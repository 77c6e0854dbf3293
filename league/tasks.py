"""What workers do for the league. Each task takes keys, calls one service, and may run twice, late or never."""

from collections.abc import Callable

import structlog
from celery import shared_task
from django.core.cache import cache
from django.db import DatabaseError
from django.utils import timezone

from league import idempotency
from league.clubs.services import invitations
from league.draws.services import challenges
from league.fixtures.services import reminders
from league.notices.services import accounts, notices, outbox, pushes
from league.people.services import joining, tokens
from league.standings.services import standings
from league.teams.services import line_ups
from league.webhooks.services import webhooks

log = structlog.get_logger(__name__)

#: Between two computations of the same tables.
REST_SECONDS = 1

#: What is kept for a time and no longer; each separately, so that one that fails holds up no other.
PURGES: tuple[Callable[..., int], ...] = (
    accounts.purge_days_away, accounts.purge_sessions, idempotency.purge, invitations.purge, notices.purge,
    outbox.purge, pushes.purge, tokens.purge, webhooks.purge,
)  # fmt: skip


@shared_task
def compute_standings(competition_id: int) -> None:
    """Stores the tables of a competition's newest results: at once or, where results come without a break, one time a
    second for all of them. To compute after each would take the processor from those who enter them.
    """
    asked = compute_standings.request
    is_message = not (asked.called_directly or asked.is_eager)
    if is_message and not cache.add(f"standings-computed:{competition_id}", 1, timeout=REST_SECONDS):
        if cache.add(f"standings-to-compute:{competition_id}", 1, timeout=REST_SECONDS):
            compute_standings.apply_async((competition_id,), countdown=REST_SECONDS)
        return
    standings.compute(competition_id=competition_id, at=timezone.now())


@shared_task
def sweep_standings() -> int:
    """Heals tables whose message was lost; gives how many competitions were stale."""
    return standings.sweep(at=timezone.now())


@shared_task
def sweep_ladders() -> int:
    """Ends the challenges whose days are over; gives on how many ladders."""
    return challenges.sweep(at=timezone.now())


@shared_task
def sweep_line_ups() -> int:
    """Lets last line-ups stand where a team match's time has come; gives of how many matches."""
    return line_ups.stand_due(at=timezone.now())


@shared_task
def deliver_outbox() -> int:
    """Sends the mails that wait; gives how many were sent."""
    return outbox.deliver(at=timezone.now(), bounced=notices.refused)


@shared_task
def deliver_webhooks() -> int:
    """Tells other programs what waits for them; gives how many deliveries arrived."""
    return webhooks.deliver(at=timezone.now())


@shared_task
def deliver_pushes() -> int:
    """Tells devices that something is waiting; gives how many pushes were taken."""
    return pushes.deliver(at=timezone.now())


@shared_task
def tell_invited() -> int:
    """Tells accounts that a club invites them; gives how many were told."""
    return joining.tell_invited(at=timezone.now())


@shared_task
def remind() -> int:
    """Reminds of matches soon, missing sheets, challenges and the week; gives how many of these it looked at."""
    at = timezone.now()
    return reminders.sweep(at=at) + reminders.sweep_weeks(at=at) + challenges.remind(at=at)


@shared_task
def purge() -> int:
    """Deletes what has been kept long enough; gives how many rows."""
    count, at = 0, timezone.now()
    for each in PURGES:
        try:
            count += each(at=at)
        except DatabaseError:
            log.exception("purge_failed", what=f"{each.__module__}.{each.__qualname__}")
    return count
