"""Two people at once: exactly one wins, and the other is told. The controls show what the locks are for."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.entries.services import withdrawals
from league.errors import Conflict, LeagueError
from league.models import AuditEntry, Entry, Fixture
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

SHEET = totals_sheet((60, 20), (50, 30))


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each call gave or raised, all of them started together on connections of their own."""
    start = threading.Barrier(len(calls))
    outcomes: list[Any] = [None] * len(calls)

    def run(number: int, call: Callable[[], Any]) -> None:
        try:
            start.wait(timeout=60)
            outcomes[number] = call()
        except LeagueError as refusal:
            outcomes[number] = refusal
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        # The first question for the best play compiles the search.
        thread.join(timeout=120)
    return outcomes


@pytest.fixture
def meet_after_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holds whoever has seen that the sheet is pending until the other has seen it too, or a second has passed.

    Without a lock both then write what they decided; with it, the second has not even looked yet.
    """
    meeting = threading.Barrier(2)
    check = scoresheets._check_pending

    def check_and_meet(sheet: Scoresheet) -> None:
        check(sheet)
        try:
            meeting.wait(timeout=1)
        except threading.BrokenBarrierError:
            return

    monkeypatch.setattr(scoresheets, "_check_pending", check_and_meet)


def submitted(scene: Scene) -> Scoresheet:
    return scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=SHEET, origin="page")


def confirm_and_reject(scene: Scene, sheet: Scoresheet) -> list[Any]:
    return at_once(
        lambda: scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest),
        lambda: scoresheets.reject(actor=scene.users["luis"], sheet=sheet, reason="Deal 2 was 30 to 50."),
    )


@pytest.mark.usefixtures("meet_after_check")
def test_confirm_and_reject_at_once_have_one_winner(scene: Scene) -> None:
    sheet = submitted(scene)
    outcomes = confirm_and_reject(scene, sheet)
    refusals = [outcome for outcome in outcomes if isinstance(outcome, LeagueError)]
    assert [type(refusal) for refusal in refusals] == [Conflict]
    assert refusals[0].code == "sheet_settled"
    sheet.refresh_from_db()
    won = outcomes.index(next(o for o in outcomes if o not in refusals))
    assert sheet.verdict == ("confirmed", "rejected")[won]
    assert Fixture.objects.get(pk=scene.fixture.pk).has_result is (won == 0)
    verdicts = AuditEntry.objects.filter(action__in=["sheet.confirmed", "sheet.rejected"])
    assert verdicts.count() == 1


@pytest.mark.usefixtures("meet_after_check")
def test_control_without_the_lock_both_believe_they_won(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = submitted(scene)
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    outcomes = confirm_and_reject(scene, sheet)
    assert not any(isinstance(outcome, LeagueError) for outcome in outcomes), outcomes
    verdicts = AuditEntry.objects.filter(action__in=["sheet.confirmed", "sheet.rejected"])
    assert verdicts.count() == 2


def test_two_pairs_submitting_at_once_leave_one_pending_sheet(scene: Scene) -> None:
    outcomes = at_once(
        *(
            lambda who=who: scoresheets.submit(
                actor=scene.users[who], fixture=scene.fixture, content=SHEET, origin="page"
            )
            for who in ("anna", "eva")
        )
    )
    refusals = [outcome for outcome in outcomes if isinstance(outcome, LeagueError)]
    assert [refusal.code for refusal in refusals] == ["sheet_waiting"]
    assert [sheet.verdict for sheet in Scoresheet.objects.all()] == ["pending"]


def test_two_corrections_at_once_make_one_confirmed_and_one_pending_sheet(scene: Scene) -> None:
    sheet = submitted(scene)
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    corrected = totals_sheet((60, 20), (50, 31))
    outcomes = at_once(
        *(
            lambda who=who: scoresheets.submit(
                actor=scene.users[who], fixture=scene.fixture, content=corrected, origin="page"
            )
            for who in ("anna", "luis")
        )
    )
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    assert sorted(Scoresheet.objects.values_list("verdict", flat=True)) == ["confirmed", "pending"]


def test_the_same_request_twice_at_once_has_one_effect_and_the_same_answer(scene: Scene) -> None:
    def send() -> int:
        return scoresheets.submit(
            actor=scene.users["anna"], fixture=scene.fixture, content=SHEET, origin="page", key="phone-1"
        ).pk

    outcomes = at_once(send, send, send)
    assert len(set(outcomes)) == 1, outcomes
    assert Scoresheet.objects.count() == 1
    assert AuditEntry.objects.filter(action="sheet.submitted").count() == 1


def test_control_without_a_key_the_same_request_makes_several_versions(scene: Scene) -> None:
    def send() -> int:
        return scoresheets.submit(
            actor=scene.users["anna"], fixture=scene.fixture, content=SHEET, origin="page"
        ).pk

    outcomes = at_once(send, send, send)
    assert len(set(outcomes)) == 3, outcomes
    assert sorted(Scoresheet.objects.values_list("version", flat=True)) == [1, 2, 3]


def test_a_confirmation_and_a_withdrawal_at_once_never_wait_for_each_other(scene: Scene) -> None:
    """The sheet is confirmed first, or the pair cannot withdraw before it is settled: no third outcome, no deadlock."""
    sheet = submitted(scene)
    outcomes = at_once(
        lambda: scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest),
        lambda: withdrawals.withdraw(
            actor=scene.users["dora"], entry=scene.entries[0], reason="Moved away", at=timezone.now()
        ),
    )
    assert outcomes[0].verdict == "confirmed", outcomes
    assert isinstance(outcomes[1], Conflict | Entry), outcomes
