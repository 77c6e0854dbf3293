"""Officials who play in an event neither read, type nor judge sheets of boards that they still have to play."""

import pytest
from django.test import Client

from games.models import FixtureBoard
from games.scoresheets.services import scoresheets
from league import extension, policies
from league.errors import NotAllowed
from league.models import AuditEntry, Membership, Role
from tests.games.boards import SHEET, duplicate_scene, sealed
from tests.scenes import Scene, totals_sheet

pytestmark = pytest.mark.django_db
REASON = "Board 2 was a flush"


@pytest.fixture
def scene() -> Scene:
    """Anna is a scorer and Chidi a director; both play in the first match, not in the second."""
    made = duplicate_scene()
    Membership.objects.filter(user=made.users["anna"]).update(role=Role.SCORER)
    Membership.objects.filter(user=made.users["chidi"]).update(role=Role.DIRECTOR)
    sealed(made)
    return made


def test_a_scorer_who_plays_enters_the_own_sheet_and_no_other(scene: Scene) -> None:
    own, other = scene.fixtures[:2]
    assert policies.may(scene.users["anna"], "sheet.enter", own)
    assert not policies.may(scene.users["anna"], "sheet.enter", other)
    assert policies.may(scene.users["sam"], "sheet.enter", other)
    with pytest.raises(NotAllowed):
        scoresheets.submit(actor=scene.users["anna"], fixture=other, content=SHEET, origin="official")
    client = Client()
    client.force_login(scene.users["anna"])
    assert client.get(f"/matches/{other.pk}/scoresheet/").status_code == 403


def test_a_director_who_plays_confirms_no_sheet_of_another_table(scene: Scene) -> None:
    other = scene.fixtures[1]
    sheet = scoresheets.submit(actor=scene.users["iris"], fixture=other, content=SHEET, origin="page")
    with pytest.raises(NotAllowed):
        scoresheets.confirm(actor=scene.users["chidi"], sheet=sheet, digest=sheet.digest)
    scoresheets.confirm(actor=scene.users["dora"], sheet=sheet, digest=sheet.digest)


def test_without_boards_a_playing_scorer_types_sheets_of_others(scene: Scene) -> None:
    """The control: to type a sheet, it is the boards that make the difference, not the office."""
    FixtureBoard.objects.all().delete()
    other = scene.fixtures[1]
    assert policies.may(scene.users["anna"], "sheet.enter", other)
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=other, content=SHEET, origin="official")
    with pytest.raises(NotAllowed):
        scoresheets.confirm(actor=scene.users["chidi"], sheet=sheet, digest=sheet.digest)
    scoresheets.confirm(actor=scene.users["dora"], sheet=sheet, digest=sheet.digest)


def test_the_trail_keeps_a_reason_with_the_sheet_while_boards_are_sealed(scene: Scene) -> None:
    other = scene.fixtures[1]
    sheet = scoresheets.submit(actor=scene.users["iris"], fixture=other, content=SHEET, origin="page")
    scoresheets.reject(actor=scene.users["olga"], sheet=sheet, reason=REASON)
    sheet.refresh_from_db()
    assert sheet.verdict_reason == REASON
    assert REASON not in {entry.reason for entry in AuditEntry.objects.filter(fixture=other)}


def test_the_desk_says_of_a_sealed_board_only_that_something_is_odd(scene: Scene) -> None:
    odd = totals_sheet((60, 20), (31, 149), (40, 40), (30, 20))
    scoresheets.submit(actor=scene.users["iris"], fixture=scene.fixtures[1], content=odd, origin="page")
    found = extension.layer().unusual_results([scene.fixtures[1].pk], scene.users["dora"])
    assert found[scene.fixtures[1].pk].remarks == ("Something on the scoresheet is unusual.",)
    FixtureBoard.objects.all().delete()
    assert (
        "bonus"
        in extension.layer()
        .unusual_results([scene.fixtures[1].pk], scene.users["dora"])[scene.fixtures[1].pk]
        .remarks[0]
        .lower()
    )
