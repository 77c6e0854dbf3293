"""A version that a newer one replaces is named in the trail."""

import pytest

from games.scoresheets.services import scoresheets
from league.models import AuditEntry
from tests.scenes import make_scene, totals_sheet

pytestmark = pytest.mark.django_db


def test_the_trail_names_the_version_that_was_replaced() -> None:
    scene = make_scene()
    for score in (30, 31):
        scoresheets.submit(
            actor=scene.users["anna"],
            fixture=scene.fixture,
            content=totals_sheet((60, 20), (50, score)),
            origin="page",
        )
    first, second = AuditEntry.objects.filter(action="sheet.submitted").order_by("pk")
    assert first.before is None
    assert second.before is not None
    assert second.after is not None
    assert (second.before["version"], second.before["verdict"]) == (1, "replaced")
    assert (second.after["version"], second.after["verdict"]) == (2, "pending")
