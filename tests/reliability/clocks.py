"""Nights in which the clocks change: what is due at night is done once, and everybody is reminded once, by day."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from celery.schedules import crontab
from django.conf import settings

from league.fixtures.services import reminders, telling
from league.models import Fixture, Notice
from tests.league import factories

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

VIENNA = ZoneInfo("Europe/Vienna")
#: An hour comes twice, or not at all: 01:00 UTC.
AUTUMN, SPRING = datetime(2026, 10, 25, tzinfo=UTC), datetime(2027, 3, 28, tzinfo=UTC)
NIGHTS = pytest.mark.parametrize("night", [AUTUMN, SPRING])
QUARTER, MINUTE = timedelta(minutes=15), timedelta(minutes=1)


def times_due(schedule: Any, night: datetime, zone: ZoneInfo) -> int:
    """How often in that day and night the clocks of that zone show a time of the schedule."""
    shown = [(night + number * MINUTE).astimezone(zone) for number in range(24 * 60)]
    return sum(each.hour in schedule.hour and each.minute in schedule.minute for each in shown)


@NIGHTS
def test_what_is_due_at_night_is_due_as_often_as_in_other_nights(night: datetime) -> None:
    schedules: dict[str, Any] = {
        name: each["schedule"]
        for name, each in settings.CELERY_BEAT_SCHEDULE.items()
        if isinstance(each["schedule"], crontab)
    }
    assert set(schedules) == {"purge", "forget guests", "verify everything"}
    ours = ZoneInfo(settings.CELERY_TIMEZONE)
    for name, schedule in schedules.items():
        usual = len(schedule.hour) * len(schedule.minute)
        assert times_due(schedule, night, ours) == usual, name
    # Planted: by the clocks of a club.
    assert times_due(schedules["purge"], night, VIENNA) == (2 if night == AUTUMN else 0)


def sweep_through(night: datetime) -> None:
    """Every quarter of an hour from four days before to two days after, as beat asks for it."""
    for number in range(-4 * 96, 2 * 96):
        at = night + number * QUARTER
        reminders.sweep(at=at)
        reminders.sweep_weeks(at=at)


def told(night: datetime) -> Counter[tuple[int, str, str]]:
    """How often each was told of what. The league plays in that night, at 02:30 by the clocks that are put back."""
    club = factories.club(time_zone="Europe/Vienna")
    league = factories.running(club, 2)
    for pair in (each.lineup for each in league.entries.all()):
        factories.account_of(pair)
    begins = (night + timedelta(hours=0, minutes=30)).astimezone(VIENNA)
    Fixture.objects.filter(division__stage__competition=league).update(starts_at=begins)
    sweep_through(night)
    notices = Notice.objects.filter(club=club)
    assert all(8 <= each.made_at.astimezone(VIENNA).hour < 20 for each in notices)
    return Counter((each.user_id, each.event, each.about.split()[-1]) for each in notices)


@NIGHTS
def test_everybody_is_reminded_once_and_by_day(night: datetime) -> None:
    found = told(night)
    assert {event for _user, event, _when in found} >= {"match_soon", "week"}, found
    assert set(found.values()) == {1}, found


def test_planted_a_reminder_of_each_hour_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = telling.tell

    def forgetful(**given: object) -> None:
        tell(**{**given, "about": f"{given['at']:%H} {given['about']}"})  # type: ignore[arg-type]

    monkeypatch.setattr(telling, "tell", forgetful)
    assert max(told(AUTUMN).values()) > 1
