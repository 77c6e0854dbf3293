"""The one runner of all sweeps: item by item, so that one which fails holds up no other."""

import traceback
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db.models import QuerySet

from league.background.contention import Busy, once_more
from league.models import SweepFailure

log = structlog.get_logger(__name__)
MOST_AT_ONCE = 500
#: Short at first: what failed because a server was away for a moment is done soon after it is back.
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=5), timedelta(hours=6)


def run(
    *,
    work: str,
    rows: QuerySet[Any],
    do: Callable[[int], object],
    at: datetime,
    most: int = MOST_AT_ONCE,
    is_all: bool = True,
) -> int:
    """Does the work for the first of these rows, by their keys and in their order; for how many there was any to do.

    One that fails is logged the first time, by its key. It waits then, twice as long each time, and leaves its place
    to others meanwhile. `is_all` says that these rows are all that there is to do: what failed before and is not among
    them was done by somebody else.
    """
    failing = {row.key: row for row in SweepFailure.objects.filter(work=work)}
    resting = [key for key, row in failing.items() if row.next_at > at]
    found = rows.exclude(pk__in=resting) if resting else rows
    keys = list(found.values_list("pk", flat=True)[:most])
    if is_all and len(keys) < most:
        gone = [row.pk for key, row in failing.items() if row.next_at <= at and key not in keys]
        if gone:
            SweepFailure.objects.filter(pk__in=gone).delete()
    return sum(_done(work, key, do, failing.get(key), at) for key in keys)


def _done(
    work: str, key: int, do: Callable[[int], object], before: SweepFailure | None, at: datetime
) -> bool:
    try:
        done = bool(once_more(lambda: do(key)))
    except Busy:
        return False
    except Exception as fault:  # noqa: BLE001 (whatever it was, the others come next)
        _failed(work, key, fault, before, at)
        return False
    if before is not None:
        before.delete()
        log.info("sweep_recovered", work=work, key=key, failures=before.failures)
    return done


def _failed(work: str, key: int, fault: Exception, before: SweepFailure | None, at: datetime) -> None:
    """Notes when it is tried again. The words of the fault may be cards: only its kind and its place are kept."""
    failures = before.failures + 1 if before else 1
    wait = min(FIRST_WAIT * 2 ** min(failures - 1, 20), LONGEST_WAIT)
    kind = type(fault).__name__
    if before is None:
        trace = "".join(traceback.format_tb(fault.__traceback__))
        log.error("sweep_failed", work=work, key=key, fault=kind, trace=trace)
    SweepFailure.objects.update_or_create(
        work=work,
        key=key,
        defaults={"failures": failures, "fault": kind[:100], "next_at": at + wait},
        create_defaults={"failures": 1, "fault": kind[:100], "next_at": at + wait, "first_at": at},
    )
