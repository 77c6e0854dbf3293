"""Two directors decide the last two level matches of a cup's round at the same moment: its boards open then."""

import threading
from contextlib import suppress
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from games.boards.services import releases
from games.models import BoardSet
from league.draws.services import ties
from league.models import AuditEntry, Competition, TieDecision
from league.standings.services import standings
from tests.concurrency.test_scoresheet_races import at_once
from tests.games.boards import cup_matches, duplicate_scene, play, sealed_cup
from tests.scenes import totals_sheet

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

LEVEL = totals_sheet((60, 20), (20, 60), (40, 40), (30, 30))


def decide_both(monkeypatch: pytest.MonkeyPatch, *, patience: int) -> tuple[list[Any], BoardSet]:
    """Holds who has decided a match, before and after looking at the other, until the second has, too.

    No longer than `patience` seconds: with a lock the second has not even begun.
    """
    scene = duplicate_scene()
    cup: Competition = sealed_cup(scene)
    for match in cup_matches(cup):
        play(scene, match, **LEVEL)
    meeting, released = threading.Barrier(2), releases.release_all_played

    def wait() -> None:
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=patience)

    def meet(**given: Any) -> None:
        wait()
        released(**given)
        wait()

    monkeypatch.setattr(releases, "release_all_played", meet)
    one, other = cup_matches(cup)
    dora, olive, at = scene.users["dora"], scene.users["olive"], timezone.now()
    outcomes = at_once(
        lambda: ties.play_extra(actor=dora, fixture=one, scores=(41, 28), at=at),
        lambda: ties.play_extra(actor=olive, fixture=other, scores=(28, 41), at=at),
    )
    return outcomes, BoardSet.objects.get(competition=cup, round__number=1)


def test_f45_of_two_who_decide_the_last_ties_one_opens_the_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes, made = decide_both(monkeypatch, patience=1)
    assert all(isinstance(each, TieDecision) for each in outcomes), outcomes
    assert made.opened
    assert AuditEntry.objects.filter(action="boards.opened").count() == 1


def test_control_without_the_lock_neither_sees_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "bump", lambda **_given: None)
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    outcomes, made = decide_both(monkeypatch, patience=20)
    assert all(isinstance(each, TieDecision) for each in outcomes), outcomes
    assert not made.opened
