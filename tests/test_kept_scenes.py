"""A scene that is laid out again is the scene that was built."""

import pytest
from django.utils import timezone

from league.models import Appearance, AuditEntry, Club, Fixture
from tests import kept_scenes
from tests.kept_scenes import NOTHING, kept, rows_now, scene_now
from tests.league import factories

# Elsewhere nothing is kept.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@kept
def league(pairs: int = 4) -> Club:
    club = factories.club()
    factories.running(club, pairs=pairs)
    return club


@pytest.mark.parametrize("time", [1, 2])
def test_every_test_finds_the_same(time: int) -> None:
    club = league()
    club.name = f"Renamed {time}"
    club.save()
    fixture = Fixture.objects.with_pairs().earliest("pk")
    factories.result(fixture, 4, time)

    assert Club.objects.get().name == f"Renamed {time}"
    assert Fixture.objects.count() == 6
    assert factories.club().slug not in {"", club.slug}


def test_all_rows_come_back_as_they_were_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_scenes, "_scenes", {})
    league()
    built = rows_now()
    [scene] = kept_scenes._scenes.values()

    assert scene.rows == built
    assert any(f'"{AuditEntry._meta.db_table}"' in sql for sql in built)


def test_other_arguments_are_another_scene() -> None:
    league(pairs=6)

    assert Fixture.objects.count() == 15


def test_a_test_that_has_changed_something_builds_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scene_now() is NOTHING
    with monkeypatch.context() as patch:
        patch.setattr(timezone, "now", lambda: factories.NOW)
        assert scene_now() is None
    factories.club()
    assert scene_now() is None


@kept
def renamed(club: Club, name: str) -> str:
    club.name = name
    club.save()
    Fixture.objects.latest("pk").appearances.all().delete()
    return factories.club().slug


@pytest.mark.parametrize("time", [1, 2])
def test_a_scene_that_follows_another_is_kept_with_what_it_changes(time: int) -> None:
    club = league()
    before = Appearance.objects.count()
    slug = renamed(club, "Later")

    assert club.name == Club.objects.get(pk=club.pk).name == "Later"
    assert Club.objects.exclude(pk=club.pk).get().slug == slug
    assert Appearance.objects.count() == before - 2
    assert scene_now() is not None


def test_a_scene_that_follows_one_that_was_changed_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_scenes, "_scenes", {})
    club = league()
    factories.club()

    renamed(club, "Later")

    assert len(kept_scenes._scenes) == 1
    assert scene_now() is None
