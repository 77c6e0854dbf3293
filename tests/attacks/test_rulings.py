"""A director's ruling and a sheet that waits: the one ends the other."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import scoresheets
from league.errors import NotAllowed
from league.fixtures.services import fixtures
from league.models import AuditEntry
from league.results.queries import my
from tests.scenes import Scene, make_scene, totals_sheet

FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


@pytest.mark.parametrize("ruling", ["walkover", "void"])
def test_a_sheet_that_waited_when_a_director_ruled_does_not_block_the_match_put_back(scene, ruling):
    first = scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=FOUR, origin="page")
    if ruling == "walkover":
        fixtures.award_walkover(
            actor=scene.users["dora"], fixture=scene.fixture, losing=[scene.fixture.away], reason="x"
        )
    else:
        fixtures.void(actor=scene.users["dora"], fixture=scene.fixture, reason="x")
    first.refresh_from_db()
    assert (first.verdict, first.verdict_reason) == (Scoresheet.Verdict.REJECTED, "x")
    assert AuditEntry.objects.filter(fixture=scene.fixture, action="sheet.rejected").exists()
    assert scene.fixture.pk not in {
        match.line.key for match in my.matches(scene.users["eva"], at=timezone.now()).to_do
    }
    fixtures.restore(actor=scene.users["dora"], fixture=scene.fixture, reason="played after all")
    sheet = scoresheets.submit(actor=scene.users["eva"], fixture=scene.fixture, content=FOUR, origin="page")
    scoresheets.confirm(actor=scene.users["anna"], sheet=sheet, digest=sheet.digest)


def test_one_pair_alone_gives_no_new_date(scene):
    when = timezone.now() + timedelta(days=3)
    with pytest.raises(NotAllowed):
        fixtures.postpone(actor=scene.users["anna"], fixture=scene.fixture, reason="ill", starts_at=when)
    assert scene.fixture.status == "scheduled"
    fixtures.postpone(actor=scene.users["anna"], fixture=scene.fixture, reason="ill")
    fixtures.postpone(actor=scene.users["dora"], fixture=scene.fixture, reason="agreed", starts_at=when)
    assert scene.fixture.starts_at == when
