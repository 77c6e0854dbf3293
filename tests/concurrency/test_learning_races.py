"""Two devices of one account tell at the same moment which lessons were done on them."""

import threading
from contextlib import suppress
from typing import Any

import pytest
from django.db.models import QuerySet

from engine import game
from games import front
from games.learning import progress
from games.models import LearningProgress
from league import locks
from league.models import User
from tests.concurrency.test_scoresheet_races import at_once
from tests.scenes import make_user

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
OFFERED = game.get("concerto")
KEYS = [lesson.key for lesson in front.of("concerto").lessons()]


@pytest.fixture
def meet_after_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holds whoever has read the row until the other has read it too, or a second has passed."""
    meeting = threading.Barrier(2)
    read = locks.one

    def read_and_meet(rows: Any) -> Any:
        row = read(rows)
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=1)
        return row

    monkeypatch.setattr(locks, "one", read_and_meet)


def two_devices(user: User) -> list[Any]:
    return at_once(
        lambda: progress.note(actor=user, offered=OFFERED, done=[KEYS[0], KEYS[1]]),
        lambda: progress.note(actor=user, offered=OFFERED, done=[KEYS[2]]),
    )


@pytest.mark.usefixtures("meet_after_reading")
@pytest.mark.parametrize("before", [[], [KEYS[3]]], ids=["the first time", "later"])
def test_neither_device_loses_what_was_done_on_it(before: list[str]) -> None:
    anna = make_user("Anna Berg")
    if before:
        LearningProgress.objects.create(user=anna, game="concerto", done=before)
    outcomes = two_devices(anna)
    everything = [*KEYS[:3], *before]
    assert LearningProgress.objects.get().done == everything
    assert everything in outcomes, "the second is told of all"


@pytest.mark.usefixtures("meet_after_reading")
def test_control_without_the_lock_one_device_writes_over_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    anna = make_user("Anna Berg")
    LearningProgress.objects.create(user=anna, game="concerto", done=[KEYS[3]])
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    two_devices(anna)
    assert len(LearningProgress.objects.get().done) < 4
