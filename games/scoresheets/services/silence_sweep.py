"""What the days of silence ask to be done: taking up deliveries, reminding, and letting a sheet count."""

from datetime import datetime, timedelta

import structlog
from django.db import transaction

from games.models import Scoresheet, SilencePeriod
from games.proof import typed_sheets, vouches
from games.scoresheets.services import (
    matches,
    notices,
    scoresheets,
    silence,
)
from league.background import sweeps
from league.background.contention import Busy
from league.errors import LeagueError
from league.models import Competition, Entry, Fixture

log = structlog.get_logger(__name__)
MOST_AT_ONCE = 50
REMINDED_BEFORE = timedelta(hours=24)
LOOK_AGAIN = timedelta(hours=1)


def sweep(*, at: datetime) -> int:
    """Takes up deliveries, reminds, and lets count what nobody objected to; gives how many it looked at."""
    due = SilencePeriod.objects.filter(due_at__lte=at).order_by("due_at", "pk")
    return sweeps.run(
        work="silence", rows=due, do=lambda key: _look_or_end(key, at), at=at, most=MOST_AT_ONCE
    )


def _look_or_end(key: int, at: datetime) -> bool:
    try:
        _look(key, at)
    except Busy:
        raise
    except LeagueError as refusal:
        # Such as a window for corrections that closed meanwhile: from now on it takes somebody's word.
        log.info("silence_ended", period=key, code=refusal.code)
        SilencePeriod.objects.filter(pk=key).update(due_at=None)
    return True


@transaction.atomic
def _look(key: int, at: datetime) -> None:
    period = SilencePeriod.objects.select_related("sheet__match__fixture__round").get(pk=key)
    match = matches.lock(fixture=period.sheet.match.fixture)
    fixture = match.fixture
    period = SilencePeriod.objects.get(pk=key)
    sheet = Scoresheet.objects.select_related("entered_by").get(pk=period.sheet_id)
    sheet.match = match
    if not period.due_at or not _goes_on(sheet, fixture):
        period.due_at = None
        period.save(update_fields=["due_at"])
        return
    _take_up_deliveries(period)
    period.counts_at = _counts_at(period, fixture, vouches.missing(sheet))
    if period.counts_at is None:
        period.due_at = at + max(LOOK_AGAIN, (at - period.begun_at) / 10)
    elif at < period.counts_at - REMINDED_BEFORE:
        period.due_at = period.counts_at - REMINDED_BEFORE
    else:
        _end(period, sheet, fixture, at)
    period.save(update_fields=["counts_at", "reminded_at", "due_at"])


def _goes_on(sheet: Scoresheet, fixture: Fixture) -> bool:
    """Whether silence can still make this sheet count."""
    competition = fixture.round.competition
    return (
        sheet.verdict == Scoresheet.Verdict.PENDING
        and competition.state == Competition.State.RUNNING
        and silence.may_begin(sheet)
    )


def _take_up_deliveries(period: SilencePeriod) -> None:
    handed_over = period.notices.filter(told_at=None, message__sent_at__isnull=False)
    for notice in handed_over.select_related("message"):
        notice.told_at = notice.message.sent_at if notice.message else None
        notice.save(update_fields=["told_at"])


def _counts_at(period: SilencePeriod, fixture: Fixture, silent: tuple[Entry, ...]) -> datetime | None:
    """So many days after the last of the silent sides was told; None while one has nobody who was.

    People who have left the pair, or no longer have an account, do not speak for it.
    """
    told: list[datetime] = []
    for entry in silent:
        people = typed_sheets.people_of(fixture, entry)
        own = period.notices.filter(entry=entry, user__in=people, told_at__isnull=False)
        first = own.order_by("told_at").values_list("told_at", flat=True).first()
        if first is None:
            return None
        told.append(first)
    return max(told) + timedelta(days=period.days) if told else None


def _end(period: SilencePeriod, sheet: Scoresheet, fixture: Fixture, at: datetime) -> None:
    """The last day: everybody is reminded first, and the sheet counts a day later."""
    if period.reminded_at is None:
        period.reminded_at = at
        silent = vouches.missing(sheet)
        people = [user for entry in silent for user in typed_sheets.people_of(fixture, entry)]
        notices.silence_ends(sheet=sheet, users=people)
    assert period.counts_at is not None  # noqa: S101 - it is asked before
    period.counts_at = max(period.counts_at, period.reminded_at + REMINDED_BEFORE)
    period.due_at = period.counts_at
    if at >= period.counts_at:
        period.due_at = None
        scoresheets.count_silent(sheet=sheet, at=at)
