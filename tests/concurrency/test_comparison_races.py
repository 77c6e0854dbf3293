"""Workers and directors at once: nothing older replaces what is newer, and one score counts. With controls."""

import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.conf import settings
from django.db import IntegrityError
from django.db.models import F, QuerySet

from games.comparisons.services import awards, comparisons, verification
from games.models import AdjustedScore, Board, Comparison, Duplicate, EventRanking
from tests.concurrency.test_real_worker import prefix, sender, until, worker  # noqa: F401 - fixtures
from tests.concurrency.test_scoresheet_races import at_once
from tests.games.events import AT, Event, make_event, play, play_of

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

OLDER, NEWER = {"results": "older"}, {"results": "newer"}


@pytest.fixture
def event() -> Event:
    return make_event(tables=3, boards=1)


@dataclass
class Meeting:
    """Who stores older figures has looked at what is stored; the newer ones are there."""

    looked: threading.Event = field(default_factory=threading.Event)
    stored: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def older_writes_last(monkeypatch: pytest.MonkeyPatch) -> Meeting:
    """Holds whoever stores older figures between its look and its writing, until the newer are there, or a second."""
    meeting = Meeting()
    digest = comparisons.digest_of

    def wait_and_digest(content: Any) -> str:
        if content == OLDER:
            meeting.looked.set()
            meeting.stored.wait(timeout=1)
        return digest(content)

    monkeypatch.setattr(comparisons, "digest_of", wait_and_digest)
    return meeting


def store_at_once(older: Callable[[], None], newer: Callable[[], None], meeting: Meeting) -> None:
    """Two workers that computed from two versions of the results, while nothing is stored yet."""

    def after_the_look() -> None:
        meeting.looked.wait(timeout=5)
        newer()
        meeting.stored.set()

    at_once(older, after_the_look)


def store_board(event: Event, meeting: Meeting) -> tuple[int, Any]:
    board = event.board().pk
    store_at_once(
        lambda: comparisons._store(board_id=board, version=1, content=OLDER, at=AT),
        lambda: comparisons._store(board_id=board, version=2, content=NEWER, at=AT),
        meeting,
    )
    kept = Comparison.objects.get(board=board)
    return kept.results_version, kept.content


def store_ranking(event: Event, meeting: Meeting) -> tuple[int, Any]:
    key = event.competition.pk
    store_at_once(
        lambda: comparisons._store_rankings(key, 1, {("all", 0): OLDER}, AT),
        lambda: comparisons._store_rankings(key, 2, {("all", 0): NEWER}, AT),
        meeting,
    )
    kept = EventRanking.objects.get(competition=key)
    return kept.results_version, kept.content


@pytest.mark.parametrize("store", [store_board, store_ranking])
def test_what_is_stored_first_is_the_newest(
    event: Event, older_writes_last: Meeting, store: Callable[[Event, Meeting], tuple[int, Any]]
) -> None:
    assert store(event, older_writes_last) == (2, NEWER)


@pytest.mark.parametrize("store", [store_board, store_ranking])
def test_control_without_the_lock_the_older_stays(
    event: Event,
    older_writes_last: Meeting,
    monkeypatch: pytest.MonkeyPatch,
    store: Callable[[Event, Meeting], tuple[int, Any]],
) -> None:
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    assert store(event, older_writes_last) == (1, OLDER)


@pytest.fixture
def meet_before_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holds a director who has seen which score counts until the other has seen it too, or a second has passed."""
    meeting = threading.Barrier(2)
    person = awards.person

    def meet(actor: Any) -> Any:
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=1)
        return person(actor)

    monkeypatch.setattr(awards, "person", meet)


def award_twice(event: Event) -> list[Any]:
    def give(percent: str) -> Any:
        content = {"percent": {"home": percent, "away": "50"}}
        try:
            return awards.award(
                actor=event.director, play=play_of(event, 1), content=content, reason="At once"
            ).pk
        except IntegrityError as refusal:
            return refusal

    return at_once(lambda: give("60"), lambda: give("40"))


@pytest.mark.usefixtures("meet_before_writing")
def test_of_two_scores_at_once_the_second_takes_the_first_back(event: Event) -> None:
    first, second = sorted(award_twice(event))
    assert AdjustedScore.objects.get(pk=first).revoked_at is not None
    assert AdjustedScore.objects.get(pk=second).revoked_at is None
    assert event.board().results_version == 2
    assert not list(verification.differences(competition=event.competition))


@pytest.mark.usefixtures("meet_before_writing")
def test_control_without_the_lock_one_of_them_is_lost(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    outcomes = award_twice(event)
    assert sum(isinstance(outcome, IntegrityError) for outcome in outcomes) == 1


def test_directors_who_rule_on_many_tables_at_once_never_wait_in_a_circle() -> None:
    event = make_event(tables=6, boards=4)
    content = {"percent": {"home": "60", "away": "40"}}

    def rule(place: int) -> Any:
        return awards.award_all(
            actor=event.director, fixture=event.fixtures[place], content=content, reason="Power cut"
        )

    outcomes = at_once(*(lambda place=place: rule(place) for place in range(6)))
    assert [len(given) for given in outcomes] == [4] * 6
    assert {event.board(n).results_version for n in range(1, 5)} == {6}
    assert event.duplicate.results_version == 24
    assert not list(verification.differences(competition=event.competition))


@pytest.mark.redis
@pytest.mark.parametrize("tasks", [("compare_board", "rank_event"), ("rank_event",), ("sweep_comparisons",)])
def test_the_worker_brings_figures_and_rankings_up_to_date(
    tasks: tuple[str, ...],
    sender: Celery,  # noqa: F811 - the fixture
    worker: subprocess.Popen[bytes],  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    """By the messages that a result sends, by one of them alone, and by beat's round when both were lost."""
    event = make_event(tables=3, boards=1)
    for fixture in event.fixtures:
        play(fixture, (fixture.pk, 3), tells=False)
    Board.objects.update(results_version=F("results_version") + 1)
    Duplicate.objects.update(results_version=F("results_version") + 1)
    keys = {"compare_board": [event.board().pk], "rank_event": [event.competition.pk]}
    with sender.connection_for_write(url=settings.REDIS_URL) as messages:
        for task in tasks:
            sender.send_task(f"games.tasks.{task}", args=keys.get(task, []), connection=messages)

    until(lambda: not Duplicate.objects.stale().exists(), worker, tmp_path / "worker.log")
    assert not list(verification.differences(competition=event.competition))
