"""Two directors finish the same competition at the same moment: it is closed once (F90)."""

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from league.manage.services import setups
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


def unwilling(monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a season was published with somebody who said no at that moment."""
    competition = factories.running(factories.club(), pairs=3)
    for fixture in Fixture.objects.all():
        factories.result(fixture, 60, 40)
    made = following.begin(
        actor=DIRECTOR,
        competition=competition_finished(competition),
        name="Next",
        season="",
        starts_on=date(2027, 9, 6),
        at=LATER,
    )
    meeting = threading.Barrier(2)
    for name in ("check_asking", "check_answers"):
        monkeypatch.setattr(following, name, waiting(getattr(following, name), meeting))
    row = made.answers.all()[0]
    at_once(
        lambda: following.answer(actor=DIRECTOR, row=row, is_in=False, at=LATER),
        lambda: setups.publish(actor=DIRECTOR, competition=made),
    )
    made.refresh_from_db()
    row.refresh_from_db()
    return made.state == "running" and row.is_in is False


def competition_finished(competition: Competition) -> Competition:
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    competition.refresh_from_db()
    return competition


def waiting(check: Callable[..., Any], meeting: threading.Barrier) -> Callable[..., Any]:
    """The check, which then waits until the other one has passed its own, or a second is over."""

    def check_and_wait(*given: Any) -> Any:
        found = check(*given)
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=1)
        return found

    return check_and_wait


def test_nobody_is_published_who_says_no_at_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not unwilling(monkeypatch)


def test_control_without_the_lock_somebody_is(monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked(monkeypatch)
    assert unwilling(monkeypatch)
