"""A sheet that was stored keeps its meaning, whatever becomes of its players, substitutes and fixture afterwards."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from games.models import Scoresheet
from games.scoresheets.services import matches, scoresheets
from league.entries.services import withdrawals
from league.fixtures.services import fixtures, substitutions
from league.models import Entry, Fixture, Player
from league.people.services import merging
from tests.league import factories
from tests.scenes import Scene, make_scene, totals_sheet

FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def seated(scene: Scene, **seats: str) -> dict[str, Any]:
    """A sheet with the away pair on North and South: read with the usual seats it would be the other way round."""
    by_name = {player.name.split()[0].lower(): player.pk for player in Player.objects.all()}
    return {**FOUR, "seats": {seat: by_name[name] for seat, name in seats.items()}}


def turned(scene: Scene) -> dict[str, Any]:
    return seated(scene, N="eva", E="anna", S="luis", W="chidi")


def submitted(scene: Scene, content: Any, name: str = "anna") -> Scoresheet:
    return scoresheets.submit(actor=scene.users[name], fixture=scene.fixture, content=content, origin="page")


def confirmed(scene: Scene, content: Any) -> Scoresheet:
    sheet = submitted(scene, content)
    return scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)


def verify() -> str:
    out = StringIO()
    call_command("verify", settle=True, stdout=out)
    return out.getvalue()


def new_player(scene: Scene, name: str = "Eva Nowak") -> Player:
    return Player.objects.create(club=scene.club, name=name)


def test_a_merge_leaves_a_confirmed_sheet_as_it_was(scene):
    confirmed(scene, turned(scene))
    eva = Player.objects.get(name="Eva Novak")
    keep = new_player(scene)
    merge = merging.merge(actor=scene.users["dora"], keep=keep, duplicate=eva)
    verify()
    page = Scoresheet.objects.get()
    assert (page.home_total, page.away_total) == (60, 80)
    merging.undo(actor=scene.users["dora"], merge=merge)
    verify()


def test_a_sheet_that_waits_can_be_confirmed_after_a_merge(scene):
    sheet = submitted(scene, turned(scene))
    eva = Player.objects.get(name="Eva Novak")
    merging.merge(actor=scene.users["dora"], keep=new_player(scene), duplicate=eva)
    scoresheets.confirm(actor=scene.users["luis"], sheet=sheet, digest=sheet.digest)
    assert Fixture.objects.get(pk=scene.fixture.pk).result.home_score == 60
    verify()


def test_a_sheet_entered_after_a_merge_outlives_its_undoing(scene):
    eva = Player.objects.get(name="Eva Novak")
    merge = merging.merge(actor=scene.users["dora"], keep=new_player(scene), duplicate=eva)
    keep = Player.objects.get(name="Eva Nowak")
    content = turned(scene)
    content["seats"]["N"] = keep.pk
    submitted(scene, content)
    merging.undo(actor=scene.users["dora"], merge=merge)
    verify()


def test_old_versions_outlive_a_change_of_substitutes(scene):
    absent = Player.objects.get(name="Eva Novak")
    stand_in = new_player(scene, "Sue Standin")
    made = substitutions.appoint(
        actor=scene.users["dora"], fixture=scene.fixture, absent=absent, substitute=stand_in, reason="ill"
    )
    sheet = confirmed(scene, seated(scene, N="sue", E="anna", S="luis", W="chidi"))
    matches.reopen(actor=scene.users["dora"], fixture=scene.fixture, reason="wrong sheet")
    fixtures.award_walkover(
        actor=scene.users["dora"], fixture=scene.fixture, losing=[scene.fixture.away], reason="gone"
    )
    fixtures.restore(actor=scene.users["dora"], fixture=scene.fixture, reason="back")
    substitutions.cancel(actor=scene.users["dora"], substitution=made)
    sheet.refresh_from_db()
    assert (sheet.home_total, sheet.away_total) == (60, 80)
    verify()


def test_a_withdrawal_and_its_undoing_leave_all_sheets_readable(scene):
    confirmed(scene, turned(scene))
    entry = Entry.objects.get(pk=scene.entries[0].pk)
    withdrawals.withdraw(actor=scene.users["dora"], entry=entry, reason="moved", at=timezone.now())
    verify()
    withdrawals.reinstate(actor=scene.users["dora"], entry=entry, reason="back", at=timezone.now())
    verify()


def test_a_pair_merged_away_keeps_its_sheets(scene):
    confirmed(scene, turned(scene))
    eva, luis = Player.objects.get(name="Eva Novak"), Player.objects.get(name="Luis Reyes")
    keep = new_player(scene)
    low, high = sorted((keep, luis), key=lambda each: each.pk)
    factories.pair(scene.club, low, high)
    merging.merge(actor=scene.users["dora"], keep=keep, duplicate=eva)
    verify()
