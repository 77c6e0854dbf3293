"""A substitute answers while somebody else changes the match: one of them is first, and the other is told."""

import pytest

from league.fixtures.services import substitutions
from league.models import AuditEntry, Substitution
from tests.concurrency.test_scoresheet_races import at_once, scene
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
