"""Two workers and one paper: a lease lets one of them make it. The control shows what it is for."""

import threading
from contextlib import suppress
from typing import Any

import pytest
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import BoardDraw, Paper
from games.papers.kinds import KINDS, Kind
from games.papers.services import papers
from tests.concurrency.test_scoresheet_races import at_once
from tests.games.evening_papers import Room, ask, make_room

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def room(settings: Any) -> Room:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    return make_room()


@pytest.fixture
def makings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes every making, and holds whoever makes until the other does too, or a second has passed."""
    made: list[str] = []
    meeting = threading.Barrier(2)
    kind = KINDS["wall_list"]

    def make(order: Any) -> Any:
        made.append(threading.current_thread().name)
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=1)
        return kind.make(order)

    noted = Kind(kind.key, kind.title, kind.about, kind.stage, make, is_of_evenings=True)
    monkeypatch.setattr(papers, "KINDS", {**KINDS, "wall_list": noted})
    return made


def waiting(room: Room) -> Paper:
    """A paper for which no message was sent."""
    return Paper.objects.create(
        competition=room.competition,
        kind="wall_list",
        asked_by=room.director,
        parameters={"size": "a4", "language": "en", "site": "https://cards.example.org", "sealed": False},
    )


def make_twice(paper: Paper) -> list[Any]:
    at = timezone.now()
    return at_once(*[lambda: papers.make_paper(paper_id=paper.pk, at=at)] * 2)


def test_two_workers_make_one_paper(room: Room, makings: list[str]) -> None:
    paper = waiting(room)
    outcomes = make_twice(paper)
    paper.refresh_from_db()
    assert sorted(outcomes) == [False, True]
    assert len(makings) == 1
    assert (paper.state, paper.tries) == ("ready", 1)


def test_control_without_the_lease_both_make_it(
    room: Room, makings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paper = waiting(room)
    monkeypatch.setattr(papers, "_free", lambda _at: Q())
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_how: rows)
    make_twice(paper)
    assert len(makings) == 2


def test_two_clicks_at_once_are_one_paper_and_one_mark(room: Room) -> None:
    outcomes = at_once(*[lambda: ask(room, "files")] * 2)
    assert len({paper.pk for paper in outcomes}) == 1
    assert Paper.objects.count() == 1
    assert BoardDraw.objects.count() == 1
