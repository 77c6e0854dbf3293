"""Many results in a second cost a worker one computation, and the last of them is in the table all the same."""

from collections.abc import Iterator

import pytest
from celery.app.task import Context
from django.core.cache import cache
from django.db.models import F

from league import tasks
from league.models import Competition, StandingsTable
from league.standings.services import standings
from tests.scenes import Scene, make_scene

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[object, ...]]]:
    """Tasks come as messages; here are those that ask for another."""
    found: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        tasks.compute_standings, "apply_async", lambda args, countdown: found.append((*args, countdown))
    )
    tasks.compute_standings.request_stack.push(Context(called_directly=False))
    cache.clear()
    yield found
    tasks.compute_standings.request_stack.pop()
    cache.clear()


def result(scene: Scene) -> int:
    """One more result, and its message; the version of the table after it."""
    Competition.objects.filter(pk=scene.competition.pk).update(results_version=F("results_version") + 1)
    tasks.compute_standings.run(scene.competition.pk)
    return StandingsTable.objects.get(division=scene.division, after_round=standings.CURRENT).results_version


def test_the_first_is_computed_at_once_and_the_others_together(
    scene: Scene, sent: list[tuple[object, ...]]
) -> None:
    first = result(scene)
    assert {result(scene) for _each in range(9)} == {first}
    assert sent == [(scene.competition.pk, tasks.REST_SECONDS)]
    cache.clear()  # a second later its message comes
    tasks.compute_standings.run(scene.competition.pk)
    assert StandingsTable.objects.filter(division=scene.division, results_version=first + 9).exists()


def test_another_league_does_not_wait(scene: Scene, sent: list[tuple[object, ...]]) -> None:
    cache.add(f"standings-computed:{scene.competition.pk + 1}", 1)
    before = Competition.objects.get(pk=scene.competition.pk).results_version
    assert result(scene) == before + 1
    assert sent == []


def test_without_a_message_nobody_waits(scene: Scene) -> None:
    cache.add(f"standings-computed:{scene.competition.pk}", 1)
    try:
        before = Competition.objects.get(pk=scene.competition.pk).results_version
        assert result(scene) == before + 1
    finally:
        cache.clear()
