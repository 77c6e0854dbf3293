"""The past, for the demo: what is done within it is dated then, so that the season has a history."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.utils import timezone


@contextmanager
def at_time(moment: datetime) -> Iterator[datetime]:
    """Lets the service's clock stand at `moment`. For a command that is alone in its process."""
    real = timezone.now
    timezone.now = lambda: moment
    try:
        yield moment
    finally:
        timezone.now = real
