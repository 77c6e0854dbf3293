"""What workers do for matches."""

import structlog
from celery import shared_task

from games.services import verification
from league.models import Competition

log = structlog.get_logger(__name__)


@shared_task
def verify_everything() -> int:
    """Recomputes every table and score, and reports each difference; gives how many there are."""
    found = 0
    for competition in Competition.objects.order_by("pk"):
        for difference in verification.differences(competition=competition):
            log.error("stored_value_differs", difference=str(difference))
            found += 1
    return found
