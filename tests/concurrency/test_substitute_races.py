"""A substitute answers while somebody else changes the match: one of them is first, and the other is told."""

import threading

import pytest

from games.scoresheets.services import scoresheets
from league.errors import Conflict
from league.fixtures.services import substitutions
from league.models import AuditEntry, Fixture, Substitution
from tests.concurrency.test_scoresheet_races import SHEET, at_once, scene
from tests.concurrency.test_set_up_races import meet, unlocked
from tests.league.entries.test_asked_substitutes import answer, name, sol
from tests.scenes import Scene

__all__ = ["scene", "sol"]
pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
ACTIONS = ["fixture.substitute_declined", "fixture.substitution_cancelled"]


def answered_and_cancelled(scene, sol, monkeypatch) -> tuple[list[object], int]:
    """What two people get of whom one says no and the other takes the question back; and what the trail says."""
    row = name(scene, sol)
    meet(monkeypatch, substitutions, "_as_now")
    given = at_once(
        lambda: answer(sol, row, accept=False),
        lambda: substitutions.cancel(actor=scene.users["anna"], substitution=row),
    )
    assert not Substitution.objects.exists()
    return given, AuditEntry.objects.filter(action__in=ACTIONS).count()


def test_a_no_and_a_cancellation_at_once_are_one_change(
    scene: Scene, sol, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, lines = answered_and_cancelled(scene, sol, monkeypatch)
    assert sorted(type(each).__name__ for each in given) == ["Conflict", "NoneType"]
    assert lines == 1


def test_control_without_the_lock_both_say_that_they_changed_it(
    scene: Scene, sol, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlocked(monkeypatch)
    given, lines = answered_and_cancelled(scene, sol, monkeypatch)
    assert (given, lines) == ([None, None], 2)


def answered_while_a_sheet_goes_in(scene: Scene, sol, monkeypatch: pytest.MonkeyPatch) -> object:
    """What a substitute gets who says no while the sheet of the match is being written."""
    row = name(scene, sol)
    is_written, is_read = threading.Event(), threading.Event()
    check, as_now = scoresheets._check_open, substitutions._as_now

    def check_and_wait(*args, **kwargs):
        check(*args, **kwargs)
        is_written.set()
        is_read.wait(timeout=1)

    def read_and_say(*args, **kwargs):
        is_read.set()
        return as_now(*args, **kwargs)

    def say_no() -> None:
        is_written.wait(timeout=10)
        answer(sol, row, accept=False)

    monkeypatch.setattr(scoresheets, "_check_open", check_and_wait)
    monkeypatch.setattr(substitutions, "_as_now", read_and_say)
    anna, fixture = scene.users["anna"], scene.fixture
    given = at_once(
        say_no,
        lambda: scoresheets.submit(actor=anna, fixture=fixture, content=SHEET, origin="page").version,
    )
    assert given[1] == 1
    assert Fixture.objects.get(pk=fixture.pk).status == "to_confirm"
    return given[0]


def test_who_says_no_while_the_match_is_entered_is_told_that_it_was_played(
    scene: Scene, sol, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(answered_while_a_sheet_goes_in(scene, sol, monkeypatch), Conflict)
    assert Substitution.objects.get().substitute == sol


def test_control_without_the_lock_the_substitute_of_a_played_match_goes(
    scene: Scene, sol, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlocked(monkeypatch)
    assert answered_while_a_sheet_goes_in(scene, sol, monkeypatch) is None
    assert not Substitution.objects.exists()
