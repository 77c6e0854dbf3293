"""Somebody is erased while a sheet of theirs, or of their match, is confirmed: the name is not written behind it.

The control shows what the lock of the competition is for.
"""

import threading
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.errors import LeagueError, NotAllowed
from league.models import AuditEntry, Fixture, Player, User
from league.people.services import erasing
from tests.concurrency.test_scoresheet_races import at_once, submitted
from tests.scenes import Scene, make_scene

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> dict[str, threading.Event]:
    """The eraser has looked through all rows and waits, a moment at most, for the confirmation to be written.

    With the lock the confirmation cannot be, before the eraser is done.
    """
    events = {"looked": threading.Event(), "confirmed": threading.Event()}
    delete_mails = erasing._delete_mails

    def wait(*given: Any) -> None:
        events["looked"].set()
        events["confirmed"].wait(timeout=2)
        delete_mails(*given)

    monkeypatch.setattr(erasing, "_delete_mails", wait)
    return events


def erase_and_confirm(
    scene: Scene, meeting: dict[str, threading.Event], sheet: Scoresheet, *, erased: User, by: User
) -> list[Any]:
    player = Player.objects.get(user=erased)

    def confirm() -> Scoresheet:
        meeting["looked"].wait(timeout=10)
        done = scoresheets.confirm(actor=by, sheet=sheet, digest=sheet.digest)
        meeting["confirmed"].set()
        return done

    return at_once(
        lambda: erasing.erase(actor=scene.users["olive"], player=player, at=timezone.now()), confirm
    )


def told_of(name: str) -> list[str]:
    """Lines of the trail in which the name stands."""
    return [each.action for each in AuditEntry.objects.all() if name in repr(vars(each))]


def test_who_is_erased_confirms_nothing_afterwards(scene: Scene, meeting: dict[str, threading.Event]) -> None:
    eva, sheet = scene.users["eva"], submitted(scene)
    name = Player.objects.get(user=eva).name
    outcomes = erase_and_confirm(scene, meeting, sheet, erased=eva, by=eva)
    assert outcomes[0] is None
    assert isinstance(outcomes[1], NotAllowed), outcomes
    assert not Fixture.objects.get(pk=scene.fixture.pk).has_result
    assert told_of(name) == []


def test_a_match_of_who_is_erased_is_confirmed_without_the_name(
    scene: Scene, meeting: dict[str, threading.Event]
) -> None:
    anna, sheet = scene.users["anna"], submitted(scene)
    name = Player.objects.get(user=anna).name
    outcomes = erase_and_confirm(scene, meeting, sheet, erased=anna, by=scene.users["eva"])
    assert outcomes[0] is None
    assert outcomes[1].verdict == "confirmed", outcomes
    assert Fixture.objects.get(pk=scene.fixture.pk).has_result
    assert told_of(name) == []


def test_control_without_the_lock_the_name_is_written_behind_the_eraser(
    scene: Scene, meeting: dict[str, threading.Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    eva, sheet = scene.users["eva"], submitted(scene)
    name = Player.objects.get(user=eva).name
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    outcomes = erase_and_confirm(scene, meeting, sheet, erased=eva, by=eva)
    assert not any(isinstance(outcome, LeagueError) for outcome in outcomes), outcomes
    assert "sheet.confirmed" in told_of(name)
