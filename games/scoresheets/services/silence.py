"""Silence: a typed sheet counts when both sides were told of it and said nothing for so many days.

The days begin when a mail was handed over without an error to a member of every silent side, or the notice stood on
that member's own page. A second mail goes out a day before the end; the sheet counts no sooner than a day after it.
`games.scoresheets.services.silence_sweep` sees to the days.
"""

from collections.abc import Iterable
from datetime import datetime

from games.models import Scoresheet, SilenceNotice, SilencePeriod
from games.proof import typed_sheets
from league.models import Entry, OutboxMessage, User


def may_begin(sheet: Scoresheet) -> bool:
    """Whether silence can make the sheet count at all: typed by an official for others, and nobody has objected."""
    rejected = Scoresheet.objects.filter(match=sheet.match_id, verdict=Scoresheet.Verdict.REJECTED)
    return (
        sheet.entered_as == Scoresheet.EnteredAs.OFFICIAL
        and typed_sheets.counts_by_silence(sheet.entered_by, sheet.match.fixture)
        and not rejected.exists()
    )


def begin(
    *, sheet: Scoresheet, days: int, asked: Iterable[tuple[Entry, User, OutboxMessage | None]]
) -> SilencePeriod:
    """The sides are told by these mails, which name the days; who has none, when the match page shows it."""
    at = sheet.entered_at
    period = SilencePeriod.objects.create(sheet=sheet, days=days, begun_at=at, due_at=at)
    SilenceNotice.objects.bulk_create(
        SilenceNotice(period=period, entry=entry, user=user, message=message)
        for entry, user, message in asked
    )
    return period


def shown(*, sheet: Scoresheet, user: User, at: datetime) -> None:
    """The notice stands on a page that this person, logged in, has just been given."""
    untold = SilenceNotice.objects.filter(period__sheet=sheet, user=user, told_at=None)
    if untold.update(told_at=at):
        SilencePeriod.objects.filter(sheet=sheet, due_at__isnull=False).update(due_at=at)
