"""When what we keep things in is away, full or read-only, or its key is missing: 503, until it is there again.

`config.web.refusals.server_error`, which Django calls for every failure, wherever it came from, asks here first.
Deadlocks and the like are no outage.
"""

import errno
from dataclasses import dataclass

from django.db import Error, InterfaceError, OperationalError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.storage.board_keys import Unreadable

# Programs and proxies ask again after so many seconds.
SECONDS = 30


@dataclass(frozen=True, slots=True)
class Outage:
    """What is wrong, as people are told it."""

    title: str | Promise
    message: str | Promise


AWAY = Outage(
    _("We can’t reach our data just now"),
    _("Nothing was changed, and everything you saved before is safe. Please try again in a few minutes."),
)
FULL = Outage(
    _("There is no space left to save anything"),
    _("Nothing was changed. Everything you saved before is safe. Please tell the people who run this site."),
)
READ_ONLY = Outage(
    _("Nothing can be saved just now"),
    _("You can still read most pages. Nothing was changed. Please try again in a few minutes."),
)

NO_KEY = Outage(
    _("A key of this site is missing"),
    _("This page can’t be shown without it. Nothing is lost. Please tell the people who run this site."),
)

# The beginnings of PostgreSQL's codes: no connection, being stopped or started, no place for another connection or in
# memory, the disk failing.
POSTGRESQL = {"08": AWAY, "57P": AWAY, "53": AWAY, "58": AWAY, "53100": FULL, "25006": READ_ONLY}
# And of SQLite's.
SQLITE = {
    "SQLITE_FULL": FULL,
    "SQLITE_READONLY": READ_ONLY,
    "SQLITE_CANTOPEN": AWAY,
    "SQLITE_IOERR": AWAY,
    "SQLITE_CORRUPT": AWAY,
    "SQLITE_NOTADB": AWAY,
}
FILES = {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EROFS: READ_ONLY}


def outage_of(failure: BaseException | None) -> Outage | None:
    """The outage that this failure tells of; None for a fault of ours, and for what a second try would mend."""
    if isinstance(failure, Unreadable):
        return NO_KEY
    if isinstance(failure, OSError):
        return FILES.get(failure.errno or 0)
    if not isinstance(failure, Error):
        return None
    cause = failure.__cause__
    if name := getattr(cause, "sqlite_errorname", None):
        return _of_longest(SQLITE, name)
    if code := getattr(cause, "sqlstate", None):
        return _of_longest(POSTGRESQL, code)
    # PostgreSQL that does not answer at all has no code to give; SQLite says everything else with a name.
    is_lost = isinstance(failure, InterfaceError | OperationalError)
    return AWAY if is_lost and type(cause).__module__.startswith("psycopg") else None


def _of_longest(known: dict[str, Outage], code: str) -> Outage | None:
    return next((known[code[:n]] for n in range(len(code), 0, -1) if code[:n] in known), None)
