"""Robots that think while somebody waits for the answer: how many of them one process takes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Final

from django.utils.translation import gettext as _

from league.errors import LeagueError

#: So many requests of this process may wait for robots; they think one after the other.
MOST_WAITING: Final = 8

_places = BoundedSemaphore(MOST_WAITING)
_thinking = Lock()


class RobotsBusy(LeagueError):
    """The robots have as much to do as this process lets them."""

    code = "busy"


@contextmanager
def robots_at_work() -> Iterator[None]:
    """The robots' turn to think, for one request at a time. Raises RobotsBusy where too many wait already."""
    if not _places.acquire(blocking=False):
        raise RobotsBusy(_("The robots are busy just now. Please try again in a moment."))
    try:
        with _thinking:
            yield
    finally:
        _places.release()
