"""Why a result is corrected: the other side and the trail have it, unless it could tell of boards still sealed."""

import json
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.errors import Invalid
from league.models import AuditEntry, Notice
from league.notices.services import outbox
from tests.games.boards import duplicate_scene, play, sealed
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db
SHEET, BETTER = totals_sheet((60, 20), (50, 30)), totals_sheet((60, 20), (50, 31))
WHY = "Deal 2 was 50 to 31: we forgot a bonus"


def confirmed() -> Scene:
    scene = make_scene()
    sheet = submit(scene, SHEET)
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    return scene


def submit(scene: Scene, content: Any, reason: str = "") -> Scoresheet:
    return scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, content=content, origin="page", reason=reason
    )


def client_of(scene: Scene, name: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    return client


def test_the_other_side_and_the_trail_have_the_reason() -> None:
    scene = confirmed()
    submit(scene, BETTER, WHY)
    notice = Notice.objects.filter(user=scene.users["eva"], event="to_confirm").first()
    assert notice
    assert notice.context["why"] == WHY
    outbox.deliver(at=timezone.now())
    assert any(f" wrote: {WHY}" in str(each.body) for each in mail.outbox if "eva" in each.to[0])
    assert AuditEntry.objects.filter(action="sheet.submitted").latest("pk").reason == WHY
    for who in ("eva", "chidi", "dora"):
        assert WHY in client_of(scene, who).get(f"/matches/{scene.fixture.pk}/").text


def test_without_a_reason_all_is_as_before() -> None:
    scene = confirmed()
    submit(scene, BETTER)
    assert AuditEntry.objects.filter(action="sheet.submitted").latest("pk").reason == ""


def test_there_is_no_reason_for_a_first_sheet() -> None:
    with pytest.raises(Invalid):
        submit(make_scene(), SHEET, WHY)
    assert not Scoresheet.objects.exists()


def test_no_reason_tells_of_boards_that_others_still_play() -> None:
    scene = duplicate_scene()
    sealed(scene)
    play(scene, scene.fixture)
    four = totals_sheet((60, 20), (50, 30), (40, 40), (30, 21))
    with pytest.raises(Invalid):
        submit(scene, four, WHY)
    assert submit(scene, four).verdict == "pending"


def test_the_page_asks_why_of_a_correction_alone() -> None:
    scene = confirmed()
    client, page = client_of(scene, "anna"), f"/matches/{scene.fixture.pk}/scoresheet/"
    shown = client.post(page, {"content": json.dumps(BETTER)})
    assert "Why is the result corrected?" in shown.text
    fields = {name: shown.context[name] for name in ("content", "digest", "key")}
    client.post(f"{page}send/", {**fields, "reason": WHY})
    assert AuditEntry.objects.filter(action="sheet.submitted").latest("pk").reason == WHY
    other = client_of(scene, "iris")
    assert (
        "Why is the result corrected?"
        not in other.post(f"/matches/{scene.fixtures[1].pk}/scoresheet/", {"content": json.dumps(SHEET)}).text
    )
