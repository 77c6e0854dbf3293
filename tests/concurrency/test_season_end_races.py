"""Two directors finish the same competition at the same moment: it is closed once (F90)."""

from datetime import UTC, datetime, timedelta

import pytest

from league.models import AuditEntry, Fixture, SeasonEnd
from league.seasons.queries import ending as endings
from league.seasons.services import finishing
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_set_up_races import meet, unlocked
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
LATER = datetime.now(UTC) + timedelta(days=30)


def closings(monkeypatch: pytest.MonkeyPatch) -> int:
    """How often the competition was closed, by the trail."""
    competition = factories.running(factories.club(), pairs=3)
    for fixture in Fixture.objects.all():
        factories.result(fixture, 60, 40)
    meet(monkeypatch, endings, "of_competition")

    def act() -> None:
        finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)

    assert at_once(act, act) == [None, None]
    assert SeasonEnd.objects.count() == 1
    return AuditEntry.objects.filter(action="season.closed").count()


def test_two_directors_close_a_season_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert closings(monkeypatch) == 1


def test_control_without_the_lock_it_is_closed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked(monkeypatch)
    assert closings(monkeypatch) == 2
