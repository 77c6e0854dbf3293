"""The code on a paper opens one sheet to somebody without an account, where the club has it so."""

from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from games.models import Scoresheet, Vouch
from games.scoresheets import entry_links
from games.scoresheets.services import scoresheets
from league.models import Fixture, OutboxMessage, User
from tests.games.boards import duplicate_scene, sealed
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db
FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))
FIELDS = {
    "name": "Hanna Helper",
    **{f"total-{deal}-{side}": points for deal in (1, 2, 3, 4) for side, points in (("NS", 20), ("EW", 15))},
}


@pytest.fixture
def scene() -> Scene:
    return allowed(make_scene())


def allowed(scene: Scene) -> Scene:
    scene.club.guests_enter = True
    scene.club.save()
    return scene


def link(scene: Scene) -> str:
    return entry_links.path_of(scene.fixture)


def sent(scene: Scene, **more: Any) -> Any:
    return Client().post(link(scene), {**FIELDS, **more}, follow=True)


def status(scene: Scene) -> str:
    return Fixture.objects.get(pk=scene.fixture.pk).status


def test_a_guest_enters_one_sheet_with_a_name_and_it_speaks_for_nobody(scene: Scene) -> None:
    page = Client().get(link(scene)).content.decode()
    assert "Your name" in page
    assert "<legend>Deal 4</legend>" in page
    for pair, side in ((scene.fixture.home, "North-South"), (scene.fixture.away, "East-West")):
        assert page.count(f"{escape(str(pair))} ({side})</label>") == 4
    answer = sent(scene)
    assert "It counts once all sides, or an official, have confirmed it" in answer.content.decode()
    sheet = Scoresheet.objects.get()
    assert (str(sheet.entered_by), sheet.entered_as) == ("Hanna Helper (without an account)", "code")
    assert (sheet.verdict, status(scene)) == ("pending", "to_confirm")
    assert not Vouch.objects.exists()
    told = OutboxMessage.objects.filter(template="to_confirm").values_list("to", flat=True)
    assert len(told) == 4


def test_it_takes_both_pairs_or_an_official(scene: Scene) -> None:
    sent(scene)
    sheet = Scoresheet.objects.get()
    assert (
        scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest).verdict == "pending"
    )
    scoresheets.confirm(actor=scene.users["anna"], sheet=sheet, digest=sheet.digest)
    assert status(scene) == "confirmed"


def test_an_official_alone_is_enough(scene: Scene) -> None:
    sent(scene)
    sheet = Scoresheet.objects.get()
    scoresheets.confirm(actor=scene.users["sam"], sheet=sheet, digest=sheet.digest)
    assert status(scene) == "confirmed"


def test_the_code_opens_one_sheet(scene: Scene) -> None:
    sent(scene)
    sheet = Scoresheet.objects.get()
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="No")
    assert "has already entered a scoresheet" in sent(scene, name="Somebody else").content.decode()
    assert Scoresheet.objects.count() == 1
    # Nobody can write to a guest.
    assert not OutboxMessage.objects.filter(template="scoresheet_rejected").exists()


def test_a_guest_cannot_log_in_or_be_somebody(scene: Scene) -> None:
    sent(scene, name="Dora Director")
    guest = User.objects.get(email__endswith="@guests.invalid")
    assert not guest.is_active
    assert not guest.has_usable_password()
    assert str(guest) != str(scene.users["dora"])
    assert not guest.memberships.exists()


@pytest.mark.parametrize(
    "more",
    [{"name": ""}, {"name": "x" * 200}, {"total-1-NS": "many"}, {"total-1-NS": "-5"}, {"total-2-EW": ""}],
)
def test_what_cannot_be_read_is_said_at_the_form(scene: Scene, more: dict[str, str]) -> None:
    answer = Client().post(link(scene), {**FIELDS, **more})
    assert answer.status_code == 422
    assert not Scoresheet.objects.exists()
    assert not User.objects.filter(email__endswith="@guests.invalid").exists()


def test_points_that_cannot_be_are_said_at_their_deal(scene: Scene) -> None:
    page = Client().post(link(scene), {**FIELDS, "total-2-NS": 900}).content.decode()
    second, third = page.index("<legend>Deal 2"), page.index("<legend>Deal 3")
    assert second < page.index("A deal can’t end 900 to 15") < third
    assert page.count("A deal can’t end 900 to 15") == 1
    assert "No deals entered yet" in Client().post(link(scene), {"name": "Hanna"}).content.decode()


def is_shut(address: str) -> bool:
    """Whether a visitor is led to the login, reading and writing."""
    client = Client()
    answers = (client.get(address), client.post(address, FIELDS))
    return all("/accounts/login/" in answer.get("Location", "") for answer in answers)


def test_it_is_the_clubs_choice(scene: Scene) -> None:
    scene.club.guests_enter = False
    scene.club.save()
    assert is_shut(link(scene))


def test_a_made_up_code_opens_nothing(scene: Scene) -> None:
    other = Fixture.objects.with_pairs().get(pk=scene.fixtures[1].pk)
    token = entry_links.token_of(other)
    assert is_shut(f"/matches/{scene.fixture.pk}/enter/{token}/")
    assert is_shut("/matches/999999/enter/x/")


def test_not_for_what_only_members_see(scene: Scene) -> None:
    scene.competition.visibility = "members"
    scene.competition.save()
    assert is_shut(link(scene))


def test_not_for_a_match_that_is_decided(scene: Scene) -> None:
    Fixture.objects.filter(pk=scene.fixture.pk).update(status="walkover")
    assert is_shut(link(scene))


def test_not_where_the_boards_are_sealed() -> None:
    scene = allowed(duplicate_scene())
    sealed(scene)
    assert is_shut(link(scene))


def test_owners_choose_it_with_the_club(scene: Scene) -> None:
    scene.club.guests_enter = False
    scene.club.save()
    client = Client()
    client.force_login(scene.users["olive"])
    fields = {"name": "Riverside Club", "time_zone": "Europe/Dublin", "guests_enter": "on"}
    assert client.post("/clubs/riverside/desk/club/", fields).status_code == 302
    scene.club.refresh_from_db()
    assert scene.club.guests_enter
