"""Two photos at once and room for one of them. The control shows what the club's lock is for."""

import threading
from contextlib import suppress
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from games.models import SheetPhoto
from games.scoresheets.services import photos
from league.errors import Conflict
from league.models import Competition, Division, Entry, Fixture, Round
from tests.concurrency.test_scoresheet_races import at_once
from tests.games.test_photos import picture
from tests.league import factories
from tests.scenes import Scene, make_scene

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def scene(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """Room for one photo; whoever has seen that there is some waits for the other, or a second."""
    settings.CELERY_TASK_ALWAYS_EAGER = False
    settings.PHOTO_QUOTA = len(picture()) + 10
    meeting, encrypt = threading.Barrier(2), photos.board_keys.encrypt

    def meet_and_encrypt(data: Any) -> Any:
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=1)
        return encrypt(data)

    monkeypatch.setattr(photos.board_keys, "encrypt", meet_and_encrypt)
    return make_scene()


def other_competition(scene: Scene) -> Fixture:
    """A match of the same pairs in another competition of the club, which has a lock of its own."""
    first = scene.competition
    event = Competition.objects.create(
        club=scene.club, season=first.season, starts_on=first.starts_on, name="Spring League", slug="spring",
        state=first.state, game=first.game, rules=first.rules, visibility=first.visibility,
    )  # fmt: skip
    stage = factories.stage(event)
    division = Division.objects.create(stage=stage, name="First Division")
    round_ = Round.objects.create(
        stage=stage, number=1, starts_on=timezone.now().date(), closes_at=timezone.now()
    )
    home, away = (
        Entry.objects.create(competition=event, division=division, lineup=each.lineup, number=number)
        for number, each in enumerate(scene.entries[:2], start=1)
    )
    return factories.meet(round_, home, away)


def add_two(scene: Scene) -> list[Any]:
    at = timezone.now()
    matches = [
        Fixture.objects.with_pairs().get(pk=each.pk) for each in (scene.fixture, other_competition(scene))
    ]
    calls = [
        lambda fixture=fixture: photos.add(
            actor=scene.users["anna"], fixture=fixture, picture=picture(), at=at
        )
        for fixture in matches
    ]
    return at_once(*calls)


def test_two_photos_at_once_do_not_pass_the_clubs_quota(scene: Scene) -> None:
    outcomes = add_two(scene)
    assert sorted(type(each).__name__ for each in outcomes) == ["Conflict", "SheetPhoto"]
    assert SheetPhoto.objects.count() == 1
    assert any(isinstance(each, Conflict) and "no room" in each.message for each in outcomes)


def test_control_without_the_lock_both_are_taken(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_how: rows)
    add_two(scene)
    assert SheetPhoto.objects.count() == 2
