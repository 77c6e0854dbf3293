"""A finished competition is final until it is reopened; of a draft only the directors know, and nobody plays in it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import matches, scoresheets
from league.competitions.services import competitions
from league.draws.services import lots
from league.entries.services import adjustments
from league.errors import Conflict, LeagueError
from league.fixtures.services import fixtures
from league.models import Competition, Entry, Fixture
from tests.scenes import Scene, make_scene, totals_sheet

FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))
OTHER = totals_sheet((30, 15), (20, 15), (20, 15), (20, 15))


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def set_state(scene: Scene, state: str) -> None:
    Competition.objects.filter(pk=scene.competition.pk).update(state=state)


def submitted(scene: Scene, content: Any = FOUR, name: str = "anna") -> Scoresheet:
    return scoresheets.submit(actor=scene.users[name], fixture=scene.fixture, content=content, origin="page")


def confirmed(scene: Scene) -> Scoresheet:
    sheet = submitted(scene)
    return scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)


def decide_the_others(scene: Scene) -> None:
    for fixture in Fixture.objects.exclude(pk=scene.fixture.pk):
        fixtures.void(actor=scene.users["dora"], fixture=fixture, reason="rain")


@pytest.fixture
def finished(scene: Scene) -> Scene:
    confirmed(scene)
    decide_the_others(scene)
    competitions.finish(actor=scene.users["dora"], competition=scene.competition)
    return scene


CHANGES: dict[str, Callable[[Scene], Any]] = {
    "a correction": lambda s: submitted(s, OTHER, "eva"),
    "reopening a match": lambda s: matches.reopen(actor=s.users["dora"], fixture=s.fixture, reason="x"),
    "putting a match back": lambda s: fixtures.restore(
        actor=s.users["dora"], fixture=Fixture.objects.get(pk=s.fixtures[1].pk), reason="x"
    ),
    "a penalty": lambda s: adjustments.adjust(
        actor=s.users["dora"], entry=Entry.objects.get(pk=s.entries[0].pk), points="-1", reason="x"
    ),
    "lots": lambda s: lots.draw(actor=s.users["dora"], division=s.division),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_nothing_changes_the_table_of_a_finished_competition_until_it_is_reopened(finished, change):
    before = Competition.objects.get(pk=finished.competition.pk).results_version
    with pytest.raises(Conflict, match="finished"):
        change(finished)
    assert Competition.objects.get(pk=finished.competition.pk).results_version == before
    competitions.reopen(actor=finished.users["dora"], competition=finished.competition, reason="a mistake")
    change(finished)


def test_a_correction_that_waited_is_not_confirmed_in_a_finished_competition(scene):
    confirmed(scene)
    correction = submitted(scene, OTHER, "eva")
    decide_the_others(scene)
    competitions.finish(actor=scene.users["dora"], competition=scene.competition)
    with pytest.raises(Conflict, match="finished"):
        scoresheets.confirm(actor=scene.users["anna"], sheet=correction, digest=correction.digest)
    assert Fixture.objects.get(pk=scene.fixture.pk).result.home_score == 80


def test_a_penalty_is_not_taken_back_in_a_finished_competition(scene):
    made = adjustments.adjust(
        actor=scene.users["dora"],
        entry=Entry.objects.get(pk=scene.entries[0].pk),
        points="-1",
        reason="late",
    )
    set_state(scene, "finished")
    with pytest.raises(Conflict, match="finished"):
        adjustments.revoke(actor=scene.users["dora"], adjustment=made, reason="x", at=timezone.now())


def test_the_pages_of_a_finished_competition_offer_no_sheet(finished):
    client = Client()
    client.force_login(finished.users["anna"])
    page = client.get(reverse("match", args=[finished.fixture.pk]))
    assert reverse("scoresheet", args=[finished.fixture.pk]) not in page.text
    answer = client.get(reverse("scoresheet", args=[finished.fixture.pk]), follow=True)
    assert "finished" in answer.text


def test_nobody_enters_a_sheet_in_a_draft(scene):
    set_state(scene, "draft")
    with pytest.raises(LeagueError):
        submitted(scene, name="sam")
    with pytest.raises(LeagueError):
        submitted(scene, name="dora")


@pytest.mark.parametrize("name", ["match", "scoresheet", "fixture_dates", "fixture_substitute"])
def test_pairs_know_nothing_of_their_matches_in_a_draft(scene, name):
    set_state(scene, "draft")
    client = Client()
    client.force_login(scene.users["anna"])
    assert client.get(reverse(name, args=[scene.fixture.pk])).status_code == 404


def test_programs_of_the_pairs_know_nothing_of_a_draft(scene):
    set_state(scene, "draft")
    client = Client()
    client.force_login(scene.users["anna"])
    assert client.get(f"/api/v1/matches/{scene.fixture.pk}/").status_code == 404
    assert client.get("/api/v1/fixtures/").json()["count"] == 0
    assert client.post(f"/fixtures/{scene.fixture.pk}/postpone/", {"reason": "x"}).status_code == 404
