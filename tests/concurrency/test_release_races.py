"""The last two tables of a board confirm at the same moment: one of them sees that it was the last."""

import threading
from contextlib import suppress
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from games.analysis.services import analyses
from games.boards.services import releases
from games.comparisons.services import comparisons
from games.models import BoardSet, Scoresheet
from games.scoresheets.services import scoresheets
from league.models import AuditEntry
from league.standings.services import standings
from tests.concurrency.test_scoresheet_races import at_once
from tests.games.boards import SHEET, duplicate_scene, sealed
from tests.scenes import Scene

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def meet_before_release(monkeypatch: pytest.MonkeyPatch, *, patience: int) -> None:
    """Holds whoever has written a result, before and after looking at the others, until the second has, too.

    No longer than `patience` seconds: with a lock the second has not even begun.
    """
    meeting = threading.Barrier(2)
    decided = releases.fixture_decided

    def wait() -> None:
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=patience)

    def meet(**given: Any) -> None:
        wait()
        decided(**given)
        wait()

    monkeypatch.setattr(releases, "fixture_decided", meet)


def _entered(scene: Scene) -> list[Scoresheet]:
    return [
        scoresheets.submit(actor=scene.users[name], fixture=fixture, content=SHEET, origin="page")
        for name, fixture in zip(("anna", "iris"), scene.fixtures[:2], strict=True)
    ]


def _confirm_both(scene: Scene, sheets: list[Scoresheet]) -> list[Any]:
    one, other = sheets
    return at_once(
        lambda: scoresheets.confirm(actor=scene.users["eva"], sheet=one, digest=one.digest),
        lambda: scoresheets.confirm(actor=scene.users["olga"], sheet=other, digest=other.digest),
    )


def test_of_the_last_two_tables_one_releases_the_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = duplicate_scene()
    made = sealed(scene)
    meet_before_release(monkeypatch, patience=1)
    outcomes = _confirm_both(scene, _entered(scene))

    assert all(isinstance(each, Scoresheet) for each in outcomes), outcomes
    assert BoardSet.objects.get(pk=made.pk).opened
    assert made.boards.filter(released_at=None).count() == 0
    assert AuditEntry.objects.filter(action="boards.opened").count() == 1


def test_without_the_lock_neither_sees_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: what the lock of the competition is for. The sweep heals it.

    Counting results locks the competition's row and the boards', and asking for the analysis of a board lets whoever
    asks second wait: all of it is left out here.
    """
    scene = duplicate_scene()
    made = sealed(scene)
    sheets = _entered(scene)
    with monkeypatch.context() as unlocked:
        meet_before_release(unlocked, patience=20)
        unlocked.setattr(QuerySet, "select_for_update", lambda self, **_how: self)
        unlocked.setattr(standings, "bump", lambda **_what: None)
        unlocked.setattr(analyses, "request", lambda **_what: None)
        unlocked.setattr(comparisons, "bump_fixture", lambda _fixture: None)
        _confirm_both(scene, sheets)
    assert made.boards.filter(released_at__isnull=False).count() == 0

    assert releases.release_missed(at=timezone.now()) == 1
    assert made.boards.filter(released_at=None).count() == 0
