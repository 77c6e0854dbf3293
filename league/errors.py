"""Why a write was refused, in words for the person who asked for it."""

from collections.abc import Sequence
from typing import Any


class LeagueError(Exception):
    """A write that was refused. `code` is for programs; the message is for people, already translated."""

    code = "refused"

    def __init__(self, message: str, *, code: str | None = None, details: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.details = tuple(details)


class NotAllowed(LeagueError):
    """The person may not do this."""

    code = "not_allowed"


class Invalid(LeagueError):
    """What was asked for does not make sense; `details` name every fault and its place."""

    code = "invalid"


class Conflict(LeagueError):
    """Somebody else was first, or the thing is no longer in the state this needs."""

    code = "conflict"
