"""What workers do for the league. Each task takes keys, calls one service, and may run twice, late or never."""

from celery import shared_task
from django.utils import timezone

from league.services import outbox, standings


@shared_task
def compute_standings(competition_id: int) -> None:
    """Stores the tables of a competition's newest results."""
    standings.compute(competition_id=competition_id, at=timezone.now())


@shared_task
def sweep_standings() -> int:
    """Heals tables whose message was lost; gives how many competitions were stale."""
    return standings.sweep(at=timezone.now())


@shared_task
def deliver_outbox() -> int:
    """Sends the mails that wait; gives how many were sent."""
    return outbox.deliver(at=timezone.now())
