"""Two directors finish the same competition at the same moment: it is closed once (F90)."""

from datetime import UTC, date, datetime, timedelta

import pytest

from league.models import AuditEntry, Competition, Fixture, SeasonEnd
from league.seasons.queries import ending as endings
from league.seasons.services import finishing, following
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


def beginnings(monkeypatch: pytest.MonkeyPatch) -> tuple[list[object], int]:
    """What two directors get who begin the next season at once, and how many drafts there are."""
    competition = factories.running(factories.club(), pairs=3)
    for fixture in Fixture.objects.all():
        factories.result(fixture, 60, 40)
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    meet(monkeypatch, finishing, "finish")

    def act() -> None:
        following.begin(
            actor=DIRECTOR,
            competition=competition,
            name="Next",
            season="",
            starts_on=date(2027, 9, 6),
            at=LATER,
        )

    return at_once(act, act), Competition.objects.filter(state="draft").count()


def test_two_directors_begin_one_next_season(monkeypatch: pytest.MonkeyPatch) -> None:
    assert beginnings(monkeypatch) == ([None, None], 1)


def test_control_without_the_lock_the_second_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked(monkeypatch)
    said, drafts = beginnings(monkeypatch)
    assert drafts == 1
    assert sorted(type(each).__name__ for each in said) == ["Conflict", "NoneType"]
