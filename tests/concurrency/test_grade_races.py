"""Two workers rate one competition at the same moment: every session is rated once, and the grades follow from them."""

from functools import partial

import pytest
from django.db import IntegrityError
from django.utils import timezone

from games.grades import facts, services, verification
from games.models import GradeSession, GradeStep
from games.scoresheets.services import scoresheets
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_set_up_races import meet, unlocked
from tests.scenes import make_scene, totals_sheet

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def rated(competition: int) -> bool | str:
    """Whether there was anything to do; the constraint that refused it, where one did."""
    try:
        return services.compute(competition_id=competition, at=timezone.now())
    except IntegrityError as refusal:
        return str(refusal)


def rated_at_once(monkeypatch: pytest.MonkeyPatch) -> list[bool | str]:
    scene = make_scene()
    # The book is there, so that nobody waits for it to be made.
    services.sweep(at=timezone.now())
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((24, 10), (20, 15), (18, 20), (22, 11)),
        origin="page",
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    meet(monkeypatch, facts, "of_competition")
    found = at_once(*[partial(rated, scene.competition.pk)] * 2)
    monkeypatch.undo()
    return found


def test_f138_a_session_is_rated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sorted(rated_at_once(monkeypatch)) == [False, True]
    assert GradeSession.objects.count() == 1
    assert GradeStep.objects.count() == 4
    assert list(verification.differences()) == []


def test_control_without_the_lock_the_database_itself_has_to_refuse_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked(monkeypatch)
    found = rated_at_once(monkeypatch)
    assert True in found
    assert any("rated_once" in str(each) for each in found)
