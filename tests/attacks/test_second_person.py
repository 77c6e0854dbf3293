"""A result is confirmed by somebody else than who entered it, who has the right to do so at that moment."""

from typing import Any

import pytest

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league import policies
from league.errors import Conflict, NotAllowed
from league.models import IdempotencyKey, Membership, User
from tests.scenes import Scene, make_scene, totals_sheet

FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def submitted(scene: Scene, name: str, **more: Any) -> Scoresheet:
    return scoresheets.submit(
        actor=scene.users[name], fixture=scene.fixture, content=FOUR, origin="page", **more
    )


def make_superuser(scene: Scene, name: str) -> User:
    scene.users[name].is_superuser = True
    scene.users[name].save()
    return scene.users[name]


def test_not_even_a_superuser_confirms_the_own_sheet(scene):
    for name, partner in (("anna", "chidi"), ("sam", "sam")):
        sheet = submitted(scene, name)
        with pytest.raises(NotAllowed):
            scoresheets.confirm(actor=make_superuser(scene, partner), sheet=sheet, digest=sheet.digest)
        with pytest.raises(NotAllowed):
            scoresheets.confirm(actor=make_superuser(scene, name), sheet=sheet, digest=sheet.digest)
        scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="again")


def test_who_lost_the_office_a_moment_ago_does_not_confirm(scene):
    sheet = submitted(scene, "sam")
    dora = scene.users["dora"]
    assert policies.may(dora, "sheet.judge", sheet)
    Membership.objects.filter(user=dora).delete()
    with pytest.raises(NotAllowed):
        scoresheets.confirm(actor=dora, sheet=sheet, digest=sheet.digest)
    sheet.refresh_from_db()
    assert sheet.verdict == Scoresheet.Verdict.PENDING


def test_who_became_an_official_a_moment_ago_may_act(scene):
    stranger = scene.users["stranger"]
    sheet = submitted(scene, "sam")
    assert not policies.may(stranger, "sheet.judge", sheet)
    Membership.objects.create(user=stranger, club=scene.club, role="director")
    scoresheets.confirm(actor=stranger, sheet=sheet, digest=sheet.digest)


def test_a_key_belongs_to_one_person_one_action_and_one_request(scene):
    first = submitted(scene, "anna", key="k")
    assert submitted(scene, "anna", key="k") == first
    with pytest.raises(Conflict):
        scoresheets.reject(actor=scene.users["anna"], sheet=first, reason="x", key="k")
    confirmed = scoresheets.confirm(actor=scene.users["eva"], sheet=first, digest=first.digest, key="k")
    again = scoresheets.confirm(actor=scene.users["eva"], sheet=first, digest=first.digest, key="k")
    assert confirmed == again
    assert IdempotencyKey.objects.filter(key="k").count() == 2


def test_a_refused_write_leaves_its_key_free(scene):
    sheet = submitted(scene, "anna")
    for _time in range(2):
        with pytest.raises(Conflict, match="has changed since you saw it"):
            scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest="0" * 64, key="k")
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest, key="k")


def test_a_repetition_by_who_lost_the_right_meanwhile_gets_the_stored_answer_and_writes_nothing(scene):
    sheet = submitted(scene, "sam")
    scoresheets.confirm(actor=scene.users["dora"], sheet=sheet, digest=sheet.digest, key="k")
    Membership.objects.filter(user=scene.users["dora"]).delete()
    scoresheets.confirm(actor=scene.users["dora"], sheet=sheet, digest=sheet.digest, key="k")
    assert Scoresheet.objects.filter(verdict="confirmed").count() == 1
