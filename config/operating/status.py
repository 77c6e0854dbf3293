"""The page that says whether everything is at work: to owners of clubs, and in full to those who run the site."""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import config
from config.operating import readiness
from league import policies
from league.models import OutboxMessage, SweepFailure, Verification
from league.web.officials import acting
from league.web.refusals import told

ONE_DAY = timedelta(days=1)
#: Each part, and what is not done without it.
PARTS: dict[str, tuple[str | Promise, str | Promise]] = {
    "database": (_("Database"), ""),
    "mail_queue": (
        _("Mails waiting to be sent"),
        _("The mail server isn’t accepting any. We’ll keep trying for three days."),
    ),
    "redis": (
        _("Messages between processes (Redis)"),
        _("Results are accepted, but tables and statistics are behind."),
    ),
    "worker": (_("Background work"), _("Results are accepted, but tables and statistics are behind.")),
    "paper_worker": (_("Printing"), _("Prints, photos and files of clubs are not made.")),
    "analysis_worker": (_("Best play"), _("What the cards could have made is worked out later.")),
    "robot_worker": (_("Robots"), _("Robots don’t play on at tables in the browser.")),
    "mail_worker": (
        _("Sending mails"),
        _("No mails are going out, not even the ones people need to confirm their address."),
    ),
    "beat": (_("Timer"), _("Nothing starts on time: boards open late, and failed mails aren’t sent again.")),
}
STATES: dict[str, tuple[str | Promise, str]] = {
    readiness.OK: (_("working"), "green"),
    readiness.LATE: (_("late"), "red"),
    readiness.AWAY: (pgettext_lazy("a part of the site", "down"), "red"),
    readiness.UNKNOWN: (_("not seen"), "brass"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A part as people read it; `trouble` only where there is some."""

    name: str | Promise
    state: str | Promise
    tone: str
    trouble: str | Promise
    heard_at: datetime | None
    waits_since: datetime | None


@require_safe
@never_cache
@login_required
@told
def status(request: HttpRequest) -> HttpResponse:
    """Each part with its state; for those who run the site also what went wrong, and what the site runs on."""
    user = acting(request)
    policies.require(user, "site.status")
    context: dict[str, Any] = {"lines": [_line(part) for part in readiness.parts()]}
    if policies.may(user, "site.status_in_full"):
        context |= _in_full()
    return render(request, "status.html", context)


def _line(part: readiness.Component) -> Line:
    (name, trouble), (state, tone) = PARTS[part.name], STATES[part.state]
    is_queue = part.name == "mail_queue"
    return Line(
        name,
        state,
        tone,
        "" if part.state == readiness.OK else trouble,
        heard_at=None if is_queue else part.at,
        waits_since=part.at if is_queue else None,
    )


def _in_full() -> dict[str, Any]:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    folder = next(each for each in (settings.VAR_DIR, settings.BASE_DIR) if each.exists())
    return {
        "is_full": True,
        "version": config.__version__,
        "migrations": [f"{migration.app_label}.{migration.name}" for migration, _backwards in missing],
        "free_disk": shutil.disk_usage(folder).free,
        "verified": Verification.objects.filter(at__gte=timezone.now() - ONE_DAY).aggregate(
            rows=Count("pk"), wrong=Count("pk", filter=Q(wrong__gt=0))
        ),
        "given_up": OutboxMessage.objects.given_up().count(),
        "failures": SweepFailure.objects.values("work", "fault")
        .annotate(rows=Count("pk"), first_at=Min("first_at"))
        .order_by("first_at"),
    }
